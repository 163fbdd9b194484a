import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '../../../base/cancellation.ts';
import { isErrnoException, ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { isAlive, ownIdentity } from '../../../base/processIdentity.ts';

/** Lets one change at a time reach a project: calls of this process queue, other processes are kept out by a lock file. */
export class ProjectLock {
  readonly #file: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      const release = await acquire(this.#file);
      try {
        return await work();
      } finally {
        await release();
      }
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

const waitMs = 10_000;
const pollMs = 15;

async function acquire(file: string): Promise<() => Promise<void>> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { pid, start } = ownIdentity();
  const owner = `${pid} ${start}`;
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      const handle = await open(file, 'wx', 0o600);
      try {
        await handle.writeFile(owner);
      } finally {
        await handle.close();
      }
      return () => rm(file, { force: true });
    } catch (error) {
      if (!isErrnoException(error, 'EEXIST')) throw error;
    }
    await setAsideIfStale(file, owner);
    if (Date.now() > deadline)
      throw new ToolError(
        'timeout',
        'Another Sightline process has been changing this project for 10 s. Nothing was changed.',
      );
    await delay(pollMs);
  }
}

async function setAsideIfStale(file: string, ownOwner: string): Promise<void> {
  const owner = await readFile(file, 'utf8').catch(() => undefined);
  // An empty lock is one being written this very moment, or what a killed process left: give it the benefit of one poll.
  if (owner === undefined || isHeldBy(owner, ownOwner)) return;
  if (owner === '') {
    await delay(pollMs * 4);
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== '') return;
  }
  const aside = `${file}.${randomId('stale')}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return;
    throw error;
  }
  await rm(aside, { force: true });
}

function isHeldBy(owner: string, ownOwner: string): boolean {
  if (owner === ownOwner) return true;
  const [pid, start = ''] = owner.split(' ');
  return isAlive({ pid: Number(pid), start });
}
