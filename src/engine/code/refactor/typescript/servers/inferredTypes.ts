import type ts from 'typescript-classic';
import type { RefactorWaiting } from '../../model.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import type { TypeScriptService } from './tsService.ts';

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
export async function displayed(
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
