import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  CallEvent,
  CountsEvent,
  FunctionEvent,
  RecorderEvent,
  RecorderOrders,
  ReturnEvent,
  WriteEvent,
} from '../model.ts';

type Unnumbered<Event> = Omit<Event, 'event' | 'seq'>;

/**
 * What somebody who watches a process from outside notes of it, within the limits, written as recorders inside programs write it.
 * Each stop of a watched program costs a thousand times what a recorder inside would: so fewer calls of one function are noted.
 */
export class EventLog {
  readonly #orders: RecorderOrders;
  readonly #pid: number;
  readonly #lines: string[] = [];
  readonly #functions = new Map<number, FunctionEvent>();
  readonly #calls = new Map<number, number>();
  readonly #watches = new Map<string, number>();
  readonly #places = new Map<string, number>();
  readonly #dropped: CountsEvent['dropped'] = { calls: 0, writes: 0, samples: 0, bytes: false, time: false };
  readonly #problems: { file: string; reason: string }[] = [];
  readonly #began = Date.now();
  #seq = 0;
  #nextCall = 0;
  #thrown = 0;
  #bytes = 0;
  #spentMs = 0;

  constructor(orders: RecorderOrders, pid: number) {
    this.#orders = orders;
    this.#pid = pid;
  }

  /** The number of a function; it is written with its first call. */
  functionId(about: Omit<FunctionEvent, 'event' | 'id'>): number {
    const id = this.#functions.size + 1;
    this.#functions.set(id, { event: 'function', id, ...about });
    return id;
  }

  /** Undefined when enough calls of it are noted. What an exception leaves is noted beyond that: it is what matters. */
  call(call: Omit<Unnumbered<CallEvent>, 'id'>, throws = false): number | undefined {
    const { fn } = call;
    const known = this.#functions.get(fn);
    if (known !== undefined && !this.#calls.has(fn)) this.#add(known);
    this.#calls.set(fn, (this.#calls.get(fn) ?? 0) + 1);
    if (throws ? this.isOver || ++this.#thrown > outsideLimits.maxThrown : this.isSpent(fn, 1)) {
      this.#dropped.calls++;
      return undefined;
    }
    const id = ++this.#nextCall;
    this.#add({ event: 'call', seq: ++this.#seq, id, ...call });
    return id;
  }

  /** Whether no further call of a function is noted; then it need not be stopped at. `by`: of how many more. */
  isSpent(fn: number, by = 0): boolean {
    const { maxCalls, maxCallsPerFunction } = this.#orders.limits;
    const most = Math.min(maxCallsPerFunction, outsideLimits.maxCallsPerFunction);
    return this.isOver || this.#nextCall >= maxCalls || (this.#calls.get(fn) ?? 0) - by >= most;
  }

  /** Calls go on that nobody counts. */
  stopCounting(): void {
    this.#dropped.counts = true;
  }

  returned(end: Unnumbered<ReturnEvent>): void {
    this.#add({ event: 'return', seq: ++this.#seq, ...end });
  }

  /** Answers whether further writes at that place are wanted. */
  write(write: Unnumbered<WriteEvent>): boolean {
    const { watch = '', file, line } = write;
    this.#watches.set(watch, (this.#watches.get(watch) ?? 0) + 1);
    const place = `${watch} ${file}:${line}`;
    const count = (this.#places.get(place) ?? 0) + 1;
    this.#places.set(place, count);
    if (count > this.#orders.limits.maxPerPlace) {
      this.#dropped.writes++;
      return false;
    }
    this.#add({ event: 'write', seq: ++this.#seq, ...write });
    return true;
  }

  problem(file: string, reason: string): void {
    this.#problems.push({ file, reason });
  }

  /** Runs what is done while a thread of the program stands still; all of it together is bounded. */
  async atStop(look: () => Promise<void>): Promise<void> {
    const began = performance.now();
    try {
      await look();
    } finally {
      this.#spentMs += performance.now() - began;
      if (this.#spentMs > outsideLimits.maxMs) this.#dropped.time = true;
    }
  }

  /** Nothing more is noted: the program is to run on as it would alone. */
  get isOver(): boolean {
    return this.#dropped.time || this.#dropped.bytes;
  }

  async save(): Promise<void> {
    const counts: CountsEvent = {
      event: 'counts',
      calls: Object.fromEntries(this.#calls),
      dropped: this.isOver ? { ...this.#dropped, counts: true } : this.#dropped,
      probes: {},
      watches: Object.fromEntries(this.#watches),
      ...(this.#problems.length === 0 ? {} : { problems: this.#problems }),
    };
    const lines = [JSON.stringify({ event: 'start', pid: this.#pid }), ...this.#lines, JSON.stringify(counts), ''];
    const file = join(this.#orders.folder, `events-${this.#pid}-${this.#began}.jsonl`);
    await writeFile(file, lines.join('\n'), { mode: 0o600 });
  }

  #add(event: RecorderEvent): void {
    if (this.#dropped.bytes) return;
    const line = JSON.stringify(event);
    this.#bytes += line.length;
    if (this.#bytes > this.#orders.limits.maxBytes) this.#dropped.bytes = true;
    else this.#lines.push(line);
  }
}

/** Calls of one function that are noted, and how long a program may stand still in all for being looked at. */
const outsideLimits = { maxCallsPerFunction: 120, maxThrown: 300, maxMs: 8000 };
