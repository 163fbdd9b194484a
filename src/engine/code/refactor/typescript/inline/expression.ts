import type ts from 'typescript-classic';
import { passedArguments, type CallSite, type Passed } from './callArguments.ts';
import { isLiteral } from '../semantics/stableValues.ts';
import { lineOf } from '../syntax/lines.ts';
import { namespaceNames, type Callee } from './callee.ts';
import { compiler } from '../syntax/compiler.ts';
import { hasEffects } from '../semantics/effects.ts';
import { hasEffectsBefore, isEvaluatedFirst, isEvaluatedLater, isInFunction } from '../semantics/evaluationOrder.ts';
import { asserted } from './forms.ts';
import { indentAt, reindented } from '../syntax/indentation.ts';
import { expressionOf } from '../syntax/placement.ts';
import { freeNames, isShadowed } from '../syntax/scopes.ts';
import { substituted, substitutedRange, valueNodes, type Substitution } from '../syntax/substitution.ts';
import { refuse } from '../../refusals/refuse.ts';

/** The value of a function with the call's arguments in place of the parameters, as text that stands alone. */
export function expressionFor(callee: Callee, site: CallSite, scope: ts.Node): string {
  const { expression, holder } = callee;
  const { call } = site;
  if (expression === undefined) throw refuse('notSingleValue');
  if (callee.written.size > 0) throw refuse('assignsParameter');
  const { passed, patterns } = passedArguments(callee, site);
  if (patterns.length > 0) throw refuse('takesParameterApart');
  refuseShadowed(callee, expression, site, scope);
  refuseReordering(expression, holder, passed, call);
  const values = new Map(passed.map((one) => [one.name, asArgument(callee, site, one)]));
  refuseCapture(expression, holder, passed, call);
  const text = substituted(expression, { ...surroundings(callee, site), within: holder, values });
  const from = indentAt(expression.getStart(), expression.getSourceFile());
  return asResult(callee, site, reindented(text, from, indentAt(call.getStart(), call.getSourceFile())));
}

/** What else than parameters has another name where the body goes. */
export function surroundings(
  callee: Callee,
  { receiver, types, others }: CallSite,
): Pick<Substitution, 'receiver' | 'types' | 'others' | 'qualified'> {
  const names = namespaceNames(callee);
  if (receiver === undefined) return { types, others };
  return names === undefined ? { receiver, types, others } : { types, others, qualified: { names, by: receiver } };
}

/** An argument, with the type of its parameter where that was asked for. */
function asArgument(callee: Callee, site: CallSite, { name, text, value }: Passed): string {
  const parameter = callee.definition.parameters.find((one) => one.name.getText() === name);
  const isPlain = value === undefined || isLiteral(value) || compiler().isFunctionLike(value);
  if (site.form !== 'taken' || parameter?.type === undefined || isPlain) return text;
  const how = { ...surroundings(callee, site), within: callee.definition, values: new Map<string, string>() };
  return asserted(text, substituted(parameter.type, how))[1] ?? text;
}

/** A result as it is used: awaited, and with its type where that was asked for. */
export function asResult(callee: Callee, site: CallSite, text: string): string {
  const value = callee.isAsync && site.isReturned !== true ? awaitedResult(callee, text) : text;
  const { type } = callee.definition;
  const isBare = site.form === 'plain' || site.form === 'named';
  if (isBare || type === undefined || callee.isAsync || compiler().isTypePredicateNode(type)) return value;
  const how = { ...surroundings(callee, site), within: callee.definition, values: new Map<string, string>() };
  const shown = substituted(type, how);
  const [checked, taken] = asserted(value, shown);
  return (site.form === 'checked' ? checked : taken) ?? value;
}

/** What the body takes from around it must mean the same at the call. */
export function refuseShadowed(
  callee: Callee,
  body: ts.Node,
  { node, receiver, others }: Pick<CallSite, 'node' | 'receiver' | 'others'>,
  scope: ts.Node,
): void {
  const own = callee.definition.parameters.flatMap((one) => parameterNames(one.name));
  const through = receiver === undefined ? undefined : namespaceNames(callee);
  for (const name of freeNames(body))
    if (!own.includes(name) && !others.has(name) && through?.has(name) !== true && isShadowed(name, node, scope))
      throw refuse('meansOtherAtCall', { name, line: lineOf(node) });
}

