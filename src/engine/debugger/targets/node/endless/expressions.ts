import type { Node } from 'acorn';
import * as builtins from '../purity/builtins.ts';
import { children, field, listField, nodeField, textField } from '../scripts/syntaxTree.ts';
import { type Direction, Effects } from './effects.ts';
import { namesIn } from './program.ts';
import { anything, heap, none, nullish, simple, structured, T, union } from './types.ts';
import { Unknown, type Value, Walk } from './walk.ts';

export const maxNodes = 4000;

/** Follows expressions and assignments. */
export abstract class Expressions extends Walk {
  protected abstract call(node: Node): Value;
  protected abstract made(node: Node): Value;

  // --- expressions ---

  protected optional(node: Node | undefined): Value {
    return node === undefined ? { mask: T.undefined, reads: none } : this.value(node);
  }

  protected value(node: Node | undefined): Value {
    if (node === undefined || ++this.nodes > maxNodes) throw new Unknown();
    switch (node.type) {
      case 'Literal':
        return { mask: literalMask(node), reads: none };
      case 'Identifier':
        return this.read(node);
      case 'ThisExpression':
        if (this.calls.length > 0) throw new Unknown();
        return this.readVisible({ cell: 'this', name: 'this', declaredAt: 0, scope: this.program.scopes.root });
      case 'TemplateLiteral': {
        const parts = listField(node, 'expressions').map((each) => this.plainValue(each));
        return { mask: T.string, reads: union(...parts.map(({ reads }) => reads)) };
      }
      case 'UnaryExpression':
        return this.unary(node);
      case 'UpdateExpression':
        return this.update(node);
      case 'BinaryExpression':
        return this.binary(node);
      case 'LogicalExpression': {
        const left = this.value(nodeField(node, 'left'));
        let right: Value = left;
        this.effects.under(left.reads, () => (right = this.value(nodeField(node, 'right'))));
        return { mask: left.mask | right.mask, reads: union(left.reads, right.reads) };
      }
      case 'ConditionalExpression': {
        const test = this.value(nodeField(node, 'test'));
        let [yes, no]: [Value, Value] = [test, test];
        this.effects.under(test.reads, () => {
          yes = this.value(nodeField(node, 'consequent'));
          no = this.value(nodeField(node, 'alternate'));
        });
        return { mask: yes.mask | no.mask, reads: union(test.reads, yes.reads, no.reads) };
      }
      case 'SequenceExpression':
        return (
          listField(node, 'expressions')
            .map((each) => this.value(each))
            .at(-1) ?? this.optional(undefined)
        );
      case 'AssignmentExpression':
        return this.assignment(node);
      case 'ChainExpression': {
        const value = this.value(nodeField(node, 'expression'));
        return { mask: value.mask | T.undefined, reads: value.reads };
      }
      case 'MemberExpression':
        return this.member(node);
      case 'ArrayExpression':
        return this.fresh(T.array, listField(node, 'elements'));
      case 'ObjectExpression':
        return this.object(node);
      case 'NewExpression':
        return this.made(node);
      case 'CallExpression':
        return this.call(node);
      default:
        throw new Unknown();
    }
  }

  protected read(node: Node): Value {
    const name = textField(node, 'name') ?? '';
    const variable = this.variable(node);
    if (variable === undefined) {
      if (name === 'undefined') return { mask: T.undefined, reads: none };
      if (name === 'NaN' || name === 'Infinity') return { mask: T.number, reads: none };
      throw new Unknown();
    }
    return this.readVisible(variable);
  }

  protected unary(node: Node): Value {
    const operator = textField(node, 'operator') ?? '';
    const argument = nodeField(node, 'argument');
    if (operator === 'delete') throw new Unknown();
    const { mask, reads } =
      operator === '!' || operator === 'typeof' || operator === 'void'
        ? this.value(argument)
        : this.plainValue(argument);
    if (operator === '!') return { mask: T.boolean, reads };
    if (operator === 'typeof') return { mask: T.string, reads };
    if (operator === 'void') return { mask: T.undefined, reads };
    return { mask: T.number | (mask & T.bigint), reads };
  }

  protected update(node: Node): Value {
    const target = nodeField(node, 'argument');
    const before = this.plainValue(target);
    const after = { mask: T.number | (before.mask & T.bigint), reads: before.reads };
    this.assignTo(target, after, undefined, textField(node, 'operator') === '++' ? 'up' : 'down');
    return after;
  }

