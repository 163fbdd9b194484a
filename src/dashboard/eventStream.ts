import type { ServerResponse } from 'node:http';
import type { AsyncDisposer } from '../base/disposable.ts';
import { randomId } from '../base/ids.ts';
import type { DashboardEvent, EventName, Events, Frame } from './channel.ts';

/** Events of so long a time travel together: a thousand calls a second are twenty messages. */
const frameMs = 50;
const beatMs = 10_000;
const maxFrames = 400;
const maxRingBytes = 512 * 1024;
/** Nobody comes back to where they were after so long; then frames are no longer made. */
const keptAfterLastPageMs = 60_000;
/** A page that has not taken so much is told to ask anew when it comes back. */
const maxUnsentBytes = 1024 * 1024;

interface SentFrame {
  id: number;
  text: string;
}

/** One stream for all pages. Each event is written as text once, whatever the number of pages. */
export class EventStream implements AsyncDisposer {
  /** Ids of another run of the process mean nothing here. */
  readonly #run = randomId('run');
  readonly #pages = new Set<Page>();
  readonly #ring: SentFrame[] = [];
  #ringBytes = 0;
  #lastId = 0;
  #gathered = new Map<string, () => DashboardEvent>();
  #leftAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;

  get pages(): number {
    return this.#pages.size;
  }

  /** `key`: of several events about the same thing within a frame the last one counts, and only for that one `data` is made. */
  send<Name extends EventName>(type: Name, key: string, data: () => Events[Name]): void {
    const name = `${type} ${key}`;
    // The newest comes last, as it happened.
    this.#gathered.delete(name);
    // A name and the data of that name are an event, which the compiler cannot tell for a generic one.
    this.#gathered.set(name, () => ({ type, data: data() }) as DashboardEvent);
    this.#timer ??= setTimeout(() => this.#flush(), frameMs);
  }

  /** Serves a page until it goes. `lastId` is what the browser says it has seen. */
  open(res: ServerResponse, lastId: string | undefined): void {
    res.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    res.write('retry: 1000\n\n');
    const page = new Page(res);
    const missed = this.#after(lastId);
    if (missed === undefined) page.write(this.#text({ kind: 'resync' }, this.#lastId));
    else for (const frame of missed) page.write(frame.text);
    page.write(this.#text({ kind: 'beat' }, this.#lastId));
    this.#pages.add(page);
    res.once('close', () => {
      this.#pages.delete(page);
      this.#leftAt = Date.now();
      if (this.#pages.size === 0) this.#rest();
    });
    this.#beat ??= setInterval(() => this.#sendBeat(), beatMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#rest();
    for (const page of this.#pages) page.end();
    this.#pages.clear();
  }

  #rest(): void {
    clearInterval(this.#beat);
    this.#beat = undefined;
  }

  #sendBeat(): void {
    const text = this.#text({ kind: 'beat' }, this.#lastId);
    for (const page of this.#pages) page.write(text);
  }

  #flush(): void {
    this.#timer = undefined;
    const gathered = this.#gathered;
    this.#gathered = new Map();
    const id = ++this.#lastId;
    if (this.#pages.size === 0 && Date.now() - this.#leftAt > keptAfterLastPageMs) {
      this.#ring.length = 0;
      this.#ringBytes = 0;
      return;
    }
    const events = [...gathered.values()].map((make) => make());
    const frame = { id, text: this.#text({ kind: 'events', events }, id) };
    this.#ring.push(frame);
    this.#ringBytes += frame.text.length;
    while (this.#ring.length > maxFrames || (this.#ringBytes > maxRingBytes && this.#ring.length > 1))
      this.#ringBytes -= this.#ring.shift()?.text.length ?? 0;
    const resync = this.#text({ kind: 'resync' }, id);
    for (const page of this.#pages) page.write(frame.text, resync);
  }

  /** What came after an id; undefined when that cannot be told any more. */
  #after(lastId: string | undefined): SentFrame[] | undefined {
    const [run, number] = lastId?.split('.') ?? [];
    if (run !== this.#run || number === undefined || !/^\d+$/.test(number)) return undefined;
    const seen = Number(number);
    if (seen > this.#lastId) return undefined;
    const oldest = this.#ring[0]?.id ?? this.#lastId + 1;
    return seen + 1 < oldest ? undefined : this.#ring.filter((frame) => frame.id > seen);
  }

  #text(frame: Frame, id: number): string {
    return `id: ${this.#run}.${id}\ndata: ${JSON.stringify(frame)}\n\n`;
  }
}

/** One open page. Too slow a one misses frames, and is told so as soon as it takes something again. */
class Page {
  readonly #res: ServerResponse;
  #resync: string | undefined;

  constructor(res: ServerResponse) {
    this.#res = res;
    res.on('drain', () => {
      if (this.#resync === undefined || res.writableLength > maxUnsentBytes) return;
      res.write(this.#resync);
      this.#resync = undefined;
    });
  }

  write(text: string, resync?: string): void {
    if (this.#resync !== undefined || this.#res.writableLength > maxUnsentBytes) this.#resync = resync ?? this.#resync;
    else this.#res.write(text);
  }

  end(): void {
    this.#res.end();
  }
}
