import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { Scope } from '../../../model.ts';

const kinds: Partial<Record<Protocol.Debugger.ScopeType, Scope['kind']>> = {
  local: 'locals',
  block: 'block',
  catch: 'block',
  closure: 'closure',
  module: 'module',
  script: 'other',
  global: 'globals',
};

/** What a scope of V8 is to people. */
export function kindOf(scope: Protocol.Debugger.Scope): Scope['kind'] {
  // The function around a CommonJS module is a closure to its functions; to people it is the module.
  const isModule =
    scope.type === 'closure' && scope.startLocation?.lineNumber === 0 && scope.startLocation.columnNumber === 0;
  return isModule ? 'module' : (kinds[scope.type] ?? 'other');
}
