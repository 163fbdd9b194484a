import { readFile, stat } from 'node:fs/promises';
import { LineIndex } from '../../base/positions.ts';
import { ToolError, isErrnoException } from '../../base/errors.ts';

const maxFileBytes = 32 * 1024 * 1024;
const maxCachedChars = 5 * 1024 * 1024;

interface CachedText {
  index: LineIndex;
  stamp: string;
  /** Read while changes were reported already: what was read before may have changed before anybody looked. */
  wasWatched: boolean;
}

/**
 * The text of files as it is on disk, without a byte order mark, with lines indexed. Watched files stay cached until
 * they are reported as changed; others (libraries) are checked by their stamp.
 */
export class SourceTexts {
  readonly #isWatched: (path: string) => boolean;
  readonly #cache = new Map<string, CachedText>();
  /** One answer asks for the same file many times at once: it is read once. */
  readonly #reading = new Map<string, Promise<LineIndex>>();
  #cachedChars = 0;

  constructor(isWatched: (path: string) => boolean) {
    this.#isWatched = isWatched;
  }

  get cachedChars(): number {
    return this.#cachedChars;
  }

  async get(path: string): Promise<LineIndex> {
    const cached = this.#cache.get(path);
    if (cached?.wasWatched === true && this.#isWatched(path)) {
      this.#cache.delete(path);
      this.#cache.set(path, cached);
      return cached.index;
    }
    const known = this.#reading.get(path);
    if (known !== undefined) return known;
    const reading = this.#read(path, cached, () => this.#reading.get(path) === reading);
    this.#reading.set(path, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(path) === reading) this.#reading.delete(path);
    }
  }

  /** The text when the file can be read, for answers that can do without it. */
  async tryGet(path: string): Promise<LineIndex | undefined> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof ToolError || isErrnoException(error)) return undefined;
      throw error;
    }
  }

  /** The file changed: what is cached, and what is just being read, is not served any more. */
  forget(path: string): void {
    this.#reading.delete(path);
    this.#drop(path);
  }

  async #read(path: string, cached: CachedText | undefined, isWanted: () => boolean): Promise<LineIndex> {
    const wasWatched = this.#isWatched(path);
    const stamp = await stampOf(path);
    const index =
      cached?.stamp === stamp ? cached.index : new LineIndex((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
    if (isWanted()) this.#remember(path, { index, stamp, wasWatched });
    return index;
  }

  #drop(path: string): void {
    const cached = this.#cache.get(path);
    if (cached === undefined) return;
    this.#cachedChars -= cached.index.text.length;
    this.#cache.delete(path);
  }

  #remember(path: string, entry: CachedText): void {
    this.#drop(path);
    this.#cache.set(path, entry);
    this.#cachedChars += entry.index.text.length;
    for (const oldest of this.#cache.keys()) {
      if (this.#cachedChars <= maxCachedChars || oldest === path) break;
      this.#drop(oldest);
    }
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new ToolError('not_a_regular_file', `${path} is not a regular file.`);
    if (stats.size > maxFileBytes)
      throw new ToolError('file_too_large', `${path} has ${stats.size} bytes; the index reads files up to 32 MB.`);
    return `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR'))
      throw new ToolError('file_not_found', `${path} does not exist.`, { cause: error });
    throw error;
  }
}
