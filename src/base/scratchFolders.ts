import { lstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, ownIdentity, pidNamespace } from './processIdentity.ts';
import { namesIn } from './text/namesIn.ts';

/** An empty folder among the temporary files. Its name says whose it is, so that what a killed process has left can be told. */
export function scratchFolder(
  purpose: 'check' | 'commit' | 'debug' | 'doctor' | 'packages' | 'record' | 'trial',
): Promise<string> {
  const { pid, start } = ownIdentity();
  return mkdtemp(join(tmpdir(), `sightline-${purpose}-${pidNamespace()}-${pid}-${start}-`));
}

/** Removes the folders of Sightline processes that were killed, and returns them. */
export async function removeLeftFolders(): Promise<string[]> {
  const namespace = pidNamespace();
  const left = (await namesIn(tmpdir())).filter((name) => {
    const [, place, pid, start = ''] = /^sightline-[a-z]+-(\d+)-(\d+)-(s?\d*)-\w{6}$/.exec(name) ?? [];
    return place === namespace && isOwn(join(tmpdir(), name)) && !isAlive({ pid: Number(pid), start });
  });
  for (const name of left) await rm(join(tmpdir(), name), { recursive: true, force: true });
  return left;
}

/** A folder that another user gave such a name is theirs, and a link is none. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}
