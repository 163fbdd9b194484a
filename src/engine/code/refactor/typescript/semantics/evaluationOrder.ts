import type ts from 'typescript-classic';
import { isAssigned, isStable } from './stableValues.ts';
import { compiler } from '../syntax/compiler.ts';
import { hasEffects } from './effects.ts';

/** Whether nothing that could change, or be changed by, an expression is evaluated before it in a piece of code. */
export function isEvaluatedFirst(node: ts.Node, root: ts.Node): boolean {
  const tsc = compiler();
  const source = node.getSourceFile();
  if (isEvaluatedLater(node, root)) return false;
  for (let at: ts.Node = node; at !== root; at = at.parent) {
    const { parent } = at;
    const isSetAfterwards =
      tsc.isBinaryExpression(parent) &&
      parent.right === at &&
      parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken &&
      (tsc.isIdentifier(parent.left) ||
        (tsc.isPropertyAccessExpression(parent.left) && isTimeless(parent.left.expression)));
    let isFirst = true;
    tsc.forEachChild(parent, (sibling) => {
      if (sibling.getStart(source) >= at.getStart(source) || sibling === at || isSetAfterwards) return;
      if (tsc.isVariableDeclaration(parent) && parent.name === sibling && tsc.isIdentifier(sibling)) return;
      const isSign = sibling.kind >= tsc.SyntaxKind.FirstPunctuation && sibling.kind <= tsc.SyntaxKind.LastPunctuation;
      if (tsc.isTypeNode(sibling) || tsc.isModifier(sibling) || isSign) return;
      if (tsc.isVariableDeclarationList(sibling) && tsc.isIterationStatement(parent, false)) return;
      if (tsc.isPropertyAssignment(parent) && parent.name === sibling && !tsc.isComputedPropertyName(sibling)) return;
      if (!isTimeless(sibling) && !isHarmless(sibling)) isFirst = false;
    });
    if (!isFirst) return false;
  }
  return true;
}

/** Made of literals and of names that are given a value only once. */
function isHarmless(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isFunctionLike(node)) return true;
  if (tsc.isPropertyAssignment(node)) return isHarmless(node.initializer) || isTimeless(node.initializer);
  if (tsc.isShorthandPropertyAssignment(node)) return isHarmless(node.name);
  if (tsc.isObjectLiteralExpression(node) || tsc.isArrayLiteralExpression(node) || tsc.isTemplateExpression(node))
    return tsc.forEachChild(node, (child) => !(isHarmless(child) || isTimeless(child)) || undefined) === undefined;
  if (tsc.isIdentifier(node)) return !isAssigned(node.text, node.getSourceFile());
  return tsc.isLiteralExpression(node) || tsc.isTemplateHead(node);
}

/** Reading it sooner or later makes no difference. */
function isTimeless(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isExpression(node) && isStable(node, node.getSourceFile())) return true;
  return (
    tsc.isPropertyAccessExpression(node) &&
    isTimeless(node.expression) &&
    tsc.isCallExpression(node.parent) &&
    node.parent.expression === node
  );
}

/** Whether something that does anything comes before a part of an expression. What holds the part is done after it. */
export function hasEffectsBefore(node: ts.Node, root: ts.Node): boolean {
  let found = false;
  for (let at = node; at !== root && at.parent !== undefined && !found; at = at.parent)
    compiler().forEachChild(at.parent, (sibling) => {
      found ||= sibling.end <= at.pos && hasEffects(sibling);
    });
  return found;
}

/** Whether a part of an expression is evaluated only in some cases, or when a function in it is called. */
export function isEvaluatedLater(node: ts.Node, root: ts.Node): boolean {
  const tsc = compiler();
  for (let at = node; at !== root && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (tsc.isFunctionLike(parent) || tsc.isClassLike(parent)) return true;
    if (tsc.isConditionalExpression(parent) && parent.condition !== at) return true;
    if (
      tsc.isBinaryExpression(parent) &&
      parent.right === at &&
      /^(?:&&|\|\||\?\?)=?$/.test(parent.operatorToken.getText())
    )
      return true;
    const isOptional =
      (tsc.isPropertyAccessExpression(parent) ||
        tsc.isElementAccessExpression(parent) ||
        tsc.isCallExpression(parent)) &&
      (parent.flags & tsc.NodeFlags.OptionalChain) !== 0 &&
      parent.expression !== at;
    if (isOptional) return true;
  }
  return false;
}

export function isInFunction(node: ts.Node, root: ts.Node): boolean {
  const tsc = compiler();
  for (let at = node; at !== root && at.parent !== undefined; at = at.parent)
    if (tsc.isFunctionLike(at.parent)) return true;
  return false;
}
