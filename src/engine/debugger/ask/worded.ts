import { unquoted } from './derived.ts';
import type { FunctionEvent, RecordedValue } from './model.ts';
import { callsBelow, type RecordedCall, type RecordedWrite } from './recording.ts';

/** Who was the first to have a piece of text in hand. */
export interface FirstWording {
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
export function piecesAround(wrong: string, expected: string): string[] {
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
export function firstWording(
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
export function losersOf(
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
export function givenPart(loser: RecordedCall, missing: readonly string[]): { call: RecordedCall; fragment: string }[] {
  const partOf = ({ args }: RecordedCall) =>
    args
      .flatMap(({ text }) => unquoted(text) ?? [])
      .find((text) => text.trim().length >= minFragment && missing.some((each) => each.includes(text)));
  const found = new Map<FunctionEvent, { call: RecordedCall; fragment: string }>();
  for (const call of callsBelow(loser).toReversed()) {
    const fragment = partOf(call);
    if (fragment !== undefined && found.size < maxLosers && !found.has(call.fn)) found.set(call.fn, { call, fragment });
  }
  return [...found.values()];
}
