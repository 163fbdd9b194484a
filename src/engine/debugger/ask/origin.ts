import { isTelling } from './derived.ts';
import type { FunctionEvent, RecordedValue } from './model.ts';
import { callsBelow, type RecordedCall, type RecordedWrite, type Recording } from './recording.ts';
import { sourceLines } from './sourceLines.ts';

/** One step back on the way that a value took. */
export interface OriginStep {
  /**
   * `returned`: the call gave it; `assigned`: a line put it there; `passed`: the caller gave it to the call; `made`: nobody handed it to the
   * call that gave it, so it was worked out there.
   */
  kind: 'returned' | 'assigned' | 'passed' | 'made';
  call: RecordedCall | undefined;
  write: RecordedWrite | undefined;
  value: RecordedValue;
  file: string;
  line: number;
  /** The name by which it was assigned or passed. */
  name: string | undefined;
}

const maxSteps = 8;

/** Follows a value back from a moment in a call: who returned it, which line assigned it, who passed it in. */
export function originOf(
  recording: Recording,
  value: RecordedValue,
  at: { call: RecordedCall; seq: number },
  name?: string,
): OriginStep[] {
  return new Way(recording, value, name).from(at.call, at.seq);
}

class Way {
  readonly #recording: Recording;
  readonly #value: RecordedValue;
  readonly #name: string | undefined;
  readonly #steps: OriginStep[] = [];
  readonly #seen = new Set<object>();
  readonly #code = sourceLines();

  constructor(recording: Recording, value: RecordedValue, name: string | undefined) {
    this.#recording = recording;
    this.#value = value;
    this.#name = name;
  }

  from(start: RecordedCall, seq: number): OriginStep[] {
    let call: RecordedCall | undefined = start;
    let before = seq;
    while (call !== undefined && this.#steps.length < maxSteps) {
      const next: { call: RecordedCall | undefined; before: number } | undefined =
        this.#backInside(call, before) ?? this.#backOutside(call, before) ?? this.#backBelow(call, before);
      if (next === undefined) {
        this.#made(call, start);
        break;
      }
      ({ call, before } = next);
    }
    return this.#steps;
  }

