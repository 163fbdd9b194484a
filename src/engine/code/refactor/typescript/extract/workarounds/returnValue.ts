import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../../../base/positions.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { functionAndCall } from '../newFunction.ts';

/**
 * The server hands back, beside what the selection returns, every variable it has changed. Right after that the function around ends,
 * so unless some other function still sees those variables, what is returned is enough. Undefined when it is not like that.
 */
export function withPlainReturn(
  path: string,
  before: LineIndex,
  range: Range,
  after: string,
  name: string,
): string | undefined {
  const tsc = compiler();
  const source = parse(path, after);
  const found = handedBack(source, name);
  const made = functionAndCall(source, name)?.declaration;
  if (found === undefined || made?.body === undefined) return undefined;
  if (found.names.some((one) => isSeenElsewhere(parse(path, before.text), before, range, one))) return undefined;
  const edits = [{ start: found.start, end: found.end, text: `return ${found.call.getText(source)};` }];
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node)) return;
    if (
      tsc.isReturnStatement(node) &&
      node.expression !== undefined &&
      tsc.isObjectLiteralExpression(node.expression)
    ) {
      const value = node.expression.properties.find((one) => one.name?.getText(source) === '__return');
      if (value !== undefined && tsc.isPropertyAssignment(value))
        edits.push({
          start: node.expression.getStart(source),
          end: node.expression.getEnd(),
          text: value.initializer.getText(source),
        });
    }
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(made.body, visit);
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), after);
}

/** `let __return; ({ __return, other } = made(…)); return __return;` */
function handedBack(
  source: ts.SourceFile,
  name: string,
): { start: number; end: number; call: ts.CallExpression; names: string[] } | undefined {
  const tsc = compiler();
  const visit = (node: ts.Node): ReturnType<typeof handedBack> => {
    if (tsc.isBlock(node))
      for (const [index, first] of node.statements.entries()) {
        const [taken, last] = node.statements.slice(index + 1, index + 3);
        if (
          !tsc.isVariableStatement(first) ||
          first.declarationList.declarations[0]?.name.getText(source) !== '__return'
        )
          continue;
        if (taken === undefined || last === undefined || !tsc.isExpressionStatement(taken)) continue;
        if (!tsc.isReturnStatement(last) || last.expression?.getText(source) !== '__return') continue;
        const plain = tsc.isParenthesizedExpression(taken.expression) ? taken.expression.expression : taken.expression;
        if (!tsc.isBinaryExpression(plain) || !tsc.isCallExpression(plain.right)) continue;
        if (!tsc.isObjectLiteralExpression(plain.left) || !plain.right.expression.getText(source).endsWith(name))
          continue;
        const names = plain.left.properties.map((one) => one.name?.getText(source) ?? '');
        return {
          start: first.getStart(source),
          end: last.getEnd(),
          call: plain.right,
          names: names.filter((one) => one !== '__return'),
        };
      }
    return tsc.forEachChild(node, visit);
  };
  return visit(source);
}

/** Whether a variable could still be seen when the function around the selection has ended: by a function in it, or as one of another. */
function isSeenElsewhere(source: ts.SourceFile, text: LineIndex, range: Range, name: string): boolean {
  const tsc = compiler();
  const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
  const around = tsc.findAncestor(tokenAt(source, start), tsc.isFunctionLike);
  const visit = (node: ts.Node, isInner: boolean): boolean => {
    // Functions of the selection see the variable of the new function.
    if (start <= node.getStart(source) && node.getEnd() <= end) return false;
    if (tsc.isIdentifier(node) && node.text === name && isInner) return true;
    const inner = isInner || (tsc.isFunctionLike(node) && node !== around);
    return tsc.forEachChild(node, (child) => visit(child, inner) || undefined) ?? false;
  };
  // A variable of another function than the one that ends lives on.
  const isOwn = around !== undefined && declares(around, name);
  return !isOwn || visit(around, false);
}

function declares(scope: ts.Node, name: string): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    const isDeclared =
      (tsc.isVariableDeclaration(node) || tsc.isParameter(node) || tsc.isBindingElement(node)) &&
      tsc.isIdentifier(node.name) &&
      node.name.text === name;
    if (isDeclared) return true;
    if (tsc.isFunctionLike(node) && node !== scope) return false;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(scope);
}

/** For `const { a } = made()` the server writes a return type that it reads off the pattern, where all is any: without it, the real one is known. */
export function withoutPatternType(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  const made = found?.declaration;
  if (found === undefined || made?.type === undefined || made.body === undefined) return undefined;
  const taker = tsc.isAwaitExpression(found.call.parent) ? found.call.parent.parent : found.call.parent;
  if (!tsc.isVariableDeclaration(taker) || tsc.isIdentifier(taker.name) || taker.type !== undefined) return undefined;
  const close = text.lastIndexOf(')', made.type.getStart(source)) + 1;
  return text.slice(0, close) + text.slice(made.type.getEnd());
}
