import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { appDirs } from '../../base/appDirs.ts';
import { platform } from '../../base/platform/here.ts';
import { identityOf, isAlive, type ProcessIdentity } from '../../base/processIdentity.ts';
import { discoveryPath, findShared, prepareRuntimeDir, removeLeftovers } from './discovery.ts';
import { ProcessLock, lockHolder } from './processLock.ts';

/**
 * Every living process that is, or was, the shared one of this runtime directory: as its files say, and, where the system lets us look,
 * as the processes themselves say. One that hangs while it ends has taken its files away already.
 */
export function sharedProcesses(runtimeDir: string): ProcessIdentity[] {
  const found = new Map<number, ProcessIdentity>();
  const discovered = findShared(runtimeDir);
  if (discovered.state === 'running') found.set(discovered.discovery.pid, discovered.discovery);
  const holder = lockHolder(runtimeDir, 'process');
  if (holder !== undefined) found.set(holder.pid, holder);
  for (const { pid } of platform.processes.all()) {
    if (pid === process.pid || found.has(pid) || !isSharedProcess(pid, runtimeDir)) continue;
    const identity = identityOf(pid);
    if (isAlive(identity)) found.set(pid, identity);
  }
  return [...found.values()].map(({ pid, start }) => ({ pid, start }));
}

/** Takes away the files of a process that was killed, unless another has taken its place already. */
export function cleanAfterKilled(runtimeDir: string): void {
  prepareRuntimeDir(runtimeDir);
  const lock = ProcessLock.take(runtimeDir, 'process');
  if (!(lock instanceof ProcessLock)) return;
  if (findShared(runtimeDir).state === 'stale') rmSync(discoveryPath(runtimeDir), { force: true });
  removeLeftovers(runtimeDir);
  lock.release();
}

function isSharedProcess(pid: number, runtimeDir: string): boolean {
  const [command, ...args] = platform.processes.words(pid);
  if (command === undefined || args.at(-1) !== 'shared' || !args.some((arg) => basename(arg) === 'sightline.js'))
    return false;
  const variables = platform.processes.variables(pid).map((text): [string, string] => {
    const end = text.indexOf('=');
    return [text.slice(0, end), text.slice(end + 1)];
  });
  return appDirs(Object.fromEntries(variables)).runtime === runtimeDir;
}
