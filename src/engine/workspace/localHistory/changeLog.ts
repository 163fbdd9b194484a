import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrnoException } from '../../../base/errors.ts';
import type { ChangeOrigin, Move, Transition } from '../edits/operations.ts';
import { namesIn } from '../../../base/text/namesIn.ts';

/** One change as local history keeps it. Paths are absolute; contents are in the blob store. */
export interface ChangeRecord {
  format: 1;
  id: string;
  time: string;
  origin: ChangeOrigin;
  transitions: readonly Transition[];
  moves: readonly Move[];
  editedMoves?: readonly Move[];
  /** Directories the change made and removed: an undo removes and makes them. */
  createdDirectories: readonly string[];
  removedDirectories: readonly string[];
  changesCount: number;
  undoOf?: readonly string[];
  /** Made by a program that Sightline ran, and seen by comparing the working tree before and after. */
  observed?: boolean;
  /** Contents that were not kept (too large, or over the limit): such a change can be looked at but not undone. */
  missing?: readonly string[];
  /** What the program changed besides and an undo will not bring back. */
  leftOut?: readonly LeftOut[];
  /** What else has changed that undo leaves alone. */
  notes?: readonly string[];
  storedBytes: number;
}

export interface LeftOut {
  why: string;
  count: number;
  /** The first of them, relative to the root. */
  files: readonly string[];
}

const readAtOnce = 200;

/** One file per change, named so that names sort by time. Held in memory once read; other processes' additions are picked up. */
export class ChangeLog {
  readonly #directory: string;
  readonly #known = new Map<string, ChangeRecord>();
  readonly setAside: string[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  async add(record: ChangeRecord): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = join(this.#directory, `${record.id}.json`);
    await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
    await rename(`${file}.new`, file);
    this.#known.set(record.id, record);
  }

  /** Oldest first. */
  async all(): Promise<ChangeRecord[]> {
    const ids = (await namesIn(this.#directory))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
    const present = new Set(ids);
    for (const id of [...this.#known.keys()]) if (!present.has(id)) this.#known.delete(id);
    let read = 0;
    for (const id of ids) {
      if (this.#known.has(id)) continue;
      await this.#read(id);
      // A long history is read in parts, with room for other calls in between.
      if (++read % readAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return [...this.#known.values()].sort((a, b) =>
      a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time < b.time ? -1 : 1,
    );
  }

  async get(id: string): Promise<ChangeRecord | undefined> {
    if (!/^[\w-]+$/.test(id)) return undefined;
    if (!this.#known.has(id)) await this.#read(id);
    return this.#known.get(id);
  }

  async drop(id: string): Promise<void> {
    await rm(join(this.#directory, `${id}.json`), { force: true });
    this.#known.delete(id);
  }

  async #read(id: string): Promise<void> {
    const file = join(this.#directory, `${id}.json`);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (isErrnoException(error, 'ENOENT')) return;
      throw error;
    }
    const record = parse(text);
    if (record !== undefined && record.id === id) this.#known.set(id, record);
    else {
      await rename(file, `${file}.unreadable`);
      this.setAside.push(`${file}.unreadable`);
    }
  }
}

function parse(text: string): ChangeRecord | undefined {
  try {
    // Written by ourselves in one piece; anything that does not look like it is set aside.
    const record = JSON.parse(text) as ChangeRecord;
    const isWhole = record.format === 1 && Array.isArray(record.transitions) && typeof record.time === 'string';
    return isWhole ? record : undefined;
  } catch {
    return undefined;
  }
}
