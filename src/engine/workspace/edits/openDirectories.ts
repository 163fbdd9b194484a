import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isErrnoException, ToolError } from '../../../base/errors.ts';

/**
 * Holds the directories of a change open, so that the directory that was checked is the one written to even if somebody
 * swaps it for a link meanwhile: on Linux every operation goes through the open directory, not through its name.
 */
export class OpenDirectories {
  readonly #opened = new Map<string, number>();

  /** The string to use for `path` in a file operation. */
  pathOf(path: string): string {
    return join(this.directoryOf(dirname(path)), basename(path));
  }

  directoryOf(directory: string): string {
    if (!hasDescriptorPaths) return directory;
    let opened = this.#opened.get(directory);
    if (opened === undefined) this.#opened.set(directory, (opened = openChecked(directory)));
    return `/proc/self/fd/${opened}`;
  }

  closeAll(): void {
    for (const opened of this.#opened.values()) closeSync(opened);
    this.#opened.clear();
  }
}

const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd');

function openChecked(directory: string): number {
  let opened: number;
  try {
    opened = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isErrnoException(error, 'ELOOP', 'ENOTDIR')) throw swapped(directory);
    throw error;
  }
  if (readlinkSync(`/proc/self/fd/${opened}`) === directory) return opened;
  closeSync(opened);
  throw swapped(directory);
}

function swapped(directory: string): ToolError {
  return new ToolError('path_outside_project', `${directory} is no longer the directory it was. Nothing was changed.`);
}
