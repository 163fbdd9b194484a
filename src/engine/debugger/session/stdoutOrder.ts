import { stripVTControlCharacters } from 'node:util';

const maxPieces = 500;

/** Where the bytes of a program's standard output stand among all that was written of it: what comes another way says after how many. */
export class StdoutOrder {
  /** So many have come. */
  bytes = 0;
  #pieces: { from: number; start: number; end: number; text: string }[] = [];

  /** It was written between these positions. */
  printed(text: string, start: number, end: number): void {
    this.#pieces.push({ from: this.bytes, start, end, text });
    this.bytes += Buffer.byteLength(text);
    if (this.#pieces.length > 2 * maxPieces) this.#pieces = this.#pieces.slice(-maxPieces);
  }

  /** Something was put in between. */
  moved(position: number, length: number): void {
    for (let i = this.#pieces.length - 1; i >= 0; i--) {
      const piece = this.#pieces[i];
      if (piece === undefined || piece.end <= position) return;
      const inside = position - piece.start;
      piece.end += length;
      if (inside <= 0) piece.start += length;
      else this.#split(i, inside, length);
    }
  }

  /** A piece with something in it becomes two. */
  #split(index: number, inside: number, length: number): void {
    const piece = this.#pieces[index];
    // Colours are not counted: then the place inside is not known, and what follows stands at the piece's end.
    if (piece === undefined || piece.text.length !== piece.end - piece.start - length) return;
    const [first, second] = [piece.text.slice(0, inside), piece.text.slice(inside)];
    const middle = piece.start + inside;
    this.#pieces.splice(
      index,
      1,
      { from: piece.from, start: piece.start, end: middle, text: first },
      { from: piece.from + Buffer.byteLength(first), start: middle + length, end: piece.end, text: second },
    );
  }

  /** Behind so many bytes and whatever was put there before; of what is long gone, the beginning. */
  positionOf(bytes: number): number {
    if (bytes >= this.bytes) return Number.POSITIVE_INFINITY;
    const piece = this.#pieces.findLast(({ from }) => from <= bytes);
    if (piece === undefined) return this.#pieces[0]?.start ?? 0;
    const before = Buffer.from(piece.text)
      .subarray(0, bytes - piece.from)
      .toString();
    return Math.min(piece.start + stripVTControlCharacters(before).length, piece.end);
  }
}
