import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrnoException } from '../../../base/errors.ts';
import { contentHash } from '../../../base/ids.ts';
import type { KeptContents } from '../edits/applier.ts';

interface PackedContent {
  hash: string;
  offset: number;
  length: number;
}

/**
 * The contents of one change as they are, all in one file: written in one go while the change is made, and taken apart into the
 * blob store when there is time for it. Each content follows a line with its hash and length.
 */
export class ContentPacks {
  readonly #directory: string;
  /** What is in the packs that were looked into, by the pack's id. */
  readonly #known = new Map<string, readonly PackedContent[]>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** What the change replaces is on the disk when this returns; what it makes is there in the project as well, and need not be. */
  async write(id: string, { replaced, made }: KeptContents): Promise<void> {
    if (replaced.size + made.size === 0) return;
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const index: PackedContent[] = [];
    let offset = 0;
    const lay = (contents: ReadonlyMap<string, Buffer>): Buffer[] =>
      [...contents].flatMap(([hash, bytes]) => {
        const head = Buffer.from(`${hash} ${bytes.length}\n`, 'latin1');
        index.push({ hash, offset: offset + head.length, length: bytes.length });
        offset += head.length + bytes.length;
        return [head, bytes];
      });
    const staged = `${this.#file(id)}.new`;
    const handle = await open(staged, 'w', 0o600);
    try {
      if (replaced.size > 0) {
        await handle.writev(lay(replaced));
        await handle.sync();
      }
      if (made.size > 0) await handle.writev(lay(made));
    } finally {
      await handle.close();
    }
    await rename(staged, this.#file(id));
    this.#known.set(id, index);
  }

  async drop(id: string): Promise<void> {
    this.#known.delete(id);
    await rm(this.#file(id), { force: true });
    await rm(`${this.#file(id)}.new`, { force: true });
  }

  /** How long each content of a pack is, by hash. */
  async sizes(id: string): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.#index(id)).map(({ hash, length }) => [hash, length]));
  }

  /** A content that is in some pack. */
  async get(hash: string): Promise<Buffer | undefined> {
    for (const id of await this.ids()) {
      const found = (await this.#index(id)).find((one) => one.hash === hash);
      if (found === undefined) continue;
      const bytes = await this.#with(id, (handle) => readAt(handle, found.offset, found.length));
      if (bytes !== undefined && contentHash(bytes) === hash) return bytes;
    }
    return undefined;
  }

  /** The contents of one pack, one after the other. */
  async *contents(id: string): AsyncGenerator<{ hash: string; bytes: Buffer }> {
    for (const { hash, offset, length } of await this.#index(id)) {
      const bytes = await this.#with(id, (handle) => readAt(handle, offset, length));
      if (bytes !== undefined && contentHash(bytes) === hash) yield { hash, bytes };
    }
  }

  /** Of the packs there are, those of other processes included. */
  async ids(): Promise<string[]> {
    try {
      return (await readdir(this.#directory)).filter((name) => !name.endsWith('.new'));
    } catch (error) {
      if (isErrnoException(error, 'ENOENT')) return [];
      throw error;
    }
  }

  async #index(id: string): Promise<readonly PackedContent[]> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const index = await this.#with(id, readIndex);
    if (index !== undefined) this.#known.set(id, index);
    return index ?? [];
  }

  /** Undefined when the pack is gone: somebody has taken it apart meanwhile. */
  async #with<T>(id: string, work: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
    let handle: FileHandle;
    try {
      handle = await open(this.#file(id), 'r');
    } catch (error) {
      if (!isErrnoException(error, 'ENOENT')) throw error;
      this.#known.delete(id);
      return undefined;
    }
    try {
      return await work(handle);
    } finally {
      await handle.close();
    }
  }

  #file(id: string): string {
    return join(this.#directory, id);
  }
}

const headLength = 64 + 1 + 16;

/** What a pack holds, as far as it is whole. */
async function readIndex(handle: FileHandle): Promise<PackedContent[]> {
  const index: PackedContent[] = [];
  const { size } = await handle.stat();
  for (let at = 0; at < size;) {
    const head = /^([0-9a-f]{64}) (\d+)\n/.exec((await readAt(handle, at, headLength)).toString('latin1'));
    const [line, hash, length] = head ?? [];
    if (line === undefined || hash === undefined) break;
    index.push({ hash, offset: at + line.length, length: Number(length) });
    at += line.length + Number(length);
  }
  return index;
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
