import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { declaringScope, isWritten } from './effects.ts';
import { isValueUse } from '../syntax/scopes.ts';

/**
 * A member of an object that a function writes out for itself, and of which it only ever reads members: nobody else has the object, so
 * nothing changes the member, whatever is called.
 */
export function isMemberOfOwnObject(value: ts.Expression): boolean {
  const tsc = compiler();
  if (!tsc.isPropertyAccessExpression(value) || !tsc.isIdentifier(value.expression)) return false;
  const { text } = value.expression;
  const scope = declaringScope(text, value);
  if (scope === undefined || tsc.isSourceFile(scope)) return false;
  const declared = ownObjectNamed(text, scope);
  const isPlain = declared?.properties.some(
    (one) => tsc.isPropertyAssignment(one) && tsc.isIdentifier(one.name) && one.name.text === value.name.text,
  );
  const isOtherwiseUsed = (node: ts.Node): boolean =>
    (tsc.isIdentifier(node) && node.text === text && isValueUse(node) && !isMemberRead(node)) ||
    (tsc.forEachChild(node, (child) => isOtherwiseUsed(child) || undefined) ?? false);
  return isPlain === true && !isOtherwiseUsed(scope);
}

/** What a constant of this name is, if it is an object written out with nothing but values, none of which can change it later. */
function ownObjectNamed(name: string, scope: ts.Node): ts.ObjectLiteralExpression | undefined {
  const tsc = compiler();
  const visit = (node: ts.Node): ts.ObjectLiteralExpression | undefined => {
    const isNamed = tsc.isVariableDeclaration(node) && tsc.isIdentifier(node.name) && node.name.text === name;
    if (isNamed && declaringScope(name, node) === scope) {
      const { initializer, parent } = node;
      const isConstant = (parent.flags & tsc.NodeFlags.Const) !== 0;
      return isConstant && initializer !== undefined && tsc.isObjectLiteralExpression(initializer)
        ? initializer
        : undefined;
    }
    return tsc.forEachChild(node, visit);
  };
  const found = visit(scope);
  return found?.properties.every((one) => tsc.isPropertyAssignment(one)) === true ? found : undefined;
}

/** `it.member`, neither set nor called: a method has the object as `this`. */
function isMemberRead(name: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = name;
  if (tsc.isVariableDeclaration(parent) && parent.name === name) return true;
  if (!tsc.isPropertyAccessExpression(parent) || parent.expression !== name) return false;
  const user = parent.parent;
  const isCalled = (tsc.isCallExpression(user) && user.expression === parent) || tsc.isTaggedTemplateExpression(user);
  return !isCalled && !isWritten(parent);
}
