import type { Node } from 'acorn';
import { field, isFunction, listField, nodeField, textField } from '../scripts/syntaxTree.ts';
import type { Bindings } from './bindings.ts';
import * as builtins from './builtins.ts';

/** What can be told of a value from the text that makes it. */
export class Expressions {
  readonly #bindings: Bindings;
  readonly #onLength: () => void;

  constructor(bindings: Bindings, onLength: () => void) {
    this.#bindings = bindings;
    this.#onLength = onLength;
  }

  /** Surely a number (or nothing at all, which is as harmless as a key). */
  isNumber(node: Node, seen: ReadonlySet<Node> = new Set()): boolean {
    const plain = unwrapped(node);
    if (seen.has(plain)) return true;
    const on = new Set([...seen, plain]);
    const is = (name: string) => {
      const child = nodeField(plain, name);
      return child !== undefined && this.isNumber(child, on);
    };
    switch (plain.type) {
      case 'Literal':
        return typeof field(plain, 'value') === 'number';
      case 'UpdateExpression':
        return true;
      case 'UnaryExpression':
        return /^[-+~]$/.test(textField(plain, 'operator') ?? '');
      case 'BinaryExpression':
        return textField(plain, 'operator') === '+' ? is('left') && is('right') : isArithmetic(plain);
      case 'AssignmentExpression':
        return this.#isNumberGiven(plain, is);
      case 'ConditionalExpression':
        return is('consequent') && is('alternate');
      case 'LogicalExpression':
        return is('left') && is('right');
      case 'CallExpression':
        return /^(Math\.\w+|Number|parseInt|parseFloat)$/.test(this.#outside(nodeField(plain, 'callee')) ?? '');
      case 'MemberExpression':
        if (field(plain, 'computed') === true || textField(nodeField(plain, 'property') ?? plain, 'name') !== 'length')
          return false;
        this.#onLength();
        return true;
      case 'Identifier': {
        const binding = this.#bindings.of(plain);
        if (binding === undefined || binding.isOpaque || binding.kind !== 'variable') return false;
        return binding.given.every((given) => this.isNumber(given, on));
      }
      default:
        return false;
    }
  }

  #isNumberGiven(node: Node, is: (name: string) => boolean): boolean {
    const operator = textField(node, 'operator') ?? '';
    if (operator === '=') return is('right');
    if (operator === '+=') return is('left') && is('right');
    return /^(&&|\|\||\?\?)=$/.test(operator) ? is('left') && is('right') : true;
  }

  /** Surely an object that this code has made itself. `byMethods`: methods are the language's own. */
  isNew(node: Node, byMethods: boolean, seen: ReadonlySet<Node> = new Set()): boolean {
    const plain = unwrapped(node);
    if (seen.has(plain)) return true;
    const on = new Set([...seen, plain]);
    switch (plain.type) {
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'NewExpression':
        return true;
      case 'AssignmentExpression': {
        const right = nodeField(plain, 'right');
        return textField(plain, 'operator') === '=' && right !== undefined && this.isNew(right, byMethods, on);
      }
      case 'ConditionalExpression': {
        const [yes, no] = [nodeField(plain, 'consequent'), nodeField(plain, 'alternate')];
        return yes !== undefined && no !== undefined && this.isNew(yes, byMethods, on) && this.isNew(no, byMethods, on);
      }
      case 'CallExpression':
        return this.#isNewByCall(plain, byMethods, on);
      case 'Identifier': {
        const binding = this.#bindings.of(plain);
        if (binding === undefined || binding.isOpaque || binding.kind !== 'variable') return false;
        return binding.given.length > 0 && binding.given.every((given) => this.isNew(given, byMethods, on));
      }
      default:
        return false;
    }
  }

  #isNewByCall(node: Node, byMethods: boolean, on: ReadonlySet<Node>): boolean {
    const called = unwrapped(nodeField(node, 'callee') ?? node);
    const chain = this.#outside(called);
    if (chain !== undefined && builtins.staticsGivingNew.has(chain)) return true;
    if (called.type !== 'MemberExpression' || field(called, 'computed') === true) return false;
    const method = textField(nodeField(called, 'property') ?? called, 'name') ?? '';
    const object = nodeField(called, 'object');
    if (object === undefined) return false;
    if (builtins.methodsGivingOwn.has(method)) return this.isNew(object, byMethods, on);
    if (!builtins.methodsGivingNew.has(method)) return false;
    const isText = unwrapped(object).type === 'Literal' || unwrapped(object).type === 'TemplateLiteral';
    // What a name from outside means may be a library with a function of that name.
    return isText || this.isNew(object, byMethods, on) || (byMethods && chain === undefined);
  }

  /** A function whose text is here, or one from outside that will be looked at. */
  isKnownFunction(node: Node): boolean {
    const plain = unwrapped(node);
    if (isFunctionText(plain) || this.#outside(plain) !== undefined) return true;
    const binding = plain.type === 'Identifier' ? this.#bindings.of(plain) : undefined;
    if (binding === undefined || binding.isOpaque || binding.given.length === 0) return false;
    return binding.given.every((given) => isFunctionText(given));
  }

  #outside(node: Node | undefined): string | undefined {
    const chain = node === undefined ? undefined : chainOf(unwrapped(node));
    return chain !== undefined && this.#bindings.of(chain.root) === undefined ? chain.text : undefined;
  }
}

export function isFunctionText(node: Node): boolean {
  return isFunction(node);
}

/** Without what changes nothing: brackets, `?.`, and the `(0, f)` that compilers write. */
export function unwrapped(node: Node): Node {
  if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression') {
    const inner = nodeField(node, 'expression');
    return inner === undefined ? node : unwrapped(inner);
  }
  if (node.type === 'SequenceExpression') {
    const [first, second, ...more] = listField(node, 'expressions');
    if (first?.type === 'Literal' && second !== undefined && more.length === 0) return unwrapped(second);
  }
  return node;
}

/** `a.b.c`, with the name at its root. */
export function chainOf(node: Node): { root: Node; text: string } | undefined {
  if (node.type === 'Identifier') return { root: node, text: textField(node, 'name') ?? '' };
  if (node.type !== 'MemberExpression' || field(node, 'computed') === true) return undefined;
  const [object, property] = [nodeField(node, 'object'), nodeField(node, 'property')];
  const name = property?.type === 'Identifier' ? textField(property, 'name') : undefined;
  const inner = object === undefined || name === undefined ? undefined : chainOf(object);
  return inner === undefined ? undefined : { root: inner.root, text: `${inner.text}.${name ?? ''}` };
}

function isArithmetic(node: Node): boolean {
  return /^(-|\*|\/|%|\*\*|&|\||\^|<<|>>|>>>)$/.test(textField(node, 'operator') ?? '');
}
