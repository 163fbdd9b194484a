import { closeSync, copyFileSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isErrnoException } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { HistoryEntry } from './history.ts';
import { isRecord } from '../base/text/records.ts';

/**
 * One append-only file of JSON lines. Appending is synchronous: the line is with the kernel before the call runs, and a line is
 * small. Lines are `{v, pid, add}`, `{v, update}` and `{v, clear}`; what was pending in a process that is gone was interrupted.
 */
export class HistoryLog {
  readonly #path: string;
  readonly #maxEntries: number;
  readonly #onProblem: ((message: string) => void) | undefined;
  #entries = new Map<string, HistoryEntry>();
  #lines = 0;
  #file: number | undefined;

  constructor(path: string, maxEntries: number, onProblem?: (message: string) => void) {
    this.#path = path;
    this.#maxEntries = Math.max(maxEntries, 1);
    this.#onProblem = onProblem;
    this.#load();
  }

  /** Oldest first. */
  entries(): HistoryEntry[] {
    return [...this.#entries.values()];
  }

  get(id: string): HistoryEntry | undefined {
    return this.#entries.get(id);
  }

  add(entry: HistoryEntry): void {
    this.#entries.set(entry.id, entry);
    this.#trim();
    this.#append({ v: formatVersion, pid: process.pid, add: entry });
  }

  update(id: string, change: Partial<HistoryEntry>): HistoryEntry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const updated = { ...entry, ...change };
    this.#entries.set(id, updated);
    this.#append({ v: formatVersion, update: { id, ...change } });
    return updated;
  }

  clear(): void {
    this.#entries.clear();
    // Rewriting, not marking: what a person clears must be gone from the disk.
    this.#rewrite();
  }

  dispose(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(line: Line): void {
    try {
      writeSync(this.#openFile(), `${JSON.stringify(line)}\n`);
      this.#lines++;
      if (this.#lines > this.#maxEntries * 4 + 100) this.#rewrite();
    } catch (error) {
      this.#onProblem?.(`The command history ${this.#path} cannot be written: ${String(error)}`);
    }
  }

  #openFile(): number {
    // Another process may have compacted the file: what we hold open is then no longer the one with a name.
    if (this.#file !== undefined && fstatSync(this.#file).nlink === 0) this.dispose();
    if (this.#file === undefined) {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      this.#file = openSync(this.#path, 'a', 0o600);
    }
    return this.#file;
  }

  #load(): void {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (!isErrnoException(error, 'ENOENT')) this.#onProblem?.(`The command history cannot be read: ${String(error)}`);
      return;
    }
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    const owners = new Map<string, number>();
    let damaged = 0;
    for (const line of lines) {
      if (line === '') continue;
      const parsed = parseLine(line);
      if (parsed === undefined) damaged++;
      else this.#apply(parsed, owners);
    }
    this.#lines = lines.length;
    // A last line without its end is what being killed while writing leaves: expected, and no reason for alarm.
    if (damaged > 0) this.#setAside(damaged);
    this.#endInterrupted(owners);
    if (damaged > 0 || last !== '' || this.#lines > this.#maxEntries * 4 + 100) this.#rewrite();
  }

  #apply(line: Line, owners: Map<string, number>): void {
    if ('clear' in line) this.#entries.clear();
    else if ('add' in line) {
      this.#entries.set(line.add.id, line.add);
      owners.set(line.add.id, line.pid);
      this.#trim();
    } else {
      const entry = this.#entries.get(line.update.id);
      if (entry !== undefined) this.#entries.set(entry.id, { ...entry, ...line.update });
    }
  }

  #endInterrupted(owners: Map<string, number>): void {
    for (const entry of this.entries()) {
      if (entry.status !== 'pending') continue;
      const owner = owners.get(entry.id);
      if (owner !== undefined && owner !== process.pid && isAlive(owner)) continue;
      this.update(entry.id, { status: 'error', error: 'Sightline ended while this call was running.' });
    }
  }

  #trim(): void {
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) break;
      this.#entries.delete(id);
    }
  }

  #rewrite(): void {
    const lines = this.entries().map((entry) => JSON.stringify({ v: formatVersion, pid: process.pid, add: entry }));
    const temporary = `${this.#path}.${randomId('tmp')}`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const file = openSync(temporary, 'wx', 0o600);
      try {
        writeSync(file, lines.map((line) => `${line}\n`).join(''));
      } finally {
        closeSync(file);
      }
      this.dispose();
      renameSync(temporary, this.#path);
      this.#lines = lines.length;
    } catch (error) {
      this.#onProblem?.(`The command history ${this.#path} cannot be rewritten: ${String(error)}`);
    }
  }

  #setAside(damaged: number): void {
    const aside = `${this.#path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    try {
      copyFileSync(this.#path, aside);
      this.#onProblem?.(`${damaged} lines of the command history could not be read; the file is kept as ${aside}.`);
    } catch (error) {
      this.#onProblem?.(`A damaged command history could not be set aside: ${String(error)}`);
    }
  }
}

const formatVersion = 1;

type Line =
  | { v: number; pid: number; add: HistoryEntry }
  | { v: number; update: Partial<HistoryEntry> & { id: string } }
  | { v: number; clear: true };

function parseLine(text: string): Line | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(line) || line['v'] !== formatVersion) return undefined;
  if (line['clear'] === true) return { v: formatVersion, clear: true };
  const { add, update, pid } = line;
  if (isRecord(add) && isEntry(add)) return { v: formatVersion, pid: typeof pid === 'number' ? pid : -1, add };
  if (isRecord(update) && typeof update['id'] === 'string')
    return { v: formatVersion, update: { ...update, id: update['id'] } };
  return undefined;
}

function isEntry(value: Record<string, unknown>): value is Record<string, unknown> & HistoryEntry {
  return (
    typeof value['id'] === 'string' &&
    typeof value['timestamp'] === 'string' &&
    typeof value['client'] === 'string' &&
    typeof value['toolName'] === 'string' &&
    (value['status'] === 'pending' || value['status'] === 'success' || value['status'] === 'error')
  );
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrnoException(error, 'EPERM');
  }
}
