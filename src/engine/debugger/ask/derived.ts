import type { RecordedFailure } from './failure.ts';
import type { FunctionEvent, RecordedValue } from './model.ts';
import { callsBelow, type RecordedCall, type Recording } from './recording.ts';

/** Values that many calls have without having them from each other. */
export function isTelling({ text, object }: RecordedValue): boolean {
  if (object !== undefined) return true;
  return !/^(?:None|null|undefined|true|false|-?\d{1,2}|''|""|\[\]|\{\}|\(\))$/i.test(text);
}

/**
 * The test worked the wrong value out itself, as by `len(rows)` or `render(text).strip()`: what it was worked out from. That is what a call
 * on the line gave, or a variable that the line names.
 */
export function derivedFrom(
  { writes }: Recording,
  { call, line, seq }: RecordedFailure,
  lineText: string,
  isTestCode: (fn: FunctionEvent) => boolean,
): { value: RecordedValue; name: string | undefined } | undefined {
  // Statements of several lines are called from any of them.
  const length = lineText.split('\n').length;
  const isOnIt = (from: number) => line !== undefined && from >= line - length + 1 && from <= line + length - 1;
  const giver = call.children.findLast(
    ({ from, end, fn }) =>
      from !== undefined &&
      isOnIt(from) &&
      end?.value !== undefined &&
      end.seq < seq &&
      !isTestCode(fn) &&
      isTelling(end.value),
  );
  if (giver?.end?.value !== undefined) return { value: giver.end.value, name: undefined };
  const names = new Set(lineText.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const write = writes.findLast(
    (each) =>
      each.by === call && each.seq < seq && each.new !== undefined && names.has(each.target) && isTelling(each.new),
  );
  return write?.new === undefined ? undefined : { value: write.new, name: write.target };
}

/** A test looks at an exception that it caught itself: the innermost call from which that came. */
export function caughtThrow(
  { root, seq, thrown }: RecordedFailure,
  lineText: string,
  isTestCode: (fn: FunctionEvent) => boolean,
): RecordedCall | undefined {
  const isAboutIt =
    /did not match|does not match|toThrow|to throw|rais|reject/i.test(thrown.text) ||
    /\b(?:e|ex|err|error|exc|exc_?info|cm|caught|thrown)\b/i.test(lineText);
  if (!isAboutIt) return undefined;
  let call = callsBelow(root).findLast(
    ({ fn, parent, end }) =>
      end?.threw !== undefined &&
      end.seq < seq &&
      end.threw.text !== thrown.text &&
      parent !== undefined &&
      isTestCode(parent.fn) &&
      !isTestCode(fn),
  );
  for (;;) {
    const text = call?.end?.threw?.text;
    const inner: RecordedCall | undefined = call?.children.findLast((each) => each.end?.threw?.text === text);
    if (inner === undefined) return call;
    call = inner;
  }
}

/** Where two values are compared as texts: one place at which they differ, in the words that recordings use. */
export interface TextDifference {
  path: string;
  actual?: string | undefined;
  expected?: string | undefined;
}

const minFragment = 4;
const maxFragment = 120;

/** Pieces of a wrong text that the expected one has not, the most telling first. */
export function wrongFragments(
  differences: readonly TextDifference[],
  actual: string | undefined,
  expected: string | undefined,
): string[] {
  const lines = differences.flatMap(({ path, actual: text }) =>
    /(?:^|\s)line \d+$/.test(path) && isQuoted(text) ? [text.slice(1, -1)] : [],
  );
  const windows = [3, 2, 1].flatMap((size) =>
    lines.slice(0, 4).flatMap((_line, at) => (at + size <= lines.length ? [lines.slice(at, at + size)] : [])),
  );
  const middle = isQuoted(actual) && isQuoted(expected) ? [differing(actual.slice(1, -1), expected.slice(1, -1))] : [];
  const pieces = [...windows.map((each) => each.join(String.raw`\n`)), ...middle].map((each) => each.trim());
  return [...new Set(pieces)].filter(({ length }) => length >= minFragment && length <= maxFragment);
}

function isQuoted(text: string | undefined): text is string {
  return text !== undefined && /^(['"]).*\1$/s.test(text);
}

/** The text itself of a text as recordings write it, also of one that was cut off. */
export function unquoted(text: string | undefined): string | undefined {
  return /^(['"])(.*)\1(?:\u2026 \(\d+ chars\))?$/s.exec(text ?? '')?.[2];
}

/** What is left of the one when it loses the beginning and the end that both have, in whole words. */
function differing(one: string, other: string): string {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  while (start > 0 && /\w/.test(one[start - 1] ?? '')) start--;
  while (end > 0 && /\w/.test(one.at(-end) ?? '')) end--;
  return one.slice(start, one.length - end);
}

/** A call whose answer is another than the function mostly gives. */
interface UnevenCall {
  call: RecordedCall;
  usual: string;
}

const maxUneven = 2;

/** Functions that answered small things and once or seldom another one: there the way of the program parted. The longest functions first. */
export function unevenCalls(calls: readonly RecordedCall[], before: number): UnevenCall[] {
  const byFunction = new Map<FunctionEvent, RecordedCall[]>();
  for (const call of calls) {
    const { end, fn } = call;
    if (end?.value === undefined || end.seq >= before || end.value.object !== undefined) continue;
    if (!/^(?:None|null|undefined|true|false|-?\d{1,3})$/i.test(end.value.text)) continue;
    byFunction.set(fn, [...(byFunction.get(fn) ?? []), call]);
  }
  const found = [...byFunction.values()].flatMap((list): UnevenCall[] => {
    const counts = new Map<string, number>();
    for (const { end } of list) counts.set(end?.value?.text ?? '', (counts.get(end?.value?.text ?? '') ?? 0) + 1);
    const [usual = '', most = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    const call = list.findLast(
      ({ end }) => end?.value?.text !== usual && (counts.get(end?.value?.text ?? '') ?? 0) * 4 <= most,
    );
    return call === undefined ? [] : [{ call, usual }];
  });
  return found.toSorted((a, b) => sizeOf(b.call.fn) - sizeOf(a.call.fn)).slice(0, maxUneven);
}

/** In lines. */
export function sizeOf({ line, endLine = line }: FunctionEvent): number {
  return endLine - line + 1;
}
