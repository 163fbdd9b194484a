import { performance } from 'node:perf_hooks';
import type {
  CountsEvent,
  LineCountsEvent,
  RecordedValue,
  RecorderOrders,
  ReturnEvent,
  SampleEvent,
  WriteEvent,
} from '../../../../ask/model.ts';
import type { EventFile } from './eventFile.ts';
import { hotSlots } from './wishes.ts';
import type { FileSites, FunctionSite, LineSite, ProbeSite, WriteSite } from './sites.ts';
import { isObject, ValueDrawer } from './values.ts';
import { failureNote } from './failureNote.ts';
import { WriteNotes } from './writeNotes.ts';

/** A call that goes on. The rewritten code keeps it in a variable of the function. */
export interface Call {
  readonly fn: NotedFunction;
  /** 0 when the call itself was not written. */
  readonly id: number;
  /** Who ran before it, and runs again when it leaves off. */
  back: Call | null;
  /** The line it is at. */
  l: number;
  args: readonly unknown[];
  self: unknown;
  texts: readonly string[];
  isRing: boolean;
  hasValue: boolean;
  value: unknown;
  isOver: boolean;
  suspensions: number;
  /** The last statement before which probes were evaluated: what differs now is its work. */
  probed: number;
}

interface NotedFunction {
  site: FunctionSite;
  written: number;
  isDefined: boolean;
}

/** Calls of one function that are looked at; the others are counted by the rewritten code itself. */
const hotLimit = 20_000;

const now = performance.now.bind(performance);

/** What the rewritten code calls. The names are short because they stand in it very often. */
export class Runtime {
  /** Counts of calls, by function. */
  readonly h = new Float64Array(hotSlots);
  readonly m = hotLimit;
  readonly #orders: RecorderOrders;
  readonly #file: EventFile;
  readonly #functions = new Map<number, NotedFunction>();
  readonly #writes = new Map<number, WriteSite>();
  readonly #probes = new Map<number, ProbeSite>();
  readonly #lines = new Map<number, LineSite>();
  readonly #lineCounts = new Map<number, number>();
  readonly #newLines = new Set<number>();
  readonly #everywhere: ReadonlySet<string>;
  readonly #lastSample = new Map<string, string>();
  readonly #probeHits = new Map<string, number>();
  readonly #missing: () => void;
  readonly #notes: WriteNotes;
  readonly drawer: ValueDrawer;
  readonly #toldErrors = new WeakSet();
  readonly problems: { file: string; reason: string }[] = [];
  readonly dropped = { calls: 0, writes: 0, samples: 0, bytes: false, time: false };
  #current: Call | null = null;
  #seq = 0;
  #calls = 0;
  #written = 0;
  #spentMs = 0;
  readonly #startedAt = now();
  #isBusy = false;

