import { constants, existsSync } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isErrnoException, ToolError } from '../../../base/errors.ts';

/**
 * Holds the directories of a change open, so that the directory that was checked is the one written to even if somebody
 * swaps it for a link meanwhile: on Linux every operation goes through the open directory, not through its name.
 */
export class OpenDirectories {
  readonly #handles = new Map<string, Promise<FileHandle>>();

  /** The string to use for `path` in a file operation. */
  async pathOf(path: string): Promise<string> {
    const directory = await this.directoryOf(dirname(path));
    return join(directory, basename(path));
  }

  async directoryOf(directory: string): Promise<string> {
    if (!hasDescriptorPaths) return directory;
    let handle = this.#handles.get(directory);
    if (handle === undefined) {
      handle = openChecked(directory);
      this.#handles.set(directory, handle);
      handle.catch(() => this.#handles.delete(directory));
    }
    return `/proc/self/fd/${(await handle).fd}`;
  }

  async closeAll(): Promise<void> {
    const handles = [...this.#handles.values()];
    this.#handles.clear();
    for (const opened of await Promise.allSettled(handles))
      if (opened.status === 'fulfilled') await opened.value.close();
  }
}

const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd');

async function openChecked(directory: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isErrnoException(error, 'ELOOP', 'ENOTDIR')) throw swapped(directory);
    throw error;
  }
  const real = await readlink(`/proc/self/fd/${handle.fd}`);
  if (real === directory) return handle;
  await handle.close();
  throw swapped(directory);
}

function swapped(directory: string): ToolError {
  return new ToolError('path_outside_project', `${directory} is no longer the directory it was. Nothing was changed.`);
}
