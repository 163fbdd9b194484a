import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import { ParsedScript } from '../exceptions/catchAnalysis.ts';
import { compileSymbol, isWished, loadsSymbol } from '../launch/preload.ts';
import { urlRegexOfPath } from '../scripts/scripts.ts';

export type ScriptPause = 'beforeScriptExecution' | 'beforeScriptWithSourceMapExecution';

/** What is to be seen before it is compiled, and the stop at the first statement of a program. */
export class EntryStop {
  readonly #session: CdpSession;
  readonly #pauses = new Map<ScriptPause, string>();
  #entry: { path: string; breakpointId?: string } | undefined;
  #loads: Promise<void> | undefined;
  #loadsId: string | undefined;
  #wish: { all?: boolean; entry?: string } = {};

  constructor(session: CdpSession) {
    this.#session = session;
  }

  /** Names the file; to be done before scripts are paused, because what is evaluated for it would itself be stopped. */
  async choose(path: string): Promise<void> {
    this.#entry = { path };
    await this.wishForLoads({ entry: path });
  }

  /** Scripts stop before their first statement. Wishes come before it, see `choose`. */
  async pauseBefore(kind: ScriptPause): Promise<void> {
    if (this.#pauses.has(kind)) return;
    this.#pauses.set(kind, '');
    const answer = await this.#session.send('Debugger.setInstrumentationBreakpoint', { instrumentation: kind });
    this.#pauses.set(kind, answer.breakpointId);
  }

  /** Tells the preload which modules the debugger wants to see before they are compiled. */
  async wishForLoads(wish: { all?: boolean; entry?: string }): Promise<void> {
    this.#wish = { ...this.#wish, ...wish };
    await this.#session.send('Runtime.evaluate', {
      expression: `Object.defineProperty(globalThis, Symbol.for(${JSON.stringify(loadsSymbol)}), { value: ${JSON.stringify(this.#wish)}, configurable: true }), 0`,
      silent: true,
    });
    this.#loads ??= this.#breakInLoads();
    await this.#loads;
  }

  /** Modules are seen in Node's own function, so that nothing of ours stands on the program's stacks. */
  async #breakInLoads(): Promise<void> {
    const expression = `globalThis[Symbol.for(${JSON.stringify(compileSymbol)})]`;
    const { result } = await this.#session.send('Runtime.evaluate', { expression, silent: true });
    if (result.objectId === undefined) return;
    // Node's modules have a `Symbol` of their own.
    const wish = `globalThis[globalThis.Symbol.for(${JSON.stringify(loadsSymbol)})]`;
    const answer = await this.#session.send('Debugger.setBreakpointOnFunctionCall', {
      objectId: result.objectId,
      condition: `((content, filename, wish = ${wish}) => wish && ${isWished('content', 'filename')})(arguments[0], arguments[1])`,
    });
    this.#loadsId = answer.breakpointId;
  }

  /** Whether a module is about to be compiled. */
  isLoad(breakpointIds: readonly string[]): boolean {
    return this.#loadsId !== undefined && breakpointIds.includes(this.#loadsId);
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
    const { breakpointId } = this.#entry ?? {};
    this.#entry = undefined;
    const pauseId = this.#pauses.get('beforeScriptExecution');
    const isPauseSpent = this.#wish.all !== true && this.#pauses.delete('beforeScriptExecution');
    const spent = [breakpointId, isPauseSpent ? pauseId : undefined].filter((id) => id !== undefined);
    await Promise.all(spent.map((id) => this.#session.send('Debugger.removeBreakpoint', { breakpointId: id })));
  }
}
