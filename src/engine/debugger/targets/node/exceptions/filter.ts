import { errorMessage } from '../../../../../base/errors.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ExceptionBreakpointSpec } from '../../../model.ts';
import { ParsedScript } from './catchAnalysis.ts';
import type { Script } from '../scripts/scripts.ts';
import { ThrownValues } from './thrownValues.ts';

/** What the filter may ask of the isolate. */
export interface ExceptionScene {
  readonly session: CdpSession;
  script(id: string): Script | undefined;
  sourceOf(scriptId: string): Promise<string | undefined>;
  /** An expression in the names of the compiled code at a place. */
  compiled(expression: string, at: Protocol.Debugger.Location): Promise<string>;
  onConditionFailed(breakpointId: string, why: string): void;
}

interface Place {
  scriptId: string;
  line: number;
  column: number;
  functionName: string;
}

/** Frames that were on the stack together; each further segment is one that an asynchronous border hides. */
interface Segment {
  label: string;
  places: Place[];
}

/** Functions of assertion libraries that call the user's code in order to catch what it throws. */
const expectingFunctions =
  /^(?:\w+\.)*(throws|doesNotThrow|rejects|doesNotReject|expectsError|expectsNoError|getActual|waitForActual|toThrow\w*|assertThrows|assert\.throws)$/;

/**
 * Decides which exceptions stop the program. Uncaught ones do, and failed assertions do; what the user's own code handles does
 * not. When only a library (a test runner, a framework) catches it, that counts as uncaught.
 */
export class ExceptionFilter {
  readonly #scene: ExceptionScene;
  readonly #parsed = new Map<string, ParsedScript | undefined>();
  readonly #thrown: ThrownValues;
  /** Breakpoints whose condition has failed once; that is told once. */
  readonly #failed = new Set<string>();

  constructor(scene: ExceptionScene) {
    this.#scene = scene;
    this.#thrown = new ThrownValues(scene.session);
  }

