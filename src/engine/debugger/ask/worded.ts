import { type TextDifference, unquoted, wrongFragments } from './derived.ts';
import type { RecordedFailure } from './failure.ts';
import type { FunctionEvent, RecordedValue } from './model.ts';
import type { OriginStep } from './origin.ts';
import { callsBelow, type RecordedCall, type RecordedWrite, type Recording } from './recording.ts';

/** Where a piece of a wrong value first stands. */
export interface FirstShown {
  call: RecordedCall;
  fragment: string;
  origin: OriginStep[];
  /** The call did not return it: to whom it passed it, or what it assigned it to. */
  into?: string | undefined;
  /** Nobody had it in hand before. */
  isFirst?: boolean;
}

/** A call that was given what is missing, and did not give it on. */
export interface Loser {
  call: RecordedCall;
  fragment: string;
}

/** Who was the first to have a piece of text in hand. */
interface FirstWording {
  fragment: string;
  /** The call in which it was made. */
  maker: RecordedCall;
  seq: number;
  line: number;
  value: RecordedValue;
  /** To whom it was passed, or what it was assigned to, when it was not returned. */
  into: string | undefined;
}

const minFragment = 4;
const maxFragment = 120;
const nearBy = 6;

/**
 * Pieces of a wrong text around the first place at which it differs from what was expected, the longest first: all that differs, its
 * beginning, and what stands around that place.
 */
function piecesAround(wrong: string, expected: string): string[] {
  let start = 0;
  while (start < wrong.length && wrong[start] === expected[start]) start++;
  let end = 0;
  while (end < Math.min(wrong.length, expected.length) - start && wrong.at(-1 - end) === expected.at(-1 - end)) end++;
  const stop = wrong.length - end;
  const pieces = [
    wrong.slice(wordStart(wrong, start), wordEnd(wrong, stop)),
    wrong.slice(start, stop),
    wrong.slice(start, Math.min(stop, start + 2 * nearBy)),
    wrong.slice(Math.max(0, start - nearBy), Math.min(stop, start) + nearBy),
  ];
  return [...new Set(pieces)].filter((piece) => piece.trim().length >= minFragment && piece.length <= maxFragment);
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && /\w/.test(text[start - 1] ?? '')) start--;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && /\w/.test(text[end] ?? '')) end++;
  return end;
}

interface Events {
  calls: readonly RecordedCall[];
  writes: readonly RecordedWrite[];
}

/** The first moment at which a piece of text stands in anything: in what is passed, returned or assigned. Nothing when a test brought it along. */
function firstWording(
  { calls, writes }: Events,
  fragment: string,
  before: number,
  isTestCode: (fn: FunctionEvent) => boolean,
): FirstWording | undefined {
  const shows = (value: RecordedValue | undefined) => value?.text.includes(fragment) === true;
  const found: FirstWording[] = [];
  for (const call of calls) {
    const { seq, args, parent, fn, end, from } = call;
    const given = args.find(shows);
    if (given !== undefined && parent !== undefined)
      found.push({ fragment, maker: parent, seq, line: from ?? parent.fn.line, value: given, into: fn.name });
    else if (end?.value !== undefined && shows(end.value) && !shows(call.self))
      found.push({ fragment, maker: call, seq: end.seq, line: end.line ?? fn.line, value: end.value, into: undefined });
  }
  for (const { by, seq, line, new: value, target } of writes)
    if (by !== undefined && value !== undefined && shows(value))
      found.push({ fragment, maker: by, seq, line, value, into: target });
  const [first] = found.filter(({ seq }) => seq < before).toSorted((a, b) => a.seq - b.seq);
  return first === undefined || isTestCode(first.maker.fn) ? undefined : first;
}

const maxLosers = 2;

/** A piece of text is missing in what came out: the innermost calls that were given it and did not give it on, the last first. */
function losersOf(
  calls: readonly RecordedCall[],
  fragment: string,
  before: number,
  isTestCode: (fn: FunctionEvent) => boolean,
): RecordedCall[] {
  const shows = (value: RecordedValue | undefined) => value?.text.includes(fragment) === true;
  const hasIt = ({ args }: RecordedCall) => args.some(shows);
  const found = calls.filter(
    (call) =>
      call.end !== undefined &&
      call.end.seq < before &&
      !isTestCode(call.fn) &&
      hasIt(call) &&
      !shows(call.end.value) &&
      !Object.values(call.end.changed ?? {}).some(shows) &&
      !call.children.some(hasIt),
  );
  const functions = new Map<FunctionEvent, RecordedCall>();
  for (const call of found.toReversed())
    if (functions.size < maxLosers && !functions.has(call.fn)) functions.set(call.fn, call);
  return [...functions.values()];
}

