import type ts from 'typescript-classic';
import type { Callee } from './callee.ts';
import { compiler } from '../syntax/compiler.ts';
import { hasEffects, isNewObject, makesIdentity } from '../semantics/effects.ts';
import type { Replacement } from '../syntax/placement.ts';
import { freeNames } from '../syntax/scopes.ts';
import { assignedIn, assignedNames, isLiteral, isStable } from '../semantics/stableValues.ts';
import { lineOf } from '../syntax/lines.ts';
import { refuse } from '../../refusals/refuse.ts';

/**
 * How much of the declared types goes along: nothing; parameters that are left out as constants of their types; the result checked
 * against its type; result and arguments taken for theirs; or arguments as constants of their types.
 */
export type InlineForm = 'plain' | 'named' | 'checked' | 'taken' | 'hoisted';

/** A call that gives way to what the function does. */
export interface CallSite {
  /** The call, or what awaits it. */
  node: ts.Expression;
  call: ts.CallExpression;
  /** What a method, or a function of a namespace, is called on. */
  receiver?: string;
  /** The receiver is no plain name: it may be evaluated only once, and first. */
  isReceiverOnce?: boolean;
  /** An async function that returns it waits for it by itself. */
  isReturned?: boolean;
  /** What the type parameters of the function are at this call, by name. */
  types: ReadonlyMap<string, string>;
  form: InlineForm;
  /** Names of the body that are called otherwise where it goes. */
  others: ReadonlyMap<string, string>;
  /** No other call gives way in the function around it. */
  isOnly: boolean;
  /** Names that earlier calls have brought into a function. */
  taken: Map<ts.Node, Set<string>>;
  /** The text of a node around or in the call, in which other calls of the function have given way already, and perhaps this one. */
  textOf(node: ts.Node, replaced?: Replacement): string;
}

/** What a parameter stands for at one call. */
export interface Passed {
  /** The name in the body. */
  name: string;
  text: string;
  /** Of the call, or of the function when it is a default value. */
  value?: ts.Expression;
  /** It may be read at any time and as often as one likes. */
  isStable: boolean;
  hasEffects: boolean;
  /** It is a new function, each time: nobody can tell when it was made, only how often. */
  isFunction?: boolean;
}

interface PassedArguments {
  passed: Passed[];
  /** Parameters that are taken apart in a way that only a declaration can do. */
  patterns: { text: string; names: string[]; value: string }[];
}

/** The values of a call's parameters: arguments, defaults, what is left over for a rest parameter, and parts of what is taken apart. */
export function passedArguments(callee: Callee, site: CallSite): PassedArguments {
  const { call } = site;
  const tsc = compiler();
  const { parameters } = callee.definition;
  const result: PassedArguments = { passed: [], patterns: [] };
  const plain = parameters.filter((one) => one.name.getText() !== 'this');
  const named = plain.filter((one) => one.dotDotDotToken === undefined);
  if (call.arguments.slice(0, named.length).some((argument) => tsc.isSpreadElement(argument)))
    throw refuse('spreadsArguments', { line: lineOf(call) });
  plain.forEach((parameter, index) => {
    if (parameter.dotDotDotToken !== undefined) {
      const rest = call.arguments.slice(index);
      passElements(parameter.name, rest, result, site);
      return;
    }
    passOne(parameter.name, parameter.initializer, call.arguments[index], result, site);
  });
  const hasRest = plain.some((one) => one.dotDotDotToken !== undefined);
  if (!hasRest && call.arguments.slice(plain.length).some((argument) => hasEffects(argument)))
    throw refuse('passesTooMany', { line: lineOf(call) });
  return result;
}

function passElements(
  name: ts.BindingName,
  rest: readonly ts.Expression[],
  result: PassedArguments,
  site: CallSite,
): void {
  const tsc = compiler();
  if (tsc.isArrayBindingPattern(name) && !rest.some((one) => tsc.isSpreadElement(one))) {
    name.elements.forEach((element, index) => {
      if (tsc.isBindingElement(element)) {
        if (element.dotDotDotToken !== undefined) passElements(element.name, rest.slice(index), result, site);
        else passOne(element.name, element.initializer, rest[index], result, site);
      }
    });
    return;
  }
  const text = `[${rest.map((one) => site.textOf(one)).join(', ')}]`;
  if (!tsc.isIdentifier(name)) throw refuse('takesRestApart');
  result.passed.push({ name: name.text, text, isStable: false, hasEffects: true });
}

