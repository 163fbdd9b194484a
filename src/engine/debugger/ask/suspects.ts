import { insideAct } from './acts.ts';
import { sizeOf } from './derived.ts';
import type { RecordedFailure } from './failure.ts';
import type { FunctionEvent } from './model.ts';
import type { Changer, OriginStep, Supplier } from './origin.ts';
import { callsBelow, functionKey, isTest, type RecordedCall, type Recording } from './recording.ts';

/** A function that may be to blame, with the reasons for it. */
export interface Suspect {
  fn: FunctionEvent;
  score: number;
  reasons: SuspectReason[];
  /** The call that speaks most against it. */
  call: RecordedCall;
}

/** `kept it`: the call gave back what the test passed to it. */
export type SuspectReason =
  | 'made it'
  | 'read it'
  | 'wrote in act'
  | 'assigned it'
  | 'passed it'
  | 'returned it'
  | 'threw'
  | 'on the way'
  | 'checked'
  | 'only here'
  | 'wrote before'
  | 'inside check'
  | 'state'
  | 'odd'
  | 'kept it'
  | 'deleted it'
  | 'changed it'
  | 'act'
  | 'earlier act'
  | 'decided'
  | 'did not raise'
  | 'in act'
  | 'had it done'
  | 'supplied'
  | 'uneven'
  | 'lost it'
  | 'caused it'
  | 'had it made'
  | 'called thrower'
  | 'direct';

const weights: Record<SuspectReason, number> = {
  'made it': 6,
  'read it': 3,
  'wrote in act': 1,
  'assigned it': 5,
  threw: 4,
  'kept it': 4,
  'deleted it': 3.2,
  'wrote before': 3,
  odd: 2.5,
  supplied: 3.5,
  'changed it': 3,
  act: 2.6,
  'earlier act': 1.4,
  decided: 3,
  'did not raise': 6,
  'in act': 2.1,
  'had it done': 1,
  'inside check': 2,
  state: 2.8,
  checked: 2,
  'returned it': 1,
  'passed it': 2,
  'only here': 1.5,
  'on the way': 1.5,
  uneven: 1.8,
  'lost it': 2.6,
  'caused it': 4.5,
  'had it made': 2.2,
  'called thrower': 2.4,
  direct: 0.5,
};

/** What speaks against functions: the way of the value, who gave its maker its arguments, wrote it before, or wrote what it was made from. */
interface Clues {
  /** Who only had in hand what others had before. */
  carried: readonly OriginStep[];
  origin: readonly OriginStep[];
  suppliers: readonly Supplier[];
  changers: readonly Changer[];
  acts: readonly RecordedCall[];
  /** What was to raise an exception. */
  sound: RecordedCall | undefined;
  /** Who said yes or no while a value was made that lacks something. */
  decisions: readonly RecordedCall[];
  writers: readonly RecordedCall[];
  state: readonly RecordedCall[];
  /** Who gave it only reads what its object holds. */
  reader: RecordedCall | undefined;
  /** Where an exception came from that the test was told of. */
  thrower: RecordedCall | undefined;
  /** Who was given what is missing, and did not give it on. */
  losers: readonly RecordedCall[];
  /** Who threw what the failure was caused by. */
  causes: readonly RecordedCall[];
  /** Who answered otherwise than it mostly does. */
  uneven: readonly RecordedCall[];
  /** Calls that wrote an attribute or the like. */
  writing: ReadonlySet<RecordedCall>;
}

/**
 * Functions of the project, the most suspect first. `isTestCode` says which functions are the test's own: they are what was expected, not
 * what is wrong.
 */
