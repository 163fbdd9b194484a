import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';

/** What every decision about effects is made of: what a node writes by itself, and what is known of the language's own functions. */

/** The place that a node by itself gives another value: it is assigned to, counted up or down, or deleted. */
export function placeWritten(node: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  if (tsc.isBinaryExpression(node)) return isAssignmentOperator(node.operatorToken.kind) ? node.left : undefined;
  if (tsc.isPostfixUnaryExpression(node)) return node.operand;
  if (tsc.isPrefixUnaryExpression(node)) {
    const { PlusPlusToken, MinusMinusToken } = tsc.SyntaxKind;
    return node.operator === PlusPlusToken || node.operator === MinusMinusToken ? node.operand : undefined;
  }
  return tsc.isDeleteExpression(node) ? node.expression : undefined;
}

export function isAssignmentOperator(kind: ts.SyntaxKind): boolean {
  const { FirstAssignment, LastAssignment } = compiler().SyntaxKind;
  return kind >= FirstAssignment && kind <= LastAssignment;
}

/** The object whose own method, of a kind that changes it, a node calls. */
export function ownerChanged(node: ts.Node): ts.Expression | undefined {
  const tsc = compiler();
  const callee = tsc.isCallExpression(node) ? node.expression : undefined;
  const isChanging =
    callee !== undefined && tsc.isPropertyAccessExpression(callee) && changingMethods.has(callee.name.text);
  return isChanging ? callee.expression : undefined;
}

/** Methods of the language's own collections that change them. */
export const changingMethods: ReadonlySet<string> = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear'.split(' '),
);

/** Functions of the language that only work out a value of what they are given. */
export const harmlessFunctions: ReadonlySet<string> = new Set(
  'Number String Boolean parseInt parseFloat isNaN isFinite'.split(' '),
);

/** The same of one of the language's own objects: `Math.max`. */
export function isHarmlessMember(owner: string, name: string): boolean {
  return owner === 'Math' && name !== 'random';
}