function parameterNames(name: ts.BindingName): string[] {
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
  const line = lineOf(call);
  const otherOrder = refuse('otherOrderOfArguments', { line });
  /** Where each argument is worked out that something else could change, or that could change something else. */
  const order: number[] = [];
  const hasOwnEffects = passed.some(isDoing);
  for (const one of passed) {
    const uses = valueNodes(expression, { within: holder, values: new Map([[one.name, one.text]]) });
    const isLater = uses.some((use) => isEvaluatedLater(use.node, expression));
    const isBehindEffects = uses.some((use) => hasEffectsBefore(use.node, expression));
    if (one.hasEffects) {
      const isUnused = uses.length === 0 && one.isFunction === true;
      if (!isUnused && (uses.length !== 1 || isLater)) throw refuse('argumentNotExactlyOnce', { line });
      const isFirst = uses.every((use) => isEvaluatedFirst(use.node, expression));
      if (one.isFunction !== true && (isDoing(one) ? !isFirst : isBehindEffects)) throw otherOrder;
    } else if (!one.isStable && (isBehindEffects || uses.some((use) => isInFunction(use.node, expression))))
      throw refuse('argumentReadLater', { line });
    if (one.isStable || one.isFunction === true) continue;
    if (hasOwnEffects && uses.length > 1) throw otherOrder;
    order.push(...uses.map((use) => use.node.pos));
  }
  if (hasOwnEffects && order.some((place, index) => index > 0 && place < (order[index - 1] ?? 0))) throw otherOrder;
}

/** An argument that must be evaluated even where nobody reads it; making an object or a function is no such thing. */
export function isDoing({ value, hasEffects: effects }: Passed): boolean {
  return value === undefined ? effects : hasEffects(value);
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
        if (isShadowed(name, node, holder)) throw refuse('capturedInBody', { name, line: lineOf(call) });
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

/** What cannot be a promise is not waited for, where something else is. */
function awaitedResult({ block }: Callee, text: string): string {
  const tsc = compiler();
  const value = expressionOf(text);
  const isPlain =
    value !== undefined &&
    (isLiteral(value) ||
      tsc.isTemplateExpression(value) ||
      tsc.isPrefixUnaryExpression(value) ||
      (tsc.isBinaryExpression(value) && /^(?:[-+*/%<>]|\*\*|[<>!=]==?)$/.test(value.operatorToken.getText())));
  const waits = (node: ts.Node): boolean =>
    tsc.isAwaitExpression(node) ||
    (!tsc.isFunctionLike(node) && (tsc.forEachChild(node, (child) => waits(child) || undefined) ?? false));
  return isPlain && block !== undefined && waits(block) ? text : awaited(text);
}

/** The function itself, as a value in place of its name. */
export function functionValue(
  callee: Callee,
  node: ts.Expression,
  scope: ts.Node,
  others: ReadonlyMap<string, string>,
): string {
  const tsc = compiler();
  const { definition, home } = callee;
  if (tsc.isTypeNode(node.parent) || !tsc.isFunctionDeclaration(definition))
    throw refuse('notOnlyCalled', { line: lineOf(node) });
  if (isConstructed(node)) throw refuse('constructed', { line: lineOf(node) });
  refuseShadowed(callee, definition.body ?? definition, { node, others }, scope);
  const nameEnd = definition.name?.getEnd() ?? definition.getStart(home);
  const head = callee.isAsync ? 'async function' : 'function';
  const how = { within: definition, values: new Map<string, string>(), others };
  const text = head + substitutedRange(definition, nameEnd, definition.getEnd(), how);
  const from = indentAt(definition.getStart(home), home);
  return reindented(text, from, indentAt(node.getStart(node.getSourceFile()), node.getSourceFile()));
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
