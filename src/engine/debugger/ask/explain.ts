import { type Acts, actsBefore, decisionsIn, lastCalls, soundCall, unwantedThrow } from './acts.ts';
import { caughtThrow, derivedFrom, type TextDifference, unevenCalls } from './derived.ts';
import { failureOf, type RecordedFailure, toldFailure } from './failure.ts';
import type { HistoryRow } from './history.ts';
import type { FunctionEvent, RecordedValue } from './model.ts';
import {
  type Changer,
  changersOf,
  firstAppearance,
  originOf,
  type OriginStep,
  type Supplier,
  suppliersOf,
} from './origin.ts';
import { callsBelow, type RecordedCall, type Recording } from './recording.ts';
import { sourceLines } from './sourceLines.ts';
import { callsOf, deletionBehind, earlierWrites, stateBehind } from './state.ts';
import { type Suspect, suspectsOf } from './suspects.ts';
import { type FirstShown, firstWorded, handedOn, losersIn, type Loser } from './worded.ts';

/** What is known of a failure besides the recording: what the debugger saw of it. */
export interface FailureFacts {
  /** Where two compared values first differ: how it is written behind the value, and what is there. */
  difference?: { path: string; actual: string } | undefined;
  /** All places at which they differ. */
  differences?: readonly TextDifference[] | undefined;
  /** What was expected is not there at all. */
  isLacking?: boolean | undefined;
  /** The text of the statement that failed. */
  lineText?: string | undefined;
  /** The test that is meant, by its own name. */
  testName?: string | undefined;
  /** What its runner printed of a failure that left no exception: the value that it got. */
  got?: string | undefined;
}

export interface Explanation {
  failure: RecordedFailure;
  /** The value that is wrong, as far as it can be told. */
  wrong: { value: RecordedValue; expected: RecordedValue | undefined; name: string | undefined } | undefined;
  origin: OriginStep[];
  /** The last step changed what was there before: who wrote it until then, the last first. */
  earlier: HistoryRow[];
  /** The last step worked the value out: who had written last what it was worked out from, and from where. */
  state: OriginStep[][];
  /** The first call whose result shows what differs, when the value itself came whole. */
  firstShown: FirstShown | undefined;
  /** What was expected to come out went into these calls, and not out of them. */
  losers: Loser[];
  /** Whose results the call that made the value was given. */
  suppliers: Supplier[];
  /** Who had changed what that call works on. */
  changers: Changer[];
  /** Nobody was seen to change it: what was called before it was looked at. */
  acts: Acts;
  /** An exception was expected of it, and did not come. */
  sound: RecordedCall | undefined;
  /** It was not to throw, and did: the call in which that happened. */
  thrower: RecordedCall | undefined;
  /** Something is missing in the value: who said yes or no on the way. */
  decisions: RecordedCall[];
  suspects: Suspect[];
}

