import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { isOrderSeen } from '../semantics/callOrder.ts';
import {
  hasEffects,
  hasPlainEffects,
  isWritten,
  makesIdentity,
  membersOf,
  writtenWithin,
} from '../semantics/effects.ts';
import { isAssignmentOperator } from '../semantics/facts.ts';
import { freeNames, scopeDeclares } from '../syntax/scopes.ts';
import { mayFail } from '../semantics/sharedValue.ts';
import { because } from '../../refusals/refuse.ts';

/** Why a variable that is set before the statement cannot stand for the selected expression, or undefined when it can. */
export function whyNoVariable(selected: ts.Expression): string | undefined {
  if (isWritten(selected)) return because('placeNotValue');
  if (isCalledMember(selected)) return because('methodWithoutObject');
  if (isMaybeMissing(selected)) return because('typeofAsksExistence');
  return isPartOfChain(selected) ? because('partOfChain') : whyNotBeforehand(selected);
}

/** `typeof name` may ask for what does not exist, unless the file itself declares it. */
function isMaybeMissing(node: ts.Node): boolean {
  const tsc = compiler();
  if (!tsc.isIdentifier(node) || !tsc.isTypeOfExpression(node.parent)) return false;
  const isAmbient = node
    .getSourceFile()
    .statements.some(
      (one) =>
        tsc.canHaveModifiers(one) &&
        (tsc.getModifiers(one)?.some((each) => each.kind === tsc.SyntaxKind.DeclareKeyword) ?? false) &&
        new RegExp(`\\b${node.text.replaceAll('$', '\\$')}\\b`).test(one.getText()),
    );
  for (let scope: ts.Node | undefined = node; scope !== undefined; scope = scope.parent)
    if (scopeDeclares(scope, node.text)) return isAmbient && tsc.isSourceFile(scope);
  return true;
}

/** Whether an expression cannot be taken out of its place at all: `a?.b` of `a?.b.c` decides whether the rest is looked at. */
export function isPartOfChain(selected: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = selected;
  return (
    tsc.isOptionalChain(selected) &&
    tsc.isOptionalChain(parent) &&
    (tsc.isNonNullChain(parent) || parent.questionDotToken === undefined) &&
    parent.expression === selected
  );
}

/** A member that is called gets its object with the call; a variable has none. */
export function isCalledMember(node: ts.Node): boolean {
  const tsc = compiler();
  if (!tsc.isPropertyAccessExpression(node) && !tsc.isElementAccessExpression(node)) return false;
  let called: ts.Node = node;
  while (tsc.isNonNullExpression(called.parent) || tsc.isParenthesizedExpression(called.parent)) called = called.parent;
  const { parent } = called;
  return (
    (tsc.isCallExpression(parent) && parent.expression === called) ||
    (tsc.isTaggedTemplateExpression(parent) && parent.tag === called)
  );
}

/** Within its statement an expression may be evaluated again and again, or only sometimes; before the statement it is evaluated once. */
function whyNotBeforehand(selected: ts.Expression): string | undefined {
  const tsc = compiler();
  for (let at: ts.Node = selected; at.parent !== undefined; at = at.parent) {
    if (tsc.isFunctionLike(at) || tsc.isBlock(at) || tsc.isClassElement(at)) return undefined;
    const { parent } = at;
    const why =
      whyNotAgain(selected, at, parent) ??
      whyNotAlways(selected, at, parent) ??
      whyNotOnce(selected, at, parent) ??
      whyNotFirst(selected, at, parent);
    if (why !== undefined) return why;
    if (tsc.isStatement(parent)) return undefined;
  }
  return undefined;
}

function whyNotAgain(selected: ts.Expression, part: ts.Node, loop: ts.Node): string | undefined {
  const tsc = compiler();
  const isRepeated =
    (tsc.isForStatement(loop) && (loop.condition === part || loop.incrementor === part)) ||
    ((tsc.isWhileStatement(loop) || tsc.isDoStatement(loop)) && loop.expression === part);
  if (!isRepeated) return undefined;
  const names = freeNames(selected);
  const isCounted =
    tsc.isForStatement(loop) &&
    loop.initializer !== undefined &&
    tsc.isVariableDeclarationList(loop.initializer) &&
    loop.initializer.declarations.some(({ name }) => tsc.isIdentifier(name) && names.has(name.text));
  return isCounted || hasEffects(selected) || writtenWithin(loop, selected) ? because('loopEvaluatesAgain') : undefined;
}