function passOne(
  name: ts.BindingName,
  initial: ts.Expression | undefined,
  argument: ts.Expression | undefined,
  result: PassedArguments,
  site: CallSite,
): void {
  const tsc = compiler();
  if (!tsc.isIdentifier(name)) {
    const whole = argument ?? initial;
    if (whole !== undefined && (initial === undefined || argument === undefined || isGiven(argument))) {
      if (takeApart(name, whole, result, site)) return;
      result.patterns.push({ text: name.getText(), names: namesOf(name), value: site.textOf(whole) });
      return;
    }
    throw refuse('mayOmitPattern', { line: lineOf(site.call) });
  }
  if (argument === undefined || argument.getText() === 'undefined') {
    if (initial !== undefined && (hasEffects(initial) || freeNames(initial).size > 0))
      throw refuse('omitsComputedDefault', { line: lineOf(site.call) });
    result.passed.push(simple(name.text, initial, site));
    return;
  }
  if (initial === undefined || isGiven(argument)) {
    result.passed.push(simple(name.text, argument, site));
    return;
  }
  if (!isLiteral(initial) || hasEffects(argument)) throw refuse('mayOmitDefault', { line: lineOf(site.call) });
  const given = site.textOf(argument);
  const text = `${given} === undefined ? ${initial.getText()} : ${given}`;
  result.passed.push({ name: name.text, text, value: argument, isStable: false, hasEffects: false });
}

function simple(name: string, value: ts.Expression | undefined, site: CallSite): Passed {
  if (value === undefined) return { name, text: 'undefined', isStable: true, hasEffects: false };
  const effects = hasEffects(value) || makesIdentity(value);
  return {
    name,
    text: site.textOf(value),
    value,
    isStable: isStable(value, site.call.getSourceFile()),
    hasEffects: effects,
    isFunction: compiler().isArrowFunction(value) || compiler().isFunctionExpression(value),
  };
}

/** Parts of an object or array that is written down right in the call, or of a variable. */
function takeApart(pattern: ts.BindingPattern, value: ts.Expression, result: PassedArguments, site: CallSite): boolean {
  const tsc = compiler();
  if (tsc.isArrayBindingPattern(pattern)) {
    if (!tsc.isArrayLiteralExpression(value) || value.elements.some((one) => tsc.isSpreadElement(one))) return false;
    const unused = value.elements.filter((_, index) => {
      const element = pattern.elements[index];
      return element === undefined || tsc.isOmittedExpression(element);
    });
    if (unused.some((one) => hasEffects(one))) return false;
    passElements(pattern, [...value.elements], result, site);
    return true;
  }
  if (tsc.isIdentifier(value) && isStable(value, site.call.getSourceFile())) return false;
  if (!tsc.isObjectLiteralExpression(value)) return false;
  const parts = new Map<string, ts.Expression>();
  for (const property of value.properties) {
    if (tsc.isShorthandPropertyAssignment(property)) parts.set(property.name.text, property.name);
    else if (tsc.isPropertyAssignment(property) && tsc.isIdentifier(property.name))
      parts.set(property.name.text, property.initializer);
    else return false;
  }
  const left = new Map(parts);
  const taken: Passed[] = [];
  const inner: PassedArguments = { passed: taken, patterns: [] };
  for (const element of pattern.elements) {
    if (element.dotDotDotToken !== undefined) {
      if (!tsc.isIdentifier(element.name)) return false;
      const text = `{ ${[...left].map(([key, one]) => `${key}: ${site.textOf(one)}`).join(', ')} }`;
      taken.push({ name: element.name.text, text, isStable: false, hasEffects: true });
      left.clear();
      continue;
    }
    const key = element.propertyName ?? element.name;
    if (!tsc.isIdentifier(key)) return false;
    const part = parts.get(key.text);
    left.delete(key.text);
    if (part === undefined && element.initializer === undefined && !tsc.isIdentifier(element.name)) return false;
    passOne(element.name, element.initializer, part, inner, site);
  }
  if ([...left.values()].some((one) => hasEffects(one))) return false;
  result.passed.push(...taken);
  result.patterns.push(...inner.patterns);
  return true;
}

function namesOf(name: ts.BindingName): string[] {
  const tsc = compiler();
  if (tsc.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (tsc.isBindingElement(one) ? namesOf(one.name) : []));
}

/** Cannot be undefined, whatever happens. */
function isGiven(argument: ts.Expression): boolean {
  const tsc = compiler();
  return (
    (isLiteral(argument) && argument.getText() !== 'undefined') ||
    isNewObject(argument) ||
    tsc.isTemplateExpression(argument) ||
    tsc.isNewExpression(argument)
  );
}

/** Code that was written anew, of pieces of a file: its names are those of that file. */
export function assignedLike(copy: ts.SourceFile, original: ts.SourceFile): void {
  assignedNames.set(copy, assignedIn(original));
}
