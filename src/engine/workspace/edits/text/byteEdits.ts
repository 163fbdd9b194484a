import { isAscii } from 'node:buffer';
import type { Position } from '../../../../base/positions.ts';
import { isPlainUtf8 } from '../../textEncoding.ts';
import type { EditedSpan, TextEdit } from '../operations.ts';
import { orderedEdits } from './textEdits.ts';

/**
 * The same as `applyTextEdits`, on the bytes of a file: a change in many large files need not turn them into text and back. Only
 * for what is simple (UTF-8 without a byte order mark, lines that end in a line feed); undefined for everything else.
 */
export function applyByteEdits(
  bytes: Buffer,
  edits: readonly TextEdit[],
  path: string,
): { bytes: Buffer; spans: EditedSpan[] } | undefined {
  const isSimple = edits.every(({ newText }) => !/[\r\ud800-\udfff]/.test(newText));
  if (!isSimple || bytes.includes(13) || !isPlainUtf8(bytes)) return undefined;
  const lines = new ByteLines(
    bytes,
    edits.flatMap(({ range }) => [range.start.line, range.end.line]),
  );
  const source = {
    offsetAt: (position: Position) => lines.offsetAt(position),
    textBetween: (start: number, end: number) => bytes.toString('utf8', start, end),
  };
  try {
    const parts: Buffer[] = [];
    const spans: EditedSpan[] = [];
    let position = 0;
    for (const { start, end, newText } of orderedEdits(edits, source, path)) {
      const inserted = Buffer.from(newText, 'utf8');
      parts.push(bytes.subarray(position, start), inserted);
      spans.push({ start, end, newLength: inserted.length });
      position = end;
    }
    parts.push(bytes.subarray(position));
    return { bytes: Buffer.concat(parts), spans };
  } catch (error) {
    if (error instanceof InsideCharacter) return undefined;
    throw error;
  }
}

/** A position between the two halves of a character that UTF-16 writes as two: no place in UTF-8. */
class InsideCharacter extends Error {}

/** Some lines of a file. Remembering where all of them start would cost more memory than the file itself. */
class ByteLines {
  readonly #bytes: Buffer;
  readonly #lines = new Map<number, { start: number; end: number }>();

  constructor(bytes: Buffer, wanted: readonly number[]) {
    this.#bytes = bytes;
    const { length } = bytes;
    let line = 1;
    let start = 0;
    for (const next of [...new Set(wanted)].sort((a, b) => a - b)) {
      if (next < 1) continue;
      for (let at = start; line < next && at < length; at++)
        if (bytes[at] === lineFeed) {
          line++;
          start = at + 1;
        }
      if (line < next) return;
      const feed = bytes.indexOf(lineFeed, start);
      this.#lines.set(next, { start, end: feed === -1 ? length : feed });
    }
  }

  offsetAt({ line, column }: Position): number {
    if (line < 1) return 0;
    const found = this.#lines.get(line);
    if (found === undefined) return this.#bytes.length;
    const { start, end } = found;
    const lineBytes = this.#bytes.subarray(start, end);
    const units = Math.max(column - 1, 0);
    if (isAscii(lineBytes)) return start + Math.min(units, lineBytes.length);
    const before = lineBytes.toString('utf8').slice(0, units);
    if (/[\ud800-\udbff]$/.test(before)) throw new InsideCharacter();
    return start + Buffer.byteLength(before, 'utf8');
  }
}

const lineFeed = 10;
