import { chmodSync, chownSync, lstatSync } from 'node:fs';
import { isErrnoException } from '../../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../../base/processes.ts';

export interface AttributePair {
  /** The file that is replaced, and the one that takes its place. */
  from: string;
  to: string;
}

/** Each costs the start of a program; with more files, only those with an access list are treated so. */
const maxFilesEach = 40;

/**
 * Gives files that take the place of others their owner, access lists and extended attributes, which a new file does not have by itself. Node
 * knows only owner and mode; for the rest the system's own `cp` is asked. What the user's rights do not allow to keep is left.
 */
export async function copyAttributes(pairs: readonly AttributePair[]): Promise<void> {
  for (const pair of pairs) keepOwner(pair);
  if (process.platform !== 'linux' || pairs.length === 0) return;
  const chosen = pairs.length <= maxFilesEach ? pairs : await withAccessLists(pairs);
  if (chosen.length === 0) return;
  const script =
    'while [ $# -gt 1 ]; do cp --attributes-only --no-dereference --preserve=mode,ownership,xattr -- "$1" "$2" 2>/dev/null; shift 2; done';
  await run('sh', ['-c', script, 'sh', ...chosen.flatMap(({ from, to }) => [forOthers(from), forOthers(to)])]);
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

/** `ls` marks them with a plus. */
async function withAccessLists(pairs: readonly AttributePair[]): Promise<AttributePair[]> {
  const listed = await run('ls', ['-ldU', '--', ...pairs.map(({ from }) => forOthers(from))]);
  const marks = listed.split('\n');
  if (marks.length < pairs.length) return [...pairs];
  return pairs.filter((_, index) => /^\S{10}\+/.test(marks[index] ?? ''));
}

/** Open directories are reached by the number they have in this process. */
function forOthers(path: string): string {
  return path.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const child = await ManagedProcess.start({
    name: command,
    command,
    args,
    cwd: '/',
    env: childEnvironment({ PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }),
  }).catch(() => undefined);
  if (child === undefined) return '';
  child.stdin.end();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const closed = new Promise((resolve) => child.stdout.once('close', resolve));
  await child.exited;
  await closed;
  return output;
}
