import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isErrnoException } from '../../base/errors.ts';
import { logLevels, type LogLevel, type LogRecord } from '../../base/logger.ts';
import type { Redactor } from '../../base/text/redact.ts';
import { clip } from '../../base/text/textBudget.ts';

interface LogFileOptions {
  path: string;
  /** Records below it are not written. */
  level: LogLevel;
  maxBytes: number;
  /** How many files there are at most: the current one and those before it (`sightline.log.1`, …). */
  files: number;
  redactor: Redactor;
}

interface LogLine {
  time: string;
  level: LogLevel;
  tag: string;
  message: string;
}

interface LogQuery {
  /** This level and above. */
  level?: LogLevel;
  tag?: string;
  /** Found, whatever its case, in the line. Plain text, not a pattern. */
  text?: string;
  /** The last so many lines that match. */
  limit: number;
}

const maxRecordChars = 8000;
const maxBytesReadBack = 4 * 1024 * 1024;

/**
 * The log of this process: one record a line, rotated by size. Writing is synchronous and unbuffered, because the records that
 * matter are those before a crash; at debug level that costs some microseconds a record.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  #file: number | undefined;
  #bytes = 0;
  #failed = false;

  constructor(options: LogFileOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  readonly sink = (record: LogRecord): void => {
    if (logLevels.indexOf(record.level) < logLevels.indexOf(this.#options.level) || this.#failed) return;
    const line = Buffer.from(formatRecord(record, this.#options.redactor));
    try {
      if (this.#bytes > 0 && this.#bytes + line.length > this.#options.maxBytes) this.#rotate();
      writeSync(this.#openFile(), line);
      this.#bytes += line.length;
    } catch {
      // A log that cannot be written must not end the work it tells of, and there is nowhere else to say so.
      this.#failed = true;
    }
  };

  /** Oldest first; at most `limit` lines, the newest that match. */
  async read(query: LogQuery): Promise<{ lines: LogLine[]; truncated: boolean }> {
    const wanted = query.text?.toLowerCase();
    const minimum = query.level === undefined ? 0 : logLevels.indexOf(query.level);
    const found: LogLine[] = [];
    for (let index = 0; index < this.#options.files; index++) {
      const text = await tailOf(this.#name(index));
      if (text === undefined) break;
      for (const line of text.split('\n').reverse()) {
        const parsed = parseLine(line);
        if (parsed === undefined || logLevels.indexOf(parsed.level) < minimum) continue;
        if (query.tag !== undefined && parsed.tag !== query.tag) continue;
        if (wanted !== undefined && !line.toLowerCase().includes(wanted)) continue;
        if (found.length >= query.limit) return { lines: found.reverse(), truncated: true };
        found.push(parsed);
      }
    }
    return { lines: found.reverse(), truncated: false };
  }

  dispose(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #openFile(): number {
    if (this.#file === undefined) {
      mkdirSync(dirname(this.#options.path), { recursive: true, mode: 0o700 });
      this.#file = openSync(this.#options.path, 'a+', 0o600);
      this.#bytes = fstatSync(this.#file).size;
      // After a crash in the middle of a line the next record still begins its own.
      const last = Buffer.alloc(1);
      if (this.#bytes > 0 && readSync(this.#file, last, 0, 1, this.#bytes - 1) === 1 && last[0] !== 10)
        writeSync(this.#file, '\n');
    }
    return this.#file;
  }

  #rotate(): void {
    this.dispose();
    for (let index = this.#options.files - 1; index > 0; index--) {
      try {
        renameSync(this.#name(index - 1), this.#name(index));
      } catch (error) {
        if (!isErrnoException(error, 'ENOENT')) throw error;
      }
    }
    this.#bytes = 0;
  }

  #name(index: number): string {
    return index === 0 ? this.#options.path : `${this.#options.path}.${index}`;
  }
}

/** `2026-11-15T21:54:25.123Z WARN [tag] message {"detail":…}`; line ends inside are shown as `\n`. */
function formatRecord(record: LogRecord, redactor: Redactor): string {
  const detail = record.detail === undefined ? '' : ` ${detailText(record.detail)}`;
  const text = clip(redactor.text(`${record.message}${detail}`), maxRecordChars).replaceAll(/\r?\n|\r/g, '\\n');
  return `${record.time.toISOString()} ${record.level.toUpperCase()} [${record.tag}] ${text}\n`;
}

function detailText(detail: unknown): string {
  if (detail instanceof Error) {
    const cause = detail.cause === undefined ? '' : ` caused by ${detailText(detail.cause)}`;
    return `${detail.stack ?? detail.message}${cause}`;
  }
  if (typeof detail === 'string') return detail;
  try {
    return JSON.stringify(detail) ?? String(detail);
  } catch {
    return '[detail that cannot be shown]';
  }
}

function parseLine(line: string): LogLine | undefined {
  const match = /^(\d{4}-\S+) (DEBUG|INFO|WARN|ERROR) \[([^\]]*)\] (.*)$/.exec(line);
  const level = logLevels.find((known) => known === match?.[2]?.toLowerCase());
  if (match === null || level === undefined) return undefined;
  return { time: match[1] ?? '', level, tag: match[3] ?? '', message: match[4] ?? '' };
}

async function tailOf(path: string): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytesReadBack);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, size - length);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}
