import type ts from 'typescript-classic';
import { assignedLike } from './callArguments.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { startWithComments } from '../syntax/deletion.ts';
import { hasEffects } from '../semantics/effects.ts';
import { alwaysEnds } from '../syntax/endings.ts';
import { indentAt, reindented } from '../syntax/indentation.ts';

/** A body as it would be written without a return before its end. */
export interface StraightBody {
  block: ts.Block;
  /** The function that it stands in, with the same parameters. */
  holder: ts.ArrowFunction;
}

/** What stands for the variable that is given the result; the name that it has is put in its place at the end. */
export const resultMark = '$result$';

/**
 * The body of a function that returns early, with the rest in `else` branches: `if (a) return; b();` is `if (!a) { b(); }`.
 * `gives` says whether a result is wanted: it is given to a variable then. Undefined where a return leaves more than branches.
 */
export function straightBody(
  definition: ts.FunctionLikeDeclaration,
  block: ts.Block,
  { gives, awaits }: { gives: boolean; awaits: (value: string) => string },
): StraightBody | undefined {
  const tsc = compiler();
  const source = block.getSourceFile();
  const isAsync = (tsc.getCombinedModifierFlags(definition) & tsc.ModifierFlags.Async) !== 0;
  const returned = ({ expression }: ts.ReturnStatement): string[] => {
    if (gives)
      return [`${resultMark} = ${expression === undefined ? 'undefined' : awaits(expression.getText(source))};`];
    return expression !== undefined && (isAsync || hasEffects(expression))
      ? [`${awaits(expression.getText(source))};`]
      : [];
  };
  const lines = straight([...block.statements], source, returned, gives);
  if (lines === undefined) return undefined;
  const parameters = definition.parameters.map((one) => one.getText(source)).join(', ');
  const text = `const _ = ${isAsync ? 'async ' : ''}(${parameters}) => {\n${lines.map((line) => `${line}\n`).join('')}};`;
  const file = parse(source.fileName, text);
  assignedLike(file, source);
  const [statement] = file.statements;
  if (statement === undefined || !tsc.isVariableStatement(statement)) return undefined;
  const holder = statement.declarationList.declarations[0]?.initializer;
  if (holder === undefined || !tsc.isArrowFunction(holder) || !tsc.isBlock(holder.body)) return undefined;
  return { block: holder.body, holder };
}

/** The lines of statements whose returns go to the end of them all, without indentation of their own. */
function straight(
  statements: readonly ts.Statement[],
  source: ts.SourceFile,
  returned: (statement: ts.ReturnStatement) => string[],
  gives: boolean,
): string[] | undefined {
  const tsc = compiler();
  const [first, ...rest] = statements;
  if (first === undefined) return gives ? [`${resultMark} = undefined;`] : [];
  const inner = (list: readonly ts.Statement[]): string[] | undefined => straight(list, source, returned, gives);
  const comments = source.text.slice(startWithComments(first, source), first.getStart(source)).trim();
  const above = comments === '' ? [] : [comments];
  if (tsc.isReturnStatement(first)) return [...above, ...returned(first)];
  if (!holdsReturn(first)) {
    const own = source.text.slice(startWithComments(first, source), first.getEnd());
    const line = reindented(own, indentAt(first.getStart(source), source), '');
    const others = tsc.isThrowStatement(first) ? [] : inner(rest);
    return others === undefined ? undefined : [line, ...others];
  }
  if (tsc.isBlock(first) && rest.length === 0) return inner(first.statements);
  // What is declared as a function is known before its branch is reached.
  if (!tsc.isIfStatement(first) || rest.some((one) => tsc.isFunctionDeclaration(one))) return undefined;
  const [then, otherwise] = [statementsOf(first.thenStatement), statementsOf(first.elseStatement)];
  const [isThenEnd, isElseEnd] = [alwaysEnds(first.thenStatement), alwaysEnds(first.elseStatement)];
  if (!isThenEnd && !isElseEnd && rest.length > 0) return undefined;
  // Names of a branch must not hide what the rest means by them.
  if (
    rest.length > 0 &&
    (isThenEnd ? otherwise : then).some((one) => tsc.isDeclarationStatement(one) || tsc.isVariableStatement(one))
  )
    return undefined;
  const thenLines = inner(isThenEnd ? then : [...then, ...rest]);
  const elseLines = inner(isElseEnd ? otherwise : [...otherwise, ...rest]);
  if (thenLines === undefined || elseLines === undefined) return undefined;
  const condition = first.expression.getText(source);
  const branch = (lines: readonly string[]): string =>
    `{\n${lines.map((line) => `  ${reindented(line, '', '  ')}\n`).join('')}}`;
  if (thenLines.length === 0)
    return elseLines.length === 0
      ? [...above, ...(hasEffects(first.expression) ? [`${condition};`] : [])]
      : [...above, `if (${negated(first.expression, source)}) ${branch(elseLines)}`];
  const text = `if (${condition}) ${branch(thenLines)}`;
  return [...above, elseLines.length === 0 ? text : `${text} else ${branch(elseLines)}`];
}

function statementsOf(node: ts.Statement | undefined): ts.Statement[] {
  if (node === undefined) return [];
  return compiler().isBlock(node) ? [...node.statements] : [node];
}

function holdsReturn(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isFunctionLike(node) || tsc.isClassLike(node)) return false;
  return tsc.isReturnStatement(node) || (tsc.forEachChild(node, (child) => holdsReturn(child) || undefined) ?? false);
}

function negated(condition: ts.Expression, source: ts.SourceFile): string {
  const tsc = compiler();
  const text = condition.getText(source);
  if (tsc.isPrefixUnaryExpression(condition) && condition.operator === tsc.SyntaxKind.ExclamationToken)
    return condition.operand.getText(source);
  if (tsc.isBinaryExpression(condition)) {
    const other = opposite[condition.operatorToken.getText(source)];
    if (other !== undefined) return `${condition.left.getText(source)} ${other} ${condition.right.getText(source)}`;
  }
  return tsc.isLeftHandSideExpression(condition) ? `!${text}` : `!(${text})`;
}

/** `a < b` has none: with a value that is no number neither holds. */
const opposite: Partial<Record<string, string>> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
