import { join } from 'node:path';
import type { FileVersion, Move, Transition } from '../edits/operations.ts';
import { readVersion } from '../edits/readVersion.ts';
import { BlobStore } from './blobStore.ts';
import type { ChangeRecord } from './changeLog.ts';
import { ContentShelves } from './contentShelves.ts';
import { RecentContents } from './recentContents.ts';

/** What the contents of a change take on the disk, and which of them are not to be had any more. */
type StoredContents = Pick<ChangeRecord, 'storedBytes' | 'missing'>;

/**
 * The contents of the changes of a project, by hash. While a change is made nothing is written for it: what it replaces is put on a
 * shelf, what it makes stands in the project, and both are remembered. Settled, they are compressed, each kept once.
 */
export class ChangeContents {
  readonly #blobs: BlobStore;
  readonly #shelves: ContentShelves;
  readonly #recent = new RecentContents();
  /** Changes of this process that are not settled yet, with the hashes of their contents. */
  readonly #unsettled = new Map<string, readonly string[]>();

  constructor(directory: string) {
    this.#blobs = new BlobStore(join(directory, 'blobs'));
    this.#shelves = new ContentShelves(join(directory, 'shelves'));
  }

  /** The folder for what a change replaces. */
  async open(id: string, contents: ReadonlyMap<string, Buffer>): Promise<string> {
    this.#recent.add(contents);
    this.#unsettled.set(id, [...contents.keys()]);
    return this.#shelves.open(id);
  }

  /** Of a change that did not happen, is settled, or is dropped from the history. */
  async clear(id: string): Promise<void> {
    const own = this.#unsettled.get(id) ?? [];
    this.#unsettled.delete(id);
    const others = new Set([...this.#unsettled.values()].flat());
    for (const hash of own) if (!others.has(hash)) this.#recent.drop(hash);
    await this.#shelves.drop(id);
  }

  put(hash: string, bytes: Buffer): Promise<number> {
    return this.#blobs.put(hash, bytes);
  }

  async get(hash: string): Promise<Buffer | undefined> {
    const [recent, blobs, shelves] = [this.#recent, this.#blobs, this.#shelves];
    // A shelf may be cleared between the two looks: then its contents are blobs by now.
    return recent.get(hash) ?? (await blobs.get(hash)) ?? (await shelves.get(hash)) ?? (await blobs.get(hash));
  }

  /** Of contents that have been put here one by one. */
  async storedOf(transitions: readonly Transition[], moves: readonly Move[]): Promise<StoredContents> {
    const sizes = new Map<string, number | undefined>();
    for (const { version } of filesOf(transitions, moves))
      if (!sizes.has(version.hash)) sizes.set(version.hash, await this.#blobs.touch(version.hash));
    return stored(sizes);
  }

  isUnsettled(id: string): boolean {
    return this.#unsettled.has(id);
  }

  /** Changes that are not settled, those of other processes included. */
  async unsettledIds(): Promise<string[]> {
    return [...new Set([...this.#unsettled.keys(), ...(await this.#shelves.ids())])];
  }

  /** It is time to settle: little more can be remembered. */
  get isNearlyFull(): boolean {
    return this.#recent.isNearlyFull;
  }

  async settle({ id, transitions, moves }: ChangeRecord): Promise<StoredContents> {
    const sizes = new Map<string, number | undefined>();
    for (const { path, version } of filesOf(transitions, moves)) {
      const { hash } = version;
      if (sizes.get(hash) !== undefined) continue;
      const bytes = this.#recent.get(hash) ?? (await this.#shelves.get(hash, id)) ?? (await contentAt(path, hash));
      sizes.set(hash, bytes === undefined ? await this.#blobs.touch(hash) : await this.#blobs.putForGood(hash, bytes));
    }
    return stored(sizes);
  }

  sweep(isUsed: (hash: string) => boolean): Promise<void> {
    return this.#blobs.sweep(isUsed);
  }
}

/** What the contents of a change take before they are settled. */
export function unsettledBytes(transitions: readonly Transition[], moves: readonly Move[]): number {
  return sum(new Map(filesOf(transitions, moves).map(({ version }) => [version.hash, version.size])).values());
}

/** The versions of files whose contents a change needs. What was merely moved is in its new place. */
function filesOf(
  transitions: readonly Transition[],
  moves: readonly Move[],
): { path: string; version: FileVersion & { kind: 'file' } }[] {
  const moved = new Set(moves.flatMap((move) => [move.from, move.to]));
  return transitions
    .filter(({ path }) => !moved.has(path))
    .flatMap(({ path, before, after }) =>
      [before, after].flatMap((version) => (version?.kind === 'file' ? [{ path, version }] : [])),
    );
}

async function contentAt(path: string, hash: string): Promise<Buffer | undefined> {
  const found = await readVersion(path).catch(() => null);
  return found?.version.hash === hash ? found.bytes : undefined;
}

function stored(sizes: ReadonlyMap<string, number | undefined>): StoredContents {
  const missing = [...sizes].filter(([, size]) => size === undefined).map(([hash]) => hash);
  return { storedBytes: sum(sizes.values()), ...(missing.length > 0 ? { missing } : {}) };
}

function sum(sizes: Iterable<number | undefined>): number {
  return [...sizes].reduce<number>((total, size) => total + (size ?? 0), 0);
}