/** What is evaluated before the selection now would come after it, and may change what it gives. */
function whyNotFirst(selected: ts.Expression, part: ts.Node, parent: ts.Node): string | undefined {
  const tsc = compiler();
  if (tsc.isStatement(parent) || tsc.isFunctionLike(parent)) return undefined;
  if (isAssignedAfter(selected, part, parent)) return undefined;
  let before: ts.Node | undefined;
  tsc.forEachChild(parent, (child) => {
    const isBefore = child.end <= part.pos;
    if (isBefore && (changesWhatIsRead(child, selected) || isOrderSeen(child, selected))) before ??= child;
  });
  return before === undefined ? undefined : because('evaluatedBefore', { text: shortly(before) });
}

/** Names are assigned to when the value has been evaluated; those that are read as well must not be changed by the selection. */
function isAssignedAfter(selected: ts.Expression, part: ts.Node, parent: ts.Node): boolean {
  const tsc = compiler();
  if (!tsc.isBinaryExpression(parent) || parent.right !== part || !isWritten(parent.left)) return false;
  const isPattern = tsc.isArrayLiteralExpression(parent.left) || tsc.isObjectLiteralExpression(parent.left);
  if (!tsc.isIdentifier(parent.left) && !isPattern) return false;
  return parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken || !hasEffects(selected);
}

function changesWhatIsRead(code: ts.Node, selected: ts.Expression): boolean {
  const tsc = compiler();
  const names = freeNames(selected);
  const called = calleesIn(selected);
  const isWaiting = tsc.isAwaitExpression(selected) || tsc.isYieldExpression(selected);
  const visit = (node: ts.Node): boolean => {
    if (tsc.isFunctionLike(node)) return false;
    if (tsc.isCallExpression(node) && (isWaiting || called.has(node.expression.getText()))) return true;
    if (tsc.isIdentifier(node) && isWritten(node) && (isWaiting || names.has(node.text))) return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(code);
}

/** What an expression calls: calling it twice may give two things. */
function calleesIn(expression: ts.Expression): Set<string> {
  const tsc = compiler();
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node)) return;
    if (tsc.isCallExpression(node)) found.add(node.expression.getText());
    tsc.forEachChild(node, visit);
  };
  visit(expression);
  return found;
}

function whyNotAlways(selected: ts.Expression, part: ts.Node, parent: ts.Node): string | undefined {
  const tsc = compiler();
  const guard = guardOf(part, parent);
  if (guard === undefined) return undefined;
  if (hasPlainEffects(selected)) return because('onlyDependingOn', { text: shortly(guard) });
  if (!mayFail(selected)) return undefined;
  if (tsc.isBinaryExpression(parent) && isAssignmentOperator(parent.operatorToken.kind)) return undefined;
  const names = freeNames(selected);
  return [...freeNames(guard)].some((name) => names.has(name))
    ? because('guardDecides', { text: shortly(guard) })
    : undefined;
}

/** What decides whether this operand is evaluated. */
function guardOf(part: ts.Node, parent: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  if (tsc.isConditionalExpression(parent)) return parent.condition === part ? undefined : parent.condition;
  if (tsc.isCaseClause(parent))
    return parent.parent.clauses.find(tsc.isCaseClause) === parent ? undefined : parent.parent.parent.expression;
  if (tsc.isBindingElement(parent)) return parent.initializer === part ? parent.name : undefined;
  if (isChainedPart(parent)) return parent.expression === part ? undefined : parent.expression;
  if (!tsc.isBinaryExpression(parent) || parent.right !== part) return undefined;
  return /^(?:&&|\|\||\?\?)=?$/.test(parent.operatorToken.getText()) ? parent.left : undefined;
}

/** `a?.[part]`, `a?.(part)`. */
function isChainedPart(node: ts.Node): node is ts.CallChain | ts.ElementAccessChain {
  const tsc = compiler();
  return tsc.isOptionalChain(node) && (tsc.isCallExpression(node) || tsc.isElementAccessExpression(node));
}

/** The default of a parameter is worked out at each call; before the function, it would be once. */
function whyNotOnce(selected: ts.Expression, part: ts.Node, parent: ts.Node): string | undefined {
  if (!compiler().isParameter(parent) || parent.initializer !== part) return undefined;
  return hasEffects(selected) || makesIdentity(selected) || membersOf(selected).size > 0
    ? because('defaultAtEachCall', { name: shortly(parent.name) })
    : undefined;
}

function shortly(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
