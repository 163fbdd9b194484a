import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ExceptionBreakpointSpec } from '../../../model.ts';
import type { ExceptionFilter, ExceptionVerdict } from './filter.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

/** Exceptions looked at in vain before only V8's own idea of "uncaught" counts: a program that throws all day must not crawl. */
const maxIgnored = 500;

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
    if (verdict.action === 'pass' && !wantsCaught && ++this.#ignored === maxIgnored)
      void this.#session.send('Debugger.setPauseOnExceptions', { state: 'uncaught' });
    if (verdict.action === 'pass' && !wantsCaught) this.#hideRepeated(event);
    return verdict;
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
