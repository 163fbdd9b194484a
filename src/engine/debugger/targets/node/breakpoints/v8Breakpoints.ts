import { errorMessage } from '../../../../../base/errors.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { FunctionBreakpointSpec, LineBreakpointSpec } from '../../../model.ts';
import { conditionExpression } from './conditions.ts';
import { type Script, urlRegexOfPath } from '../scripts/scripts.ts';

/** By the URL of the file itself, by that of a compiled one at a mapped place, or in one script. */
export type BoundBy = 'own url' | 'url' | 'place';

export type BreakpointSpec = LineBreakpointSpec | FunctionBreakpointSpec;

/** The breakpoints of V8 that stand for ours: there may be several for one, in every script that its line was compiled into. */
export class V8Breakpoints {
  readonly #session: CdpSession;
  readonly #toRemotePath: (path: string) => string;
  /** V8's ids by ours, and back. */
  readonly #bound = new Map<string, Map<string, BoundBy>>();
  readonly #owners = new Map<string, string>();

  constructor(session: CdpSession, toRemotePath: (path: string) => string) {
    this.#session = session;
    this.#toRemotePath = toRemotePath;
  }

  ownerOf(v8Id: string): string | undefined {
    return this.#owners.get(v8Id);
  }

  boundBy(id: string, v8Id: string): BoundBy | undefined {
    return this.#bound.get(id)?.get(v8Id);
  }

  /**
   * Lines and columns are 1-based; `rename` gives expressions the names of the compiled code. Undefined when V8 refuses because
   * another breakpoint stands there.
   */
  async setByUrl(
    spec: BreakpointSpec,
    place: { path: string; line: number; column: number; by: BoundBy },
    rename: (expression: string) => string,
  ): Promise<Protocol.Debugger.SetBreakpointByUrlResponse | undefined> {
    try {
      const answer = await this.#session.send('Debugger.setBreakpointByUrl', {
        urlRegex: urlRegexOfPath(this.#toRemotePath(place.path)),
        lineNumber: place.line - 1,
        columnNumber: place.column - 1,
        ...optionalCondition(spec, rename),
      });
      this.#own(spec.id, answer.breakpointId, place.by);
      return answer;
    } catch (error) {
      if (isTaken(error)) return undefined;
      throw error;
    }
  }

  /** As `setByUrl`, in one script and in V8's own 0-based positions. */
  async setAt(
    spec: BreakpointSpec,
    script: Script,
    at: { lineNumber: number; columnNumber: number },
    rename: (expression: string) => string,
  ): Promise<Protocol.Debugger.SetBreakpointResponse | undefined> {
    try {
      const answer = await this.#session.send('Debugger.setBreakpoint', {
        location: { scriptId: script.id, ...at },
        ...optionalCondition(spec, rename),
      });
      this.#own(spec.id, answer.breakpointId, 'place');
      return answer;
    } catch (error) {
      if (isTaken(error)) return undefined;
      throw error;
    }
  }

  async release(id: string, v8Id: string): Promise<void> {
    this.#bound.get(id)?.delete(v8Id);
    this.#owners.delete(v8Id);
    await this.#session.send('Debugger.removeBreakpoint', { breakpointId: v8Id });
  }

  async releaseByUrl(id: string): Promise<void> {
    for (const [v8Id, kind] of this.#bound.get(id) ?? []) if (kind !== 'place') await this.release(id, v8Id);
  }

  async releaseAll(id: string): Promise<void> {
    await Promise.all([...(this.#bound.get(id)?.keys() ?? [])].map((v8Id) => this.release(id, v8Id)));
    this.#bound.delete(id);
  }

  #own(id: string, v8Id: string, kind: BoundBy): void {
    const ids = this.#bound.get(id) ?? new Map<string, BoundBy>();
    ids.set(v8Id, kind);
    this.#bound.set(id, ids);
    this.#owners.set(v8Id, id);
  }
}

/** Two breakpoints on one place: V8 refuses the second; the first one stops there already. */
function isTaken(error: unknown): boolean {
  return /already exists/.test(errorMessage(error));
}

/** Conditions and log messages are written in the names of the source; `rename` gives them those of the compiled code. */
function optionalCondition(spec: BreakpointSpec, rename: (expression: string) => string): { condition?: string } {
  const condition = conditionExpression(spec, rename);
  return condition === undefined ? {} : { condition };
}
