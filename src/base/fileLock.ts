import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay, throwIfCancelled } from './cancellation.ts';
import { isErrnoException } from './errors.ts';
import { randomId } from './ids.ts';
import { isAlive, ownIdentity } from './processIdentity.ts';

/**
 * A lock between processes: a file that exists while somebody holds it and says who. Node has no flock, so the holder is
 * told alive or dead by its pid together with the pid's start time (a reused pid is another process).
 */
export interface FileLock {
  release(): Promise<void>;
}

export interface FileLockOptions {
  signal?: AbortSignal;
  /** Called once when the lock is held by another living process. */
  onWait?: (holderPid: number) => void;
}

interface Holder {
  pid: number;
  startedAt: string | undefined;
  token: string;
}

const pollMs = 50;
/** A breaker only reads and deletes one small file; one that is older was killed in between. */
const breakerLifetimeMs = 10_000;

export async function acquireFileLock(path: string, options: FileLockOptions = {}): Promise<FileLock> {
  await mkdir(dirname(path), { recursive: true });
  const mine: Holder = { pid: process.pid, startedAt: ownIdentity().start, token: randomId('lock') };
  let told = false;
  for (;;) {
    throwIfCancelled(options.signal);
    if (await createExclusively(path, JSON.stringify(mine))) {
      return { release: () => releaseIfOurs(path, mine.token) };
    }
    const holder = await readHolder(path);
    if (holder !== 'gone') {
      if (holder === 'unreadable' ? await isOld(path) : !isAlive({ pid: holder.pid, start: holder.startedAt ?? '' })) {
        await breakLock(path, holder);
        continue;
      }
      if (!told && holder !== 'unreadable') {
        told = true;
        options.onWait?.(holder.pid);
      }
      await delay(pollMs, options.signal);
    }
  }
}

/** Deletes a dead holder's file. Only one process at a time may do so, and only if the file still names that holder. */
async function breakLock(path: string, seen: Holder | 'unreadable'): Promise<void> {
  const breaker = `${path}.break`;
  if (!(await createExclusively(breaker, String(process.pid)))) {
    if (await isOld(breaker)) await rm(breaker, { force: true });
    await delay(pollMs);
    return;
  }
  try {
    const now = await readHolder(path);
    const same = seen === 'unreadable' ? now === 'unreadable' : typeof now === 'object' && now.token === seen.token;
    if (same) await rm(path, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}

async function releaseIfOurs(path: string, token: string): Promise<void> {
  const holder = await readHolder(path);
  if (typeof holder === 'object' && holder.token === token) await rm(path, { force: true });
}

async function createExclusively(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (isErrnoException(error, 'EEXIST')) return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<Holder | 'gone' | 'unreadable'> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return 'gone';
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return 'unreadable';
    const { pid, startedAt, token } = value as Partial<Holder>;
    if (typeof pid !== 'number' || typeof token !== 'string') return 'unreadable';
    return { pid, startedAt: typeof startedAt === 'string' ? startedAt : undefined, token };
  } catch {
    // Created but not yet written, or truncated by a crash: its age tells which.
    return 'unreadable';
  }
}

async function isOld(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > breakerLifetimeMs;
  } catch {
    return false;
  }
}
