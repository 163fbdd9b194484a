import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ExceptionBreakpointSpec } from '../../../model.ts';
import type { ExceptionFilter, ExceptionVerdict } from './filter.ts';

/** Exceptions looked at in vain before only V8's own idea of "uncaught" counts: a program that throws all day must not crawl. */
const maxIgnored = 500;

/** The preload is not among them: V8 passes over `debugger` statements in hidden code. */
export const libraryPatterns = ['^node:', '/node_modules/'];

/** The exception breakpoints of an isolate: at which throws V8 is to pause, and which of those pauses are stops. */
export class ExceptionStops {
  readonly #session: CdpSession;
  readonly #filter: ExceptionFilter;
  #specs: readonly ExceptionBreakpointSpec[] = [];
  #ignored = 0;

  constructor(session: CdpSession, filter: ExceptionFilter) {
    this.#session = session;
    this.#filter = filter;
  }

  async set(specs: readonly ExceptionBreakpointSpec[]): Promise<void> {
    this.#specs = specs;
    this.#ignored = 0;
    const wantsAll = specs.some((spec) => spec.caught || spec.userUnhandled);
    const state = wantsAll ? 'all' : specs.some((spec) => spec.uncaught) ? 'uncaught' : 'none';
    await Promise.all([
      this.#session.send('Debugger.setPauseOnExceptions', { state }),
      // Library code hides from steps; but V8 hides what it throws along with it, so not when that matters.
      this.#session.send('Debugger.setBlackboxPatterns', { patterns: wantsAll ? [] : libraryPatterns }),
    ]);
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
    return verdict;
  }
}
