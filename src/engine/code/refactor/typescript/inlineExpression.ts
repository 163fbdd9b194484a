import type ts from 'typescript-classic';
import { isStable, lineOf, passedArguments, type Passed } from './callArguments.ts';
import type { Callee } from './callee.ts';
import { compiler } from './compiler.ts';
import { hasEffects } from './effects.ts';
import { expressionOf } from './placement.ts';
import { freeNames, isShadowed } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import { substituted, valueNodes } from './substitution.ts';

interface Call {
  node: ts.Expression;
  call: ts.CallExpression;
  receiver?: string;
}

/** The value of a function with the call's arguments in place of the parameters, as text that stands alone. */
export function expressionFor(callee: Callee, { call, receiver }: Call, scope: ts.Node): string {
  const { expression, holder } = callee;
  if (expression === undefined) throw notOffered('it is not a single value');
  if (callee.written.size > 0) throw notOffered('it assigns to a parameter');
  const { passed, patterns } = passedArguments(callee, call);
  if (patterns.length > 0) throw notOffered('it takes a parameter apart');
  refuseShadowed(callee, expression, call, scope);
  refuseReordering(expression, holder, passed, call);
  const values = new Map(passed.map((one) => [one.name, one.text]));
  refuseCapture(expression, holder, passed, call);
  const text = substituted(expression, { within: holder, values, ...(receiver === undefined ? {} : { receiver }) });
  return callee.isAsync ? awaited(text) : text;
}

/** What the body takes from around it must mean the same at the call. */
export function refuseShadowed(callee: Callee, body: ts.Node, call: ts.Node, scope: ts.Node): void {
  const own = callee.definition.parameters.flatMap((one) => parameterNames(one.name));
  for (const name of freeNames(body))
    if (!own.includes(name) && isShadowed(name, call, scope))
      throw notOffered(`"${name}" means something else at the call on line ${lineOf(call)}`);
}

export function parameterNames(name: ts.BindingName): string[] {
  const tsc = compiler();
  if (tsc.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (tsc.isBindingElement(one) ? parameterNames(one.name) : []));
}

/** An argument must be worked out once, and before everything that could change it or that it could change. */
function refuseReordering(
  expression: ts.Expression,
  holder: ts.Node,
  passed: readonly Passed[],
  call: ts.CallExpression,
): void {
  const others = hasEffects(expression) && !isCallOfArguments(expression);
  const order: number[] = [];
  passed.forEach((one, index) => {
    const uses = valueNodes(expression, { within: holder, values: new Map([[one.name, one.text]]) });
    const isLater = uses.some((use) => isEvaluatedLater(use.node, expression));
    if (one.hasEffects) {
      if (uses.length !== 1 || isLater)
        throw notOffered(
          `an argument of the call on line ${lineOf(call)} has side effects and would not be evaluated exactly once`,
        );
      if (others)
        throw notOffered(`the arguments of the call on line ${lineOf(call)} would be evaluated in another order`);
      order.push(index);
    } else if (!one.isStable && uses.length > 0 && (others || uses.some((use) => isInFunction(use.node, expression))))
      throw notOffered(
        `an argument of the call on line ${lineOf(call)} would be read later, when it may have another value`,
      );
  });
  const at = (index: number): number =>
    valueNodes(expression, { within: holder, values: new Map([[passed[index]?.name ?? '', '']]) })[0]?.node.pos ?? 0;
  const isInOrder = order.every((index, place) => place === 0 || at(order[place - 1] ?? 0) < at(index));
  // What is read between two arguments with effects would be read at another time.
  const isMixed = order.length > 0 && passed.some((one) => !one.isStable && !one.hasEffects);
  if (!isInOrder || isMixed)
    throw notOffered(`the arguments of the call on line ${lineOf(call)} would be evaluated in another order`);
}

