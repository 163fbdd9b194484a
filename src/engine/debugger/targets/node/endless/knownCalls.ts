import { T } from './types.ts';

/** Functions of the language that give no error, whatever plain values they get, and what comes back. */
export const neverThrowing = new Map<string, number>([
  ['Array.isArray', T.boolean],
  ['Boolean', T.boolean],
  ['Number', T.number],
  ['Number.isFinite', T.boolean],
  ['Number.isInteger', T.boolean],
  ['Number.isNaN', T.boolean],
  ['Number.isSafeInteger', T.boolean],
  ['Number.parseFloat', T.number],
  ['Number.parseInt', T.number],
  ['String', T.string],
  ['isFinite', T.boolean],
  ['isNaN', T.boolean],
  ['parseFloat', T.number],
  ['parseInt', T.number],
]);

const ofString: Record<string, number> = {
  at: T.string | T.undefined,
  charAt: T.string,
  charCodeAt: T.number,
  codePointAt: T.number | T.undefined,
  concat: T.string,
  endsWith: T.boolean,
  includes: T.boolean,
  indexOf: T.number,
  lastIndexOf: T.number,
  slice: T.string,
  split: T.array,
  startsWith: T.boolean,
  substr: T.string,
  substring: T.string,
  toLowerCase: T.string,
  toString: T.string,
  toUpperCase: T.string,
  trim: T.string,
  trimEnd: T.string,
  trimStart: T.string,
};

/** What a method of a text gives that cannot fail for plain arguments. */
export function stringResult(name: string): number | undefined {
  return Object.hasOwn(ofString, name) ? ofString[name] : undefined;
}

/** The same for an array; `element` is what is taken out of it. */
export function arrayResult(name: string, element: () => number): number | undefined {
  switch (name) {
    case 'at':
    case 'pop':
    case 'shift':
      return element();
    case 'indexOf':
    case 'lastIndexOf':
    case 'push':
    case 'unshift':
      return T.number;
    case 'includes':
      return T.boolean;
    case 'concat':
    case 'reverse':
    case 'slice':
      return T.array;
    default:
      return undefined;
  }
}
