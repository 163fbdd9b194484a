import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isErrnoException, errorMessage } from '../../base/errors.ts';
import { contentHash } from '../../base/ids.ts';
import { platform } from '../../base/platform/here.ts';
import { isAlive, type ProcessIdentity } from '../../base/processIdentity.ts';
import { writeFileDurably } from '../../base/stateFile.ts';

/** How the shared process of this user is found. Whoever can read it may drive Sightline, so only the user can. */
export interface Discovery extends ProcessIdentity {
  version: string;
  /** Tells builds of one version apart. */
  build: string;
  token: string;
  /** A Unix socket (or named pipe) for shims and the command line. */
  socket: string;
  /** Where HTTP clients connect, without a trailing slash; absent when HTTP is off. */
  url?: string;
  startedAt: string;
}

export function discoveryPath(runtimeDir: string): string {
  return join(runtimeDir, 'process.json');
}

type Found =
  | { state: 'running'; discovery: Discovery }
  | { state: 'none' }
  /** A file of a process that is gone, or one that cannot be understood. */
  | { state: 'stale'; reason: string };

/** Synchronous, because a shim has nothing else to do until it knows. */
export function findShared(runtimeDir: string): Found {
  let text: string;
  try {
    text = readFileSync(discoveryPath(runtimeDir), 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return { state: 'none' };
    return { state: 'stale', reason: errorMessage(error) };
  }
  const discovery = parse(text);
  if (discovery === undefined) return { state: 'stale', reason: 'the file is damaged' };
  if (!isAlive(discovery)) return { state: 'stale', reason: `process ${discovery.pid} is gone` };
  return { state: 'running', discovery };
}

/** Makes the runtime directory private, and refuses one that belongs to somebody else. */
export function prepareRuntimeDir(runtimeDir: string): void {
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 });
  const status = lstatSync(runtimeDir);
  if (!status.isDirectory()) throw new Error(`${runtimeDir} is not a directory.`);
  const user = process.getuid?.();
  if (user !== undefined && status.uid !== user)
    throw new Error(`${runtimeDir} belongs to another user; it must be yours alone.`);
  if (platform.customs.hasModes && (status.mode & 0o077) !== 0) chmodSync(runtimeDir, 0o700);
}

/** Publishes the discovery file. A damaged one that it replaces is set aside first; its new name is returned. */
export async function publish(runtimeDir: string, discovery: Discovery): Promise<string | undefined> {
  const path = discoveryPath(runtimeDir);
  let aside: string | undefined;
  try {
    if (parse(readFileSync(path, 'utf8')) === undefined) {
      aside = `${path}.damaged`;
      renameSync(path, aside);
      chmodSync(aside, 0o600);
    }
  } catch (error) {
    if (!isErrnoException(error, 'ENOENT')) throw error;
  }
  await writeFileDurably(path, JSON.stringify(discovery, null, 1));
  return aside;
}

/** Takes the file away if it is still about this process. Synchronous: it is among the last things a process does. */
export function unpublish(runtimeDir: string, discovery: Discovery): void {
  const path = discoveryPath(runtimeDir);
  try {
    if (parse(readFileSync(path, 'utf8'))?.token === discovery.token) rmSync(path, { force: true });
  } catch (error) {
    if (!isErrnoException(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}

/** What systems allow for the path of a socket, in bytes: 103 on macOS, 107 on Linux. */
const maxSocketPathBytes = 103;

/** A socket name of its own for each process: a stale one is never in the way. Where the path would be too long, it lies elsewhere. */
export function socketPath(runtimeDir: string, id: string): string {
  const pipe = platform.customs.pipe(id);
  if (pipe !== undefined) return pipe;
  const path = join(runtimeDir, `${id}.sock`);
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return path;
  const folder = shortFolder(runtimeDir);
  prepareRuntimeDir(folder);
  return join(folder, `${id}.sock`);
}

function shortFolder(runtimeDir: string): string {
  return join('/tmp', `sightline-${process.getuid?.() ?? 0}-${contentHash(runtimeDir).slice(0, 12)}`);
}

/** Sockets and half-written files of processes that were killed. Call only while holding the process lock. */
export function removeLeftovers(runtimeDir: string): void {
  rmSync(shortFolder(runtimeDir), { recursive: true, force: true });
  // Somebody may have taken the folder itself away.
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(runtimeDir)) {
    const path = join(runtimeDir, name);
    if (name.endsWith('.sock') || (/\.(tmp|own|stale)_/.test(name) && isOld(path))) rmSync(path, { force: true });
  }
}

/** Somebody may be about to use a file that is only a moment old. */
function isOld(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return status !== undefined && Date.now() - status.mtimeMs > 10_000;
}

function parse(text: string): Discovery | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, start, version, build, token, socket, url, startedAt } = value as Partial<Record<string, unknown>>;
  if (typeof pid !== 'number' || typeof start !== 'string' || typeof version !== 'string') return undefined;
  if (typeof build !== 'string' || typeof token !== 'string' || token.length < 22) return undefined;
  if (typeof socket !== 'string' || typeof startedAt !== 'string') return undefined;
  return {
    pid,
    start,
    version,
    build,
    token,
    socket,
    startedAt,
    ...(typeof url === 'string' ? { url } : {}),
  };
}