  /** The ids of the exception breakpoints that this stop satisfies; none: run on. */
  async match(event: Protocol.Debugger.PausedEvent, specs: readonly ExceptionBreakpointSpec[]): Promise<string[]> {
    // `data` is the thrown value as a remote object, with `uncaught` added; the protocol leaves it untyped.
    const data = (event.data ?? {}) as Protocol.Runtime.RemoteObject & { uncaught?: boolean };
    const classes = specs.some((spec) => spec.exceptionClass !== undefined) ? await this.#thrown.classesOf(data) : [];
    const isAssertion = looksLikeAssertion(data);
    // A file that does not parse: Node itself says where, and nobody's code has run.
    if (data.className === 'SyntaxError' && !this.#hasUserCode(event)) return [];
    const saidUncaught = data.uncaught === true;
    let isUnhandled: boolean | undefined;
    const matching: string[] = [];
    for (const spec of specs.toSorted((a, b) => precision(b) - precision(a))) {
      if (spec.exceptionClass !== undefined && !classes.includes(spec.exceptionClass)) continue;
      let isMeant = saidUncaught ? spec.uncaught : spec.caught;
      if (!isMeant && spec.userUnhandled) isMeant = isUnhandled ??= await this.#isUnhandledByUser(event, isAssertion);
      if (isMeant && (await this.#holds(spec, event, data))) matching.push(spec.id);
    }
    if (matching.length === 0) return [];
    // A library that catches and throws again would stop us a second time for the same failure.
    const { scriptId, lineNumber, columnNumber } = event.callFrames[0]?.location ?? { scriptId: '', lineNumber: 0 };
    const place = `${scriptId}:${lineNumber}:${columnNumber ?? 0}`;
    return (await this.#thrown.isSameAsLast(data, place)) ? [] : matching;
  }

  async #holds(
    spec: ExceptionBreakpointSpec,
    event: Protocol.Debugger.PausedEvent,
    thrown: Protocol.Runtime.RemoteObject,
  ): Promise<boolean> {
    if (spec.condition === undefined) return true;
    // The user's own variables are what a condition can speak of besides the error itself.
    const isOwn = ({ location }: Protocol.Debugger.CallFrame) =>
      this.#scene.script(location.scriptId)?.isLibrary === false;
    const frame = event.callFrames.find(isOwn) ?? event.callFrames[0];
    if (frame === undefined) return false;
    try {
      const condition = await this.#scene.compiled(spec.condition, frame.location);
      return await this.#thrown.satisfies(thrown, condition, frame.callFrameId, spec.readOnly === true);
    } catch (error) {
      if (!this.#failed.has(spec.id)) this.#scene.onConditionFailed(spec.id, errorMessage(error));
      this.#failed.add(spec.id);
      return false;
    }
  }

  async #isUnhandledByUser(event: Protocol.Debugger.PausedEvent, isAssertion: boolean): Promise<boolean> {
    const outcome = await this.#walk(segmentsOf(event), isAssertion);
    return outcome === 'passes' || (outcome === 'unknown' && isAssertion);
  }

  /**
   * Goes outwards from the throw, as the exception would: through the functions of the stack, and, once an async function has
   * turned it into a rejection, through those that await it. What lies outside the user's outermost function is the runner.
   */
  async #walk(segments: readonly Segment[], isAssertion: boolean): Promise<'caught' | 'passes' | 'unknown'> {
    let isRejection = false;
    let last: Place | undefined;
    let isOfPromise = false;
    for (const [number, segment] of segments.entries()) {
      const lastUser = segment.places.findLastIndex((place) => this.#isUserCode(place));
      if (lastUser < 0 && number === 0 && isAssertion && isAwaited(segments[1])) {
        // An assertion about a promise fails when nobody is on the stack any more; who awaits it gets it.
        isRejection = true;
        isOfPromise = true;
        continue;
      }
      if (lastUser < 0) return number === 0 ? 'caught' : 'passes';
      // An assertion that calls the user's code may fail by itself: then it is not the one that expects this.
      const firstUser = segment.places.findIndex((place) => this.#isUserCode(place));
      for (const [index, place] of segment.places.slice(0, lastUser + 1).entries()) {
        // A function that was resumed after an await stands at the head of the stack that was remembered then.
        if (index === 0 && number > 0 && last !== undefined && isSameFunction(place, last)) continue;
        const isUser = this.#isUserCode(place);
        if (!isUser && this.#isNodeRunner(place)) return 'passes';
        const mayExpect = !isUser && (index > firstUser || !isAssertion);
        if (mayExpect && expectingFunctions.test(place.functionName)) return 'caught';
        // What an assertion does inside is its own affair.
        if (isAssertion && number === 0 && index < firstUser) continue;
        const verdict = (await this.#parse(place.scriptId))?.verdict(place.line, place.column);
        last = place;
        if (verdict === undefined) continue;
        const isThrower = (number === 0 && index === 0) || (isOfPromise && number === 1 && index === firstUser);
        // `main().catch(report)` is where a program gives up, not where it copes.
        if (isRejection && !isThrower && verdict.promiseHandled) return verdict.isTopLevel ? 'unknown' : 'caught';
        if (isRejection && !isThrower && isUser && !verdict.promisePassedOn) return 'unknown';
        // A library that may handle it throws it again if it does not, and the user's function is still there then.
        const isTried = verdict.mayBeCaught && !isUser && !verdict.isAsync && number === 0 && index < firstUser;
        if (verdict.caught || isTried) return 'caught';
        if (verdict.isAsync) isRejection = true;
      }
      const isResumed = segment.places.slice(lastUser + 1).every((place) => this.#isJobQueue(place));
      const next = segments[number + 1];
      if (!isRejection || !isResumed || !isAwaited(next)) return 'passes';
    }
    return 'passes';
  }

  /** Between a test and a test inside it stands the runner, which catches what they throw. */
  #isNodeRunner(place: Place): boolean {
    return this.#scene.script(place.scriptId)?.url.startsWith('node:internal/test_runner') === true;
  }

  #isJobQueue(place: Place): boolean {
    return this.#scene.script(place.scriptId)?.url.startsWith('node:internal/process/task_queues') === true;
  }

  #hasUserCode(event: Protocol.Debugger.PausedEvent): boolean {
    return segmentsOf(event).some((segment) => segment.places.some((place) => this.#isUserCode(place)));
  }

  #isUserCode(place: Place): boolean {
    const script = this.#scene.script(place.scriptId);
    return script !== undefined && !script.isLibrary;
  }

  async #parse(scriptId: string): Promise<ParsedScript | undefined> {
    if (!this.#parsed.has(scriptId)) {
      const source = await this.#scene.sourceOf(scriptId);
      this.#parsed.set(scriptId, source === undefined ? undefined : new ParsedScript(source));
    }
    return this.#parsed.get(scriptId);
  }
}

/** What was asked for most precisely is what the stop is told as. */
function precision(spec: ExceptionBreakpointSpec): number {
  return (spec.exceptionClass === undefined ? 0 : 1) + (spec.condition === undefined ? 0 : 1);
}

/** Assertion errors of node:assert, chai, vitest, jest and their kin. */
export function looksLikeAssertion(error: Protocol.Runtime.RemoteObject): boolean {
  if (/Assert/i.test(error.className ?? '') || /^(\w*Assert\w*|JestAssertionError)\b/.test(error.description ?? ''))
    return true;
  const names = new Set((error.preview?.properties ?? []).map((property) => property.name));
  return names.has('matcherResult') || (names.has('actual') && names.has('expected'));
}

function segmentsOf(event: Protocol.Debugger.PausedEvent): Segment[] {
  const live = event.callFrames.map((frame) => ({
    scriptId: frame.location.scriptId,
    line: frame.location.lineNumber,
    column: frame.location.columnNumber ?? 0,
    functionName: frame.functionName,
  }));
  const segments: Segment[] = [{ label: '', places: live }];
  for (let trace = event.asyncStackTrace; trace !== undefined && segments.length < 12; trace = trace.parent) {
    const places = trace.callFrames.map((frame) => ({
      scriptId: frame.scriptId,
      line: frame.lineNumber,
      column: frame.columnNumber,
      functionName: frame.functionName,
    }));
    segments.push({ label: trace.description ?? '', places });
  }
  return segments;
}

function isAwaited(next: Segment | undefined): boolean {
  return next !== undefined && /await|async/.test(next.label);
}

function isSameFunction(a: Place, b: Place): boolean {
  return a.scriptId === b.scriptId && a.functionName === b.functionName;
}
