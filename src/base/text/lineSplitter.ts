/** What is left of a line that was longer than allowed: enough to tell whose it was. */
export interface LongLine {
  bytes: number;
  head: string;
  tail: string;
}

const keptEnds = 4096;

/**
 * Cuts a stream of bytes into lines. Characters split between chunks stay whole. A line beyond the cap is never kept: it is passed over
 * and told to `onLong`, and the stream goes on behind it; without `onLong` it is an error.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLong: ((line: LongLine) => void) | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  /** Set while a line that is too long passes by. */
  #long: { bytes: number; head: Buffer; tail: Buffer } | undefined;

  constructor(maxBytes: number, onLong?: (line: LongLine) => void) {
    this.#maxBytes = maxBytes;
    this.#onLong = onLong;
  }

  /** The lines that `chunk` completes, without their line ends. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = this.#take(chunk.subarray(from, end));
      if (line !== undefined) lines.push(line);
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
    return lines;
  }

  /** Takes what has arrived of an unfinished line, e.g. to hand the stream over to another reader. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return rest;
  }

  #take(last: Buffer): string | undefined {
    let line = this.#parts.length === 0 && this.#long === undefined ? last.toString('utf8') : '';
    if (this.#parts.length > 0 || this.#long !== undefined) {
      this.#keep(last);
      if (this.#long !== undefined) return this.#passed(this.#long);
      line = this.rest().toString('utf8');
    }
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #keep(part: Buffer): void {
    if (this.#long !== undefined) {
      this.#long.bytes += part.length;
      this.#long.tail = Buffer.concat([this.#long.tail, part.subarray(-keptEnds)]).subarray(-keptEnds);
      return;
    }
    this.#size += part.length;
    this.#parts.push(part);
    if (this.#size <= this.#maxBytes) return;
    if (this.#onLong === undefined) throw new RangeError(`A line is longer than ${this.#maxBytes} bytes.`);
    const bytes = this.#size;
    const whole = this.rest();
    // Copies, because a piece of a buffer keeps all of it.
    this.#long = {
      bytes,
      head: Buffer.from(whole.subarray(0, keptEnds)),
      tail: Buffer.from(whole.subarray(-keptEnds)),
    };
  }

  #passed({ bytes, head, tail }: { bytes: number; head: Buffer; tail: Buffer }): undefined {
    this.#long = undefined;
    this.#onLong?.({ bytes, head: head.toString('utf8'), tail: tail.toString('utf8') });
  }
}