/** Follows the failure of a recorded run back to where it comes from; undefined when nothing failed in what was recorded. */
export function explainFailure(
  recording: Recording,
  facts: FailureFacts,
  isTestCode: (fn: FunctionEvent) => boolean,
): Explanation | undefined {
  const failure =
    failureOf(recording, facts.testName) ??
    toldFailure(recording, facts.got === undefined ? undefined : facts.testName);
  if (failure === undefined) return undefined;
  const compared = wrongValue(failure, facts);
  const at = { call: failure.call, seq: failure.seq };
  const direct = compared === undefined ? [] : originOf(recording, compared.value, at, compared.name);
  const written = writesBehind(recording, failure, compared, facts);
  const isAssertion = compared !== undefined || isTestCode(failure.call.fn);
  const derived =
    !isAssertion || direct.length + written.length > 0
      ? undefined
      : derivedFrom(recording, failure, facts.lineText ?? '', isTestCode);
  const behind = derived === undefined ? [] : originOf(recording, derived.value, at, derived.name);
  // What a test made all by itself is not wrong.
  const isTheirs = behind.some(({ call }) => call !== undefined && !isTestCode(call.fn));
  const wrong = derived === undefined || !isTheirs ? compared : { ...derived, expected: undefined };
  const handed = isTheirs ? behind : direct;
  const got = gotOrigin(recording, failure, facts);
  const traced = [...written, ...handed, ...got, ...deletionBehind(recording, failure)];
  const firstShown =
    firstShownOf(recording, failure, facts) ?? firstWorded(recording, failure, facts.differences ?? [], isTestCode);
  const origin = firstShown === undefined ? traced : handedOn(traced, firstShown);
  // A text that was there before was only carried by all who had it later.
  const isWorded = firstShown?.isFirst === true;
  const steps = [...origin, ...(firstShown?.origin ?? [])];
  const maker = steps.at(-1)?.kind === 'passed' ? steps.at(-1)?.call?.parent : steps.at(-1)?.call;
  const suppliers =
    maker === undefined || isTestCode(maker.fn)
      ? []
      : suppliersOf(recording, maker).filter(({ call }) => !isTestCode(call.fn));
  const changers =
    maker === undefined || isWorded || isTestCode(maker.fn)
      ? []
      : changersOf(recording, maker).filter(({ call }) => !isTestCode(call.fn));
  const earlier = earlierWrites(recording, origin.at(-1));
  const isFound = maker !== undefined && !isTestCode(maker.fn);
  const isUnchanged = isFound && !isWorded && changers.length === 0 && earlier.length === 0;
  const acts = isUnchanged
    ? actsBefore(recording, maker, failure, isTestCode)
    : { isSameObject: false, calls: isFound || !isTestCode(failure.call.fn) ? [] : lastCalls(failure, isTestCode) };
  const writers = earlier.flatMap(({ by, old }) => (old === undefined ? [] : (by ?? [])));
  const code = sourceLines();
  const codeOf = ({ fn, end }: RecordedCall) => code(fn.file, fn.line, fn.endLine ?? end?.line);
  const losers = losersIn(failure, facts.differences ?? [], isTestCode);
  const behindIt = isWorded || losers.length > 0 ? [] : stateBehind(recording, steps.at(-1), codeOf);
  const state = withValue(behindIt, wrong?.value).filter(
    // What an object was made with matters less than what was done to it since.
    ([first]) => !acts.isSameObject || acts.calls.length === 0 || !isMaking(first?.call?.fn.name ?? ''),
  );
  const reader =
    readerAmong(steps, [state, changers, acts.calls, suppliers]) ??
    (firstShown === undefined ? undefined : readerAmong(origin, [firstShown.origin]));
  const sound = soundCall(failure, isTestCode);
  const thrower =
    unwantedThrow(failure) ??
    (origin.length === 0 ? caughtThrow(failure, facts.lineText ?? '', isTestCode) : undefined);
  const outer = steps.find(({ kind }) => kind === 'returned' || kind === 'made')?.call ?? maker;
  const decisions = facts.isLacking === true ? decisionsIn(outer, failure).filter(({ fn }) => !isTestCode(fn)) : [];
  const uneven = unevenCalls(
    callsBelow(failure.root).filter(({ fn }) => !isTestCode(fn)),
    failure.seq,
  );
  const clues = {
    carried: isWorded ? origin : [],
    // Who only reads has the value from whoever wrote what it reads.
    origin: isWorded ? (firstShown?.origin ?? []) : reader === undefined ? steps : [...steps, ...(state[0] ?? [])],
    suppliers,
    changers,
    acts: acts.calls,
    sound,
    decisions,
    writers,
    state: callsOf(state.slice(0, 1)).slice(-1),
    reader,
    thrower,
    losers: losers.map(({ call }) => call),
    causes: causesOf(failure),
    uneven: isFound && !isWide(maker) ? [] : uneven.map(({ call }) => call),
    writing: new Set(
      recording.writes.flatMap(({ by, target }) => (by !== undefined && /[.[]/.test(target) ? [by] : [])),
    ),
  };
  const suspects = suspectsOf(recording, failure, clues, isTestCode);
  return {
    failure,
    wrong,
    origin,
    earlier,
    state,
    firstShown,
    losers,
    suppliers,
    changers,
    acts,
    sound,
    thrower,
    decisions,
    suspects,
  };
}

/** Where what it was worked out from shows the value itself, the rest is not it. */
function withValue(state: OriginStep[][], wrong: RecordedValue | undefined): OriginStep[][] {
  const text = wrong?.text.replace(/^['"]/, '').slice(0, 30) ?? '';
  const showing = text.length < 8 ? [] : state.filter(([first]) => first?.value.text.includes(text) === true);
  return showing.length === 0 ? state : showing;
}

/** Much happened in it: that it made the value says little. */
function isWide(maker: RecordedCall | undefined): boolean {
  return maker !== undefined && callsBelow(maker).length > 30;
}

function isMaking(name: string): boolean {
  return /(^|\.)(constructor|__init__)$/.test(name);
}

/** Who made the value from nothing that it was given, when others may have to answer for what it read. */
function readerAmong(steps: readonly OriginStep[], others: readonly (readonly unknown[])[]): RecordedCall | undefined {
  const last = steps.at(-1);
  if (last?.kind !== 'made' || last.call === undefined || last.call.args.length > 0) return undefined;
  return others.some((each) => each.length > 0) ? last.call : undefined;
}

function wrongValue(failure: RecordedFailure, facts: FailureFacts): Explanation['wrong'] {
  const sides = failure.call.end?.sides ?? failure.root.end?.sides;
  if (sides?.actual !== undefined) return { value: sides.actual, expected: sides.expected, name: undefined };
  const missing = missingIn(failure.thrown.text, facts.lineText ?? '');
  return missing === undefined ? undefined : { value: { text: missing.text }, expected: undefined, name: missing.name };
}

/** `Cannot read properties of undefined (reading 'name')` in `return user.name`: `user` is undefined. */
export function missingIn(message: string, line: string): { text: string; name: string | undefined } | undefined {
  const read = /of (undefined|null) \((?:reading|setting) '([^']+)'\)/.exec(message);
  if (read !== null) {
    const [, text = 'undefined', property = ''] = read;
    const escaped = property.replaceAll(/[^\w]/g, String.raw`\$&`);
    return { text, name: new RegExp(String.raw`([\w$#.]+)(?:\[[^\]]*\])?\s*\.\s*${escaped}\b`).exec(line)?.[1] };
  }
  const python = /'NoneType' object has no attribute '(\w+)'/.exec(message);
  if (python !== null)
    return { text: 'None', name: new RegExp(String.raw`([\w.]+)\.${python[1] ?? ''}\b`).exec(line)?.[1] };
  const used = /'NoneType' object is not (subscriptable|callable)/.exec(message)?.[1];
  if (used !== undefined)
    return { text: 'None', name: (used === 'callable' ? /([\w.]+)\(/ : /([\w.]+)\[/).exec(line)?.[1] };
  const taken = /Cannot destructure property '([^']+)' of '([^']+)' as it is (undefined|null)/.exec(message);
  if (taken !== null) return { text: taken[3] ?? 'undefined', name: taken[2] };
  const called = /([\w$.]+) is not (?:a function|iterable)/.exec(message);
  return called === null ? undefined : { text: 'undefined', name: called[1] };
}

/** The writes that put the wrong part into the value: into the object itself, or with the name and text of what differs. */
function writesBehind(
  { writes }: Recording,
  { seq, call }: RecordedFailure,
  wrong: Explanation['wrong'],
  { difference }: FailureFacts,
): OriginStep[] {
  const object = wrong?.value.object;
  const key = lastKey(difference?.path ?? '');
  if (wrong === undefined || (object === undefined && key === undefined)) return [];
  const earlier = writes.filter((write) => write.seq < seq && write.process === call.process);
  const into = earlier.filter((write) => write.holder === object && object !== undefined);
  const named = earlier.filter(
    (write) => key !== undefined && lastKey(write.target) === key && write.new?.text === difference?.actual,
  );
  const inPlace = earlier.filter(
    (write) => write.kind === 'change' && write.new?.object === object && object !== undefined,
  );
  const exact = into.filter((write) => key === undefined || lastKey(write.target) === key);
  const found = [exact, named, inPlace, into].find((list) => list.length > 0) ?? [];
  return found
    .slice(-2)
    .toReversed()
    .map((write) => ({
      kind: 'assigned',
      call: write.by,
      write,
      value: write.new ?? { text: 'deleted' },
      file: write.file,
      line: write.line,
      name: write.target,
    }));
}

/** `qty` of `.items[1].qty` and of `["qty"]`; nothing of an index. */
function lastKey(path: string): string | undefined {
  const key = /([\w$#]+)['"]?\]?$/.exec(path.trim())?.[1];
  return key === undefined || /^\d+$/.test(key) ? undefined : key;
}

/** Where a text that the runner printed first stands: in what a line assigned, or in what a call returned. */
function gotOrigin(recording: Recording, failure: RecordedFailure, { got }: FailureFacts): OriginStep[] {
  if (got === undefined || got.length < 4 || failure.thrown.text !== '') return [];
  const fragment = JSON.stringify(got).slice(1, -1).slice(0, 60);
  const write = recording.writes.find((each) => each.new?.text.includes(fragment) === true);
  const call = firstAppearance(callsBelow(failure.root), fragment, failure.seq);
  if (write?.new !== undefined && (call?.end === undefined || write.seq < call.end.seq)) {
    const { by, file, line, target, new: value } = write;
    return [{ kind: 'assigned', call: by, write, value, file, line, name: target }];
  }
  if (call?.end?.value === undefined) return [];
  const line = call.end.line ?? call.fn.line;
  return [{ kind: 'made', call, write: undefined, value: call.end.value, file: call.fn.file, line, name: undefined }];
}

/** Of a large value only a part is wrong: the first call in whose result that part stands. */
function firstShownOf(
  recording: Recording,
  failure: RecordedFailure,
  { difference }: FailureFacts,
): Explanation['firstShown'] {
  if (difference === undefined) return undefined;
  const key = lastKey(difference.path);
  if (key === undefined) return undefined;
  const below = callsBelow(failure.root);
  for (const fragment of [
    `${key}: ${difference.actual}`,
    `'${key}': ${difference.actual}`,
    `${key}=${difference.actual}`,
  ]) {
    const call = firstAppearance(below, fragment, failure.seq);
    if (call !== undefined) return { call, fragment, origin: partOrigin(recording, call, difference.actual) };
  }
  return undefined;
}

/** The calls that threw what the failure was caused by. */
function causesOf({ root, call }: RecordedFailure): RecordedCall[] {
  const related = call.end?.failure?.related ?? [];
  return callsBelow(root).filter(({ end }) =>
    related.some(({ type, message }) => end?.failure?.type === type && end.failure.message === message),
  );
}

/** Where the call in whose result a part first stands has that part from; it made it itself when from nowhere. */
function partOrigin(recording: Recording, call: RecordedCall, text: string): OriginStep[] {
  const { end } = call;
  if (end?.value === undefined) return [];
  const isTelling = text.length > 3 && !/^(true|false|null|undefined|None)$/i.test(text);
  const further = isTelling ? originOf(recording, { text }, { call, seq: end.seq }) : [];
  const file = call.fn.file;
  const line = end.line ?? call.fn.line;
  if (further.length > 0)
    return [{ kind: 'returned', call, write: undefined, value: end.value, file, line, name: undefined }, ...further];
  return [{ kind: 'made', call, write: undefined, value: end.value, file, line, name: undefined }];
}
