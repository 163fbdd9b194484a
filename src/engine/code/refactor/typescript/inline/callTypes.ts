import type ts from 'typescript-classic';
import type { RefactorWaiting } from '../../model.ts';
import type { Callee } from './callee.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import type { Use } from './functionUses.ts';
import { typeNames } from '../imports/importsElsewhere.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

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

/** The type arguments that the compiler finds for a call. */
export async function inferredTypes(
  service: TypeScriptService,
  call: ts.CallExpression | ts.NewExpression,
  waiting: RefactorWaiting,
): Promise<string[]> {
  const tsc = compiler();
  const displayString = await displayed(service, call, waiting);
  // `function name<string, number>(…)`, `const name: <string>(…) => …`
  const head = /^(?:\([^)]*\) )?(?:function |const |let |var |constructor )?[\w$.]+(?:: )?</.exec(displayString);
  if (head === null) return [];
  const source = parse('/types.ts', `type _ = X<${displayString.slice(head[0].length)}`);
  const [statement] = source.statements;
  if (statement === undefined || !tsc.isTypeAliasDeclaration(statement)) return [];
  const { type } = statement;
  const texts = tsc.isTypeReferenceNode(type) ? (type.typeArguments ?? []).map((one) => one.getText(source)) : [];
  // What is too long to be shown ends in dots.
  return texts.some((text) => /\.\.\.(?![\w$[({])/.test(text)) ? [] : texts;
}

/** How the server shows what is called. */
async function displayed(
  service: TypeScriptService,
  { expression }: ts.CallExpression | ts.NewExpression,
  waiting: RefactorWaiting,
): Promise<string> {
  const tsc = compiler();
  const file = expression.getSourceFile();
  const name = tsc.isPropertyAccessExpression(expression) ? expression.name : expression;
  const { line, character } = file.getLineAndCharacterOfPosition(name.getStart(file));
  const { displayString } = await service.request<{ displayString: string }>(
    'quickinfo',
    { file: file.fileName, line: line + 1, offset: character + 1 },
    waiting,
  );
  return displayString;
}
