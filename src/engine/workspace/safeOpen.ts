import { constants, existsSync } from 'node:fs';
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { advise, step } from '../../base/text/advice.ts';
import { ToolError, isErrnoException } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { refuseOwn } from './ownFolders.ts';

/**
 * Between resolving a path and using it a folder can be swapped for a symbolic link. What was opened is therefore asked where
 * it lies (/proc/self/fd), and new names are reached through the open folder, which a swap can no longer redirect.
 */
export async function openForReading(roots: readonly string[], path: string): Promise<FileHandle> {
  refuseOwn(path, path, true);
  // Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => {
    if (isErrnoException(error, 'ELOOP')) throw swapped(path);
    if (isErrnoException(error, 'ENXIO', 'ENODEV'))
      throw new ToolError('not_a_regular_file', `${path} is a socket or device, not a regular file.`);
    if (isErrnoException(error, 'EACCES', 'EPERM'))
      throw new ToolError('permission_denied', `The user's rights do not allow to read ${path}.`);
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) throw new ToolError('file_not_found', `${path} does not exist.`);
    throw error;
  });
  try {
    await checkWhereItLies(roots, file, path);
    const stats = await file.stat();
    if (!stats.isFile()) {
      throw new ToolError(
        'not_a_regular_file',
        `${path} is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.`,
        {
          hint: stats.isDirectory() ? advise`${step('listProjectFiles')} shows what is in it.` : undefined,
        },
      );
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** An open folder of the project. Names made with `child` stay in that very folder, whatever happens to its path. */
export class SafeFolder {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  static async open(root: string, path: string): Promise<SafeFolder> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = await open(path, flags).catch((error: unknown) => {
      if (isErrnoException(error, 'ELOOP', 'ENOTDIR')) throw swapped(path);
      throw error;
    });
    try {
      await checkWhereItLies([root], handle, path);
      return new SafeFolder(path, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path by which to reach `name` in this folder. It is for system calls only, never for messages. */
  child(name: string): string {
    if (name !== basename(name) || name === '' || name === '.' || name === '..')
      throw new ToolError('invalid_arguments', `"${name}" is not a plain file name.`);
    return hasProcFd ? `/proc/self/fd/${this.#handle.fd}/${name}` : join(this.path, name);
  }

  /** Makes what was created or renamed in it survive a power failure. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

const hasProcFd = existsSync('/proc/self/fd');

async function checkWhereItLies(roots: readonly string[], handle: FileHandle, path: string): Promise<void> {
  // Elsewhere than on Linux the second look is by path, which leaves a window but no wider one than before.
  const actual = hasProcFd
    ? await readlink(`/proc/self/fd/${handle.fd}`)
    : join(await realpath(dirname(path)), basename(path));
  // An editor that saves by renaming may replace the file right after it was opened: it still was the file that was meant.
  const isTheOne = actual === path || actual === `${path} (deleted)`;
  if (!isTheOne || !roots.some((root) => isInside(root, actual))) throw swapped(path);
}

function swapped(path: string): ToolError {
  return new ToolError('path_outside_project', `${path} was replaced by a symbolic link while it was being opened.`, {
    hint: 'Nothing was read or written. Call again if the change was intended.',
  });
}
