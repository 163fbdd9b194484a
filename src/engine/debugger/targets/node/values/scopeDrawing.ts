import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ValueLimits } from '../../../model.ts';
import { kindOf } from './scopeKinds.ts';
import { type DrawnVariable, drawingSymbol, isDrawn, ownScriptUrl } from '../inProgram/drawing.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;
type DrawnScope = readonly DrawnVariable[];

/** What every CommonJS module has; no one looks for it. */
export const moduleFurniture = new Set(['exports', 'require', 'module', '__filename', '__dirname', 'arguments']);

/** The variables in a frame's scopes, drawn inside the program by one call for all of them. */
export class ScopeDrawing {
  readonly #session: CdpSession;
  readonly #scopes: readonly RemoteObject[];
  readonly #self: RemoteObject;
  readonly #returned: RemoteObject | undefined;
  readonly #undrawable: Set<string>;
  #asked: { limits: ValueLimits; answer: Promise<DrawnScope[]> } | undefined;

  /** `undrawable`: realms found to have no drawing function, such as those of a process that was attached to. */
  constructor(session: CdpSession, frame: Protocol.Debugger.CallFrame, undrawable: Set<string>) {
    this.#session = session;
    this.#scopes = nearScopes(frame).map((scope) => scope.object);
    this.#self = frame.this;
    this.#returned = frame.returnValue;
    this.#undrawable = undrawable;
  }

  /** Asks before anyone wants to see it. */
  begin(limits: ValueLimits): void {
    this.#drawn(limits).catch(() => undefined);
  }

  /** Undefined for a scope that cannot be drawn. */
  async of(scope: RemoteObject, limits: ValueLimits): Promise<DrawnScope | undefined> {
    const index = this.#scopes.indexOf(scope);
    return index < 0 ? undefined : (await this.#drawn(limits))[index + 1];
  }

  /** Of what belongs to the function without being in a scope: `this`, the value being returned. */
  async ofExtras(limits: ValueLimits): Promise<DrawnScope> {
    return (await this.#drawn(limits))[0] ?? [];
  }

  #drawn(limits: ValueLimits): Promise<DrawnScope[]> {
    if (this.#asked?.limits !== limits) this.#asked = { limits, answer: this.#ask(limits) };
    return this.#asked.answer;
  }

  async #ask(limits: ValueLimits): Promise<DrawnScope[]> {
    const objectId = this.#scopes[0]?.objectId;
    if (objectId === undefined || this.#undrawable.has(realmOf(objectId))) return [];
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId,
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
    if (Array.isArray(found)) return found as DrawnScope[];
    if (answer.exceptionDetails === undefined) this.#undrawable.add(realmOf(objectId));
    return [];
  }
}

/** One value drawn inside the program; undefined when that cannot be. */
export async function drawValue(
  session: CdpSession,
  object: RemoteObject,
  limits: ValueLimits,
  undrawable: Set<string>,
): Promise<string | undefined> {
  const { objectId } = object;
  if (objectId === undefined || undrawable.has(realmOf(objectId))) return undefined;
  const answer = await session.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: callDrawing,
    arguments: [{ value: [limits.depth, limits.maxItems, limits.maxStringChars, []] }, { objectId }],
    returnByValue: true,
    silent: true,
  });
  const found: unknown = answer.result.value;
  if (!Array.isArray(found)) {
    if (answer.exceptionDetails === undefined) undrawable.add(realmOf(objectId));
    return undefined;
  }
  // Made by our own function, see drawing.ts; `this` is the value.
  const drawn = (found as DrawnScope[])[0]?.[0];
  return drawn !== undefined && isDrawn(drawn) ? drawn[1] : undefined;
}

/** A module's own variables are looked at only at its top level. */
function nearScopes(frame: Protocol.Debugger.CallFrame): Protocol.Debugger.Scope[] {
  const kinds = frame.scopeChain.map(kindOf);
  const isInFunction = kinds.some((kind) => kind === 'locals' || kind === 'block');
  const near = ['locals', 'block', 'closure', ...(isInFunction ? [] : ['module'])];
  return frame.scopeChain.filter((_, index) => near.includes(kinds[index] ?? ''));
}

const callDrawing = `function(how, self, returned, ...scopes) {
  return globalThis[Symbol.for('${drawingSymbol}')]?.(...how, { this: self, '(return value)': returned }, ...scopes);
}
//# sourceURL=${ownScriptUrl}
`;

/** V8 names objects by isolate, realm and number. */
function realmOf(objectId: string): string {
  return objectId.slice(0, objectId.lastIndexOf('.'));
}

function argument(object: RemoteObject | undefined): Protocol.Runtime.CallArgument {
  return object?.objectId === undefined ? {} : { objectId: object.objectId };
}
