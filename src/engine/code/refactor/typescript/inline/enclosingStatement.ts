import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { lineOf } from '../syntax/lines.ts';
import type { CallSite } from './callArguments.ts';
import { hasEffects } from '../semantics/effects.ts';
import { isEvaluatedFirst } from '../semantics/evaluationOrder.ts';
import { refuse } from '../../refusals/refuse.ts';

/** The statement that the call is part of, and how. `isEarly`: what is to go before it need not be the first thing done. */
export function holderOf(site: CallSite, isEarly: boolean): Holder {
  const tsc = compiler();
  const { node } = site;
  let at: ts.Node = node;
  while (tsc.isParenthesizedExpression(at.parent)) at = at.parent;
  const { parent } = at;
  if (tsc.isArrowFunction(parent) && parent.body === at) return { kind: 'arrow', statement: at, isBare: false };
  const statement = tsc.findAncestor(node, (one) => tsc.isStatement(one) || tsc.isFunctionLike(one));
  const line = lineOf(node);
  const refused = refuse('callInLargerExpression', { line });
  if (statement === undefined || !tsc.isStatement(statement)) throw refused;
  const home = statement.parent;
  const isBare =
    !tsc.isBlock(home) && !tsc.isSourceFile(home) && !tsc.isModuleBlock(home) && !tsc.isCaseOrDefaultClause(home);
  if (isBare && !tsc.isIfStatement(home) && !tsc.isIterationStatement(home, false)) throw refused;
  if (tsc.isExpressionStatement(parent)) return { kind: 'statement', statement, isBare };
  if (tsc.isReturnStatement(parent)) return { kind: 'return', statement, isBare };
  const guard =
    tsc.isExpressionStatement(parent.parent) && parent.parent === statement ? guardOf(parent, at, site) : undefined;
  if (guard !== undefined) return { kind: 'statement', statement, isBare, guard };
  const isOnce =
    !tsc.isIterationStatement(statement, false) ||
    ((tsc.isForOfStatement(statement) || tsc.isForInStatement(statement)) && isWithin(node, statement.expression));
  if (isBare || !(isFirstInside(node, statement) || (isEarly && isOnce))) throw refused;
  return { kind: 'inside', statement, isBare };
}

export interface Holder {
  /** How the call stands in it: by itself, as what is returned, as the body of an arrow function, or as a part. */
  kind: 'statement' | 'return' | 'arrow' | 'inside';
  statement: ts.Node;
  /** It stands alone where a block could stand. */
  isBare: boolean;
  /** `a && call()` as a statement: what decides whether the call is made, and what is done else. */
  guard?: { condition: string; otherwise?: string };
}

/** `a && call();`, `a || call();`, `a ? call() : other;` */
function guardOf(parent: ts.Node, call: ts.Node, site: CallSite): Holder['guard'] {
  const tsc = compiler();
  const negated = (condition: ts.Expression): string =>
    tsc.isPrefixUnaryExpression(condition) && condition.operator === tsc.SyntaxKind.ExclamationToken
      ? site.textOf(condition.operand)
      : tsc.isLeftHandSideExpression(condition)
        ? `!${site.textOf(condition)}`
        : `!(${site.textOf(condition)})`;
  if (tsc.isBinaryExpression(parent) && parent.right === call) {
    if (parent.operatorToken.kind === tsc.SyntaxKind.AmpersandAmpersandToken)
      return { condition: site.textOf(parent.left) };
    if (parent.operatorToken.kind === tsc.SyntaxKind.BarBarToken) return { condition: negated(parent.left) };
  }
  if (!tsc.isConditionalExpression(parent) || parent.condition === call) return undefined;
  const isFirst = parent.whenTrue === call;
  const other = isFirst ? parent.whenFalse : parent.whenTrue;
  // What does nothing as a statement need not be one.
  const otherwise = hasEffects(other) ? site.textOf(other) : undefined;
  return { condition: isFirst ? site.textOf(parent.condition) : negated(parent.condition), otherwise };
}

function isWithin(node: ts.Node, outer: ts.Node): boolean {
  return outer.pos <= node.pos && node.end <= outer.end;
}

/** Whether a call is the first thing of a statement that does anything, and is made whenever the statement is run. */
function isFirstInside(node: ts.Expression, statement: ts.Statement): boolean {
  const tsc = compiler();
  const isHolding =
    tsc.isExpressionStatement(statement) ||
    tsc.isVariableStatement(statement) ||
    tsc.isReturnStatement(statement) ||
    tsc.isThrowStatement(statement) ||
    ((tsc.isIfStatement(statement) ||
      tsc.isSwitchStatement(statement) ||
      tsc.isForOfStatement(statement) ||
      tsc.isForInStatement(statement)) &&
      isWithin(node, statement.expression));
  return isHolding && isEvaluatedFirst(node, statement);
}
