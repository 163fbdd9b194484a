import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { isErrnoException } from '../../../base/errors.ts';
import { contentHash, randomId } from '../../../base/ids.ts';
import { namesIn } from '../../../base/text/namesIn.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const unusedForMs = 24 * 3600 * 1000;

/** Contents of files, compressed and named by their hash: the same content is kept once however often it occurs. */
export class BlobStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns how many bytes it takes on disk. */
  async put(hash: string, bytes: Buffer): Promise<number> {
    return this.#put(hash, bytes, false);
  }

  /** The same, and a power failure cannot take it away again: for what is kept nowhere else from then on. */
  async putForGood(hash: string, bytes: Buffer): Promise<number> {
    return this.#put(hash, bytes, true);
  }

  async #put(hash: string, bytes: Buffer, flush: boolean): Promise<number> {
    const known = await this.touch(hash);
    if (known !== undefined) return known;
    const file = this.#file(hash);
    const packed = await deflate(bytes, { level: 1 });
    await mkdir(join(this.#directory, hash.slice(0, 2)), { recursive: true, mode: 0o700 });
    const staged = `${file}.${randomId('new')}`;
    await writeFile(staged, packed, { mode: 0o600, flush });
    await rename(staged, file);
    return packed.length;
  }

  /** How many bytes a content takes on disk, if it is there. The recent time keeps a clean-up under way from taking it for forgotten. */
  async touch(hash: string): Promise<number | undefined> {
    const file = this.#file(hash);
    try {
      const { size } = await stat(file);
      await utimes(file, new Date(), new Date());
      return size;
    } catch (error) {
      if (isErrnoException(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Undefined when it was dropped, or is damaged: the hash is checked, so what comes back is what was put in. */
  async get(hash: string): Promise<Buffer | undefined> {
    try {
      const bytes = await inflate(await readFile(this.#file(hash)));
      return contentHash(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (isErrnoException(error, 'ENOENT') || (isErrnoException(error) && error.code?.startsWith('Z_')))
        return undefined;
      throw error;
    }
  }

  /** Removes what `isUsed` does not know, except what was put within the last day: another process may count on it. */
  async sweep(isUsed: (hash: string) => boolean): Promise<void> {
    const newest = Date.now() - unusedForMs;
    for (const folder of await namesIn(this.#directory)) {
      for (const name of await namesIn(join(this.#directory, folder))) {
        const file = join(this.#directory, folder, name);
        if (isUsed(folder + name)) continue;
        const found = await stat(file).catch(() => undefined);
        if (found !== undefined && found.mtimeMs < newest) await rm(file, { force: true });
      }
    }
  }

  #file(hash: string): string {
    return join(this.#directory, hash.slice(0, 2), hash.slice(2));
  }
}