/** Below a call that lost a text: the last that was given a part of it, each function once. */
function givenPart(loser: RecordedCall, missing: readonly string[], there: string): Loser[] {
  const partOf = ({ args }: RecordedCall) =>
    args
      .flatMap(({ text }) => unquoted(text) ?? [])
      .find(
        (text) =>
          text.trim().length >= minFragment && !there.includes(text) && missing.some((each) => each.includes(text)),
      );
  const found = new Map<FunctionEvent, Loser>();
  for (const call of callsBelow(loser).toReversed()) {
    const fragment = partOf(call);
    if (fragment !== undefined && found.size < maxLosers && !found.has(call.fn)) found.set(call.fn, { call, fragment });
  }
  return [...found.values()];
}

/** Of a wrong text, who first had a piece of it in hand that was not expected. */
export function firstWorded(
  recording: Recording,
  failure: RecordedFailure,
  differences: readonly TextDifference[],
  isTestCode: (fn: FunctionEvent) => boolean,
): FirstShown | undefined {
  const { actual, expected } = failure.call.end?.sides ?? failure.root.end?.sides ?? {};
  const calls = callsBelow(failure.root);
  const events = { calls, writes: recording.writes.filter(({ process }) => process === failure.root.process) };
  const pieces = textPairs(differences, actual, expected).flatMap(([wrong, right]) => piecesAround(wrong, right));
  for (const fragment of new Set([...pieces, ...wrongFragments(differences, actual?.text, expected?.text)])) {
    if (unquoted(expected?.text)?.includes(fragment) === true) continue;
    const first = firstWording(events, fragment, failure.seq, isTestCode);
    if (first === undefined) continue;
    const { maker, value, line, into } = first;
    const { file } = maker.fn;
    return {
      call: maker,
      fragment,
      into,
      isFirst: true,
      origin: [{ kind: 'made', call: maker, write: undefined, value, file, line, name: undefined }],
    };
  }
  return undefined;
}

/** Who was given a piece of what was expected, and did not give it on. */
export function losersIn(
  failure: RecordedFailure,
  differences: readonly TextDifference[],
  isTestCode: (fn: FunctionEvent) => boolean,
): Loser[] {
  const { actual, expected } = failure.call.end?.sides ?? failure.root.end?.sides ?? {};
  const calls = callsBelow(failure.root);
  const lines = differences.flatMap((each) => (each.actual === undefined ? (unquoted(each.expected) ?? []) : []));
  const pieces = textPairs(differences, actual, expected).flatMap(([wrong, right]) => piecesAround(right, wrong));
  for (const fragment of new Set([...lines, ...pieces])) {
    if (fragment.length < 6 || unquoted(actual?.text)?.includes(fragment) === true) continue;
    const found = losersOf(calls, fragment, failure.seq, isTestCode);
    const missing = [fragment, ...differences.flatMap((each) => unquoted(each.expected) ?? [])];
    if (found.length > 0)
      return [
        ...found.flatMap((call) => givenPart(call, missing, unquoted(actual?.text) ?? '')),
        ...found.map((call) => ({ call, fragment })),
      ];
  }
  return [];
}

/** Texts that were compared: the whole ones, and the lines at which they differ. */
function textPairs(
  differences: readonly TextDifference[],
  actual: RecordedValue | undefined,
  expected: RecordedValue | undefined,
): [string, string][] {
  const pairs = [...differences.map((each) => [each.actual, each.expected]), [actual?.text, expected?.text]] as const;
  return pairs.flatMap(([one, other]): [string, string][] => {
    const [wrong, right] = [unquoted(one), unquoted(other)];
    return wrong === undefined || right === undefined || wrong === right ? [] : [[wrong, right]];
  });
}

/** What seems to be made late was there before: it was only handed on. */
export function handedOn(origin: readonly OriginStep[], { call, isFirst }: FirstShown): OriginStep[] {
  if (isFirst !== true) return [...origin];
  return origin.map((step) =>
    step.kind === 'made' && step.call !== undefined && step.call !== call ? { ...step, kind: 'returned' } : step,
  );
}
