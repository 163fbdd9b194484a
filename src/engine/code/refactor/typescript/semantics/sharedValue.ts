import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { hasPlainEffects, makesIdentity } from './effects.ts';
import { freeNames } from '../syntax/scopes.ts';
import { because } from '../../refusals/refuse.ts';

/** Why it matters whether an expression is evaluated once or at each of its occurrences, or undefined when it does not. */
export function whySharedMatters(expression: ts.Expression): string | undefined {
  const tsc = compiler();
  if (hasPlainEffects(expression)) return because('doesSomethingEachTime');
  // Functions keep nothing that a second one would not have, too.
  const isFunction = tsc.isArrowFunction(expression) || tsc.isFunctionExpression(expression);
  return makesIdentity(expression) && !isFunction ? because('newObjectEachTime') : undefined;
}

/** Whether evaluating an expression fails where something is missing. */
export function mayFail(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isFunctionLike(node)) return false;
  if (tsc.isPropertyAccessExpression(node) || tsc.isElementAccessExpression(node)) return true;
  if (tsc.isSpreadElement(node) || hasPlainEffects(node)) return true;
  if (tsc.isBinaryExpression(node) && /^in(?:stanceof)?$/.test(node.operatorToken.getText())) return true;
  return tsc.forEachChild(node, (child) => mayFail(child) || undefined) ?? false;
}

/** Whether conditions between a block and what stands in it decide by the same names whether an expression can be evaluated at all. */
export function isGuardedWithin(block: ts.Node, use: ts.Node, names: ReadonlySet<string>): boolean {
  const tsc = compiler();
  for (let at = use; at !== block && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    const guards: (ts.Node | undefined)[] = [];
    if (tsc.isIfStatement(parent) && parent.expression !== at) guards.push(parent.expression);
    if (tsc.isConditionalExpression(parent) && parent.condition !== at) guards.push(parent.condition);
    if ((tsc.isWhileStatement(parent) || tsc.isDoStatement(parent)) && parent.statement === at)
      guards.push(parent.expression);
    if (tsc.isForStatement(parent) && parent.statement === at) guards.push(parent.condition);
    if (tsc.isCaseClause(parent)) guards.push(parent.expression, parent.parent.parent.expression);
    if (
      tsc.isBinaryExpression(parent) &&
      parent.right === at &&
      /^(?:&&|\|\||\?\?)$/.test(parent.operatorToken.getText())
    )
      guards.push(parent.left);
    if (guards.some((guard) => guard !== undefined && [...freeNames(guard)].some((name) => names.has(name))))
      return true;
  }
  return false;
}