  /** A call below that returned it, or a line of this call that assigned it: the later of the two. */
  #backInside(call: RecordedCall, before: number): { call: RecordedCall | undefined; before: number } | undefined {
    const child = call.children.findLast((each) => (each.end?.seq ?? before) < before && this.#isIt(each.end?.value));
    const write = this.#recording.writes.findLast(
      (each) =>
        each.by === call &&
        each.seq < before &&
        this.#isIt(each.new) &&
        this.#fitsName(each) &&
        this.#isReadBy(each, call, call.end?.line) &&
        !this.#seen.has(each),
    );
    const isChildLater = child?.end !== undefined && child.end.seq > (write?.seq ?? -1);
    // `const x = f()`: that f returned it says more than that x got it.
    const isOne =
      child?.end !== undefined && write !== undefined && child.from === write.line && child.end.seq < write.seq;
    if (child?.end !== undefined && (isChildLater || isOne)) {
      if (this.#seen.has(child)) return undefined;
      this.#seen.add(child);
      const line = child.end.line ?? child.fn.line;
      const isMade = child.end.isMade === true && !this.#isHandedOn(child);
      this.#push({
        kind: isMade ? 'made' : 'returned',
        call: child,
        write: undefined,
        file: child.fn.file,
        line,
        name: isOne ? write?.target : undefined,
      });
      return { call: isMade ? undefined : child, before: child.end.seq };
    }
    if (write === undefined) return undefined;
    this.#seen.add(write);
    this.#push({ kind: 'assigned', call, write, file: write.file, line: write.line, name: write.target });
    return { call: write.isMade === true ? undefined : call, before: write.seq };
  }

  /** What the caller passed, or what another call left in the object this one belongs to. */
  #backOutside(call: RecordedCall, before: number): { call: RecordedCall | undefined; before: number } | undefined {
    const index = call.args.findIndex((arg) => this.#isIt(arg));
    const { parent } = call;
    if (index !== -1 && parent !== undefined && !this.#seen.has(call.args)) {
      this.#seen.add(call.args);
      const name = call.fn.params[index];
      this.#push({
        kind: 'passed',
        call,
        write: undefined,
        file: parent.fn.file,
        line: call.from ?? parent.fn.line,
        name,
      });
      return { call: parent, before: call.seq };
    }
    const self = call.self?.object;
    if (self === undefined) return undefined;
    const write = this.#recording.writes.findLast(
      (each) =>
        (each.holder === self || isPartOf(each, self)) &&
        each.process === call.process &&
        each.seq < before &&
        this.#isIt(each.new) &&
        this.#isReadBy(each, call) &&
        !this.#seen.has(each),
    );
    if (write?.by === undefined || write.by === call) return undefined;
    this.#seen.add(write);
    this.#push({ kind: 'assigned', call: write.by, write, file: write.file, line: write.line, name: write.target });
    return { call: write.isMade === true ? undefined : write.by, before: write.seq };
  }

  /**
   * `None` and the like stand everywhere: it can only come from a variable that the code names: where the call ends at a known line, that line,
   * or else any of its lines.
   */
  #isReadBy({ target }: RecordedWrite, { fn, end }: RecordedCall, at?: number): boolean {
    if (isTelling(this.#value) || this.#steps.length === 0) return true;
    const name = /([\w$#]+)(?:\[[^\]]*\])?$/.exec(target)?.[1];
    const text =
      at === undefined || end?.threw !== undefined ? this.#code(fn.file, fn.line, fn.endLine) : this.#code(fn.file, at);
    return name === undefined || text === '' || text.includes(name);
  }

  /** `return len(self.rows())`: what the last call on that line gave is what came out. */
  #isHandedOn({ children, end }: RecordedCall): boolean {
    const last = children.at(-1);
    return last !== undefined && last.from === end?.line && this.#isIt(last.end?.value);
  }

  /** It came through code that is not recorded: the first of the calls below that returned it. */
  #backBelow(call: RecordedCall, before: number): { call: RecordedCall | undefined; before: number } | undefined {
    if (this.#value.object === undefined && isCommon(this.#value)) return undefined;
    const found = callsBelow(call)
      .filter(({ end }) => end !== undefined && end.seq < before && this.#isIt(end.value))
      .toSorted((a, b) => (a.end?.seq ?? 0) - (b.end?.seq ?? 0))
      .find((each) => !this.#seen.has(each));
    if (found?.end === undefined) return undefined;
    this.#seen.add(found);
    const { fn, end } = found;
    this.#push({
      kind: end.isMade === true ? 'made' : 'returned',
      call: found,
      write: undefined,
      file: fn.file,
      line: end.line ?? fn.line,
      name: undefined,
    });
    return { call: end.isMade === true ? undefined : found, before: end.seq };
  }

  #made(call: RecordedCall, start: RecordedCall): void {
    const last = this.#steps.at(-1);
    if (call === start && last === undefined) return;
    // The line that assigned or passed it is where it was made.
    if (last === undefined || last.kind !== 'returned') return;
    this.#steps[this.#steps.length - 1] = { ...last, kind: 'made' };
  }

  #push(step: Omit<OriginStep, 'value'>): void {
    this.#steps.push({ ...step, value: this.#value });
  }

  #fitsName({ target }: RecordedWrite): boolean {
    return this.#name === undefined || target === this.#name || this.#steps.length > 0;
  }

  #isIt(other: RecordedValue | undefined): boolean {
    return other !== undefined && isSameValue(this.#value, other);
  }
}

function isSameValue(a: RecordedValue, b: RecordedValue): boolean {
  if (a.object !== undefined && b.object !== undefined) return a.object === b.object;
  return a.text === b.text;
}

/** The first call whose result shows a piece of text that nothing it was given, and nothing it called, showed before. */
export function firstAppearance(
  calls: readonly RecordedCall[],
  fragment: string,
  before: number,
): RecordedCall | undefined {
  const shows = (value: RecordedValue | undefined) => value?.text.includes(fragment) === true;
  return calls
    .filter(({ end }) => end !== undefined && end.seq < before && shows(end.value))
    .toSorted((a, b) => (a.end?.seq ?? 0) - (b.end?.seq ?? 0))
    .find((call) => !call.args.some(shows) && !shows(call.self) && !call.children.some(({ end }) => shows(end?.value)));
}

