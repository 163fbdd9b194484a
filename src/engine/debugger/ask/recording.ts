import type {
  CallEvent,
  CountsEvent,
  FunctionEvent,
  LineCountsEvent,
  RecordedValue,
  RecorderEvent,
  ReturnEvent,
  SampleEvent,
  StartEvent,
  WriteEvent,
} from './model.ts';

/** One call as it went, in its tree. */
export interface RecordedCall {
  /** Its name in answers: `n12`, in the order of entering. */
  id: string;
  /** Which process or thread, in the order of their files. */
  process: number;
  seq: number;
  fn: FunctionEvent;
  parent: RecordedCall | undefined;
  children: RecordedCall[];
  args: readonly RecordedValue[];
  self: RecordedValue | undefined;
  from: number | undefined;
  isLater: boolean;
  task: string | undefined;
  /** Undefined when the program ended before it did, or its end was not written. */
  end: ReturnEvent | undefined;
}

export type RecordedWrite = WriteEvent & { process: number; by: RecordedCall | undefined };
export type RecordedSample = SampleEvent & { process: number; by: RecordedCall | undefined };

/** What one run of a program has told. */
export interface Recording {
  calls: readonly RecordedCall[];
  roots: readonly RecordedCall[];
  writes: readonly RecordedWrite[];
  samples: readonly RecordedSample[];
  /** Every function of the focus that was called, with how often. */
  functions: readonly { fn: FunctionEvent; count: number }[];
  probeHits: ReadonlyMap<string, number>;
  watchHits: ReadonlyMap<string, number>;
  dropped: CountsEvent['dropped'];
  lineCounts: ReadonlyMap<string, ReadonlyMap<number, number>>;
  problems: readonly { file: string; reason: string }[];
  /** Processes and threads that ran code of the focus. */
  processes: readonly StartEvent[];
  /** It was stopped at the places that were asked about; nothing else of it is known. */
  isSampled?: boolean;
  /** It was watched from outside. */
  isOutside?: boolean;
  /** The program was run once for its calls and writes, and once more for what expressions were. */
  isRunTwice?: boolean;
}

/** Reads the files of events of one run. A last line that was cut off is left out. */
export function readRecording(files: readonly string[]): Recording {
  const parts = files.map((text, index) => new ProcessReader(index).read(text));
  const calls = parts.flatMap((part) => part.calls);
  calls.forEach((call, index) => {
    call.id = `n${index + 1}`;
  });
  const counts = parts.flatMap((part) => part.counts ?? []);
  return {
    calls,
    roots: calls.filter((call) => call.parent === undefined),
    writes: parts.flatMap((part) => part.writes),
    samples: parts.flatMap((part) => part.samples),
    functions: functionsOf(parts),
    probeHits: summed(counts.map((each) => each.probes)),
    watchHits: summed(counts.map((each) => each.watches)),
    dropped: {
      calls: counts.reduce((sum, each) => sum + each.dropped.calls, 0),
      writes: counts.reduce((sum, each) => sum + each.dropped.writes, 0),
      samples: counts.reduce((sum, each) => sum + each.dropped.samples, 0),
      bytes: counts.some((each) => each.dropped.bytes),
      time: counts.some((each) => each.dropped.time),
      counts: counts.some((each) => each.dropped.counts === true),
    },
    lineCounts: lineCountsOf(parts),
    problems: counts.flatMap((each) => each.problems ?? []),
    processes: parts.map((part) => part.start ?? { event: 'start', pid: 0 }),
  };
}

class ProcessReader {
  readonly #process: number;
  readonly functions = new Map<number, FunctionEvent>();
  readonly calls: RecordedCall[] = [];
  readonly writes: RecordedWrite[] = [];
  readonly samples: RecordedSample[] = [];
  readonly lines = new Map<string, Map<number, number>>();
  counts: CountsEvent | undefined;
  start: StartEvent | undefined;
  readonly #byId = new Map<number, RecordedCall>();

  constructor(process: number) {
    this.#process = process;
  }

