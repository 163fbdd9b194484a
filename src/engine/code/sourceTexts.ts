import { readFile, realpath, stat } from 'node:fs/promises';
import { LineIndex } from '../../base/positions.ts';
import { ToolError, isErrnoException } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { unsavedBuffer } from '../workspace/buffers/unsaved.ts';
import { isPrivate } from '../workspace/ownFolders.ts';

const maxFileBytes = 32 * 1024 * 1024;
const maxCachedChars = 5 * 1024 * 1024;

const dataFile = /\.(jsonc?|json5|ya?ml|toml|xml|plist|ini|env|txt|md)$/i;
const packageFolder = /\/(node_modules|site-packages|dist-packages)\//;

interface CachedText {
  index: LineIndex;
  stamp: string;
  /** Read while changes were reported already: what was read before may have changed before anybody looked. */
  wasWatched: boolean;
}

/**
 * The text of files as it is on disk, or as an editor holds it unsaved, without a byte order mark, with lines indexed. Watched files stay cached until
 * they are reported as changed; others (libraries) are checked by their stamp.
 */
export class SourceTexts {
  readonly #isWatched: (path: string) => boolean;
  readonly #root: string | undefined;
  readonly #cache = new Map<string, CachedText>();
  /** One answer asks for the same file many times at once: it is read once. */
  readonly #reading = new Map<string, Promise<LineIndex>>();
  readonly #unsaved = new Map<string, LineIndex>();
  #cachedChars = 0;

  /** `root`: of the project, outside of which not everything is source. */
  constructor(isWatched: (path: string) => boolean, root?: string) {
    this.#isWatched = isWatched;
    this.#root = root;
  }

  get cachedChars(): number {
    return this.#cachedChars;
  }

  async get(path: string): Promise<LineIndex> {
    const buffer = unsavedBuffer(path);
    if (buffer !== undefined) return this.#shownInEditor(path, buffer.text);
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
    this.#unsaved.delete(path);
    this.#drop(path);
  }

  /** The same text is the same object: whoever was shown it is not shown it again. */
  async #shownInEditor(path: string, text: string): Promise<LineIndex> {
    const known = this.#unsaved.get(path);
    if (known?.text === text) return known;
    await this.#refusePrivate(path);
    const index = new LineIndex(text);
    this.#unsaved.set(path, index);
    return index;
  }

  async #read(path: string, cached: CachedText | undefined, isWanted: () => boolean): Promise<LineIndex> {
    const wasWatched = this.#isWatched(path);
    await this.#refusePrivate(path);
    const stamp = await stampOf(path);
    const index =
      cached?.stamp === stamp ? cached.index : new LineIndex((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
    if (isWanted()) this.#remember(path, { index, stamp, wasWatched });
    return index;
  }

  /** What a language server points to was chosen by an import, and an import may name any file: libraries are shown, private data is not. */
  async #refusePrivate(path: string): Promise<void> {
    const real = await realpath(path).catch(() => path);
    const isForeign = this.#root !== undefined && !isInside(this.#root, real);
    if (isPrivate(real) || (isForeign && dataFile.test(real) && !packageFolder.test(real)))
      throw new ToolError('path_outside_project', `${path} is no source of the project or of a library.`);
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
