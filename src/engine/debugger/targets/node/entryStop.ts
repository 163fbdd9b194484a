import type { CdpSession } from '../../../../protocol/cdp/cdpSession.ts';
import { ParsedScript } from './catchAnalysis.ts';
import { loadsSymbol } from './preload.ts';
import { urlRegexOfPath } from './scripts.ts';

/** What is to be seen before it is compiled, and the stop at the first statement of a program. */
export class EntryStop {
  readonly #session: CdpSession;
  #entry: { path: string; breakpointId?: string; pauseId?: string } | undefined;
  #wish: { all?: boolean; entry?: string } = {};

  constructor(session: CdpSession) {
    this.#session = session;
  }

  async arm(path: string): Promise<void> {
    this.#entry = { path };
    // In this order: what is evaluated for the wish would itself be stopped before it runs.
    await this.wishForLoads({ entry: path });
    const answer = await this.#session.send('Debugger.setInstrumentationBreakpoint', {
      instrumentation: 'beforeScriptExecution',
    });
    this.#entry.pauseId = answer.breakpointId;
  }

  /** Tells the preload which modules the debugger wants to see before they are compiled. */
  async wishForLoads(wish: { all?: boolean; entry?: string }): Promise<void> {
    this.#wish = { ...this.#wish, ...wish };
    await this.#session.send('Runtime.evaluate', {
      expression: `Object.defineProperty(globalThis, Symbol.for(${JSON.stringify(loadsSymbol)}), { value: ${JSON.stringify(this.#wish)}, configurable: true }), 0`,
      silent: true,
    });
  }

  isIn(path: string | undefined): boolean {
    return path !== undefined && path === this.#entry?.path;
  }

  isHit(breakpointIds: readonly string[]): boolean {
    const { breakpointId } = this.#entry ?? {};
    return breakpointId !== undefined && breakpointIds.includes(breakpointId);
  }

  async breakAtFirstStatement(content: string): Promise<void> {
    const entry = this.#entry;
    if (entry === undefined) return;
    const first = new ParsedScript(content).firstStatement();
    const answer = await this.#session.send('Debugger.setBreakpointByUrl', {
      urlRegex: urlRegexOfPath(entry.path),
      lineNumber: first.line,
      columnNumber: first.column,
    });
    entry.breakpointId = answer.breakpointId;
  }

  /** It has done its work; scripts are stopped at their beginning only as long as others wish it. */
  async disarm(): Promise<void> {
    const { pauseId, breakpointId } = this.#entry ?? {};
    this.#entry = undefined;
    const spent = [breakpointId, this.#wish.all === true ? undefined : pauseId].filter((id) => id !== undefined);
    await Promise.all(spent.map((id) => this.#session.send('Debugger.removeBreakpoint', { breakpointId: id })));
  }
}
