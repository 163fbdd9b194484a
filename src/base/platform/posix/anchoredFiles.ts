import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
  type BigIntStats,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { OpenFiles } from '../platform.ts';

/** An editor that saves by renaming may replace a file right after it was opened; a swap for a link is still one at the third look. */
const looks = 3;

/**
 * For systems that do not tell where an open file lies. They do tell where the working directory lies, from the directory and not from the
 * path by which it was reached: we go there for a moment, and look from there whether what was opened is what stands there. For reading this is
 * exact. Writing goes by path, checked right before each operation: a swap between the two is not noticed.
 */
export const anchoredFiles: OpenFiles = {
  async open(path, flags) {
    for (let look = 0; look < looks; look++) {
      const file = await open(path, flags);
      if (liesAt(file.fd, path)) return file;
      await file.close();
    }
    return undefined;
  },
  openDirectory(path) {
    const opened = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    if (isDirectoryAt(opened, path)) return opened;
    closeSync(opened);
    return undefined;
  },
  through: (descriptor, path) => (isDirectoryAt(descriptor, path) ? path : undefined),
  forOthers: (path) => path,
  copiesAttributes: false,
};

function liesAt(descriptor: number, path: string): boolean {
  const opened = fstatSync(descriptor, { bigint: true });
  if (dirname(path) === path) return isDirectoryAt(descriptor, path);
  return from(dirname(path), (here) => isSame(opened, lstatSync(join(here, basename(path)), { bigint: true })));
}

function isDirectoryAt(descriptor: number, path: string): boolean {
  const opened = fstatSync(descriptor, { bigint: true });
  return from(path, (here) => isSame(opened, statSync(here, { bigint: true })));
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** Nothing else runs meanwhile, and nothing of ours goes by relative paths in other threads. */
function from(folder: string, look: (here: string) => boolean): boolean {
  // A thread cannot go anywhere. It looks by the path, which can be swapped between its looks.
  if (!isMainThread) return realpathSync(folder) === folder && look(folder);
  const before = currentFolder();
  try {
    process.chdir(folder);
    return currentFolder() === folder && look('.');
  } catch {
    return false;
  } finally {
    process.chdir(before ?? '/');
  }
}

/** Undefined when it was removed. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
