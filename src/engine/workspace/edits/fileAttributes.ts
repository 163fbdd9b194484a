import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isErrnoException } from '../../../base/errors.ts';
import { platform } from '../../../base/platform/here.ts';
import { childEnvironment, ManagedProcess } from '../../../base/processes.ts';

export interface AttributePair {
  /** The file that is replaced, and the one that takes its place. */
  from: string;
  to: string;
}

/**
 * Gives files that take the place of others their owner, access lists and extended attributes, which a new file does not have by itself. Node
 * knows only owner and mode; for the rest the system's own `cp` is asked. To start it once, however many files there are, it is shown two
 * folders of links made below `scratch`, in which the same number leads to a file and to the one that replaces it. What the user's rights or
 * the system do not allow to keep is left.
 */
export async function copyAttributes(pairs: readonly AttributePair[], scratch: string): Promise<void> {
  for (const pair of pairs) keepOwner(pair);
  if (!platform.files.copiesAttributes || pairs.length === 0) return;
  // A killed process may have left it.
  rmSync(scratch, { recursive: true, force: true });
  try {
    const [from, to] = [join(scratch, 'from'), join(scratch, 'to')];
    for (const folder of [from, to]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [number, pair] of pairs.entries()) {
      symlinkSync(platform.files.forOthers(pair.from), join(from, String(number)));
      symlinkSync(platform.files.forOthers(pair.to), join(to, String(number)));
    }
    const options = ['-H', '--attributes-only', '--preserve=mode,ownership,xattr', '-t', to, '--'];
    await run('cp', [...options, ...pairs.map((_, number) => String(number))], from);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function keepOwner({ from, to }: AttributePair): void {
  const [old, fresh] = [lstatSync(from), lstatSync(to)];
  if (old.uid === fresh.uid && old.gid === fresh.gid) return;
  try {
    chownSync(to, old.uid, old.gid);
    // Changing the owner takes the bits away by which a program runs as its owner.
    chmodSync(to, old.mode & 0o7777);
  } catch (error) {
    if (!isErrnoException(error, 'EPERM', 'EINVAL', 'ENOSYS')) throw error;
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = await ManagedProcess.start({
    name: command,
    command,
    args,
    cwd,
    env: childEnvironment({ PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }),
  }).catch(() => undefined);
  if (child === undefined) return;
  child.stdin.end();
  child.stdout.resume();
  await child.exited;
}
