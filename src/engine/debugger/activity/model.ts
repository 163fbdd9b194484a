import type { SourceLocation, StackFrame } from '../model.ts';

/** What a thread that waits waits for. */
export type WaitKind =
  | 'input'
  | 'lock'
  | 'thread'
  | 'process'
  | 'queue'
  | 'network'
  | 'time'
  | 'events'
  | 'file'
  | 'other';

export interface Wait {
  kind: WaitKind;
  /** The program's own words for it: `lock.acquire`, `worker.join`. */
  call?: string;
  /** The thread that holds the lock, or whose end is awaited. */
  threadId?: string;
  /** What would end it, when that is not a thread: a child process, what an event loop has open. */
  detail?: string;
}

interface ValueChange {
  name: string;
  before: string;
  after: string;
}

/** What became of a function's variables: `before` is the first value that differed from the last; unchanged were those that every look found so. */
export interface FunctionValues {
  functionName: string;
  changed: ValueChange[];
  unchanged: { name: string; value: string }[];
}

/** Where a thread was found most often while it was looked at. */
export interface HotPlace {
  location: SourceLocation;
  functionName: string;
  /** Looks that found it on that line. */
  found: number;
  looks: number;
}

/** What one thread of a running program does, told from looking at it for a moment. */
export interface ThreadActivity {
  threadId: string;
  processId: string;
  name: string;
  /**
   * `busy`: it runs code; `waiting`: it waits for something; `idle`: its event loop has nothing to do; `silent`: it takes no notice of
   * the debugger, because it is inside a native call.
   */
  doing: 'busy' | 'waiting' | 'idle' | 'silent';
  waitsFor?: Wait;
  /** Where it stood last, innermost first; empty when it could not be seen. */
  frames: StackFrame[];
  totalFrames?: number;
  /** How deep its stack was at the first look, when it has only grown since. */
  depthBefore?: number;
  hot?: HotPlace;
  /** The user's own functions that the first look and the last both found, innermost first. */
  values: FunctionValues[];
  /** The system's number of the thread on this machine, by which the system can be asked about it. */
  systemThread?: { pid: number; tid: number };
}

/** The system call a thread is in, as Linux writes it, with what its first argument is when that is a file. */
export interface SystemCall {
  line: string;
  machine: string;
  file?: string;
}
