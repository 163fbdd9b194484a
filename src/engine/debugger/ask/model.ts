import type { Difference, RelatedException } from '../model.ts';

/**
 * What a recorder inside a program is asked to note, and what it writes: the same for every language. The orders are one JSON file,
 * named by `recorderVariable` in the environment of the program and of all it starts. Each process (and each worker thread) appends its events, one JSON object per line, to a
 * file of its own in `folder`: `events-<pid>-<anything>.jsonl`. A line is written whole; what is still in memory is written at the end of the process, and about every second while it
 * runs, so that a program that never ends, or is killed, has told what it did.
 *
 * A recorder never changes what the program prints, returns or exits with, calls no code of the program to look at a value (no
 * getters, no `__repr__` of the user's own classes), and keeps to the limits: what goes beyond them is counted, not written.
 */

export const recorderVariable = 'SIGHTLINE_RECORDER';

export interface RecorderOrders {
  version: 1;
  /** Where the files of events go. */
  folder: string;
  root: string;
  focus: Focus;
  /** `lines` counts how often each line of the focus ran. */
  record: 'calls' | 'lines';
  watches: readonly Watch[];
  probes: readonly Probe[];
  /** Every assignment to an attribute or property in the focus is noted, not only those that a watch names. */
  allWrites: boolean;
  /** An exception is told whole, once, by the call that it was thrown in. */
  failures: boolean;
  limits: RecorderLimits;
}

/** Whose calls are noted. Code outside runs untouched. */
export interface Focus {
  /** Absolute paths of files, or of folders with a slash at the end. Packages installed below a folder are not in it. */
  files: readonly string[];
  /** `name` or `Class.name`; when there are any, only calls of these are noted. */
  functions: readonly string[];
}

/** A variable, attribute or path of attributes whose changes are wanted: `count`, `options.routerOptions`, `this.#size`, `self.items`. */
export interface Watch {
  id: string;
  expression: string;
  /** Only writes in this file. */
  file?: string;
}

/**
 * Expressions to evaluate when a place is reached, before the code there runs. With a line, at that line (where no code begins there, at the
 * statement that goes over it); with a function and no line, on entry.
 */
export interface Probe {
  id: string;
  file?: string;
  line?: number;
  function?: string;
  expressions: readonly string[];
  /**
   * Evaluated before each statement of the file, or of the function, and at the end of each call there; a sample is written only when a value differs
   * from that of the last sample, and tells the line that made the difference: the statement that ran before in the same call. Where an expression cannot be evaluated (a name that is not there) there is no sample.
   */
  isEverywhere?: boolean;
}

export interface RecorderLimits {
  /** Calls written in all; and of one function, the first so many. Afterwards the last ones are kept in a ring of `ring` events. */
  maxCalls: number;
  maxCallsPerFunction: number;
  /** Writes, and samples, of one place in the same way. */
  maxPerPlace: number;
  ring: number;
  maxValueChars: number;
  /** Bytes of one process in all. */
  maxBytes: number;
  /** Of the running time, the part that noting may take once `graceMs` are used up: beyond it events are only counted. */
  maxTimeShare: number;
  graceMs: number;
}

/** A value as it was at that moment: its text, and for objects a number that the same object keeps. */
export interface RecordedValue {
  text: string;
  object?: number;
}

/**
 * `seq` rises within one process (and thread) through all its events: those kept in the ring are written late. Files and lines are those of the
 * source that people edit, absolute and 1-based.
 */
export type RecorderEvent =
  | StartEvent
  | FunctionEvent
  | CallEvent
  | ReturnEvent
  | WriteEvent
  | SampleEvent
  | LineCountsEvent
  | CountsEvent;

/** The first of every file. */
export interface StartEvent {
  event: 'start';
  pid: number;
  parentPid?: number;
  /** The thread, when events of a thread have a file of their own. */
  thread?: string;
  argv?: readonly string[];
}

/** Defined once, before its first call. `file` and `line` are those of the source that people edit. */
export interface FunctionEvent {
  event: 'function';
  id: number;
  /** With its class: `Cart.total`; `<module>` for the code of a file itself, `<anonymous>`. */
  name: string;
  file: string;
  line: number;
  endLine?: number;
  /** Names of the arguments, in order; `*rest` included. */
  params: readonly string[];
  kind?: 'async' | 'generator' | 'asyncGenerator' | 'module';
}

