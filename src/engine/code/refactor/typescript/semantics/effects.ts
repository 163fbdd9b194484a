import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { placeWritten } from './facts.ts';
import { freeNames, isValueUse, scopeDeclares } from '../syntax/scopes.ts';
import { because, type Reason } from '../../refusals/refuse.ts';

/** Whether evaluating an expression can do something, or take something from outside that differs from time to time. */
export function hasEffects(root: ts.Node): boolean {
  return doesSomething(root, true);
}

/** The same, where an element is nothing but its parts. */
export function hasPlainEffects(root: ts.Node): boolean {
  return doesSomething(root, false);
}

function doesSomething(root: ts.Node, countsElements: boolean): boolean {
  const tsc = compiler();
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    // What a function does happens when it is called, not when it is written down.
    if (tsc.isFunctionLike(node)) return;
    const isElement = tsc.isJsxElement(node) || tsc.isJsxSelfClosingElement(node);
    found = tsc.isCallExpression(node) || (actsItself(node) && (countsElements || !isElement));
    if (!found) tsc.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** Whether a node does something by itself, whatever its parts do, and is no mere call. */
export function actsItself(node: ts.Node): boolean {
  const tsc = compiler();
  return (
    tsc.isNewExpression(node) ||
    tsc.isAwaitExpression(node) ||
    tsc.isYieldExpression(node) ||
    tsc.isTaggedTemplateExpression(node) ||
    placeWritten(node) !== undefined ||
    tsc.isJsxElement(node) ||
    tsc.isJsxSelfClosingElement(node)
  );
}

/** Whether an expression makes a new object each time, or may: used twice, it would be two objects. */
export function makesIdentity(root: ts.Expression): boolean {
  const tsc = compiler();
  const value = withoutTypes(root);
  if (tsc.isConditionalExpression(value)) return makesIdentity(value.whenTrue) || makesIdentity(value.whenFalse);
  if (tsc.isBinaryExpression(value) && /^(?:&&|\|\||\?\?|,)$/.test(value.operatorToken.getText()))
    return makesIdentity(value.left) || makesIdentity(value.right);
  return isNewObject(value);
}

export function isNewObject(root: ts.Expression): boolean {
  const tsc = compiler();
  const value = withoutTypes(root);
  return (
    tsc.isObjectLiteralExpression(value) ||
    tsc.isArrayLiteralExpression(value) ||
    tsc.isClassExpression(value) ||
    tsc.isRegularExpressionLiteral(value) ||
    tsc.isFunctionExpression(value) ||
    tsc.isArrowFunction(value)
  );
}

/** A value without parentheses, and without what only the compiler reads. */
export function withoutTypes(root: ts.Expression): ts.Expression {
  const tsc = compiler();
  const isWrapped =
    tsc.isParenthesizedExpression(root) ||
    tsc.isAsExpression(root) ||
    tsc.isSatisfiesExpression(root) ||
    tsc.isTypeAssertionExpression(root) ||
    tsc.isNonNullExpression(root);
  return isWrapped ? withoutTypes(root.expression) : root;
}

/** Whether something is assigned to, counted or deleted there, also as part of a pattern. */
export function isWritten(node: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = node;
  if (
    tsc.isArrayLiteralExpression(parent) ||
    tsc.isObjectLiteralExpression(parent) ||
    tsc.isSpreadElement(parent) ||
    tsc.isSpreadAssignment(parent) ||
    tsc.isShorthandPropertyAssignment(parent) ||
    tsc.isParenthesizedExpression(parent) ||
    tsc.isNonNullExpression(parent) ||
    (tsc.isPropertyAssignment(parent) && parent.initializer === node)
  )
    return isWritten(parent);
  return (
    placeWritten(parent) === node ||
    ((tsc.isForOfStatement(parent) || tsc.isForInStatement(parent)) && parent.initializer === node)
  );
}

/**
 * Why reading an expression later than where it stands could give something else: a variable or property it reads is written
 * somewhere between the two places, or anywhere when the later place is in a loop or another function.
 */
export function writtenBetween(
  expression: ts.Expression,
  uses: readonly ts.Node[],
  alsoRead: readonly string[] = [],
): Reason | undefined {
  if (uses.length === 0) return undefined;
  const tsc = compiler();
  const source = expression.getSourceFile();
  const names = readNames(namesRead(expression), expression);
  const members = new Set([...membersOf(expression), ...alsoRead]);
  const home = enclosingFunction(expression);
  // What holds the last use, a call or an assignment, happens after it.
  const last = Math.max(...uses.map((use) => use.getStart()));
  const anywhere = uses.some((use) => enclosingFunction(use) !== home || isInLoopApartFrom(use, expression));
  let why: Reason | undefined;
  const visit = (node: ts.Node): void => {
    if (why !== undefined) return;
    const isBetween = anywhere || (node.getStart(source) >= expression.getEnd() && node.getEnd() <= last);
    if (isBetween) why = writes(node, names, members);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return why;
}

/** Whether running some code could change what an expression reads; code that calls anything may change any member. */
export function writtenWithin(code: ts.Node, expression: ts.Expression): boolean {
  const tsc = compiler();
  const names = readNames(freeNames(expression), expression);
  const members = membersOf(expression);
  let found = false;
  const visit = (node: ts.Node): void => {
    found ||= (members.size > 0 && tsc.isCallExpression(node)) || writes(node, names, members) !== undefined;
    if (!found) tsc.forEachChild(node, visit);
  };
  visit(code);
  return found;
}

/** The free names of an expression, without those that only its functions read. */
export function namesRead(expression: ts.Expression): Set<string> {
  const tsc = compiler();
  const read = new Set<string>();
  const collect = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node)) return;
    if (tsc.isIdentifier(node)) read.add(node.text);
    tsc.forEachChild(node, collect);
  };
  collect(expression);
  return new Set([...freeNames(expression)].filter((name) => read.has(name)));
}

