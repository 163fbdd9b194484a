import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

interface LogLimits {
  /** Size at which a new file is begun, at the end of a line where there is one. */
  segmentBytes: number;
  /** How much of the beginning stays. */
  headBytes: number;
  /** How much of the end stays. */
  tailBytes: number;
}

const defaultLogLimits: LogLimits = {
  segmentBytes: 8 * 1024 * 1024,
  headBytes: 32 * 1024 * 1024,
  tailBytes: 96 * 1024 * 1024,
};

interface Segment {
  path: string;
  /** Where it begins in the whole output. */
  start: number;
  size: number;
}

/** Beyond this much that is not written yet, whoever writes has to wait. */
const maxBacklog = 4 * 1024 * 1024;

/**
 * The whole output of a program on disk, for reading and searching what memory does not keep. It is bounded too: of very much the
 * beginning and the end stay. A disk that takes no more ends the log, not the program.
 */
export class OutputLog {
  readonly #folder: string;
  readonly #limits: LogLimits;
  #segments: Segment[] = [];
  #queue: Buffer[] = [];
  #backlog = 0;
  #lineStart = 0;
  #total = 0;
  #writing: Promise<void> | undefined;
  #file: FileHandle | undefined;
  #problem: string | undefined;
  #isClosed = false;

  constructor(folder: string, limits: LogLimits = defaultLogLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** What an earlier process wrote. */
  static async existing(folder: string): Promise<OutputLog> {
    const log = new OutputLog(folder);
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+\.log$/.test(name)).sort();
    for (const name of names) {
      const path = join(folder, name);
      log.#segments.push({ path, start: Number.parseInt(name, 10), size: (await stat(path)).size });
    }
    const last = log.#segments.at(-1);
    log.#total = last === undefined ? 0 : last.start + last.size;
    log.#isClosed = true;
    return log;
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** Bytes that are on disk now. */
  get keptBytes(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Where the last line begins, finished or not. */
  get lineStart(): number {
    return this.#lineStart;
  }

  /** Why nothing more is written. */
  get problem(): string | undefined {
    return this.#problem;
  }

  append(bytes: Buffer): void {
    const newline = bytes.lastIndexOf(10);
    if (newline !== -1) this.#lineStart = this.#total + newline + 1;
    this.#total += bytes.length;
    if (this.#problem !== undefined || this.#isClosed) return;
    this.#queue.push(bytes);
    this.#backlog += bytes.length;
    this.#writing ??= this.#write();
  }

  /** What to wait for before more is appended; absent when there is no need. */
  get congestion(): Promise<void> | undefined {
    return this.#backlog > maxBacklog ? this.#writing : undefined;
  }

  /** Everything so far is on disk. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
  }

  /** Bytes from a position on, at most to the end of what lies there without a gap. `from` may be later than asked. */
  async read(from: number, maxBytes: number): Promise<{ bytes: Buffer; from: number }> {
    await this.flush();
    const first = this.#segments.findIndex(({ start, size }) => start + size > from);
    const parts: Buffer[] = [];
    let at = Math.max(from, this.#segments[first]?.start ?? this.#total);
    const given = at;
    for (const segment of first === -1 ? [] : this.#segments.slice(first)) {
      const wanted = given + maxBytes - at;
      if (segment.start > at || wanted <= 0) break;
      const bytes = await readPart(segment, at - segment.start, wanted);
      parts.push(bytes);
      at += bytes.length;
    }
    return { bytes: Buffer.concat(parts), from: given };
  }

  async remove(): Promise<void> {
    await this.close();
    this.#segments = [];
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #write(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue;
        this.#queue = [];
        const bytes = Buffer.concat(batch);
        await this.#put(bytes);
        this.#backlog -= bytes.length;
      }
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#queue = [];
      this.#backlog = 0;
    } finally {
      this.#writing = undefined;
    }
  }

  async #put(bytes: Buffer): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      const segment = this.#segments.at(-1) ?? (await this.#begin(0));
      const room = this.#limits.segmentBytes - segment.size;
      const part = rest.length <= room ? rest : rest.subarray(0, cutAt(rest, Math.max(room, 0)));
      if (part.length > 0) await this.#file?.write(part);
      segment.size += part.length;
      rest = rest.subarray(part.length);
      if (rest.length > 0) await this.#begin(segment.start + segment.size);
    }
  }

  async #begin(start: number): Promise<Segment> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#file?.close();
    const path = join(this.#folder, `${String(start).padStart(15, '0')}.log`);
    this.#file = await open(path, 'w', 0o600);
    const segment = { path, start, size: 0 };
    this.#segments.push(segment);
    const { headBytes, tailBytes } = this.#limits;
    const surplus = this.#segments.filter(
      (each) => each.start >= headBytes && each.start + each.size <= start - tailBytes,
    );
    this.#segments = this.#segments.filter((each) => !surplus.includes(each));
    await Promise.all(surplus.map((each) => rm(each.path, { force: true })));
    return segment;
  }
}

/** The end of a line near the wished cut: a search must find lines whole. */
function cutAt(bytes: Buffer, room: number): number {
  const before = room === 0 ? -1 : bytes.lastIndexOf(10, room - 1);
  if (before !== -1) return before + 1;
  const after = bytes.indexOf(10, room);
  return after !== -1 && after - room < maxOverhang ? after + 1 : room;
}

const maxOverhang = 1024 * 1024;

async function readPart(segment: Segment, offset: number, maxBytes: number): Promise<Buffer> {
  const file = await open(segment.path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(maxBytes, segment.size - offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
