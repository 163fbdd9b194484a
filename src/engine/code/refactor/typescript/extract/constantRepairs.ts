import type ts from 'typescript-classic';
import { isJavascriptFile } from '../../../../../base/languages/byPath.ts';
import { ancestor, compiler, parse } from '../syntax/compiler.ts';
import { textWith } from '../syntax/textChange.ts';

/** The extracted constant with the type that was asked of the value where it stood, if that is written there. */
export function typedConstant(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  let constant: ts.VariableDeclaration | undefined;
  let wanted: ts.TypeNode | undefined;
  const visit = (node: ts.Node): void => {
    if (tsc.isVariableDeclaration(node) && node.name.getText(source) === name) constant = node;
    if (tsc.isIdentifier(node) && node.text === name && node !== constant?.name) wanted = typeWantedOf(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  if (constant === undefined || constant.type !== undefined || wanted === undefined) return undefined;
  const at = constant.name.getEnd();
  return textWith(text, [{ start: at, end: at, text: `: ${wanted.getText(source)}` }]);
}

/** The extracted literal as one whose values are known exactly, as they were where it stood. */
export function exactConstant(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const visit = (node: ts.Node): ts.Expression | undefined =>
    tsc.isVariableDeclaration(node) && node.type === undefined && node.name.getText(source) === name
      ? node.initializer
      : tsc.forEachChild(node, visit);
  const value = visit(source);
  const isLiteral =
    value !== undefined && (tsc.isObjectLiteralExpression(value) || tsc.isArrayLiteralExpression(value));
  if (!isLiteral || isJavascriptFile(path)) return undefined;
  return textWith(text, [{ start: value.getEnd(), end: value.getEnd(), text: ' as const' }]);
}

/** The extracted constant as a call with the type arguments that were found for it where it stood. */
export function constantWithTypes(
  path: string,
  text: string,
  name: string,
  types: readonly string[],
): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const visit = (node: ts.Node): ts.Expression | undefined =>
    tsc.isVariableDeclaration(node) && node.name.getText(source) === name
      ? node.initializer
      : tsc.forEachChild(node, visit);
  const value = visit(source);
  if (value === undefined || !(tsc.isCallExpression(value) || tsc.isNewExpression(value))) return undefined;
  if (value.typeArguments !== undefined || types.length === 0) return undefined;
  const at = value.expression.getEnd();
  return textWith(text, [{ start: at, end: at, text: `<${types.join(', ')}>` }]);
}

function typeWantedOf(use: ts.Identifier): ts.TypeNode | undefined {
  const tsc = compiler();
  const { parent } = use;
  if ((tsc.isVariableDeclaration(parent) || tsc.isPropertyDeclaration(parent)) && parent.initializer === use)
    return parent.type;
  if (tsc.isArrowFunction(parent) && parent.body === use) return parent.type;
  return tsc.isReturnStatement(parent) ? ancestor(parent, tsc.isFunctionLike)?.type : undefined;
}