  protected binary(node: Node): Value {
    const operator = textField(node, 'operator') ?? '';
    const isIdentity = operator === '===' || operator === '!==';
    if (operator === 'in' || operator === 'instanceof') throw new Unknown();
    const sides = [nodeField(node, 'left'), nodeField(node, 'right')].map((side) => this.value(side));
    const mask = sides.reduce((sum, side) => sum | side.mask, 0);
    const reads = union(...sides.map((side) => side.reads));
    if (isIdentity) return { mask: T.boolean, reads };
    for (const side of sides)
      this.coerce(side, operator === '==' || operator === '!=' ? simple | T.bigint | T.symbol : simple);
    return {
      mask: binaryMask(operator, mask),
      reads: (mask & structured) === 0 ? reads : union(reads, new Set([heap])),
    };
  }

  /** A value that is turned into a number or a text. */
  protected plainValue(node: Node | undefined): Value {
    const value = this.value(node);
    this.coerce(value);
    return (value.mask & structured) === 0 ? value : { ...value, reads: union(value.reads, new Set([heap])) };
  }

  protected coerce({ mask, reads }: Value, harmless: number = simple): void {
    if ((mask & ~harmless) === 0) return;
    if ((mask & structured) === 0) return this.effects.exit(reads);
    this.effects.exit(union(reads, new Set([heap])));
    this.effects.touchesObjects = true;
  }

  protected assignment(node: Node): Value {
    const operator = textField(node, 'operator') ?? '';
    const [left, right] = [nodeField(node, 'left'), nodeField(node, 'right')];
    if (operator === '=') {
      const value = this.value(right);
      this.assignTo(left, value, right, plainStep(left, right));
      return value;
    }
    const before = this.value(left);
    if (/^(&&|\|\||\?\?)=$/.test(operator)) {
      let after = before;
      this.effects.under(before.reads, () => {
        after = this.value(right);
        this.assignTo(left, after, undefined);
      });
      return { mask: before.mask | after.mask, reads: union(before.reads, after.reads) };
    }
    const added = this.value(right);
    this.coerce(before);
    this.coerce(added);
    const mask = before.mask | added.mask;
    const value = {
      mask: binaryMask(operator.slice(0, -1), mask),
      reads: union(before.reads, added.reads, (mask & structured) === 0 ? none : new Set([heap])),
    };
    this.assignTo(
      left,
      value,
      undefined,
      isPositive(right) ? { '+=': 'up' as const, '-=': 'down' as const }[operator] : undefined,
    );
    return value;
  }

  protected assignTo(target: Node | undefined, value: Value, from: Node | undefined, direction?: Direction): void {
    if (target === undefined) throw new Unknown();
    if (target.type === 'Identifier') {
      const variable = this.variable(target);
      if (variable === undefined) throw new Unknown();
      if (this.program.isConstant(variable.declaredAt) && target.start !== variable.declaredAt) throw new Unknown();
      this.note(variable);
      this.masks.set(variable.cell, (this.masks.get(variable.cell) ?? 0) | value.mask);
      return this.effects.write(variable.cell, value.reads, direction);
    }
    if (target.type === 'MemberExpression') return this.assignPart(target, value);
    const elements = listField(target, 'elements');
    const given = from === undefined ? [] : listField(from, 'elements');
    const isPairwise =
      target.type === 'ArrayPattern' && from?.type === 'ArrayExpression' && elements.length === given.length;
    if (isPairwise && ![...elements, ...given].some(({ type }) => /Spread|Rest|Assignment/.test(type))) {
      for (const [index, element] of elements.entries()) this.assignTo(element, this.again(given[index]), undefined);
      return;
    }
    if (target.type !== 'ArrayPattern' && target.type !== 'ObjectPattern') throw new Unknown();
    if (children(target).some(hasDefault)) throw new Unknown();
    this.iterate(value);
    this.effects.touchesObjects = true;
    const reads = union(value.reads, new Set([heap]));
    for (const name of namesIn(target)) {
      const variable = this.program.scopes.resolve(name, target.start);
      if (variable === undefined) throw new Unknown();
      if (this.program.isConstant(variable.declaredAt) && variable.declaredAt < target.start) throw new Unknown();
      this.note(variable);
      const mask = target.type === 'ArrayPattern' ? this.elementOf(value.mask) : anything;
      this.masks.set(variable.cell, (this.masks.get(variable.cell) ?? 0) | mask);
      this.effects.write(variable.cell, reads);
    }
  }

  /** The reads and type of something whose effects have been noted already. */
  protected again(node: Node | undefined): Value {
    const effects = this.effects;
    this.effects = new Effects();
    const value = this.value(node);
    this.effects = effects;
    return value;
  }

  protected assignPart(target: Node, value: Value): void {
    const object = this.value(nodeField(target, 'object'));
    const isComputed = field(target, 'computed') === true;
    const key = isComputed ? this.plainValue(nodeField(target, 'property')) : { mask: T.string, reads: none };
    const name = isComputed ? '' : (textField(nodeField(target, 'property') ?? target, 'name') ?? '');
    if (builtins.sharedNames.has(name) || nodeField(target, 'property')?.type === 'PrivateIdentifier')
      throw new Unknown();
    const reads = union(object.reads, key.reads, value.reads);
    // Only an element of an array can be written without a doubt.
    if (object.mask !== T.array || key.mask !== T.number) {
      this.effects.exit(reads);
      this.effects.touchesObjects = true;
      this.heapMask = anything;
    }
    this.heapMask |= value.mask;
    this.effects.write(heap, reads);
  }

