/**
 * Positions inside Sightline are 1-based, and columns count UTF-16 units. Only the edges of `protocol` convert.
 */
export interface Position {
  line: number;
  column: number;
}

export interface Range {
  start: Position;
  /** Exclusive. */
  end: Position;
}

/** Finds offsets of positions and positions of offsets in one text. `\n`, `\r\n` and lone `\r` end lines. */
export class LineIndex {
  readonly text: string;
  #known: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Where each line starts, worked out when it is first asked for. */
  get #starts(): readonly number[] {
    this.#known ??= lineStarts(this.text);
    return this.#known;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** The text of a line without its end-of-line; undefined when there is no such line. */
  lineText(line: number): string | undefined {
    const start = this.#starts[line - 1];
    if (start === undefined) return undefined;
    let end = this.#starts[line] ?? this.text.length;
    while (end > start && (this.text.charCodeAt(end - 1) === 10 || this.text.charCodeAt(end - 1) === 13)) end--;
    return this.text.slice(start, end);
  }

  /** Positions past the end of a line or of the text are moved back to that end. */
  offsetAt(position: Position): number {
    if (position.line < 1) return 0;
    const start = this.#starts[position.line - 1];
    if (start === undefined) return this.text.length;
    const length = this.lineText(position.line)?.length ?? 0;
    return start + Math.min(Math.max(position.column - 1, 0), length);
  }

  positionAt(offset: number): Position {
    const clamped = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= clamped) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: clamped - (this.#starts[low] ?? 0) + 1 };
  }

  /** The UTF-16 column of a column counted in UTF-8 bytes, for peers that count bytes. */
  columnFromUtf8(line: number, utf8Column: number): number {
    const text = this.lineText(line) ?? '';
    const bytes = Buffer.from(text, 'utf8').subarray(0, Math.max(utf8Column - 1, 0));
    return bytes.toString('utf8').length + 1;
  }

  columnToUtf8(line: number, column: number): number {
    const text = (this.lineText(line) ?? '').slice(0, Math.max(column - 1, 0));
    return Buffer.byteLength(text, 'utf8') + 1;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  // Searching for one character is many times faster than looking at each; few texts have carriage returns.
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 13 && text.charCodeAt(i + 1) === 10) i++;
    if (code === 10 || code === 13) starts.push(i + 1);
  }
  return starts;
}

export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}
