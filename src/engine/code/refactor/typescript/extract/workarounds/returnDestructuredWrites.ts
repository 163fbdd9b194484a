import type ts from 'typescript-classic';
import { ancestor, compiler, parse } from '../../syntax/compiler.ts';
import { isWritten } from '../../semantics/effects.ts';
import { functionAndCall, type Extracted } from '../newFunction.ts';
import { type Change, textWith } from '../../syntax/textChange.ts';
import { refuse } from '../../../refusals/refuse.ts';

/**
 * The TypeScript server forgets that a pattern (`[a, b] = [b, a]`) and the head of a loop assign: in the function it makes, only a
 * parameter is set. Here the function returns such variables and the call assigns them. Undefined when nothing is lost.
 */
export function withLostWrites(path: string, text: string, name: string): string | undefined {
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  if (found === undefined) return undefined;
  const lost = lostVariables(found, source);
  if (lost.length === 0) return undefined;
  const { body } = found.declaration;
  const statement = ancestor(found.call, compiler().isExpressionStatement);
  if (body !== undefined && statement !== undefined) {
    const isPlain = unwrapped(statement.expression) === found.call;
    if (isPlain && returnsOf(body).length === 0)
      return textWith(text, [...returned(text, body, lost), assigned(text, statement, lost, source)]);
    const joined = joinedTo(statement, found.call, body, lost, source);
    if (joined !== undefined) return textWith(text, joined);
  }
  throw refuse('setsWhatIsReadAfter', { names: lost.map((one) => `"${one}"`).join(', ') });
}

/** What the function hands back already (`a = made()`, `({ a, b } = made())`), and the lost variables with it. */
function joinedTo(
  statement: ts.ExpressionStatement,
  call: ts.CallExpression,
  body: ts.Block,
  lost: readonly string[],
  source: ts.SourceFile,
): Change[] | undefined {
  const tsc = compiler();
  const { expression } = statement;
  const set = tsc.isParenthesizedExpression(expression) ? expression.expression : expression;
  const [last, ...others] = returnsOf(body);
  const value = last === body.statements.at(-1) && others.length === 0 ? last?.expression : undefined;
  if (value === undefined || !tsc.isBinaryExpression(set) || unwrapped(set.right) !== call) return undefined;
  if (set.operatorToken.kind !== tsc.SyntaxKind.EqualsToken || set.left.getText(source) !== value.getText(source))
    return undefined;
  const isPattern =
    tsc.isObjectLiteralExpression(value) && value.properties.every((one) => tsc.isShorthandPropertyAssignment(one));
  if (!isPattern && !tsc.isIdentifier(value)) return undefined;
  const names = isPattern ? value.properties.map((one) => one.getText(source)) : [value.getText(source)];
  const all = `{ ${[...names, ...lost].join(', ')} }`;
  const [start, end] = [expression.getStart(source), expression.getEnd()];
  return [
    { start: value.getStart(source), end: value.getEnd(), text: all },
    { start, end, text: `${separator(source.text, start)}(${all} = ${set.right.getText(source)})` },
  ];
}

function lostVariables({ declaration, call }: Extracted, source: ts.SourceFile): string[] {
  const tsc = compiler();
  const statement = ancestor(call, tsc.isStatement) ?? call;
  return declaration.parameters
    .map((parameter) => parameter.name.getText(source))
    .filter((name) => {
      const uses = mentionsOf(name, source);
      const within = (node: ts.Node, root: ts.Node): boolean => root.pos <= node.pos && node.end <= root.end;
      const isSet = uses.some((use) => within(use, declaration) && isWritten(use) && !isPlainlySet(use));
      const isRead = uses.some(
        (use) => !within(use, declaration) && !within(use, statement) && !isDeclared(use) && isNear(use, call),
      );
      const isReturned = uses.some((use) => within(use, statement) && isWritten(use));
      return isSet && isRead && !isReturned;
    });
}

function mentionsOf(name: string, source: ts.SourceFile): ts.Identifier[] {
  const tsc = compiler();
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node) && node.text === name) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `a = …`, `a++`: the server knows that these assign. */
function isPlainlySet(use: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = use;
  return (
    (tsc.isBinaryExpression(parent) && parent.left === use && !tsc.isArrayLiteralExpression(parent.parent)) ||
    tsc.isPrefixUnaryExpression(parent) ||
    tsc.isPostfixUnaryExpression(parent)
  );
}

function isDeclared(use: ts.Identifier): boolean {
  const { parent } = use;
  return 'name' in parent && parent.name === use;
}

/** In the function of the call, or one around it: there the variable is known. */
function isNear(use: ts.Node, call: ts.Node): boolean {
  const tsc = compiler();
  const outermost = tsc.findAncestor(
    call,
    (node) => tsc.isFunctionLike(node) && ancestor(node.parent, tsc.isFunctionLike) === undefined,
  );
  return outermost === undefined || (outermost.pos <= use.pos && use.end <= outermost.end);
}

function returnsOf(body: ts.Node): ts.ReturnStatement[] {
  const tsc = compiler();
  const found: ts.ReturnStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isReturnStatement(node)) found.push(node);
    if (!tsc.isFunctionLike(node)) tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(body, visit);
  return found;
}

function unwrapped(expression: ts.Expression): ts.Expression {
  const tsc = compiler();
  return tsc.isAwaitExpression(expression) || tsc.isYieldExpression(expression)
    ? (expression.expression ?? expression)
    : expression;
}

function returned(text: string, body: ts.Block, lost: readonly string[]): Change[] {
  const last = body.statements.at(-1);
  if (last === undefined) return [];
  const at = last.getEnd();
  const lineStart = text.lastIndexOf('\n', body.statements[0]?.getStart() ?? at) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const value = lost.length === 1 ? lost.join('') : `{ ${lost.join(', ')} }`;
  const semicolon = /;\s*$/m.test(text) ? ';' : '';
  return [{ start: at, end: at, text: `\n${indent}return ${value}${semicolon}` }];
}

function assigned(
  text: string,
  statement: ts.ExpressionStatement,
  lost: readonly string[],
  source: ts.SourceFile,
): Change {
  const { expression } = statement;
  const start = expression.getStart(source);
  const end = expression.getEnd();
  const call = expression.getText(source);
  if (lost.length === 1) return { start, end, text: `${lost.join('')} = ${call}` };
  return { start, end, text: `${separator(text, start)}({ ${lost.join(', ')} } = ${call})` };
}

/** Without semicolons a line that begins with a parenthesis would be read as part of the one before. */
function separator(text: string, start: number): string {
  return /(^|[;{}])\s*$/.test(text.slice(0, start)) ? '' : ';';
}