  protected member(node: Node): Value {
    const object = this.value(nodeField(node, 'object'));
    const property = nodeField(node, 'property');
    const isComputed = field(node, 'computed') === true;
    const name = isComputed ? '' : (textField(property ?? node, 'name') ?? '');
    if (builtins.sharedNames.has(name) || property?.type === 'PrivateIdentifier') throw new Unknown();
    const key = isComputed ? this.plainValue(property) : { mask: T.string, reads: none };
    const reads = union(object.reads, key.reads);
    if ((object.mask & nullish) !== 0 && field(node, 'optional') !== true) this.effects.exit(object.reads);
    const kind = object.mask & ~nullish;
    if (kind === T.string && (name === 'length' || key.mask === T.number))
      return { mask: name === 'length' ? T.number : T.string | T.undefined, reads };
    const withHeap = union(reads, new Set([heap]));
    if (kind === T.array && name === 'length') return { mask: T.number, reads: withHeap };
    if (kind === T.array && key.mask === T.number) return { mask: this.element(), reads: withHeap };
    this.effects.touchesObjects = true;
    return { mask: anything, reads: withHeap };
  }

  /** What is taken out of an array. Where that may be an object, the array has to be looked at. */
  protected element(): number {
    if ((this.heapMask & structured) !== 0) this.effects.touchesObjects = true;
    return this.heapMask | T.undefined;
  }

  protected fresh(mask: number, parts: readonly Node[]): Value {
    const values = parts.map((part) => (part.type === 'SpreadElement' ? this.spread(part) : this.value(part)));
    for (const value of values) this.heapMask |= value.mask;
    return { mask, reads: union(...values.map(({ reads }) => reads)) };
  }

  protected spread(node: Node): Value {
    const value = this.value(nodeField(node, 'argument'));
    this.iterate(value);
    return { mask: this.elementOf(value.mask), reads: union(value.reads, new Set([heap])) };
  }

  /** Something is gone through from its beginning. */
  protected iterate({ mask, reads }: Value): void {
    if (mask === T.string || mask === T.array) return;
    this.effects.exit(union(reads, new Set([heap])));
    this.effects.touchesObjects = true;
    this.effects.methods.add('next');
  }

  protected elementOf(mask: number): number {
    if (mask === T.string) return T.string;
    return mask === T.array ? this.element() : anything;
  }

  protected object(node: Node): Value {
    const properties = listField(node, 'properties');
    const isPlain = (each: Node) =>
      each.type === 'Property' && textField(each, 'kind') === 'init' && field(each, 'computed') !== true;
    if (!properties.every(isPlain)) throw new Unknown();
    this.heapMask = anything;
    return this.fresh(
      T.object,
      properties.flatMap((each) => nodeField(each, 'value') ?? []),
    );
  }
}

function literalMask(node: Node): number {
  const value = field(node, 'value');
  if (field(node, 'regex') !== undefined) throw new Unknown();
  if (field(node, 'bigint') !== undefined) return T.bigint;
  if (value === null) return T.null;
  return typeof value === 'number' ? T.number : typeof value === 'string' ? T.string : T.boolean;
}

function binaryMask(operator: string, mask: number): number {
  if (/^([<>]=?|[!=]==?)$/.test(operator)) return T.boolean;
  const numeric = T.number | (mask & T.bigint);
  return operator === '+' && (mask & (T.string | structured)) !== 0 ? numeric | T.string : numeric;
}

/** `i = i - 1`. */
function plainStep(left: Node | undefined, right: Node | undefined): Direction | undefined {
  const operator = textField(right ?? { type: '', start: 0, end: 0 }, 'operator');
  if (left?.type !== 'Identifier' || right?.type !== 'BinaryExpression' || !isPositive(nodeField(right, 'right')))
    return undefined;
  const from = nodeField(right, 'left');
  if (from?.type !== 'Identifier' || textField(from, 'name') !== textField(left, 'name')) return undefined;
  return operator === '+' ? 'up' : operator === '-' ? 'down' : undefined;
}

function isPositive(node: Node | undefined): boolean {
  const value = node === undefined ? undefined : field(node, 'value');
  return typeof value === 'number' && value > 0 && Number.isFinite(value);
}

function hasDefault(node: Node): boolean {
  return node.type === 'AssignmentPattern' || node.type === 'RestElement' || children(node).some(hasDefault);
}
