import type { SiteNumbers } from './sites.ts';

/** The name by which rewritten code reaches the recorder. */
export const handle = '__sl$';

export interface Place {
  file: string;
  line: number;
}

export interface InstrumentOptions {
  /** Where code came from, in the source that people edit. Undefined for what a compiler added. */
  placeOf: (line: number, column: number) => Place | undefined;
  numbers: SiteNumbers;
  wantsFunction: (name: string) => boolean;
  writes: WriteWishes;
  probes: readonly ProbeWish[];
  /** How often each statement begins is counted. */
  countsLines?: boolean;
  /** What the text is: the body of a function, a script (maybe with one function around all of it), or an ES module. */
  form: CodeForm;
}

export type CodeForm = 'body' | 'script' | 'module';

export interface WriteWishes {
  mode: 'none' | 'watched' | 'all';
  /** Names of properties and variables that are watched. */
  names: ReadonlySet<string>;
}

export interface ProbeWish {
  id: string;
  file?: string;
  line?: number;
  function?: string;
  expressions: readonly string[];
  isEverywhere?: boolean;
}

/** Where the walk is: which function, and by which name its call is known there. */
export interface Scope {
  /** `$c1` inside a function that is noted, `null` outside of any. */
  call: string;
  depth: number;
  /** The name of that function. */
  name?: string;
  /** Inside what a compiler added. */
  isCompilers?: boolean;
  /** What runs here may run because of an exception, which was thrown on another line. */
  isFinalizer?: boolean;
}

/** Counters of calls are a table of fixed size; two functions that share one only grow hot sooner. */
export const hotSlots = 65_536;

/** `total` is meant by `total` and by `Cart.total`. */
export function isNamed(name: string, wanted: string): boolean {
  return name === wanted || name.endsWith(`.${wanted}`) || name === `get ${wanted}`;
}