/** The names of the members an expression reads; `[]` stands for any element. */
export function membersOf(expression: ts.Expression): Set<string> {
  const tsc = compiler();
  const members = new Set<string>();
  // What a function in it reads, it reads when it is called, wherever it was made.
  const collect = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node)) return;
    if (tsc.isPropertyAccessExpression(node)) members.add(node.name.text);
    if (tsc.isElementAccessExpression(node)) members.add('[]');
    tsc.forEachChild(node, collect);
  };
  collect(expression);
  return members;
}

/** Names that are read, with the scopes they are declared in: elsewhere another variable may be called the same. */
export type ReadNames = ReadonlyMap<string, ts.Node | undefined>;

export function readNames(names: Iterable<string>, expression: ts.Expression): ReadNames {
  return new Map([...names].map((name) => [name, declaringScope(name, expression)]));
}

export function declaringScope(name: string, node: ts.Node): ts.Node | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) if (scopeDeclares(at, name)) return at;
  return undefined;
}

/** Why a node, by itself, changes a variable or member that is read. */
export function writes(node: ts.Node, names: ReadNames, members: ReadonlySet<string>): Reason | undefined {
  const tsc = compiler();
  const isRead = (one: ts.Identifier): boolean =>
    names.has(one.text) && names.get(one.text) === declaringScope(one.text, one);
  const target = placeWritten(node);
  if (tsc.isCallExpression(node) && tsc.isPropertyAccessExpression(node.expression) && members.size > 0) {
    // A method called on an object whose members are read may change them.
    const base = node.expression.expression;
    if (tsc.isIdentifier(base) && isRead(base))
      return because('calledBetween', { object: base.text, method: node.expression.name.text });
    if (base.kind === tsc.SyntaxKind.ThisKeyword && members.size > 0)
      return because('calledOnThisBetween', { method: node.expression.name.text });
  }
  if (target === undefined) return undefined;
  let why: Reason | undefined;
  const visit = (part: ts.Node): void => {
    if (tsc.isIdentifier(part) && isValueUse(part) && isRead(part)) {
      const isWhole = part === target || !tsc.isPropertyAccessExpression(part.parent);
      if (isWhole) why ??= because('assignedBetween', { name: part.text });
    }
    if (tsc.isPropertyAccessExpression(part) && members.has(part.name.text))
      why ??= because('memberAssignedBetween', { name: part.name.text });
    if (tsc.isElementAccessExpression(part) && members.size > 0) why ??= because('elementAssignedBetween');
    tsc.forEachChild(part, visit);
  };
  visit(target);
  return why;
}

export function enclosingFunction(node: ts.Node): ts.Node | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (compiler().isFunctionLike(at)) return at;
  return undefined;
}

export function isInLoopApartFrom(use: ts.Node, home: ts.Node): boolean {
  const tsc = compiler();
  for (let at: ts.Node | undefined = use; at !== undefined; at = at.parent) {
    if (at.pos <= home.pos && home.end <= at.end) return false;
    if (tsc.isIterationStatement(at, false)) return true;
  }
  return false;
}
