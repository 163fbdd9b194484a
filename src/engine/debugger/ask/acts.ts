import type { RecordedFailure } from './failure.ts';
import type { FunctionEvent } from './model.ts';
import { callsBelow, type RecordedCall, type Recording } from './recording.ts';

/** What the test had done to the object whose value was then wrong. */
export interface Acts {
  /** Whether they were calls on that very object, not only what the test called last. */
  isSameObject: boolean;
  /** The last first, each function once. */
  calls: RecordedCall[];
}

const maxActs = 2;
const maxInside = 4;
const depth = 3;

/**
 * A call that reads gives back what others left behind. Where nobody was seen to change it, these are the last calls from outside on the same
 * object, or else what the test called last before it looked.
 */
export function actsBefore(
  { calls, writes }: Recording,
  reader: RecordedCall,
  failure: RecordedFailure,
  isTestCode: (fn: FunctionEvent) => boolean,
): Acts {
  const object = reader.self?.object;
  const before = calls.filter(
    (call) =>
      call.process === reader.process &&
      (call.end?.seq ?? reader.seq) < reader.seq &&
      isAct(call.fn, reader.fn) &&
      !isWhileLoading(call),
  );
  const isEffect = (call: RecordedCall) =>
    (call.parent !== undefined && isTestCode(call.parent.fn)) ||
    worksByEffect(call) ||
    writes.some(({ holder, seq }) => holder === object && seq > call.seq && seq < (call.end?.seq ?? call.seq));
  const same =
    object === undefined
      ? []
      : before.filter((call) => isOn(call, object) && !isOn(call.parent, object) && isEffect(call));
  if (same.length > 0) return { isSameObject: true, calls: lastOfEach(same) };
  const objects = new Set([reader.self, ...reader.args].flatMap((value) => value?.object ?? []));
  const direct = before.filter(
    (call) =>
      call.parent === failure.root &&
      call.from !== failure.root.end?.line &&
      (worksByEffect(call) || [call.self, ...call.args].some((value) => objects.has(value?.object ?? -1))),
  );
  return { isSameObject: false, calls: lastOfEach(direct) };
}

/** What the test called last before it failed, where nothing leads from the failure to any call. */
export function lastCalls({ call, seq }: RecordedFailure, isTestCode: (fn: FunctionEvent) => boolean): RecordedCall[] {
  return lastOfEach(
    call.children.filter(({ fn, end }) => end !== undefined && end.seq < seq && !isTestCode(fn) && !isLooking(fn)),
  );
}

/** What is done while a file is loaded is the same for all tests. */
function isWhileLoading(call: RecordedCall): boolean {
  return call.parent === undefined ? call.fn.kind === 'module' : isWhileLoading(call.parent);
}

/** It gave nothing back, or its own object: what it did is not in what it gave. */
function worksByEffect({ fn, self, end }: RecordedCall): boolean {
  if (fn.kind === 'generator' || fn.kind === 'asyncGenerator') return false;
  const { text, object } = end?.value ?? {};
  return text === 'None' || text === 'undefined' || (object !== undefined && object === self?.object);
}

/** An exception was expected and did not come: the call that was to raise it, which is the last that the test made. */
export function soundCall(
  { thrown, root, seq }: RecordedFailure,
  isTestCode: (fn: FunctionEvent) => boolean,
): RecordedCall | undefined {
  const isMissing =
    /DID NOT RAISE|not raised|(?:did not|to) throw|Missing expected (?:exception|rejection)|to be rejected|resolved instead of rejecting/i;
  if (!isMissing.test(thrown.text) || /not to throw|\bit threw\b/i.test(thrown.text)) return undefined;
  return callsBelow(root).findLast(
    (call) => call.seq < seq && !isTestCode(call.fn) && call.parent !== undefined && isTestCode(call.parent.fn),
  );
}

/** A test says that something threw which was not to: the innermost call from which that came. */
export function unwantedThrow({ thrown, root, seq }: RecordedFailure): RecordedCall | undefined {
  if (!/not to throw|\bit threw\b|got unwanted (?:exception|rejection)|promise rejected/i.test(thrown.text))
    return undefined;
  let call = callsBelow(root).findLast(
    (each) =>
      each.end?.threw !== undefined && each.end.seq < seq && each.parent?.end?.threw?.text !== each.end.threw.text,
  );
  for (;;) {
    const text = call?.end?.threw?.text;
    const inner: RecordedCall | undefined = call?.children.findLast((each) => each.end?.threw?.text === text);
    if (inner === undefined) return call;
    call = inner;
  }
}

/** Something is missing in a value: who said yes or no below the call that made it, the last first, each function once. */
export function decisionsIn(maker: RecordedCall | undefined, { seq }: RecordedFailure): RecordedCall[] {
  const said = maker === undefined ? [] : callsBelow(maker);
  const decided = said.filter(
    ({ end }) => end !== undefined && end.seq < seq && /^(true|false)$/i.test(end.value?.text ?? ''),
  );
  // What was refused is what may be missing.
  const refused = decided.filter(({ end }) => /^false$/i.test(end?.value?.text ?? ''));
  return lastOfEach([...decided, ...refused]);
}

/** What such a call had done by others, the nearest first, each function once. */
export function insideAct(act: RecordedCall): RecordedCall[] {
  const found = new Map<FunctionEvent, RecordedCall>();
  let level = act.children;
  for (let hop = 0; hop < depth && found.size < maxInside; hop++) {
    for (const call of level)
      if (found.size < maxInside && isAct(call.fn, act.fn) && !found.has(call.fn)) found.set(call.fn, call);
    level = level.flatMap(({ children }) => children);
  }
  return [...found.values()];
}

function lastOfEach(calls: readonly RecordedCall[]): RecordedCall[] {
  const found = new Map<FunctionEvent, RecordedCall>();
  for (const call of calls.toReversed()) if (found.size < maxActs && !found.has(call.fn)) found.set(call.fn, call);
  return [...found.values()];
}

function isOn(call: RecordedCall | undefined, object: number): boolean {
  return call?.self?.object === object;
}

/** Neither making an object nor looking at it. */
function isAct(fn: FunctionEvent, reader: FunctionEvent): boolean {
  return fn.name !== reader.name && !isLooking(fn);
}

function isLooking({ name }: FunctionEvent): boolean {
  const looks =
    /(^|\.)(constructor|toString|toJSON|__(?!(?:set|del)(?:item|attr)__|call__|i(?:add|sub|mul|or|and|xor)__)\w+__)$/;
  return looks.test(name);
}
