import type { RefactorWaiting } from '../../model.ts';
import type { Callee } from './callee.ts';
import { compiler } from '../syntax/compiler.ts';
import type { Use } from './functionUses.ts';
import { typeNames } from '../imports/importsElsewhere.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { displayed, inferredTypes } from '../servers/inferredTypes.ts';

/** What the type parameters that the body names stand for at each call: as written there, or as the server tells. */
export async function typesAtCalls(
  service: TypeScriptService,
  { definition }: Callee,
  uses: readonly Use[],
  waiting: RefactorWaiting,
): Promise<Map<Use, ReadonlyMap<string, string>>> {
  const found = new Map<Use, ReadonlyMap<string, string>>();
  const names = definition.typeParameters?.map((one) => one.name.text) ?? [];
  if (names.length === 0 || definition.body === undefined) return found;
  const named = new Set(typeNames(definition));
  if (!names.some((name) => named.has(name))) return found;
  for (const use of uses) {
    if (use.call === undefined) continue;
    const texts =
      use.call.typeArguments?.map((one) => one.getText()) ?? (await inferredTypes(service, use.call, waiting));
    if (texts.length === names.length)
      found.set(use, new Map(names.map((name, index) => [name, texts[index] ?? name])));
  }
  return found;
}

/** The function, and whether the one call that it makes gives nothing. */
export async function withEffectType(
  service: TypeScriptService,
  callee: Callee,
  waiting: RefactorWaiting,
): Promise<Callee> {
  const { effect } = callee;
  if (effect === undefined || callee.isAsync || !compiler().isCallExpression(effect)) return callee;
  await service.open([callee.home.fileName]);
  // The server has nothing to say of what is not declared anywhere.
  const shown = await displayed(service, effect, waiting).catch(() => '');
  return { ...callee, isEffectVoid: /: void(?: \(\+\d+ overloads?\))?$/.test(shown) };
}
