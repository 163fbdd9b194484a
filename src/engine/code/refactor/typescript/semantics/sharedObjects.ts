import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { enclosingFunction, isInLoopApartFrom, isWritten, withoutTypes } from './effects.ts';
import { changingMethods } from './facts.ts';

/**
 * Whether the one object that a declaration makes is something else than a new one each time: it is used in a loop or in another
 * function, and what is done to it there is known the next time. An object with something in it, handed on, is taken for a constant.
 */
export function isSharedObject(origin: ts.Expression, use: ts.Node, declaration: ts.Node): boolean {
  const isRepeated = enclosingFunction(use) !== enclosingFunction(declaration) || isInLoopApartFrom(use, declaration);
  return isRepeated && !isMerelyRead(use, withoutTypes(origin));
}

function isMerelyRead(use: ts.Node, value: ts.Expression): boolean {
  const tsc = compiler();
  const { parent } = use;
  if (isWritten(use)) return false;
  if (tsc.isParenthesizedExpression(parent) || tsc.isNonNullExpression(parent) || tsc.isAsExpression(parent))
    return isMerelyRead(parent, value);
  const isOwner =
    (tsc.isPropertyAccessExpression(parent) || tsc.isElementAccessExpression(parent)) && parent.expression === use;
  if (isOwner) {
    const { parent: user } = parent;
    const isCalled = tsc.isCallExpression(user) && user.expression === parent;
    if (isCalled) return tsc.isPropertyAccessExpression(parent) && !changesOwner(parent.name.text, value);
    return isMerelyRead(parent, value);
  }
  if (tsc.isReturnStatement(parent) || tsc.isArrowFunction(parent) || tsc.isSpreadElement(parent)) return true;
  if (tsc.isForOfStatement(parent) || tsc.isForInStatement(parent) || tsc.isSpreadAssignment(parent)) return true;
  return !isEmpty(value) && !isCounting(value);
}

/** Calling a method of an object that is written out may set its members; one of an array or a pattern is known. */
function changesOwner(method: string, value: ts.Expression): boolean {
  const tsc = compiler();
  if (tsc.isObjectLiteralExpression(value)) return /\bthis\b/.test(value.getText());
  return changingMethods.has(method) || isCounting(value);
}

/** A pattern that goes on where it ended the last time. */
function isCounting(value: ts.Expression): boolean {
  return compiler().isRegularExpressionLiteral(value) && /[gy][a-z]*$/.test(value.getText());
}

function isEmpty(value: ts.Expression): boolean {
  const tsc = compiler();
  if (tsc.isObjectLiteralExpression(value)) return value.properties.length === 0;
  return tsc.isArrayLiteralExpression(value) && value.elements.length === 0;
}
