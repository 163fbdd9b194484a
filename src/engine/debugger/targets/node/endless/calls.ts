import type { Node } from 'acorn';
import * as builtins from '../purity/builtins.ts';
import { field, listField, nodeField, textField } from '../scripts/syntaxTree.ts';
import { Expressions } from './expressions.ts';
import { arrayResult, neverThrowing, stringResult } from './knownCalls.ts';
import { anything, type Cells, heap, none, nullish, T, union } from './types.ts';
import { returnCell, Unknown, type Value } from './walk.ts';

const maxCallDepth = 6;

/** Follows calls: of the language's own functions, and of functions of the same text. */
export abstract class Calls extends Expressions {
  protected abstract statement(node: Node | undefined): void;

  protected made(node: Node): Value {
    const callee = nodeField(node, 'callee');
    const name = textField(callee ?? node, 'name') ?? '';
    const isKnown =
      /^(Map|Set|Array|(Type|Range|Syntax|Reference)?Error)$/.test(name) &&
      callee?.type === 'Identifier' &&
      this.variable(callee) === undefined;
    if (!isKnown) throw new Unknown();
    const made = this.fresh(
      name === 'Array' ? T.array : name.endsWith('Error') ? T.object : T.mapOrSet,
      listField(node, 'arguments'),
    );
    this.heapMask = anything;
    if (made.reads.size > 0) this.effects.exit(union(made.reads, new Set([heap])));
    return made;
  }

  // --- calls ---

  protected call(node: Node): Value {
    const callee = nodeField(node, 'callee');
    const given = listField(node, 'arguments');
    if (callee === undefined || given.some(({ type }) => type === 'SpreadElement') || field(node, 'optional') === true)
      throw new Unknown();
    const chain = this.freeChain(callee);
    if (chain !== undefined) return this.static(chain, given);
    if (callee.type === 'MemberExpression') return this.method(callee, given);
    const name = callee.type === 'Identifier' ? (textField(callee, 'name') ?? '') : '';
    const made = this.program.functionNamed(name);
    if (made === undefined) throw new Unknown();
    return this.enter(
      made,
      given.map((each) => this.value(each)),
    );
  }

  /** `Math.floor`, when nothing in the text has the name Math. */
  protected freeChain(callee: Node): string | undefined {
    const root = callee.type === 'MemberExpression' ? nodeField(callee, 'object') : callee;
    if (root?.type !== 'Identifier' || this.variable(root) !== undefined || field(callee, 'computed') === true)
      return undefined;
    const name = textField(root, 'name') ?? '';
    return root === callee ? name : `${name}.${textField(nodeField(callee, 'property') ?? callee, 'name') ?? ''}`;
  }

  protected static(chain: string, given: readonly Node[]): Value {
    if (!builtins.staticFunctions.has(chain)) throw new Unknown();
    const values = given.map((each) => this.value(each));
    const reads = union(...values.map((value) => value.reads));
    const mask = neverThrowing.get(chain) ?? (chain.startsWith('Math.') ? T.number : undefined);
    if (mask !== undefined && chain !== 'Array.isArray') for (const value of values) this.coerce(value);
    if (mask !== undefined) return { mask, reads };
    this.heapMask = anything;
    this.effects.touchesObjects = true;
    const all = union(reads, new Set([heap]));
    this.effects.exit(all);
    return { mask: anything, reads: all };
  }

  protected method(callee: Node, given: readonly Node[]): Value {
    const name =
      field(callee, 'computed') === true ? '' : (textField(nodeField(callee, 'property') ?? callee, 'name') ?? '');
    const isMutating = builtins.mutatingMethods.has(name);
    if (!builtins.readingMethods.has(name) && !isMutating) throw new Unknown();
    // Both keep a position that nobody sees.
    if (name === 'next' || name === 'test' || name === 'exec' || name.startsWith('match')) throw new Unknown();
    const receiver = this.value(nodeField(callee, 'object'));
    if ((receiver.mask & nullish) !== 0) this.effects.exit(receiver.reads);
    const kind = receiver.mask & ~nullish;
    const callback = builtins.callingMethods.has(name) ? given[0] : undefined;
    const made = callback === undefined ? undefined : this.functionOf(callback);
    const values = given.filter((each) => each !== callback || made === undefined).map((each) => this.value(each));
    const own = kind === T.string ? receiver.reads : union(receiver.reads, new Set([heap]));
    const reads = union(own, ...values.map((value) => value.reads));
    const known =
      kind === T.string ? stringResult(name) : kind === T.array ? arrayResult(name, () => this.element()) : undefined;
    const isNumberText = kind === T.number && name === 'toString' && given.length === 0;
    if (known === undefined && !isNumberText) {
      this.effects.exit(reads);
      this.effects.touchesObjects = true;
      this.effects.methods.add(name);
      this.heapMask = anything;
    } else if (kind === T.string || !isMutating) for (const value of values) this.coerce(value);
    if (kind === T.string && name === 'split') this.heapMask |= T.string;
    if (isMutating) {
      for (const value of values) this.heapMask |= value.mask;
      this.effects.write(heap, reads);
    }
    if (made !== undefined) return this.callback(made, union(reads, new Set([heap])));
    return { mask: isNumberText ? T.string : (known ?? anything), reads };
  }

  protected functionOf(node: Node): Node | undefined {
    if (node.type === 'ArrowFunctionExpression') return field(node, 'async') === true ? undefined : node;
    const made = node.type === 'Identifier' ? this.program.functionNamed(textField(node, 'name') ?? '') : undefined;
    return made ?? undefined;
  }

  /** A function that is called with each element. */
  protected callback(made: Node, reads: Cells): Value {
    const given = listField(made, 'params').map(() => ({
      mask: anything,
      reads: union(reads, new Set([returnCell(made)])),
    }));
    let result: Value = { mask: anything, reads };
    this.effects.touchesObjects = true;
    this.effects.exit(reads);
    this.effects.under(reads, () => (result = this.enter(made, given)));
    this.heapMask = anything;
    return { mask: anything, reads: union(reads, result.reads) };
  }

  protected enter(made: Node, given: readonly Value[]): Value {
    if (this.calls.includes(made) || this.calls.length >= maxCallDepth) throw new Unknown();
    // The loop itself would be entered again from inside.
    if (made.start <= this.loop.start && made.end >= this.loop.end) throw new Unknown();
    const params = listField(made, 'params');
    if (!params.every(({ type }) => type === 'Identifier') || field(made, 'async') === true) throw new Unknown();
    this.entered.add(made);
    this.calls.push(made);
    for (const [index, param] of params.entries())
      this.assignTo(param, given[index] ?? { mask: T.undefined, reads: none }, undefined);
    const body = nodeField(made, 'body');
    if (body?.type === 'BlockStatement') this.statement(body);
    else this.join(returnCell(made), this.value(body));
    this.calls.pop();
    const mask = (this.masks.get(returnCell(made)) ?? 0) | (body?.type === 'BlockStatement' ? T.undefined : 0);
    return { mask, reads: new Set([returnCell(made)]) };
  }
}
