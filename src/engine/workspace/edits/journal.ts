import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { FileOps } from './fileOps.ts';
import type { ChangeOrigin, FileVersion, Move } from './operations.ts';
import { namesIn } from '../../../base/text/namesIn.ts';

/**
 * The write-ahead journal of one change. It is on disk before the first file of the project is touched. While it is
 * `prepared`, whoever finds it undoes the change; the rename to `committed` is the instant at which the change has happened.
 */
export interface JournalRecord {
  format: 1;
  id: string;
  time: string;
  origin: ChangeOrigin;
  undoOf?: readonly string[];
  entries: readonly JournalEntry[];
  moves: readonly Move[];
  /** Absent in records of earlier versions. */
  editedMoves?: readonly Move[];
  createdDirectories: readonly string[];
  removedDirectories: readonly string[];
  addedDirectories: readonly string[];
  changesCount: number;
}

export interface JournalEntry {
  path: string;
  before: FileVersion | null;
  after: FileVersion | null;
  /** Beside `path`: the new content waiting, and the old content kept. Absent for a move. */
  staged?: string;
  kept?: string;
  /** The old content is kept in the history, and stays there. */
  isHeld?: boolean;
}

/** Files that take the place of a folder which goes with all it holds. */
export function filesForFolders({ entries, removedDirectories }: JournalRecord): Set<string> {
  const removed = new Set(removedDirectories);
  return new Set(entries.filter((one) => one.after !== null && removed.has(one.path)).map((one) => one.path));
}

/** Files whose place a folder takes. */
export function foldersForFiles({ entries, createdDirectories }: JournalRecord): Set<string> {
  const created = new Set(createdDirectories);
  return new Set(entries.filter((one) => one.after === null && created.has(one.path)).map((one) => one.path));
}

type JournalState = 'prepared' | 'committed';

export class Journal {
  readonly directory: string;
  readonly #ops: FileOps;

  constructor(directory: string, ops: FileOps) {
    this.directory = directory;
    this.#ops = ops;
  }

  async begin(record: JournalRecord): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const staged = join(this.directory, `${record.id}.writing`);
    await this.#ops.writeNew(staged, Buffer.from(JSON.stringify(record)), 0o600);
    await this.#ops.rename(staged, this.#file(record.id, 'prepared'));
    await this.#ops.syncDirectory(this.directory);
  }

  async commit(id: string): Promise<void> {
    await this.#ops.rename(this.#file(id, 'prepared'), this.#file(id, 'committed'));
    await this.#ops.syncDirectory(this.directory);
  }

  async end(id: string, state: JournalState): Promise<void> {
    await this.#ops.unlink(this.#file(id, state));
  }

  /** What earlier processes left behind, oldest first. Records that cannot be read are set aside and named. */
  async pending(): Promise<{ open: { state: JournalState; record: JournalRecord }[]; setAside: string[] }> {
    const found: { state: JournalState; record: JournalRecord }[] = [];
    const setAside: string[] = [];
    for (const name of (await namesIn(this.directory)).sort()) {
      const file = join(this.directory, name);
      if (name.endsWith('.writing')) {
        // The project had not been touched yet when this was cut short.
        await rm(file, { recursive: true, force: true });
        continue;
      }
      const state = name.endsWith('.prepared') ? 'prepared' : name.endsWith('.committed') ? 'committed' : undefined;
      if (state === undefined) continue;
      const record = parseRecord(await readFile(file, 'utf8'));
      if (record !== undefined) found.push({ state, record });
      else {
        await rename(file, `${file}.unreadable`);
        setAside.push(`${file}.unreadable`);
      }
    }
    return { open: found, setAside };
  }

  #file(id: string, state: JournalState): string {
    return join(this.directory, `${id}.${state}`);
  }
}

function parseRecord(text: string): JournalRecord | undefined {
  try {
    // Written by ourselves in one piece; the format number guards against a record of another version.
    const record = JSON.parse(text) as JournalRecord;
    return record.format === 1 && Array.isArray(record.entries) ? record : undefined;
  } catch {
    return undefined;
  }
}