  /** `missing` brings the meaning of numbers that another thread has given. */
  constructor(orders: RecorderOrders, file: EventFile, missing: () => void) {
    this.#orders = orders;
    this.#file = file;
    this.#missing = missing;
    this.#everywhere = new Set(orders.probes.filter((probe) => probe.isEverywhere).map(({ id }) => id));
    this.drawer = new ValueDrawer(orders.limits.maxValueChars);
    this.#notes = new WriteNotes(orders, this.drawer, {
      site: (id) => this.#siteOf(this.#writes, id),
      emit: (write, isLast) => this.#emitWrite(write, isLast),
      guarded: (work) => this.#guarded(work),
    });
  }

  /** Whether any code of the focus was loaded, or could not be. */
  get hasLoaded(): boolean {
    return this.#functions.size > 0 || this.#lineCounts.size > 0 || this.problems.length > 0;
  }

  addSites(sites: FileSites): void {
    for (const site of sites.functions) this.#functions.set(site.id, { site, written: 0, isDefined: false });
    for (const site of sites.writes) this.#writes.set(site.id, site);
    for (const site of sites.probes) this.#probes.set(site.id, site);
    for (const site of sites.lines) this.#lines.set(site.id, site);
  }

  /** Enters a function. */
  e(id: number, outer: Call | null, args: readonly unknown[], self?: unknown): Call | null {
    const fn = this.#siteOf(this.#functions, id);
    if (fn === undefined || this.#isBusy) return null;
    const back = this.#current;
    const parent = back ?? outer;
    const { limits } = this.#orders;
    const isFirst = fn.written < limits.maxCallsPerFunction && this.#written < limits.maxCalls;
    const isWritten = this.#mayWrite(isFirst);
    const call: Call = {
      fn,
      id: isWritten ? ++this.#calls : 0,
      back,
      l: fn.site.line,
      args,
      self,
      texts: [],
      isRing: !isFirst,
      hasValue: false,
      value: undefined,
      isOver: false,
      suspensions: 0,
      probed: 0,
    };
    if (isWritten) this.#guarded(() => this.#writeCall(call, parent, back === null && parent !== null));
    else this.dropped.calls++;
    this.#current = call;
    // From the next call on nothing is heard of it.
    if (this.h[id % hotSlots] === hotLimit) this.#file.sync();
    return call;
  }

  /** A value that is returned. */
  r(call: Call | null, line: number, value: unknown): unknown {
    if (call !== null) {
      call.value = value;
      call.hasValue = true;
      call.l = line;
    }
    return value;
  }

  /** An exception that leaves the function. */
  t(call: Call | null, id: number, error: unknown): void {
    if (this.#isBusy) return;
    const noted = call !== null && call.id !== 0 ? call : this.#lateCall(call, id);
    if (noted === undefined) return;
    noted.isOver = true;
    this.#guarded(() =>
      this.#writeReturn(noted, { threw: this.drawer.value(error), ...this.#sides(error), ...this.#failure(error) }),
    );
  }

  /** The end of a call, whichever way. */
  x(call: Call | null): void {
    if (call === null) return;
    this.#current = call.back;
    if (!this.#isBusy) this.#notes.callEnds(call);
    if (call.isOver || call.id === 0) return;
    call.isOver = true;
    this.#guarded(() => this.#writeReturn(call, { value: this.drawer.value(call.hasValue ? call.value : undefined) }));
  }

  /** Leaves off: an `await` or a `yield`. */
  s(call: Call | null, value: unknown): unknown {
    if (call !== null) {
      call.suspensions++;
      this.#current = call.back;
      call.back = null;
    }
    return value;
  }

  /** Goes on with what it waited for. */
  a(call: Call | null, value: unknown): unknown {
    this.k(call);
    return value;
  }

  /** Runs (again), maybe after something was thrown. */
  k(call: Call | null): void {
    if (call === null || this.#current === call) return;
    if (call.suspensions > 0)
      call.back = this.#current === null || isAbove(this.#current, call) ? call.back : this.#current;
    this.#current = call;
  }

  /** A probe is reached. */
  p(call: Call | null, id: number, readers: readonly (() => unknown)[]): void {
    const site = this.#siteOf(this.#probes, id);
    if (site === undefined || this.#isBusy) return;
    if (this.#everywhere.has(site.probe)) {
      this.#sampleChange(call, site, readers);
      return;
    }
    const hits = (this.#probeHits.get(site.probe) ?? 0) + 1;
    this.#probeHits.set(site.probe, hits);
    const isFirst = hits <= this.#orders.limits.maxPerPlace;
    if (!this.#mayWrite(isFirst)) {
      this.dropped.samples++;
      return;
    }
    this.#guarded(() =>
      this.#sample(
        call,
        site,
        readers.map((reader) => this.#read(reader)),
        !isFirst,
      ),
    );
  }

  o(call: Call | null, site: number, object: unknown): unknown {
    if (!this.#isBusy) this.#notes.object(site, object);
    return object;
  }

  y(site: number, key: unknown): unknown {
    if (!this.#isBusy) this.#notes.key(site, key);
    return key;
  }

  v(call: Call | null, site: number, value: unknown, ...old: unknown[]): unknown {
    if (!this.#isBusy) this.#notes.value(site, value, old);
    return value;
  }

  w(call: Call | null, site: number, result: unknown): unknown {
    if (!this.#isBusy) this.#notes.written(call, site, result);
    return result;
  }

  n(call: Call | null, site: number, old: unknown, result: unknown, value: unknown): unknown {
    if (!this.#isBusy) this.#notes.variable(call, site, value, old);
    return result;
  }

  i(call: Call | null, site: number, value: unknown): unknown {
    if (!this.#isBusy) this.#notes.variable(call, site, value);
    return value;
  }

  g(call: Call | null, site: number, value: unknown): unknown {
    if (!this.#isBusy) this.#notes.seen(call, site, value);
    return value;
  }

  /** A statement begins. */
  b(id: number): void {
    this.#lineCounts.set(id, (this.#lineCounts.get(id) ?? 0) + 1);
    this.#newLines.add(id);
    this.#file.schedule();
  }

  /** What has grown since it was last asked for, by file. Of several statements on a line the one that began most often counts. */
  newLineCounts(): LineCountsEvent[] {
    const files = new Map<string, Record<number, number>>();
    for (const id of this.#newLines) {
      const site = this.#siteOf(this.#lines, id);
      if (site === undefined) continue;
      const counts = files.get(site.file) ?? {};
      const count = Math.max(this.#lineCounts.get(id) ?? 0, counts[site.line] ?? 0);
      counts[site.line] = count;
      files.set(site.file, counts);
    }
    this.#newLines.clear();
    return [...files].map(([file, counts]) => ({ event: 'lines', file, counts }));
  }

  counts(): CountsEvent {
    const calls: Record<number, number> = {};
    for (const { site } of this.#functions.values()) {
      const count = this.h[site.id % hotSlots] ?? 0;
      if (count > 0) calls[site.id] = count;
    }
    return {
      event: 'counts',
      calls,
      dropped: { ...this.dropped, bytes: this.#file.isFull },
      probes: Object.fromEntries(this.#probeHits),
      watches: this.#notes.counts(),
      ...(this.problems.length === 0 ? {} : { problems: this.problems }),
    };
  }

  /** Only what differs from the last sample is one. */
  #sampleChange(call: Call | null, site: ProbeSite, readers: readonly (() => unknown)[]): void {
    if (!this.#mayWrite(true)) return;
    const line = call === null || call.probed === 0 ? site.line : call.probed;
    if (call !== null) call.probed = site.line;
    this.#guarded(() => {
      const values = readers.map((reader) => this.#read(reader));
      if (values.some(({ failed }) => failed)) return;
      const key = values.map(({ text }) => text).join('\n');
      if (this.#lastSample.get(site.probe) === key) return;
      this.#lastSample.set(site.probe, key);
      const hits = (this.#probeHits.get(site.probe) ?? 0) + 1;
      this.#probeHits.set(site.probe, hits);
      this.#sample(call, { ...site, line }, values, hits > this.#orders.limits.maxPerPlace);
    });
  }

  #sample(call: Call | null, { probe, file, line }: ProbeSite, values: SampleEvent['values'], isLast: boolean): void {
    const owner = written(call);
    const event = { event: 'sample', seq: ++this.#seq, probe, values, file, line } as const;
    this.#emit({ ...event, ...(owner === undefined ? {} : { call: owner }) }, isLast);
  }

  #read(reader: () => unknown): RecordedValue & { failed?: boolean } {
    try {
      return this.drawer.value(reader());
    } catch (error) {
      return { text: `<${this.drawer.text(error)}>`, failed: true };
    }
  }

  /** A call that was only counted becomes worth telling when it throws. */
  #lateCall(call: Call | null, id: number): Call | undefined {
    const fn = this.#siteOf(this.#functions, id);
    if (fn === undefined || !this.#mayWrite(false)) return undefined;
    const parent = call === null ? this.#current : call.back;
    const args = call?.args ?? [];
    const late = { ...(call ?? emptyCall(fn)), id: ++this.#calls, args, isRing: true };
    this.#guarded(() => this.#writeCall(late, parent, false));
    return late;
  }

  #writeCall(call: Call, parent: Call | null, isLater: boolean): void {
    const { fn } = call;
    this.#define(fn);
    fn.written++;
    this.#written++;
    const args = call.args.map((value) => this.drawer.value(value));
    const self = isObject(call.self) ? this.drawer.value(call.self) : undefined;
    call.texts = [...args.map(({ text }) => text), self?.text ?? ''];
    const owner = written(parent);
    this.#emit(
      {
        event: 'call',
        seq: ++this.#seq,
        id: call.id,
        fn: fn.site.id,
        args,
        ...(owner === undefined || parent === null ? {} : { parent: owner, from: parent.l }),
        ...(isLater && owner !== undefined ? { isLater } : {}),
        ...(self === undefined || call.self === globalThis ? {} : { self }),
      },
      call.isRing,
    );
  }

  #writeReturn(call: Call, outcome: Pick<ReturnEvent, 'value' | 'threw' | 'sides' | 'failure'>): void {
    const changed: Record<string, RecordedValue> = {};
    const look = (name: string, value: unknown, before: string | undefined) => {
      if (before === undefined || !isObject(value) || typeof value === 'function') return;
      const drawn = this.drawer.value(value);
      if (drawn.text !== before) changed[name] = drawn;
    };
    call.args.forEach((value, index) => look(call.fn.site.params[index] ?? String(index), value, call.texts[index]));
    look('this', call.self, call.texts.at(-1));
    this.#emit(
      {
        event: 'return',
        seq: ++this.#seq,
        id: call.id,
        ...outcome,
        line: call.l,
        ...(Object.keys(changed).length === 0 ? {} : { changed }),
        ...(call.suspensions === 0 ? {} : { suspensions: call.suspensions }),
      },
      call.isRing,
    );
  }

  #sides(error: unknown): Pick<ReturnEvent, 'sides'> {
    const result = dataOf(error, 'matcherResult');
    const holder = dataOf(error, 'actual') === undefined && result !== undefined ? result.value : error;
    const actual = dataOf(holder, 'actual');
    const expected = dataOf(holder, 'expected');
    if (actual === undefined && expected === undefined) return {};
    return {
      sides: {
        ...(actual === undefined ? {} : { actual: this.drawer.value(actual.value) }),
        ...(expected === undefined ? {} : { expected: this.drawer.value(expected.value) }),
      },
    };
  }

  /** Told by the innermost call only: the others hand it on. */
  #failure(error: unknown): Pick<ReturnEvent, 'failure'> {
    if (!this.#orders.failures) return {};
    if (isObject(error)) {
      if (this.#toldErrors.has(error)) return {};
      this.#toldErrors.add(error);
    }
    return { failure: failureNote(error) };
  }

  #define(fn: NotedFunction): void {
    if (fn.isDefined) return;
    fn.isDefined = true;
    this.#file.write({ event: 'function', ...fn.site });
  }

  #emitWrite(write: PendingWrite, isLast: boolean): boolean {
    if (!this.#mayWrite(!isLast)) {
      this.dropped.writes++;
      return false;
    }
    const { call, ...rest } = write;
    const owner = written(call);
    this.#emit({ event: 'write', seq: ++this.#seq, ...rest, ...(owner === undefined ? {} : { call: owner }) }, isLast);
    return true;
  }

  #emit(event: Parameters<EventFile['write']>[0], isLast: boolean): void {
    if (isLast) this.#file.writeLast(event);
    else this.#file.write(event);
  }

  /** Within the limits, or as long as noting takes only its part of the time. */
  #mayWrite(isFirst: boolean): boolean {
    if (this.#file.isFull) return false;
    const { graceMs, maxTimeShare } = this.#orders.limits;
    if (this.#spentMs < graceMs) return true;
    if (this.#spentMs < graceMs + (now() - this.#startedAt) * maxTimeShare) return true;
    this.dropped.time = true;
    return isFirst && this.#spentMs < graceMs * 4;
  }

  /** Looking at values must not be noted itself, must never throw, and is timed. */
  #guarded(work: () => void): void {
    const startedAt = now();
    this.#isBusy = true;
    try {
      work();
    } catch {
      // A value that cannot be looked at is not worth the program.
    } finally {
      this.#isBusy = false;
      this.#spentMs += now() - startedAt;
    }
  }

  #siteOf<T>(table: ReadonlyMap<number, T>, id: number): T | undefined {
    const known = table.get(id);
    if (known !== undefined) return known;
    this.#missing();
    return table.get(id);
  }
}

export type PendingWrite = Omit<WriteEvent, 'event' | 'seq' | 'call'> & {
  call: Call | null;
};

/** A property of an object that is no getter. */
function dataOf(holder: unknown, key: string): { value: unknown } | undefined {
  if (!isObject(holder)) return undefined;
  const property = Object.getOwnPropertyDescriptor(holder, key);
  return property !== undefined && 'value' in property ? { value: property.value as unknown } : undefined;
}

/** The nearest call that was written. */
function written(call: Call | null): number | undefined {
  for (let each = call; each !== null; each = each.back) if (each.id !== 0) return each.id;
  return undefined;
}

function isAbove(call: Call, below: Call): boolean {
  for (let each: Call | null = call; each !== null; each = each.back) if (each === below) return true;
  return false;
}

function emptyCall(fn: NotedFunction): Call {
  return {
    fn,
    id: 0,
    back: null,
    l: fn.site.line,
    args: [],
    self: undefined,
    texts: [],
    isRing: true,
    hasValue: false,
    value: undefined,
    isOver: false,
    suspensions: 0,
    probed: 0,
  };
}
