import type { CdpSession } from '../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../protocol/cdp/types.ts';
import type { ValueLimits } from '../../model.ts';
import { drawingSymbol } from './drawing.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

/** What every CommonJS module has; no one looks for it. */
export const moduleFurniture = new Set(['exports', 'require', 'module', '__filename', '__dirname', 'arguments']);

/**
 * The texts of the objects in a frame's scopes, drawn inside the program by one call for all of them. Those that must be looked at
 * from outside are missing, and all of them where the program has no drawing function (one that was attached to).
 */
export class ScopeTexts {
  readonly #session: CdpSession;
  readonly #scopes: readonly RemoteObject[];
  readonly #self: RemoteObject;
  readonly #returned: RemoteObject | undefined;
  #asked: { limits: ValueLimits; answer: Promise<ReadonlyMap<string, string>[]> } | undefined;

  constructor(session: CdpSession, frame: Protocol.Debugger.CallFrame, scopes: readonly RemoteObject[]) {
    this.#session = session;
    this.#scopes = scopes;
    this.#self = frame.this;
    this.#returned = frame.returnValue;
  }

  async of(scope: RemoteObject, limits: ValueLimits): Promise<ReadonlyMap<string, string>> {
    const index = this.#scopes.indexOf(scope);
    return (index < 0 ? undefined : (await this.#drawn(limits))[index + 1]) ?? new Map();
  }

  /** Of what belongs to the function without being in a scope: `this`, the value being returned. */
  async ofExtras(limits: ValueLimits): Promise<ReadonlyMap<string, string>> {
    return (await this.#drawn(limits))[0] ?? new Map();
  }

  #drawn(limits: ValueLimits): Promise<ReadonlyMap<string, string>[]> {
    if (this.#asked?.limits !== limits) this.#asked = { limits, answer: this.#ask(limits) };
    return this.#asked.answer;
  }

  async #ask(limits: ValueLimits): Promise<ReadonlyMap<string, string>[]> {
    const [first] = this.#scopes;
    if (first?.objectId === undefined) return [];
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId: first.objectId,
      functionDeclaration: callDrawing,
      arguments: [
        { value: [limits.depth, limits.maxItems, limits.maxStringChars, [...moduleFurniture]] },
        argument(this.#self),
        argument(this.#returned),
        ...this.#scopes.map(argument),
      ],
      returnByValue: true,
      silent: true,
    });
    const found: unknown = answer.result.value;
    // Made by our own function, see drawing.ts.
    return Array.isArray(found) ? (found as [string, string][][]).map((pairs) => new Map(pairs)) : [];
  }
}

const callDrawing = `function(how, self, returned, ...scopes) {
  return globalThis[Symbol.for('${drawingSymbol}')]?.(...how, { this: self, '(return value)': returned }, ...scopes) ?? [];
}`;

function argument(object: RemoteObject | undefined): Protocol.Runtime.CallArgument {
  return object?.objectId === undefined ? {} : { objectId: object.objectId };
}
