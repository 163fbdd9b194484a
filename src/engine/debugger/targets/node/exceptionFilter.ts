import type { Protocol } from '../../../../protocol/cdp/types.ts';
import type { ExceptionBreakpointSpec } from '../../model.ts';
import { ParsedScript } from './catchAnalysis.ts';
import type { Script } from './scripts.ts';

/** What the filter may ask of the isolate. */
export interface ExceptionScene {
  script(id: string): Script | undefined;
  sourceOf(scriptId: string): Promise<string | undefined>;
}

interface Place {
  scriptId: string;
  line: number;
  column: number;
  functionName: string;
  /** Whether an asynchronous border lies between this frame and the one before. */
  isBehindBorder: boolean;
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
  #lastReported: string | undefined;

  constructor(scene: ExceptionScene) {
    this.#scene = scene;
  }

  /** The ids of the exception breakpoints that this stop satisfies; none: run on. */
  async match(event: Protocol.Debugger.PausedEvent, specs: readonly ExceptionBreakpointSpec[]): Promise<string[]> {
    // `data` is the thrown value as a remote object, with `uncaught` added; the protocol leaves it untyped.
    const data = (event.data ?? {}) as Protocol.Runtime.RemoteObject & { uncaught?: boolean };
    const className = data.className ?? data.type;
    const isAssertion = looksLikeAssertion(data);
    const saidUncaught = data.uncaught === true;
    let isUnhandled: boolean | undefined;
    const matching: string[] = [];
    for (const spec of specs) {
      if (
        spec.exceptionClass !== undefined &&
        spec.exceptionClass !== className &&
        !isOfClass(data, spec.exceptionClass)
      )
        continue;
      if (spec.caught && !saidUncaught) matching.push(spec.id);
      else if (spec.uncaught && saidUncaught) matching.push(spec.id);
      else if (spec.userUnhandled) {
        isUnhandled ??= await this.#isUnhandledByUser(event, isAssertion);
        if (isUnhandled) matching.push(spec.id);
      }
    }
    if (matching.length === 0) return [];
    // A library that catches and throws again would stop us a second time for the same failure.
    const identity = data.description ?? String(data.value);
    if (identity === this.#lastReported) return [];
    this.#lastReported = identity;
    return matching;
  }

  async #isUnhandledByUser(event: Protocol.Debugger.PausedEvent, isAssertion: boolean): Promise<boolean> {
    const places = flatten(event);
    const lastUser = places.findLastIndex((place) => !place.isBehindBorder && this.#isUserCode(place));
    if (lastUser < 0 && !places.some((place) => this.#isUserCode(place))) return false;
    const outcome = await this.#walk(places);
    return outcome === 'passes' || (outcome === 'unknown' && isAssertion);
  }

  /** Goes outwards from the throw, as the exception would. */
  async #walk(places: readonly Place[]): Promise<'caught' | 'passes' | 'unknown'> {
    const lastUser = places.findLastIndex((place) => this.#isUserCode(place));
    let isRejection = false;
    let crossedLibrary = false;
    for (const [index, place] of places.slice(0, lastUser + 1).entries()) {
      const isUser = this.#isUserCode(place);
      if (!isUser) {
        crossedLibrary = index > 0;
        if (expectingFunctions.test(place.functionName)) return 'caught';
      }
      const verdict = (await this.#parse(place.scriptId))?.verdict(place.line, place.column);
      if (verdict === undefined) continue;
      const isConnected = !isRejection || verdict.promisePassedOn || verdict.promiseHandled || index === 0;
      if (!isConnected && isUser && !place.isBehindBorder) return crossedLibrary ? 'passes' : 'unknown';
      // Behind a border that is no `await` of the user's own, what follows is history, not somebody who could catch.
      if (place.isBehindBorder && isUser && !verdict.promisePassedOn) return 'passes';
      if (verdict.caught) return 'caught';
      if (isRejection && verdict.promiseHandled) return 'caught';
      if (verdict.isAsync) isRejection = true;
    }
    return 'passes';
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

/** Assertion errors of node:assert, chai, vitest, jest and their kin. */
export function looksLikeAssertion(error: Protocol.Runtime.RemoteObject): boolean {
  if (/Assert/i.test(error.className ?? '') || /^(\w*Assert\w*|JestAssertionError)\b/.test(error.description ?? ''))
    return true;
  const names = new Set((error.preview?.properties ?? []).map((property) => property.name));
  return names.has('matcherResult') || (names.has('actual') && names.has('expected'));
}

function isOfClass(error: Protocol.Runtime.RemoteObject, wanted: string): boolean {
  return (error.description ?? '').startsWith(`${wanted}:`) || error.description === wanted;
}

function flatten(event: Protocol.Debugger.PausedEvent): Place[] {
  const places: Place[] = event.callFrames.map((frame) => ({
    scriptId: frame.location.scriptId,
    line: frame.location.lineNumber,
    column: frame.location.columnNumber ?? 0,
    functionName: frame.functionName,
    isBehindBorder: false,
  }));
  for (let trace = event.asyncStackTrace; trace !== undefined && places.length < 100; trace = trace.parent) {
    for (const frame of trace.callFrames)
      places.push({
        scriptId: frame.scriptId,
        line: frame.lineNumber,
        column: frame.columnNumber,
        functionName: frame.functionName,
        isBehindBorder: true,
      });
  }
  return places;
}
