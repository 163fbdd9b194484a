import { errorMessage } from '../../../../../base/errors.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ExceptionBreakpointSpec } from '../../../model.ts';
import { ParsedScript } from './catchAnalysis.ts';
import type { Script } from '../scripts/scripts.ts';
import { ThrownValues } from './thrownValues.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;
type Thrown = Protocol.Runtime.RemoteObject & { uncaught?: boolean };

/** What the filter may ask of the isolate. */
interface ExceptionScene {
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

/**
 * What is to be done at an exception. Who handles a rejection may come later: it is kept until Node says that nobody did, or, where
 * the caller waits for the end of the program before it believes in a failure, shown as one that may still be handled.
 */
export interface ExceptionVerdict {
  action: 'pass' | 'stop' | 'keep';
  /** The exception breakpoints that it satisfies. */
  ids: string[];
}

/** How an exception goes on: `floats` is a rejection that nobody awaits so far. */
type Outcome = 'caught' | 'passes' | 'floats' | 'unknown';

const passedOver: ExceptionVerdict = { action: 'pass', ids: [] };

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

  async match(event: PausedEvent, specs: readonly ExceptionBreakpointSpec[]): Promise<ExceptionVerdict> {
    // `data` is the thrown value as a remote object, with `uncaught` added; the protocol leaves it untyped.
    const data = (event.data ?? {}) as Thrown;
    if (this.#isOnItsWay(event)) return passedOver;
    const classes = specs.some((spec) => spec.exceptionClass !== undefined) ? await this.#thrown.classesOf(data) : [];
    // A file that does not parse: Node itself says where, and nobody's code has run.
    if (data.className === 'SyntaxError' && !this.#hasUserCode(event)) return passedOver;
    let outcome: Promise<Outcome> | undefined;
    const walked = () => (outcome ??= this.#walk(event, looksLikeAssertion(data)));
    const found: ExceptionVerdict = { action: 'pass', ids: [] };
    for (const spec of specs.toSorted((a, b) => precision(b) - precision(a))) {
      if (spec.exceptionClass !== undefined && !classes.includes(spec.exceptionClass)) continue;
      const action = await actionFor(spec, event, data, walked);
      if (action === 'pass' || !(await this.#holds(spec, event, data))) continue;
      found.ids.push(spec.id);
      if (found.action !== 'stop') found.action = action;
    }
    if (found.action === 'pass') return passedOver;
    // A domain takes what V8 calls uncaught.
    const isLeft = data.uncaught === true && event.reason === 'exception' && specs.every((spec) => !spec.caught);
    if (isLeft && (await this.#isCaptured())) return passedOver;
    // A library that catches and throws again would stop us a second time for the same failure.
    const { scriptId, lineNumber, columnNumber } = event.callFrames[0]?.location ?? { scriptId: '', lineNumber: 0 };
    const place = `${scriptId}:${lineNumber}:${columnNumber ?? 0}`;
    return (await this.#thrown.isSameAsLast(data, place)) ? passedOver : found;
  }

  /**
   * Node's own code that runs a script catches what the script throws and throws it again. V8 has paused at the first throw; at this
   * one V8 of Node 20 forgets the exception as soon as anything is evaluated, and the program goes on as if nothing had been thrown.
   */
  #isOnItsWay(event: PausedEvent): boolean {
    const [top] = event.callFrames;
    const url = this.#scene.script(top?.location.scriptId ?? '')?.url;
    return (url === 'node:vm' || url === 'node:internal/vm') && /^run.*Context$/.test(top?.functionName ?? '');
  }

  async #isCaptured(): Promise<boolean> {
    const expression = 'globalThis.process?.hasUncaughtExceptionCaptureCallback?.() === true';
    const answer = await this.#scene.session.send('Runtime.evaluate', { expression, silent: true });
    return answer.result.value === true;
  }

  async #holds(
    spec: ExceptionBreakpointSpec,
    event: PausedEvent,
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

  /**
   * Goes outwards from the throw, as the exception would: through the functions of the stack, and, once an async function has
   * turned it into a rejection, through those that await it. What lies outside the user's outermost function is the runner.
   */
  async #walk(event: PausedEvent, isAssertion: boolean): Promise<Outcome> {
    const segments = segmentsOf(event);
    let isRejection = false;
    let last: Place | undefined;
    let isOfPromise = false;
    for (const [number, segment] of segments.entries()) {
      const lastUser = segment.places.findLastIndex((place) => this.#isUserCode(place));
      if (lastUser < 0 && number === 0 && isAssertion && this.#isAsked(segments[1])) {
        // An assertion about a promise fails when nobody is on the stack any more; who awaits it gets it.
        isRejection = true;
        isOfPromise = true;
        continue;
      }
      if (lastUser < 0 && number === 0) return 'caught';
      // Node awaits its modules, too; then it is Node that says what becomes of it.
      if (lastUser < 0)
        return isRejection && segment.places.every((place) => this.#isNode(place)) ? 'floats' : 'passes';
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
        if (isAssertion && (number === 0 || (isOfPromise && number === 1)) && index < firstUser) continue;
        const verdict = (await this.#parse(place.scriptId))?.verdict(place.line, place.column);
        last = place;
        if (verdict === undefined) continue;
        const isThrower = (number === 0 && index === 0) || (isOfPromise && number === 1 && index === firstUser);
        // `main().catch(report)` is where a program gives up, not where it copes.
        const isChained = isOfPromise && number === 1 && !isAwaited(segment);
        if (isRejection && (!isThrower || isChained) && verdict.promiseHandled)
          return verdict.isTopLevel ? 'unknown' : 'caught';
        if (isRejection && !isThrower && isUser && !verdict.promisePassedOn) return 'unknown';
        // A library that may handle it throws it again if it does not, and the user's function is still there then.
        const isTried = verdict.mayBeCaught && !isUser && !verdict.isAsync && number === 0 && index < firstUser;
        if (verdict.caught || isTried) return 'caught';
        if (verdict.isAsync) isRejection = true;
      }
      // What a callback of `then` throws rejects the promise of that `then`.
      if (event.reason === 'promiseRejection') isRejection = true;
      const beyond = segment.places.slice(lastUser + 1);
      const isResumed = beyond.every((place) => this.#isJobQueue(place));
      const next = segments[number + 1];
      if (isRejection && isResumed && isAwaited(next)) continue;
      // Node's own timers and emitters do nothing with the promise that a function gives them.
      return isRejection && beyond.every((place) => this.#isNode(place)) ? 'floats' : 'passes';
    }
    return isRejection ? 'floats' : 'passes';
  }

  /** Who awaits a promise, or asked the library to look at it when it is settled: `expect(promise).resolves`. */
  #isAsked(next: Segment | undefined): boolean {
    return isAwaited(next) || next?.places.some((place) => this.#isUserCode(place)) === true;
  }

  /** Between a test and a test inside it stands the runner, which catches what they throw. */
  #isNodeRunner(place: Place): boolean {
    return this.#scene.script(place.scriptId)?.url.startsWith('node:internal/test_runner') === true;
  }

  #isNode(place: Place): boolean {
    return this.#scene.script(place.scriptId)?.url.startsWith('node:') !== false && !this.#isNodeRunner(place);
  }

  #isJobQueue(place: Place): boolean {
    return this.#scene.script(place.scriptId)?.url.startsWith('node:internal/process/task_queues') === true;
  }

  #hasUserCode(event: PausedEvent): boolean {
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

async function actionFor(
  spec: ExceptionBreakpointSpec,
  event: PausedEvent,
  thrown: Thrown,
  walked: () => Promise<Outcome>,
): Promise<ExceptionVerdict['action']> {
  const saidUncaught = thrown.uncaught === true;
  const isRejection = event.reason === 'promiseRejection';
  if (saidUncaught && !isRejection && spec.uncaught) return 'stop';
  if (spec.caught && (!saidUncaught || spec.uncaught)) return 'stop';
  if (!spec.userUnhandled) return saidUncaught && spec.uncaught ? 'keep' : 'pass';
  const outcome = await walked();
  if (outcome === 'passes' || (outcome !== 'caught' && looksLikeAssertion(thrown))) return 'stop';
  // V8 calls a rejection uncaught when nobody handles it yet; somebody may.
  if (!saidUncaught && outcome !== 'floats') return 'pass';
  return spec.untilEnd ? 'stop' : 'keep';
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

function segmentsOf(event: PausedEvent): Segment[] {
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
