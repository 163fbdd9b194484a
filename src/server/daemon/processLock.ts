import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isErrnoException } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../base/processIdentity.ts';

/** `process`: the right to be the shared process, held as long as it lives. `start`: the right to start it, held meanwhile. */
type LockName = 'process' | 'start';

/**
 * A lock between processes that is looked at, not waited for. Taking it is a hard link, which fails when it is held; the
 * lock of a dead process is moved away first, and looked at again after the move, because another may have been quicker.
 */
export class ProcessLock {
  readonly #path: string;
  readonly #content: string;

  private constructor(path: string, content: string) {
    this.#path = path;
    this.#content = content;
  }

  /** The lock, or who holds it. */
  static take(runtimeDir: string, name: LockName): ProcessLock | ProcessIdentity {
    const path = lockPath(runtimeDir, name);
    const content = JSON.stringify({ ...ownIdentity(), nonce: randomId('lock') });
    const own = `${path}.${randomId('own')}`;
    try {
      writeFileSync(own, content, { mode: 0o600, flag: 'wx' });
      for (;;) {
        try {
          linkSync(own, path);
          return new ProcessLock(path, content);
        } catch (error) {
          if (!isErrnoException(error, 'EEXIST')) throw error;
        }
        const held = readLock(path);
        if (held === undefined) continue;
        if (held.holder !== undefined && isAlive(held.holder)) return held.holder;
        moveAway(path, held.text);
      }
    } finally {
      rmSync(own, { force: true });
    }
  }

  /** False when the lock was lost: somebody took it for that of a dead process. */
  get isHeld(): boolean {
    return readLock(this.#path)?.text === this.#content;
  }

  release(): void {
    if (this.isHeld) rmSync(this.#path, { force: true });
  }
}

/** The living process that holds the lock. */
export function lockHolder(runtimeDir: string, name: LockName): ProcessIdentity | undefined {
  const holder = readLock(lockPath(runtimeDir, name))?.holder;
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/** Takes away the lock of a process that was killed. */
export function removeStaleLock(runtimeDir: string, name: LockName): void {
  const path = lockPath(runtimeDir, name);
  const held = readLock(path);
  if (held !== undefined && (held.holder === undefined || !isAlive(held.holder))) moveAway(path, held.text);
}

function lockPath(runtimeDir: string, name: LockName): string {
  return join(runtimeDir, `${name}.lock`);
}

function readLock(path: string): { text: string; holder: ProcessIdentity | undefined } | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'pid' in value && 'start' in value)
      if (typeof value.pid === 'number' && typeof value.start === 'string')
        return { text, holder: { pid: value.pid, start: value.start } };
  } catch {
    // A damaged lock has no holder.
  }
  return { text, holder: undefined };
}

function moveAway(path: string, expected: string): void {
  const aside = `${path}.${randomId('stale')}`;
  try {
    renameSync(path, aside);
    if (readLock(aside)?.text !== expected) linkSync(aside, path);
  } catch (error) {
    if (!isErrnoException(error, 'ENOENT', 'EEXIST')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
