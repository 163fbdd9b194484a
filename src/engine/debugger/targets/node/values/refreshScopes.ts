import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';

type CallFrame = Protocol.Debugger.CallFrame;
type Scope = Protocol.Debugger.Scope;

/**
 * V8 copies the variables of a frame when it stops, and what is assigned to them by an evaluation does not reach the copies. After one,
 * they are read again by their names, as code in the frame would.
 */
export async function scopesReadAgain(session: CdpSession, frame: CallFrame): Promise<CallFrame> {
  const namesOf = await Promise.all(
    frame.scopeChain.map(async (scope) => (isReadable(scope) ? variableNames(session, scope) : [])),
  );
  const seen = new Set<string>();
  const scopeChain = await Promise.all(
    frame.scopeChain.map(async (scope, index) => {
      // A name that an inner scope has too stands for that one's variable.
      const names = (namesOf[index] ?? []).filter((name) => !seen.has(name) && isIdentifier.test(name));
      for (const name of names) seen.add(name);
      return names.length === 0 ? scope : { ...scope, object: await holderOf(session, frame, names, scope) };
    }),
  );
  return { ...frame, scopeChain };
}

const isIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

function isReadable({ type }: Scope): boolean {
  return type !== 'global' && type !== 'with' && type !== 'script';
}

async function variableNames(session: CdpSession, scope: Scope): Promise<string[]> {
  const { result } = await session.send('Runtime.getProperties', {
    objectId: scope.object.objectId ?? '',
    ownProperties: true,
    generatePreview: false,
  });
  return result.map(({ name }) => name);
}

/** An object that has the variables for properties; one that is not initialised yet is there without a value. */
async function holderOf(session: CdpSession, frame: CallFrame, names: readonly string[], scope: Scope) {
  const reads = names.map(
    (name) =>
      `try { $sightline.${name} = ${name} } catch { ({}).__defineGetter__.call($sightline, '${name}', () => undefined) }`,
  );
  const { result, exceptionDetails } = await session.send('Debugger.evaluateOnCallFrame', {
    callFrameId: frame.callFrameId,
    expression: `(($sightline) => { ${reads.join(' ')} return $sightline })({ __proto__: null })`,
    silent: true,
  });
  return exceptionDetails === undefined ? result : scope.object;
}
