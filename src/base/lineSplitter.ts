/** Cuts a stream of bytes into lines. Characters split between chunks stay whole; a line beyond the cap is an error, not a leak. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes, without their line ends. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      lines.push(this.#take(chunk.subarray(from, end)));
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

  #take(last: Buffer): string {
    let line = this.#parts.length === 0 ? last.toString('utf8') : '';
    if (this.#parts.length > 0) {
      this.#keep(last);
      line = this.rest().toString('utf8');
    }
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw new RangeError(`A line is longer than ${this.#maxBytes} bytes.`);
    this.#parts.push(part);
  }
}
