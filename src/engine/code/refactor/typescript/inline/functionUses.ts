import type ts from 'typescript-classic';
import { displayPath } from '../../../../../base/paths.ts';
import { lineOf } from '../syntax/lines.ts';
import { isAssigned } from '../semantics/stableValues.ts';
import { namespaceNames, type Callee, type MemberFunction } from './callee.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { isWritten } from '../semantics/effects.ts';
import { isEvaluatedFirst } from '../semantics/evaluationOrder.ts';
import { isNameAt, type Uses } from './otherFiles.ts';
import type { Reference } from '../servers/references.ts';
import { isShadowed, isValueUse, scopeOf } from '../syntax/scopes.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/** One use of a function. */
export interface Use {
  /** What gives way: the call, what awaits it, or the function's name where it is a value. */
  node: ts.Expression;
  /** Undefined where the function is used as a value. */
  call?: ts.CallExpression;
  /** What a method is called on. */
  receiver?: string;
  /** It is no plain name, and may be written only in place of the one `this` that is evaluated before anything else. */
  isReceiverOnce?: boolean;
  /** An async function that returns it waits for it by itself. */
  isReturned?: boolean;
}

export function useOf(callee: Callee, node: ts.Expression): Use {
  const tsc = compiler();
  const { parent } = node;
  if (tsc.isGetAccessorDeclaration(callee.declaration)) {
    if (isWritten(node)) throw refuse('functionAssigned', { line: lineOf(node) });
    return { node, call: readAsCall(node), ...receiverOf(callee, node) };
  }
  if (!tsc.isCallExpression(parent) || parent.expression !== node) {
    if (tsc.isMethodDeclaration(callee.declaration)) throw refuse('notOnlyCalled', { line: lineOf(node) });
    return { node };
  }
  if (parent.questionDotToken !== undefined) throw refuse('optionalCall', { line: lineOf(node) });
  const receiver = tsc.isMethodDeclaration(callee.declaration)
    ? receiverOf(callee, node)
    : tsc.isPropertyAccessExpression(node) && namespaceNames(callee) !== undefined
      ? { receiver: node.expression.getText() }
      : {};
  if (!callee.isAsync) return { node: parent, call: parent, ...receiver };
  if (isReturnedAsync(parent)) return { node: parent, call: parent, isReturned: true, ...receiver };
  if (!tsc.isAwaitExpression(parent.parent)) throw refuse('asyncNotAwaited', { line: lineOf(node) });
  return { node: parent.parent, call: parent, ...receiver };
}

/** Whether an async function returns a call. Inside of `try` it would catch what the call throws, had it waited for it. */
function isReturnedAsync(call: ts.CallExpression): boolean {
  const tsc = compiler();
  const { parent } = call;
  const isReturned = tsc.isReturnStatement(parent) || (tsc.isArrowFunction(parent) && parent.body === call);
  const around = tsc.findAncestor(call, (node) => tsc.isFunctionLike(node) || tsc.isTryStatement(node));
  if (!isReturned || around === undefined || !tsc.isFunctionLike(around)) return false;
  const isGenerator = 'asteriskToken' in around && around.asteriskToken !== undefined;
  return !isGenerator && (tsc.getCombinedModifierFlags(around) & tsc.ModifierFlags.Async) !== 0;
}

/** `box.area`, as if it were `box.area()`. */
function readAsCall(node: ts.Expression): ts.CallExpression {
  const tsc = compiler();
  const call = tsc.factory.createCallExpression(node, undefined, []);
  return Object.assign(tsc.setTextRange(call, node), { parent: node.parent });
}

function receiverOf(callee: Callee, node: ts.Expression): Pick<Use, 'receiver' | 'isReceiverOnce'> {
  const tsc = compiler();
  if (!tsc.isPropertyAccessExpression(node) || node.questionDotToken !== undefined)
    throw refuse('notOnlyCalled', { line: lineOf(node) });
  const { expression } = node;
  if (expression.kind === tsc.SyntaxKind.ThisKeyword) return { receiver: 'this' };
  if (tsc.isIdentifier(expression) && !isAssigned(expression.text, expression.getSourceFile()))
    return { receiver: expression.text };
  const own = callee.expression === undefined ? [] : thisWithin(callee.expression);
  const [only] = own;
  if (
    callee.expression === undefined ||
    only === undefined ||
    own.length > 1 ||
    !isEvaluatedFirst(only, callee.expression)
  )
    throw refuse('calledOnExpression', { line: lineOf(node) });
  if (tsc.isOptionalChain(expression) || expression.kind === tsc.SyntaxKind.SuperKeyword)
    throw refuse('optionalOrSuperCall', { line: lineOf(node) });
  return { receiver: expression.getText(), isReceiverOnce: true };
}

function thisWithin(root: ts.Node): ts.Node[] {
  const tsc = compiler();
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === tsc.SyntaxKind.ThisKeyword) found.push(node);
    if (!tsc.isFunctionLike(node) || tsc.isArrowFunction(node)) tsc.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** The places where a method is called. Another declaration of it means that not every call need come here. */
export function methodUses(
  service: TypeScriptService,
  references: readonly Reference[],
  declaration: MemberFunction,
): Uses {
  const tsc = compiler();
  const home = declaration.getSourceFile();
  const sources = new Map([[home.fileName, home]]);
  const nodes: ts.Expression[] = [];
  if (tsc.isObjectLiteralExpression(declaration.parent)) refuseUnlessOwn(declaration.parent);
  for (const { path, offset, line } of references) {
    if (path === home.fileName && offset === declaration.name.getStart(home)) continue;
    const file = sources.get(path) ?? parse(path, service.textNow(path) ?? '');
    sources.set(path, file);
    const token = tokenAt(file, offset);
    if (!isNameAt(token, offset)) continue;
    const { parent } = token;
    if (tsc.isPropertyAccessExpression(parent)) nodes.push(parent);
    else throw refuse('declaredOrUsedElsewhere', { path: displayPath(service.project.root, path), line });
  }
  return { nodes, imports: [], isPassedOn: false, sources };
}

/** A member of an object may go only when nobody has the object itself: it is a constant that is asked for its members. */
function refuseUnlessOwn(literal: ts.ObjectLiteralExpression): void {
  const tsc = compiler();
  const holder = literal.parent;
  const list = tsc.isVariableDeclaration(holder) ? holder.parent : undefined;
  const isConstant = list !== undefined && (list.flags & tsc.NodeFlags.Const) !== 0;
  if (!isConstant || !tsc.isVariableDeclaration(holder) || !tsc.isIdentifier(holder.name))
    throw refuse('objectNotConstant');
  const refused = refuse('objectUsedWhole', { name: holder.name.text });
  if ((tsc.getCombinedModifierFlags(holder) & tsc.ModifierFlags.Export) !== 0) throw refused;
  const { text: name } = holder.name;
  const scope = scopeOf(holder);
  const visit = (node: ts.Node): void => {
    const isObject =
      (tsc.isIdentifier(node) && node.text === name && isValueUse(node) && !isShadowed(name, node, scope)) ||
      (node.kind === tsc.SyntaxKind.ThisKeyword && literal.pos <= node.pos && node.end <= literal.end);
    if (isObject && !(tsc.isPropertyAccessExpression(node.parent) && node.parent.expression === node)) throw refused;
    tsc.forEachChild(node, visit);
  };
  visit(scope);
}
