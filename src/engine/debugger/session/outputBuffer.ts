import { stripVTControlCharacters } from 'node:util';
import { delay } from '../../../base/cancellation.ts';
import { Emitter } from '../../../base/emitter.ts';
import { clip } from '../../../base/text/textBudget.ts';
import { StdoutOrder } from './stdoutOrder.ts';
import type { OutputChunk } from '../model.ts';

interface OutputSlice {
  text: string;
  /** Characters between the cursor and the slice that are no longer kept or did not fit. */
  droppedChars: number;
}

/**
 * What the program printed, bounded: the newest text is kept, and readers with a cursor learn how much they missed. Streams are
 * interleaved as they arrived; log messages of breakpoints are marked, colours and cursor movements left out.
 */
export class OutputBuffer {
  readonly onDidAppend = new Emitter<void>();
  readonly #maxChars: number;
  #text = '';
  #lastAt = 0;
  /** Characters ever written. */
  #total = 0;
  /** Characters that a reader has seen or taken note of. */
  #seen = 0;
  /** The beginning of a control sequence at the end of a chunk, per stream, until its rest has come. */
  readonly #partial = new Map<OutputChunk['category'], string>();

  /** Log messages that follow what has not come yet. */
  readonly #early: OutputChunk[] = [];
  readonly #order = new StdoutOrder();

  constructor(maxChars = 262_144) {
    this.#maxChars = maxChars;
  }

  /** Waits while output is still pouring in, but not for long: pipes are slower than the debugger's own connection. */
  async quiet(): Promise<void> {
    const deadline = Date.now() + 150;
    while ((Date.now() - this.#lastAt < 10 || this.#early.length > 0) && Date.now() < deadline) await delay(5);
  }

  /** Where the next character goes, for whoever only takes a note of it. */
  get position(): number {
    return this.#total;
  }

  get cursor(): number {
    this.#writeEarly();
    this.#seen = this.#total;
    return this.#total;
  }

  append(chunk: OutputChunk): void {
    this.#lastAt = Date.now();
    if (chunk.category === 'stdout') this.#appendStdout(chunk);
    else if (chunk.afterBytes === undefined) this.#write(chunk);
    else if (chunk.afterBytes > this.#order.bytes) this.#early.push(chunk);
    else this.#write(chunk, this.#order.positionOf(chunk.afterBytes));
    // Cutting in steps of a quarter keeps a flood of small chunks from copying the whole text each time.
    if (this.#text.length > this.#maxChars * 1.25) this.#text = this.#text.slice(-this.#maxChars);
    this.onDidAppend.fire();
  }

  /** Log messages that came before the output that they follow stand where they belong. */
  #appendStdout(chunk: OutputChunk): void {
    let rest = chunk.text;
    for (let next = this.#early[0]; next !== undefined; next = this.#early[0]) {
      const bytes = (next.afterBytes ?? 0) - this.#order.bytes;
      if (bytes > Buffer.byteLength(rest)) break;
      const part = Buffer.from(rest).subarray(0, Math.max(bytes, 0)).toString();
      if (part !== '') this.#writeStdout({ ...chunk, text: part });
      rest = rest.slice(part.length);
      this.#write(next);
      this.#early.shift();
    }
    if (rest !== '') this.#writeStdout({ ...chunk, text: rest });
  }

  #writeStdout(chunk: OutputChunk): void {
    const before = this.#total;
    this.#write(chunk);
    this.#order.printed(chunk.text, before, this.#total);
  }

  /** What was waited for has not come; it is told late rather than never. */
  #writeEarly(): void {
    for (const chunk of this.#early.splice(0)) this.#write(chunk);
  }

  #write(chunk: OutputChunk, position = this.#total): void {
    const isOurs = chunk.category === 'log' || chunk.category === 'handled';
    const text = isOurs ? `[${chunk.category}] ${chunk.text}` : this.#plain(chunk);
    const end = Math.max(this.#text.length - (this.#total - Math.min(Math.max(position, this.#seen), this.#total)), 0);
    const at = isOurs ? this.#lineStart(end) : this.#text.length;
    if (isOurs) this.#order.moved(this.#total - (this.#text.length - at), text.length);
    this.#total += text.length;
    this.#text = at === this.#text.length ? this.#text + text : this.#text.slice(0, at) + text + this.#text.slice(at);
  }

  /** Waits until something is printed beyond a position, at most so long. */
  beyond(position: number, waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.#total > position || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        void hearing.dispose();
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      const hearing = this.onDidAppend.on(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  since(cursor: number, maxChars: number): OutputSlice {
    this.#writeEarly();
    this.#seen = this.#total;
    return this.look(cursor, maxChars);
  }

  /** The same for somebody who looks on: it does not count as read. */
  look(cursor: number, maxChars: number): OutputSlice {
    const wanted = Math.max(this.#total - cursor, 0);
    const kept = Math.min(wanted, this.#text.length);
    const unread = kept === 0 ? '' : this.#text.slice(-kept);
    if (unread.length <= maxChars) return { text: unread, droppedChars: wanted - kept };
    // The end says most: what was printed just before the stop.
    const cut = unread.slice(-maxChars);
    const lineStart = cut.indexOf('\n') + 1;
    const text = lineStart > 0 && lineStart < cut.length / 2 ? cut.slice(lineStart) : cut;
    const told = handledLines(unread.slice(0, unread.length - text.length));
    return { text: told + text, droppedChars: wanted - text.length - told.length };
  }

  tail(maxChars: number): string {
    return this.look(0, maxChars).text;
  }

  /** Before a line that the program has only begun: programs print in pieces. Not before what somebody has read. */
  #lineStart(end: number): number {
    const start = end === 0 ? 0 : this.#text.lastIndexOf('\n', end - 1) + 1;
    return this.#total - (this.#text.length - start) >= this.#seen ? start : end;
  }

  #plain({ category, text }: OutputChunk): string {
    const begun = this.#partial.get(category);
    if (begun === undefined && !text.includes(escape)) return text;
    const whole = (begun ?? '') + text;
    const rest = unfinishedSequence.exec(whole)?.[0];
    if (rest === undefined) this.#partial.delete(category);
    else this.#partial.set(category, rest);
    return stripVTControlCharacters(rest === undefined ? whole : whole.slice(0, -rest.length));
  }
}

/** What is told of exceptions that a library caught stays when the output around it is cut off; the last of very many. */
export function handledLines(text: string): string {
  const lines = text.match(/^\[handled\] .*$/gm) ?? [];
  return lines
    .slice(-3)
    .map((line) => `${clip(line, 300)}\n`)
    .join('');
}

const escape = '\u001b';
/** A sequence is short; something longer that looks like one is text. */
const unfinishedSequence = /\u001b(?:\[[0-9;?]{0,24})?$/;
