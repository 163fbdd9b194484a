import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { isMemberOfOwnObject } from './ownObjects.ts';
import { isValueUse } from '../syntax/scopes.ts';
import { placeWritten } from './facts.ts';

/** Whether a variable of this name is given a value somewhere in the file, other than where it is declared. */
export function isAssigned(name: string, source: ts.SourceFile): boolean {
  return assignedIn(source).has(name);
}

/** A value that nothing changes as long as it could be read: a literal, a name that is given a value only once, a member nobody can reach. */
export function isStable(value: ts.Expression, source: ts.SourceFile): boolean {
  const tsc = compiler();
  if (isLiteral(value) || value.kind === tsc.SyntaxKind.ThisKeyword || isMemberOfOwnObject(value)) return true;
  return tsc.isIdentifier(value) && !isAssigned(value.text, source);
}

export function assignedIn(source: ts.SourceFile): Set<string> {
  const tsc = compiler();
  const known = assignedNames.get(source);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const collect = (target: ts.Node): void => {
    // What a variable holds may change without the variable.
    if (tsc.isPropertyAccessExpression(target) || tsc.isElementAccessExpression(target)) return;
    if (tsc.isIdentifier(target) && isValueUse(target)) found.add(target.text);
    tsc.forEachChild(target, collect);
  };
  const visit = (node: ts.Node): void => {
    const place = placeWritten(node);
    if (place !== undefined) collect(place);
    else if ((tsc.isForInStatement(node) || tsc.isForOfStatement(node)) && tsc.isExpression(node.initializer))
      collect(node.initializer);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  assignedNames.set(source, found);
  return found;
}

export function isLiteral(value: ts.Expression): boolean {
  const tsc = compiler();
  const { SyntaxKind } = tsc;
  return (
    tsc.isStringLiteralLike(value) ||
    tsc.isNumericLiteral(value) ||
    tsc.isBigIntLiteral(value) ||
    [SyntaxKind.TrueKeyword, SyntaxKind.FalseKeyword, SyntaxKind.NullKeyword].includes(value.kind) ||
    (tsc.isPrefixUnaryExpression(value) && tsc.isNumericLiteral(value.operand)) ||
    (tsc.isIdentifier(value) && value.text === 'undefined')
  );
}

export const assignedNames = new WeakMap<ts.SourceFile, Set<string>>();