function isEvaluatedLater(node: ts.Node, root: ts.Node): boolean {
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

function isInFunction(node: ts.Node, root: ts.Node): boolean {
  const tsc = compiler();
  for (let at = node; at !== root && at.parent !== undefined; at = at.parent)
    if (tsc.isFunctionLike(at.parent)) return true;
  return false;
}

/** `f(a(), b())` evaluates its arguments before the call, so effects of the call itself come last. */
function isCallOfArguments(body: ts.Expression): boolean {
  const tsc = compiler();
  const plain = tsc.isAwaitExpression(body) ? body.expression : body;
  return (
    (tsc.isCallExpression(plain) || tsc.isNewExpression(plain)) &&
    !hasEffects(plain.expression) &&
    (plain.arguments ?? []).every((argument) => !hasEffects(argument))
  );
}

/** A name in an argument must not be taken for something that the body declares around its place. */
export function refuseCapture(
  body: ts.Node,
  holder: ts.Node,
  passed: readonly Passed[],
  call: ts.CallExpression,
): void {
  for (const one of passed) {
    if (one.value === undefined) continue;
    const names = freeNames(one.value);
    for (const { node } of valueNodes(body, { within: holder, values: new Map([[one.name, one.text]]) }))
      for (const name of names)
        if (isShadowed(name, node, holder))
          throw notOffered(`"${name}" in the call on line ${lineOf(call)} would be captured inside the body`);
  }
}

/** What an async function gives, at the place where it was awaited. */
export function awaited(text: string): string {
  const tsc = compiler();
  const value = expressionOf(text);
  if (value !== undefined && tsc.isAwaitExpression(value)) return text;
  const isTight =
    value !== undefined &&
    (tsc.isCallExpression(value) ||
      tsc.isIdentifier(value) ||
      tsc.isPropertyAccessExpression(value) ||
      tsc.isElementAccessExpression(value) ||
      tsc.isNewExpression(value) ||
      tsc.isParenthesizedExpression(value));
  return isTight ? `await ${text}` : `await (${text})`;
}

/** The function itself, as a value in place of its name. */
export function functionValue(callee: Callee, node: ts.Expression, scope: ts.Node): string {
  const tsc = compiler();
  const { definition, home } = callee;
  if (tsc.isTypeNode(node.parent) || !tsc.isFunctionDeclaration(definition))
    throw notOffered(`it is used on line ${lineOf(node)} in another way than by calling it`);
  if (isConstructed(node)) throw notOffered(`it is constructed on line ${lineOf(node)}`);
  refuseShadowed(callee, definition.body ?? definition, node, scope);
  const nameEnd = definition.name?.getEnd() ?? definition.getStart(home);
  const head = callee.isAsync ? 'async function' : 'function';
  const text = head + home.text.slice(nameEnd, definition.getEnd());
  const from = indentAt(definition.getStart(home), home);
  const to = indentAt(node.getStart(node.getSourceFile()), node.getSourceFile());
  return text
    .split('\n')
    .map((line, index) => (index > 0 && line.startsWith(from) ? to + line.slice(from.length) : line))
    .join('\n');
}

function isConstructed(node: ts.Expression): boolean {
  const tsc = compiler();
  const { parent } = node;
  return (
    tsc.isNewExpression(parent) ||
    tsc.isPropertyAccessExpression(parent) ||
    tsc.isJsxOpeningLikeElement(parent) ||
    tsc.isJsxClosingElement(parent) ||
    tsc.isTaggedTemplateExpression(parent) ||
    tsc.isExpressionWithTypeArguments(parent) ||
    tsc.isTypeOfExpression(parent)
  );
}

export function indentAt(offset: number, source: ts.SourceFile): string {
  const lineStart = source.text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(source.text.slice(lineStart))?.[0] ?? '';
}

/** Reading it sooner or later makes no difference. */
export function isTimeless(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isExpression(node) && isStable(node, node.getSourceFile())) return true;
  return (
    tsc.isPropertyAccessExpression(node) &&
    isTimeless(node.expression) &&
    tsc.isCallExpression(node.parent) &&
    node.parent.expression === node
  );
}
