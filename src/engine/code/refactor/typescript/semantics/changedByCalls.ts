import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import {
  declaringScope,
  enclosingFunction,
  isInLoopApartFrom,
  isWritten,
  membersOf,
  namesRead,
  readNames,
  writes,
  type ReadNames,
} from './effects.ts';
import { ownerChanged, placeWritten } from './facts.ts';
import { functionNamed, rootOf } from './loadOrder.ts';
import { because, type Reason } from '../../refusals/refuse.ts';

/**
 * Why a call between an expression and its later uses could change what the expression gives: it may run a function that sets a variable
 * that is read, or is handed an object whose members are read and changes them. What cannot be seen in the file is taken to change nothing.
 */
export function changedByCalls(
  expression: ts.Expression,
  uses: readonly ts.Node[],
  alsoRead: readonly string[],
): Reason | undefined {
  const tsc = compiler();
  const home = enclosingFunction(expression);
  // What is written anywhere counts already where the uses are in a loop or in another function.
  const isAnywhere = uses.some((use) => enclosingFunction(use) !== home || isInLoopApartFrom(use, expression));
  if (uses.length === 0 || isAnywhere) return undefined;
  const source = expression.getSourceFile();
  const names = readNames(namesRead(expression), expression);
  const members = new Set([...membersOf(expression), ...alsoRead]);
  const last = Math.max(...uses.map((use) => use.getStart()));
  const visit = (node: ts.Node): Reason | undefined => {
    const isBetween = node.getStart(source) >= expression.getEnd() && node.getEnd() <= last;
    const isPause = tsc.isAwaitExpression(node) || tsc.isYieldExpression(node);
    const isCall = tsc.isCallExpression(node) || tsc.isNewExpression(node);
    const why = isBetween && (isPause || isCall) ? setElsewhere(source, names, home, isPause) : undefined;
    return (
      why ??
      (isBetween && members.size > 0 && isCall ? changedWhereHanded(node, names) : undefined) ??
      (isBetween && members.size > 0 && tsc.isCallExpression(node)
        ? changedWhereCalled(node, names, members)
        : undefined) ??
      tsc.forEachChild(node, visit)
    );
  };
  return visit(source);
}

/** A variable that is set in another function than where it is read; in one around that, while something is awaited. */
function setElsewhere(
  source: ts.SourceFile,
  names: ReadNames,
  home: ts.Node | undefined,
  isPause: boolean,
): Reason | undefined {
  const tsc = compiler();
  const visit = (node: ts.Node): Reason | undefined => {
    if (tsc.isIdentifier(node) && names.has(node.text) && isWritten(node)) {
      const around = enclosingFunction(node);
      const isAround = around !== undefined && home !== undefined && around.pos <= home.pos && home.end <= around.end;
      const isOther = around !== undefined && around !== home && (isPause || !isAround);
      if (isOther && names.get(node.text) === declaringScope(node.text, node))
        return because('mayBeAssignedBetween', { name: node.text });
    }
    return tsc.forEachChild(node, visit);
  };
  return visit(source);
}

function changedWhereHanded(call: ts.CallExpression | ts.NewExpression, names: ReadNames): Reason | undefined {
  const tsc = compiler();
  const { expression: callee } = call;
  const index = (call.arguments ?? []).findIndex((one) => tsc.isIdentifier(one) && names.has(one.text));
  if (index === -1 || !tsc.isIdentifier(callee) || !changesParameter(callee, index, new Set())) return undefined;
  return because('changedBetween', { callee: callee.text, argument: call.arguments?.[index]?.getText() ?? '' });
}

/** Whether a function of the file changes members of what it is handed, itself or by another function of the file. */
function changesParameter(callee: ts.Identifier, index: number, seen: Set<string>): boolean {
  const tsc = compiler();
  const called = functionNamed(callee.getSourceFile(), callee.text);
  const parameter = called !== undefined && tsc.isFunctionLike(called) ? called.parameters[index]?.name : undefined;
  if (called === undefined || parameter === undefined || !tsc.isIdentifier(parameter) || seen.has(callee.text))
    return false;
  seen.add(callee.text);
  const isIt = (node: ts.Node): boolean => rootOf(node)?.text === parameter.text;
  const visit = (node: ts.Node): boolean => {
    const place = placeWritten(node);
    const owner = ownerChanged(node);
    if (place !== undefined && !tsc.isIdentifier(place) && isIt(place)) return true;
    if (owner !== undefined && isIt(owner)) return true;
    if (tsc.isCallExpression(node)) {
      const { expression } = node;
      const further = node.arguments.findIndex((one) => tsc.isIdentifier(one) && one.text === parameter.text);
      if (further !== -1 && tsc.isIdentifier(expression) && changesParameter(expression, further, seen)) return true;
    }
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(called);
}

/** A function or method of the file that a call runs, itself or by another one, sets a member that is read. */
function changedWhereCalled(
  call: ts.CallExpression,
  names: ReadNames,
  members: ReadonlySet<string>,
  seen = new Set<ts.Node>(),
): Reason | undefined {
  const tsc = compiler();
  const visit = (node: ts.Node): Reason | undefined =>
    writes(node, names, members) ??
    (tsc.isCallExpression(node) ? changedWhereCalled(node, names, members, seen) : undefined) ??
    tsc.forEachChild(node, visit);
  for (const called of calledBy(call)) {
    if (seen.has(called)) continue;
    seen.add(called);
    const why = visit(called);
    if (why !== undefined) return why;
  }
  return undefined;
}

function calledBy({ expression: callee }: ts.CallExpression): ts.Node[] {
  const tsc = compiler();
  const source = callee.getSourceFile();
  if (tsc.isIdentifier(callee)) return [functionNamed(source, callee.text)].filter((one) => one !== undefined);
  if (!tsc.isPropertyAccessExpression(callee)) return [];
  const name = callee.name.text;
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isMethodDeclaration(node) && node.name.getText(source) === name) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
