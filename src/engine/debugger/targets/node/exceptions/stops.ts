import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ExceptionBreakpointSpec } from '../../../model.ts';
import type { ExceptionFilter, ExceptionVerdict } from './filter.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

/** Exceptions looked at in vain before only V8's own idea of "uncaught" counts: a program that throws all day must not crawl. */
const maxIgnored = 500;

/**
 * The same of those that were thrown while no code of the user was running: a runner looks for each module in many places, and each
 * that is not there is an exception (jest up to 24: a thousand before the first test). None of them has to be thought about.
 */
const maxIgnoredOfLibraries = 5000;

const maxCaught = 15;

/** The preload is not among them: V8 passes over `debugger` statements in hidden code. */
export const libraryPatterns = ['^node:', '/node_modules/'];

/** The exception breakpoints of an isolate: at which throws V8 is to pause, and which of those pauses are stops. */
export class ExceptionStops {
  readonly #session: CdpSession;
  readonly #filter: ExceptionFilter;
  #specs: readonly ExceptionBreakpointSpec[] = [];
  #hidden: readonly string[] = libraryPatterns;
  #isStepping = false;
  #ignored = 0;
  #ignoredOfLibraries = 0;
  readonly #urlOf: (scriptId: string) => string | undefined;
  /** How often a script of a library has thrown what it or another library caught. */
  readonly #caughtOf = new Map<string, number>();

  /** `urlOf`: of a script that belongs to a library. */
  constructor(session: CdpSession, filter: ExceptionFilter, urlOf: (scriptId: string) => string | undefined) {
    this.#session = session;
    this.#filter = filter;
    this.#urlOf = urlOf;
  }

  async set(specs: readonly ExceptionBreakpointSpec[]): Promise<void> {
    this.#specs = specs;
    this.#ignored = 0;
    this.#ignoredOfLibraries = 0;
    this.#caughtOf.clear();
    const wantsAll = specs.some((spec) => spec.caught || spec.userUnhandled);
    const state = wantsAll ? 'all' : specs.some((spec) => spec.uncaught) ? 'uncaught' : 'none';
    await Promise.all([
      this.#session.send('Debugger.setPauseOnExceptions', { state }),
      this.#hide(wantsAll ? [] : libraryPatterns),
    ]);
  }

  /** Library code hides from steps; but V8 hides what it throws along with it, so not when that matters. */
  async #hide(patterns: readonly string[]): Promise<void> {
    this.#hidden = patterns;
    await this.#session.send('Debugger.setBlackboxPatterns', { patterns: [...patterns] });
  }

  /** A step into what a library calls passes through the library: for that long it is hidden whole. */
  async hideLibraries(isHidden: boolean): Promise<void> {
    if (isHidden === this.#isStepping) return;
    this.#isStepping = isHidden;
    const patterns = isHidden ? libraryPatterns : this.#hidden;
    await this.#session.send('Debugger.setBlackboxPatterns', { patterns: [...patterns] });
  }

  /** Whether a rejection that nobody handled is a stop; not where it has been one already. */
  get wantsUnhandled(): boolean {
    return this.#specs.some((spec) => spec.uncaught && spec.untilEnd !== true);
  }

  async match(event: Protocol.Debugger.PausedEvent): Promise<ExceptionVerdict> {
    const verdict = await this.#filter.match(event, this.#specs);
    const wantsCaught = this.#specs.some((spec) => spec.caught);
    if (verdict.action !== 'pass' || wantsCaught) return verdict;
    if (this.#isEnough(event)) void this.#session.send('Debugger.setPauseOnExceptions', { state: 'uncaught' });
    this.#hideRepeated(event);
    return verdict;
  }

  #isEnough({ callFrames }: Protocol.Debugger.PausedEvent): boolean {
    const isOfLibraries = callFrames.every(({ location }) => this.#urlOf(location.scriptId) !== undefined);
    return isOfLibraries ? ++this.#ignoredOfLibraries === maxIgnoredOfLibraries : ++this.#ignored === maxIgnored;
  }

  /** Each pause costs the program time. A script that goes on throwing what is caught is hidden; uncaught, V8 shows it all the same. */
  #hideRepeated(event: Protocol.Debugger.PausedEvent): void {
    const url = this.#urlOf(event.callFrames[0]?.location.scriptId ?? '');
    if (url === undefined || url === '') return;
    const count = (this.#caughtOf.get(url) ?? 0) + 1;
    this.#caughtOf.set(url, count);
    if (count !== maxCaught) return;
    const hidden = [...this.#caughtOf].filter(([, times]) => times >= maxCaught);
    const patterns = hidden.map(([each]) => `^${escapeRegExp(each)}$`);
    void this.#hide(patterns);
  }
}
