import type ts from 'typescript-classic';
import { compiler } from '../../syntax/compiler.ts';

/** The name under which a module exports what stands at a token, when it is the same name. */
export function exportedName(token: ts.Node, name: string): ts.Node | undefined {
  const tsc = compiler();
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return undefined;
  if (tsc.isShorthandPropertyAssignment(parent)) return isModuleExports(parent.parent) ? parent.name : undefined;
  if (tsc.isPropertyAssignment(parent) && tsc.isIdentifier(parent.name) && parent.name.text === name)
    return isModuleExports(parent.parent) ? parent.name : undefined;
  const assignment = tsc.isPropertyAccessExpression(parent) ? parent.parent : parent;
  if (
    tsc.isBinaryExpression(assignment) &&
    assignment.operatorToken.kind === tsc.SyntaxKind.EqualsToken &&
    (assignment.right === token || assignment.left === parent) &&
    tsc.isPropertyAccessExpression(assignment.left) &&
    isExports(assignment.left.expression) &&
    assignment.left.name.text === name
  )
    return assignment.left.name;
  return undefined;
}

function isModuleExports(literal: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = literal;
  if (!tsc.isObjectLiteralExpression(literal)) return false;
  if (tsc.isBinaryExpression(parent)) return parent.right === literal && isExports(parent.left);
  const [to] = tsc.isCallExpression(parent) ? parent.arguments : [];
  return (
    tsc.isCallExpression(parent) &&
    parent.expression.getText() === 'Object.assign' &&
    to !== undefined &&
    to !== literal &&
    isExports(to)
  );
}

function isExports(node: ts.Node): boolean {
  return /^(?:module\.)?exports$/.test(node.getText());
}

/** Where a module itself asks for one of its exports: `exports.name`, or `this.name` in a function that is exported beside it. */
export function ownUses(exported: ts.Node, name: string): ts.Node[] {
  const tsc = compiler();
  const literal = tsc.findAncestor(exported, tsc.isObjectLiteralExpression);
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = tsc.isPropertyAccessExpression(node) && node.name.text === name;
    const isOwn =
      isNamed &&
      (isExports(node.expression) ||
        (node.expression.kind === tsc.SyntaxKind.ThisKeyword && thisHolder(node)?.parent === literal));
    if (isOwn && node.name !== exported) found.push(node.name);
    tsc.forEachChild(node, visit);
  };
  visit(exported.getSourceFile());
  return found;
}

/** The member of an object that `this` stands in. */
function thisHolder(node: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  const holder = tsc.findAncestor(node, (one) => tsc.isFunctionLike(one) && !tsc.isArrowFunction(one));
  return holder !== undefined && tsc.isPropertyAssignment(holder.parent) ? holder.parent : holder;
}
