import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { actsItself, declaringScope, hasEffects, makesIdentity } from './effects.ts';
import { harmlessFunctions, isHarmlessMember } from './facts.ts';
import { functionNamed } from './loadOrder.ts';
import { freeNames, isShadowed } from '../syntax/scopes.ts';

/**
 * Like `hasEffects`, but what calls nothing else than functions that only work out a value of what they are given does nothing: those
 * of the language that are known for it, and those of the file that can be seen through.
 */
export function doesSomething(root: ts.Node): boolean {
  return hasEffects(root) && !isWorkedOut(root, new Set());
}

/** Whether all calls in some code are of such functions, and it does nothing else either. */
function isWorkedOut(root: ts.Node, seen: Set<ts.Node>): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (tsc.isFunctionLike(node) && node !== root) return true;
    if (tsc.isCallExpression(node)) {
      const isKnown = isOfLanguage(node.expression) || isSeenThrough(node.expression, seen);
      return isKnown && node.questionDotToken === undefined && node.arguments.every(visit);
    }
    return !actsItself(node) && (tsc.forEachChild(node, (child) => !visit(child) || undefined) ?? false) === false;
  };
  return visit(root);
}

function isOfLanguage(callee: ts.Expression): boolean {
  const tsc = compiler();
  if (tsc.isIdentifier(callee))
    return harmlessFunctions.has(callee.text) && declaringScope(callee.text, callee) === undefined;
  return (
    tsc.isPropertyAccessExpression(callee) &&
    tsc.isIdentifier(callee.expression) &&
    isHarmlessMember(callee.expression.text, callee.name.text) &&
    declaringScope(callee.expression.text, callee) === undefined
  );
}

/** A function of the file that returns a plain value made of its parameters and nothing else. */
function isSeenThrough(callee: ts.Expression, seen: Set<ts.Node>): boolean {
  const tsc = compiler();
  if (!tsc.isIdentifier(callee)) return false;
  const source = callee.getSourceFile();
  const called = functionNamed(source, callee.text);
  if (called === undefined || isShadowed(callee.text, callee, source) || seen.has(called)) return false;
  seen.add(called);
  if (!tsc.isFunctionDeclaration(called) && !tsc.isArrowFunction(called) && !tsc.isFunctionExpression(called))
    return false;
  const isPlain = called.asteriskToken === undefined && !called.modifiers?.some(isAsync);
  const { body } = called;
  const value = body !== undefined && tsc.isBlock(body) ? onlyReturned(body) : body;
  if (!isPlain || value === undefined || makesIdentity(value)) return false;
  const own = new Set(called.parameters.map((one) => one.name.getText()));
  const known = (name: string): boolean => own.has(name) || harmlessFunctions.has(name) || name === 'Math';
  return (
    called.parameters.every((one) => one.initializer === undefined) &&
    [...freeNames(value)].every((name) => known(name) || functionNamed(source, name) !== undefined) &&
    isWorkedOut(value, seen)
  );
}

function isAsync({ kind }: ts.ModifierLike): boolean {
  return kind === compiler().SyntaxKind.AsyncKeyword;
}

function onlyReturned({ statements }: ts.Block): ts.Expression | undefined {
  const [only] = statements;
  return statements.length === 1 && only !== undefined && compiler().isReturnStatement(only)
    ? only.expression
    : undefined;
}
