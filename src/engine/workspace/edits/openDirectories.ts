import { closeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isErrnoException, ToolError } from '../../../base/errors.ts';
import { platform } from '../../../base/platform/here.ts';

/**
 * Holds the directories of a change open, so that the directory that was checked is the one written to even if somebody
 * swaps it for a link meanwhile. Where the system cannot reach names through an open directory, each use looks whether it is still the same.
 */
export class OpenDirectories {
  readonly #opened = new Map<string, number>();

  /** The string to use for `path` in a file operation. */
  pathOf(path: string): string {
    return join(this.directoryOf(dirname(path)), basename(path));
  }

  directoryOf(directory: string): string {
    let opened = this.#opened.get(directory);
    if (opened === undefined) this.#opened.set(directory, (opened = openChecked(directory)));
    const path = platform.files.through(opened, directory);
    if (path === undefined) throw swapped(directory);
    return path;
  }

  closeAll(): void {
    for (const opened of this.#opened.values()) closeSync(opened);
    this.#opened.clear();
  }
}

function openChecked(directory: string): number {
  try {
    const opened = platform.files.openDirectory(directory);
    if (opened !== undefined) return opened;
  } catch (error) {
    if (!isErrnoException(error, 'ELOOP', 'ENOTDIR')) throw error;
  }
  throw swapped(directory);
}

function swapped(directory: string): ToolError {
  return new ToolError('path_outside_project', `${directory} is no longer the directory it was. Nothing was changed.`);
}
