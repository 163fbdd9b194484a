import { Emitter } from '../../../base/emitter.ts';
import { EscapeFilter } from './escapeFilter.ts';

interface OutputLimits {
  /** Bytes of the beginning that are kept for good. */
  headBytes: number;
  /** Bytes of the end that are kept. */
  tailBytes: number;
}

export const defaultOutputLimits: OutputLimits = { headBytes: 64 * 1024, tailBytes: 512 * 1024 };

export interface OutputPage {
  text: string;
  /** Where the text begins, in bytes of all output. */
  from: number;
  /** Where the next reading goes on. */
  next: number;
  /** Bytes between the asked and the given beginning that are no longer kept. */
  droppedBytes: number;
}

/**
 * What a program printed, however much it is: the beginning and the end are kept as bytes, the middle is counted. Positions are
 * byte offsets in the whole output, so that a reader can go on where it stopped. Both streams are interleaved as they came, without the
 * sequences that colour and move.
 */
export class JobOutput {
  /** Bytes as they are added to the output. */
  readonly onDidAppend = new Emitter<Buffer>();
  readonly #limits: OutputLimits;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  /** The end of a chunk that is the beginning of a character, per stream: the other stream must not be put in between. */
  readonly #partial = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  readonly #filters = { stdout: new EscapeFilter(), stderr: new EscapeFilter() };
  #headSize = 0;
  #tailSize = 0;
  #total = 0;

  constructor(limits: OutputLimits = defaultOutputLimits) {
    this.#limits = limits;
  }

  /** The output of a program that ran before: its beginning, its end, and how much it was. */
  static restored(head: Buffer, tail: Buffer, totalBytes: number): JobOutput {
    const output = new JobOutput({ headBytes: head.length, tailBytes: Math.max(tail.length, 1) });
    output.#add(head);
    output.#add(tail);
    output.#total = totalBytes;
    return output;
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** Bytes that were printed and are no longer kept. */
  get droppedBytes(): number {
    return this.#total - this.#headSize - this.#tailSize;
  }

  append(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    const pending = this.#partial[stream];
    const text = this.#filters[stream].push(chunk);
    const whole = pending.length === 0 ? text : Buffer.concat([pending, text]);
    const cut = completeLength(whole);
    this.#partial[stream] = Buffer.from(whole.subarray(cut));
    this.#add(whole.subarray(0, cut));
  }

  /** Nothing more comes: what looked like the beginning of a character is put out as it is. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#add(this.#partial[stream]);
      this.#partial[stream] = Buffer.alloc(0);
    }
  }

  /** At most `maxBytes` from a position on. */
  read(from: number, maxBytes: number): OutputPage {
    const start = Math.min(Math.max(from, 0), this.#total);
    const tailStart = this.#total - this.#tailSize;
    const given = start >= this.#headSize && start < tailStart ? tailStart : start;
    const region =
      given < this.#headSize
        ? Buffer.concat(this.#head).subarray(given)
        : Buffer.concat(this.#tail).subarray(given - tailStart);
    const skipped = continuationBytes(region);
    const page = region.subarray(skipped);
    const bytes = page.length <= maxBytes ? page : page.subarray(0, completeLength(page.subarray(0, maxBytes)));
    return {
      text: readable(bytes),
      from: given + skipped,
      next: given + skipped + bytes.length,
      droppedBytes: given - start,
    };
  }

  /** The last `maxBytes`, from the beginning of a line when there is one near. */
  last(maxBytes: number): OutputPage {
    const start = Math.max(this.#total - maxBytes, 0);
    const first = this.read(start, maxBytes);
    // Head and tail are read one at a time; an end that begins in the head goes on in the tail.
    const page = first.next < this.#total ? joined(first, this.read(first.next, maxBytes)) : first;
    const line = page.from === 0 ? 0 : page.text.indexOf('\n') + 1;
    return line > 0 && line < page.text.length / 2 ? { ...page, text: page.text.slice(line) } : page;
  }

  /** The beginning and the end, which is where programs say what matters. */
  headAndTail(maxBytes: number): string {
    if (this.#total <= maxBytes && this.droppedBytes === 0) return this.readAll();
    const half = Math.floor(maxBytes / 2);
    const head = this.read(0, half);
    const tail = this.last(half);
    const between = tail.from - head.next;
    if (between <= 0) return this.readAll();
    return `${head.text}\n… ${between} bytes left out …\n${tail.text}`;
  }

  readAll(): string {
    return readable(Buffer.concat([...this.#head, ...this.#tail]));
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#total += bytes.length;
    this.onDidAppend.fire(bytes);
    const room = this.#limits.headBytes - this.#headSize;
    // The tail begins with a whole character, so that both can be read by themselves.
    const fits = bytes.length <= room ? bytes.length : completeLength(bytes.subarray(0, room));
    const toHead = this.#tailSize === 0 ? fits : 0;
    if (toHead > 0) {
      this.#head.push(Buffer.from(bytes.subarray(0, toHead)));
      this.#headSize += toHead;
    }
    if (toHead === bytes.length) return;
    // Copied: a small slice would keep the whole chunk of the stream alive.
    const rest = Buffer.from(bytes.subarray(Math.max(toHead, bytes.length - this.#limits.tailBytes)));
    this.#tail.push(rest);
    this.#tailSize += rest.length;
    while (this.#tailSize > this.#limits.tailBytes) this.#shorten(this.#tailSize - this.#limits.tailBytes);
  }

  #shorten(surplus: number): void {
    const first = this.#tail[0];
    if (first === undefined) return;
    if (first.length <= surplus) {
      this.#tail.shift();
      this.#tailSize -= first.length;
    } else {
      this.#tail[0] = first.subarray(surplus);
      this.#tailSize -= surplus;
    }
  }
}

function joined(a: OutputPage, b: OutputPage): OutputPage {
  if (b.droppedBytes > 0) return { ...b, droppedBytes: 0 };
  return { text: a.text + b.text, from: a.from, next: b.next, droppedBytes: a.droppedBytes };
}

/** How much of the bytes is whole UTF-8 characters; bytes that are no UTF-8 at all count as whole. */
export function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed =
      byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc0 && byte < 0xe0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

export function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && count < bytes.length && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

export function readable(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}
