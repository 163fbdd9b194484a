import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrnoException } from '../../../base/errors.ts';
import { contentHash } from '../../../base/ids.ts';
import { namesIn } from '../../../base/text/namesIn.ts';

/**
 * What changes have replaced, a folder for each change, until there is time to compress it. A name in it ends in the hash of the content;
 * most are the very files that were replaced, so keeping them costs no copying.
 */
export class ContentShelves {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The folder for a change, without links on the way to it. */
  async open(id: string): Promise<string> {
    const folder = this.#folder(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return realpath(folder);
  }

  async drop(id: string): Promise<void> {
    await rm(this.#folder(id), { recursive: true, force: true });
  }

  /** A content that is on some shelf, or on the one given. */
  async get(hash: string, onlyOn?: string): Promise<Buffer | undefined> {
    for (const id of onlyOn === undefined ? await this.ids() : [onlyOn])
      for (const name of await namesIn(this.#folder(id))) {
        if (!name.endsWith(hash)) continue;
        const bytes = await read(join(this.#folder(id), name));
        // A program that had the replaced file open may have written to it since.
        if (bytes !== undefined && contentHash(bytes) === hash) return bytes;
      }
    return undefined;
  }

  /** Of the changes that have a shelf, those of other processes included. */
  ids(): Promise<string[]> {
    return namesIn(this.#directory);
  }

  #folder(id: string): string {
    return join(this.#directory, id);
  }
}

/** Undefined when it is gone: somebody has cleared the shelf meanwhile. */
async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return undefined;
    throw error;
  }
}