export function suspectsOf(
  recording: Recording,
  failure: RecordedFailure,
  clues: Clues,
  isTestCode: (fn: FunctionEvent) => boolean,
): Suspect[] {
  const { origin, suppliers, changers, acts, sound, decisions, writers, state, reader, uneven, writing } = clues;
  const ranking = new Ranking(isTestCode);
  for (const call of writers) ranking.blame(call, 'wrote before');
  for (const { call } of changers) ranking.blame(call, 'changed it');
  ranking.blame(sound, 'did not raise');
  for (const [index, act] of acts.entries()) ranking.blame(act, index === 0 ? 'act' : 'earlier act');
  for (const act of acts.slice(0, 1))
    for (const call of insideAct(act)) {
      ranking.blame(call, 'in act');
      if (writing.has(call)) ranking.blame(call, 'wrote in act');
    }
  const last = origin.at(-1);
  if (last?.kind === 'assigned') ranking.blame(last.call?.parent, 'had it done');
  for (const call of state) ranking.blame(call, 'state');
  for (const [index, step] of origin.entries()) {
    if (step.call === undefined) continue;
    if (step.write?.kind === 'delete') ranking.blame(step.call, 'deleted it');
    else if (step.kind === 'made' && step.call === reader) ranking.blame(step.call, 'read it');
    else if (step.kind !== 'passed') ranking.blame(step.call, blamed[step.kind]);
    else if (origin[index + 1] !== undefined) ranking.blame(step.call.parent, 'passed it');
    // Nobody gave it to the one who passed it on: it was worked out there, unless the test itself wrote it.
    else if (step.call.parent !== undefined && isTestCode(step.call.parent.fn)) ranking.blame(step.call, 'kept it');
    else ranking.blame(step.call.parent, 'made it');
  }
  for (const { call } of clues.carried) ranking.blame(call, 'returned it');
  const thrower = clues.thrower ?? failure.call;
  for (let call: RecordedCall | undefined = thrower; call !== undefined && call !== failure.root; call = call.parent)
    ranking.blame(call, call === thrower ? 'threw' : call === thrower.parent ? 'called thrower' : 'on the way');
  for (const call of clues.causes) ranking.blame(call, 'caused it');
  for (const call of clues.losers) ranking.blame(call, 'lost it');
  // Whoever called it may have been wrong to.
  if (last?.kind === 'made') ranking.blame(last.call?.parent, 'had it made');
  for (const { call } of suppliers) ranking.blame(call, 'supplied');
  for (const call of decisions) ranking.blame(call, 'decided');
  for (const call of uneven) ranking.blame(call, 'uneven');
  const below = callsBelow(failure.root).filter(({ seq }) => seq < failure.seq);
  // Of an exception the callers say all that there is to say.
  const isThrown = !isTestCode(failure.call.fn);
  for (const call of failure.root.children)
    if (call.from === failure.root.end?.line && !isThrown) {
      ranking.blame(call, 'checked');
      for (const each of call.children) if (worksByEffect(each)) ranking.blame(each, 'inside check');
    }
  // Whoever works on with it has it from the first.
  ranking.blame(below.filter(isOdd).toSorted((a, b) => (a.end?.seq ?? 0) - (b.end?.seq ?? 0))[0], 'odd');
  for (const call of below)
    if (!isThrown && call.parent !== undefined && isTestCode(call.parent.fn)) ranking.blame(call, 'direct');
  const elsewhere = passingFunctions(recording, failure);
  for (const call of below)
    if (elsewhere !== undefined && !elsewhere.has(functionKey(call.fn))) ranking.blame(call, 'only here');
  for (const [index, call] of below.entries()) ranking.note(call, (index + 1) / below.length);
  return ranking.list();
}

const blamed = { made: 'made it', assigned: 'assigned it', returned: 'returned it' } as const;

class Ranking {
  readonly #found = new Map<string, Suspect>();
  readonly #noted = new Set<Suspect>();
  readonly #isTestCode: (fn: FunctionEvent) => boolean;

  constructor(isTestCode: (fn: FunctionEvent) => boolean) {
    this.#isTestCode = isTestCode;
  }

  blame(call: RecordedCall | undefined, reason: SuspectReason): void {
    const suspect = this.#suspect(call);
    if (suspect === undefined || call === undefined || suspect.reasons.includes(reason)) return;
    if (suspect.reasons.length === 0 || weights[reason] > Math.max(...suspect.reasons.map((each) => weights[each])))
      suspect.call = call;
    suspect.reasons.push(reason);
    suspect.score += weights[reason];
  }

  /** What ran last before the failure is a little nearer to it, and in much code there is more to go wrong. */
  note(call: RecordedCall, nearness: number): void {
    const suspect = this.#suspect(call);
    if (suspect === undefined || this.#noted.has(suspect)) return;
    this.#noted.add(suspect);
    const isSmall = /(^|\.)(constructor|toString|__\w+__)$/.test(call.fn.name);
    suspect.score += isSmall ? 0.01 : 0.1 * nearness + 0.3 * Math.min(sizeOf(call.fn) / 60, 1);
  }

  list(): Suspect[] {
    return [...this.#found.values()].toSorted((a, b) => b.score - a.score);
  }

  #suspect(call: RecordedCall | undefined): Suspect | undefined {
    if (call === undefined || this.#isTestCode(call.fn) || call.fn.name === 'callback of Promise') return undefined;
    const key = functionKey(call.fn);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const made: Suspect = { fn: call.fn, score: 0, reasons: [], call };
    this.#found.set(key, made);
    return made;
  }
}

/** Something that is no number, no date or nothing comes out where nothing of that kind went in. */
function isOdd({ args, end, children, fn }: RecordedCall): boolean {
  const value = end?.value?.text ?? '';
  const odd = /\bNaN\b|\bInvalid Date\b|\[object Object\]/.exec(value)?.[0];
  if (odd === undefined || /(^|\.)(constructor|__init__)$/.test(fn.name)) return false;
  return (
    !args.some(({ text }) => text.includes(odd)) &&
    !children.some((child) => child.end?.value?.text.includes(odd) === true)
  );
}

/** It returned nothing: what it did cannot be followed by values. */
function worksByEffect({ fn, end }: RecordedCall): boolean {
  const isNothing = end?.value?.text === 'None' || end?.value?.text === 'undefined';
  return isNothing && !/(^|\.)(constructor|__init__|__a?(enter|exit)__)$/.test(fn.name);
}

/** What the tests that passed ran; undefined when there were none. */
function passingFunctions({ roots }: Recording, failure: RecordedFailure): Set<string> | undefined {
  const passed = roots.filter(
    (root) =>
      root !== failure.root &&
      root.end?.threw === undefined &&
      root.fn.file === failure.root.fn.file &&
      isTest(root.fn),
  );
  if (passed.length === 0) return undefined;
  return new Set(passed.flatMap((root) => callsBelow(root).map((call) => functionKey(call.fn))));
}