/** A call whose result was given to another. */
export interface Supplier {
  call: RecordedCall;
  /** The argument that it became. */
  name: string;
}

/** The calls whose results a call was given, as arguments or as the object it belongs to: what it made may be theirs to answer for. */
export function suppliersOf({ calls }: Recording, receiver: RecordedCall): Supplier[] {
  const supplier = (value: RecordedValue, of: RecordedCall): RecordedCall | undefined => {
    const found = calls.findLast(
      ({ end, process }, index) =>
        end?.value !== undefined &&
        process === of.process &&
        end.seq < of.seq &&
        isSameValue(end.value, value) &&
        !isWithin(of, calls[index] ?? of),
    );
    // Who gives back what it was given, as chained calls do, supplied nothing.
    if (found !== undefined && value.object !== undefined && wasGiven(found, value.object)) return undefined;
    return found === undefined ? undefined : innermost(found, value);
  };
  const found = receiver.args.flatMap((arg, index): Supplier[] => {
    const call = isCommon(arg) ? undefined : supplier(arg, receiver);
    return call === undefined ? [] : [{ call, name: receiver.fn.params[index] ?? String(index) }];
  });
  // The object may have come from a chain of calls: `a.b().c().d()`.
  let call = receiver;
  for (let hop = 0; hop < 3 && call.self !== undefined; hop++) {
    const giver = supplier(call.self, call);
    if (giver === undefined) break;
    found.push({ call: giver, name: 'this' });
    call = giver;
  }
  return found;
}

/** `self.cache[key] = value`: written by a method of the object into something that it holds. */
function isPartOf({ by, target }: RecordedWrite, self: number): boolean {
  return by?.self?.object === self && /^(?:self|this)\.[\w$#]+[.[]/.test(target);
}

/** What many have without having it from each other: short values, and code. */
function isCommon({ object, text }: RecordedValue): boolean {
  return object === undefined
    ? text.length <= 12
    : /^<?(?:async )?(?:class|function|module|built-in|bound method)\b|=>/.test(text);
}

function wasGiven({ self, args }: RecordedCall, object: number): boolean {
  return self?.object === object || args.some((arg) => arg.object === object);
}

/** A call that left an object other than it found it. */
export interface Changer {
  call: RecordedCall;
  /** By what name the later call knows the object. */
  name: string;
  /** By what name this one knew it. */
  as: string;
}

const maxChangers = 3;

/** The calls that changed what a later call works on, the last first, each function once. */
export function changersOf({ calls }: Recording, receiver: RecordedCall): Changer[] {
  const names = new Map<number, string>();
  for (const [index, { object }] of receiver.args.entries())
    if (object !== undefined) names.set(object, receiver.fn.params[index] ?? String(index));
  if (receiver.self?.object !== undefined) names.set(receiver.self.object, 'this');
  const found = new Map<FunctionEvent, Changer>();
  for (const call of calls.toReversed()) {
    if (found.size === maxChangers) break;
    const { end, fn } = call;
    if (end === undefined || call.process !== receiver.process || end.seq >= receiver.seq) continue;
    if (/(^|\.)(constructor|__init__)$/.test(fn.name) || found.has(fn)) continue;
    for (const as of Object.keys(end.changed ?? {})) {
      const object = (call.args[fn.params.indexOf(as)] ?? (as === 'this' || as === 'self' ? call.self : undefined))
        ?.object;
      const name = object === undefined ? undefined : names.get(object);
      if (name !== undefined && !found.has(fn)) found.set(fn, { call, name, as });
    }
  }
  return [...found.values()];
}

/** Of a call that only handed on what another returned, that other. */
function innermost(call: RecordedCall, value: RecordedValue): RecordedCall {
  const child = call.children.findLast(({ end }) => end?.value !== undefined && isSameValue(end.value, value));
  return child === undefined ? call : innermost(child, value);
}

function isWithin(call: RecordedCall, outer: RecordedCall): boolean {
  for (let each: RecordedCall | undefined = call; each !== undefined; each = each.parent)
    if (each === outer) return true;
  return false;
}
