import { stripVTControlCharacters, types } from 'node:util';
import { runInThisContext } from 'node:vm';
import type { FailureNote } from '../../../../ask/model.ts';
import type { Difference, RelatedException } from '../../../../model.ts';
import { type Differences, differencesSource } from '../../inProgram/differences.ts';
import { dataText, nameOf } from './values.ts';

const maxMessageChars = 4000;
const maxDifferences = 12;
const maxDifferenceChars = 160;
const maxDepth = 4;
const maxRelated = 8;

/** What an exception says, and where the two sides of its comparison differ. */
export function failureNote(error: unknown): FailureNote {
  if (typeof error === 'string') return { type: 'string', message: error.slice(0, maxMessageChars) };
  if (typeof error !== 'object' || error === null || types.isProxy(error))
    return { type: typeof error, message: typeof error === 'number' ? `${error}` : '' };
  const message = stripVTControlCharacters(dataText(error, 'message') ?? '').slice(0, maxMessageChars);
  const related = relatedTo(error, 0);
  return { type: nameOf(error), message, ...differencesOf(error), ...(related.length === 0 ? {} : { related }) };
}

/** Causes and members, outermost first; read as data, so that no code of the program runs. */
function relatedTo(error: object, depth: number): RelatedException[] {
  const read = (key: string): unknown => Object.getOwnPropertyDescriptor(error, key)?.value;
  const members = read('errors');
  const found = [
    { relation: 'cause' as const, each: read('cause') },
    ...(Array.isArray(members) ? members.map((each: unknown) => ({ relation: 'member' as const, each })) : []),
  ];
  return found
    .flatMap(({ relation, each }) => {
      if (!types.isNativeError(each) || depth >= maxDepth) return [];
      const message = stripVTControlCharacters(dataText(each, 'message') ?? '').slice(0, 1000);
      return [{ relation, type: nameOf(each), message, depth }, ...relatedTo(each, depth + 1)];
    })
    .slice(0, maxRelated);
}

type Walk = (this: object, maxDifferences: number, maxChars: number) => Differences | null;
let walk: Walk | undefined;

function differencesOf(error: object): Pick<FailureNote, 'differences' | 'moreDifferences'> {
  try {
    walk ??= runInThisContext(`(${differencesSource})`) as Walk;
    const { found, more } = walk.call(error, maxDifferences, maxDifferenceChars) ?? { found: [], more: 0 };
    if (found.length === 0) return {};
    const differences = found.map(([path, [actual, expected]]): Difference => ({
      path,
      ...(typeof actual === 'string' ? { actual } : {}),
      ...(typeof expected === 'string' ? { expected } : {}),
    }));
    return { differences, ...(more > 0 ? { moreDifferences: more } : {}) };
  } catch {
    // A value that cannot be walked, or a program that allows no code to be made: the message says what there is.
    return {};
  }
}