export interface CallEvent {
  event: 'call';
  seq: number;
  /** Unique in the process. */
  id: number;
  /** The nearest noted caller; absent at the root. */
  parent?: number;
  /** The parent made or scheduled it and has gone on: a callback, a task. */
  isLater?: boolean;
  fn: number;
  /** The line of the parent from which it was called. */
  from?: number;
  /** In the order of the params; without the receiver. */
  args: readonly RecordedValue[];
  /** `this` or `self`, when it is an object. */
  self?: RecordedValue;
  /** The asyncio task or thread, when it is not the main one. */
  task?: string;
}

export interface ReturnEvent {
  event: 'return';
  seq: number;
  id: number;
  value?: RecordedValue;
  threw?: RecordedValue;
  /** The `return` worked the value out, by an operator or from parts: nobody handed it on. */
  isMade?: boolean;
  /** The two sides of a failed comparison, where the exception has them. */
  sides?: { actual?: RecordedValue; expected?: RecordedValue };
  /** With `failures`, in the innermost noted call that an exception leaves. */
  failure?: FailureNote;
  /** The line of the `return` or from which the exception left. */
  line?: number;
  /** What the arguments and the receiver look like now, by name, where the call left them other than they were. */
  changed?: Readonly<Record<string, RecordedValue>>;
  /** What those were that `changed` names and no argument shows: `self.total`. */
  was?: Readonly<Record<string, RecordedValue>>;
  /** Yields and awaits on the way. */
  suspensions?: number;
}

/** What an exception says, and what there was where it was thrown. */
export interface FailureNote {
  type: string;
  message: string;
  /** Where the two sides of a failed comparison differ, as the debugger tells it. */
  differences?: readonly Difference[];
  moreDifferences?: number;
  /** The variables of the call. */
  locals?: Readonly<Record<string, RecordedValue>>;
  /** Variables that are not among them. */
  moreLocals?: number;
  /** What caused it. */
  related?: readonly RelatedException[];
}

export interface WriteEvent {
  event: 'write';
  seq: number;
  /** The watch that wanted it; absent with `allWrites`. */
  watch?: string;
  /** As the code names it: `this.count`, `options.routerOptions`, `items[3]`. */
  target: string;
  /** Absent when there was nothing. */
  old?: RecordedValue;
  /** Absent after a deletion. */
  new?: RecordedValue;
  /** `change`: seen afterwards in the object itself; somebody changed it in place between the lines `since` and `line`. */
  kind: 'assign' | 'delete' | 'change';
  since?: number;
  /** Not the watched name itself was written, but a member of the object that is its value, maybe by another name of that object. */
  isInside?: boolean;
  /** The statement worked the value out, by an operator or from parts: nobody handed it on. */
  isMade?: boolean;
  file: string;
  line: number;
  /** The call that wrote it. */
  call?: number;
  /** The object whose attribute it is. */
  holder?: number;
}

export interface SampleEvent {
  event: 'sample';
  seq: number;
  probe: string;
  /** By expression; one that failed has the text `<TypeError: …>` and `failed`. */
  values: readonly (RecordedValue & { failed?: boolean })[];
  file: string;
  line: number;
  call?: number;
}

/** Written at the end, and again with higher numbers while it runs: of each line the highest counts. */
export interface LineCountsEvent {
  event: 'lines';
  file: string;
  counts: Readonly<Record<number, number>>;
}

/** What was not written one by one. The last one of a file counts. `dropped.counts`: not even all calls were counted. */
export interface CountsEvent {
  event: 'counts';
  /** All calls by function id, written or not. */
  calls: Readonly<Record<number, number>>;
  dropped: { calls: number; writes: number; samples: number; bytes: boolean; time: boolean; counts?: boolean };
  /** Hits by probe id, written or not. */
  probes: Readonly<Record<string, number>>;
  /** Changes by watch id. */
  watches: Readonly<Record<string, number>>;
  /** Files of the focus that the recorder could not follow, and why. */
  problems?: readonly { file: string; reason: string }[];
}

export const defaultLimits: RecorderLimits = {
  maxCalls: 20_000,
  maxCallsPerFunction: 300,
  maxPerPlace: 500,
  ring: 500,
  maxValueChars: 160,
  maxBytes: 20_000_000,
  maxTimeShare: 0.2,
  graceMs: 400,
};