  /** Counts only grow, and of several statements on a line the one that began most often counts. */
  #addLines({ file, counts }: LineCountsEvent): void {
    const into = this.lines.get(file) ?? new Map<number, number>();
    for (const [line, count] of Object.entries(counts))
      into.set(Number(line), Math.max(into.get(Number(line)) ?? 0, count));
    this.lines.set(file, into);
  }

  read(text: string): this {
    const events = text.split('\n').flatMap((line) => parsed(line) ?? []);
    const callEvents: CallEvent[] = [];
    for (const event of events) {
      if (event.event === 'start') this.start ??= event;
      else if (event.event === 'function') this.functions.set(event.id, event);
      else if (event.event === 'counts') this.counts = event;
      else if (event.event === 'lines') this.#addLines(event);
      else if (event.event === 'call') callEvents.push(event);
    }
    for (const event of callEvents.toSorted((a, b) => a.seq - b.seq)) this.#addCall(event);
    const process = this.#process;
    for (const event of events) {
      if (event.event === 'return') {
        const call = this.#byId.get(event.id);
        if (call !== undefined) call.end = event;
      } else if (event.event === 'write') this.writes.push({ ...event, process, by: this.#byId.get(event.call ?? 0) });
      else if (event.event === 'sample') this.samples.push({ ...event, process, by: this.#byId.get(event.call ?? 0) });
    }
    this.writes.sort((a, b) => a.seq - b.seq);
    this.samples.sort((a, b) => a.seq - b.seq);
    return this;
  }

  #addCall(event: CallEvent): void {
    const fn = this.functions.get(event.fn);
    if (fn === undefined) return;
    const owner = event.parent === undefined ? undefined : this.#byId.get(event.parent);
    // A test is made by its suite, but it is the runner that calls it.
    const parent =
      event.isLater === true && owner !== undefined && (isSuite(owner.fn) || isTest(fn)) ? undefined : owner;
    const { seq, args, self, task } = event;
    const from = parent === undefined ? undefined : event.from;
    const isLater = parent !== undefined && event.isLater === true;
    const call: RecordedCall = {
      id: '',
      process: this.#process,
      seq,
      fn,
      parent,
      children: [],
      args,
      self,
      from,
      isLater,
      task,
      end: undefined,
    };
    this.#byId.set(event.id, call);
    this.calls.push(call);
    parent?.children.push(call);
  }
}

/** What groups tests: it only defines them. */
export function isSuite({ name }: FunctionEvent): boolean {
  return /^(describe|suite|context)\b/.test(name);
}

/** What a runner calls as a test, or around one. */
export function isTest({ name }: FunctionEvent): boolean {
  return (
    /^(?:callback of )?(it|test|specify|before|after|beforeEach|afterEach|beforeAll|afterAll)\b(?:\(|$)/.test(name) ||
    /(^|\.)test_\w+$/.test(name)
  );
}

/** All calls below one, in the order of entering. */
export function callsBelow(root: RecordedCall): RecordedCall[] {
  const found: RecordedCall[] = [];
  const stack = [...root.children].toReversed();
  for (let call = stack.pop(); call !== undefined; call = stack.pop()) {
    found.push(call);
    stack.push(...call.children.toReversed());
  }
  return found;
}

function parsed(line: string): RecorderEvent | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as RecorderEvent;
  } catch {
    return undefined;
  }
}

function functionsOf(parts: readonly ProcessReader[]): { fn: FunctionEvent; count: number }[] {
  const found = new Map<string, { fn: FunctionEvent; count: number }>();
  for (const { functions, counts } of parts)
    for (const fn of functions.values()) {
      const key = functionKey(fn);
      const entry = found.get(key) ?? { fn, count: 0 };
      entry.count += counts?.calls[fn.id] ?? 0;
      found.set(key, entry);
    }
  return [...found.values()];
}

/** The same function in two runs, or two processes. */
export function functionKey({ file, line, name }: FunctionEvent): string {
  return `${file}:${line}:${name}`;
}

function summed(tables: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const table of tables)
    for (const [id, count] of Object.entries(table)) sums.set(id, (sums.get(id) ?? 0) + count);
  return sums;
}

function lineCountsOf(parts: readonly ProcessReader[]): Map<string, Map<number, number>> {
  const all = new Map<string, Map<number, number>>();
  for (const { lines } of parts)
    for (const [file, counts] of lines) {
      const into = all.get(file) ?? new Map<number, number>();
      for (const [line, count] of counts) into.set(line, (into.get(line) ?? 0) + count);
      all.set(file, into);
    }
  return all;
}
