import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import type { RefactorWaiting } from '../model.ts';
import { compiler, parse } from './compiler.ts';
import { functionAndCall, textWith, type Change } from './extractedFunction.ts';
import { isValueUse, scopeOf } from './scopes.ts';
import type { TypeScriptService } from './tsService.ts';

/**
 * `const list = []` has the type of what is put into it later, which a function that only makes it does not see: there the array is
 * declared with the type that it comes to have. Undefined when there is no such array in the selection.
 */
export async function withEvolvedArrays(
  service: TypeScriptService,
  path: string,
  before: LineIndex,
  range: Range,
  after: { text: string; name: string },
  waiting: RefactorWaiting,
): Promise<string | undefined> {
  const tsc = compiler();
  const source = parse(path, before.text);
  const [start, end] = [before.offsetAt(range.start), before.offsetAt(range.end)];
  const made = parse(path, after.text);
  const declaration = functionAndCall(made, after.name)?.declaration;
  const body = declaration?.body;
  if (declaration === undefined || body === undefined) return undefined;
  // What is only made and handed back has no name there.
  const [only] = body.statements;
  const isNameless = only !== undefined && tsc.isReturnStatement(only) && isEmptyArray(only.expression);
  const changes: Change[] = [];
  for (const declared of emptyArrays(source).filter((one) => start <= one.pos + 1 && one.end <= end)) {
    const use = lastUseOf(declared);
    const same = emptyArrays(body).find((one) => one.name.getText() === declared.name.getText());
    if (use === undefined || (same === undefined && !isNameless)) continue;
    const { line, column } = before.positionAt(use.getStart(source));
    const { displayString } = await service.request<{ displayString: string }>(
      'quickinfo',
      { file: path, line, offset: column },
      waiting,
    );
    const type = /^(?:const|let|var|\(property\)) [\w$]+: ([\s\S]+)$/.exec(displayString)?.[1];
    if (type === undefined || /\b(?:any|never)\b|\.\.\./.test(type)) continue;
    const at = same?.name.getEnd() ?? body.getStart(made) - 1;
    changes.push({ start: at, end: at, text: `: ${type}` });
  }
  return changes.length === 0 ? undefined : textWith(after.text, changes);
}

function emptyArrays(root: ts.Node): ts.VariableDeclaration[] {
  const tsc = compiler();
  const found: ts.VariableDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isVariableDeclaration(node) && node.type === undefined && isEmptyArray(node.initializer)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function isEmptyArray(value: ts.Expression | undefined): boolean {
  return value !== undefined && compiler().isArrayLiteralExpression(value) && value.elements.length === 0;
}

function lastUseOf(declared: ts.VariableDeclaration): ts.Identifier | undefined {
  const tsc = compiler();
  const name = declared.name.getText();
  let last: ts.Identifier | undefined;
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node) && node.text === name && isValueUse(node)) last = node;
    tsc.forEachChild(node, visit);
  };
  visit(scopeOf(declared));
  return last;
}
