/** What a value can be, as a set of bits. */
export const T = {
  number: 1,
  string: 2,
  boolean: 4,
  undefined: 8,
  null: 16,
  bigint: 32,
  symbol: 64,
  function: 128,
  /** An array of the language itself that can be written. */
  array: 256,
  mapOrSet: 512,
  object: 1024,
} as const;

export const anything = 2047;
/** What can be calculated with and turned into text without running code of the program and without an error. */
export const simple = T.number | T.string | T.boolean | T.undefined | T.null;
export const nullish = T.undefined | T.null;
/** What has parts of its own that can change. */
export const structured = T.function | T.array | T.mapOrSet | T.object;

/** What a variable holds now; for an array also what its elements are. */
export interface Kind {
  mask: number;
  elements: number;
}

/** Stands for everything that objects and arrays hold. */
export const heap = '*';

export type Cells = ReadonlySet<string>;

export function union(...sets: readonly Cells[]): Cells {
  const filled = sets.filter((set) => set.size > 0);
  return filled.length === 1 && filled[0] !== undefined ? filled[0] : new Set(filled.flatMap((set) => [...set]));
}

export const none: Cells = new Set();
