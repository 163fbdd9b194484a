import type { Node } from 'acorn';
import { field, isFunction, listField, nodeField, textField } from '../scripts/syntaxTree.ts';
import { Calls } from './calls.ts';
import { type Direction, Effects } from './effects.ts';
import { maxNodes } from './expressions.ts';
import { isLoop } from './program.ts';
import { anything, type Cells, heap, type Kind, none, structured, T, union } from './types.ts';
import { returnCell, Unknown } from './walk.ts';

/** What would have to be seen for a loop to be endless. */
export interface LoopPlan {
  /** What is written in the loop and decides about its end; when it is the same again, so is everything that follows. */
  state: string[];
  /** Whether what those variables hold counts too. */
  withContents: boolean;
  /** Conditions that have to be true now; they stay so. */
  staying: { check: string; text: string; name: string; direction: Direction }[];
  /** Variables whose objects must be plain data, if any. */
  plain: string[];
  /** Methods that none of those objects may have made itself. */
  methods: string[];
  /** All the text that the loop runs. */
  texts: Node[];
}

/**
 * Follows the text of a loop and says on which variables it depends whether the loop ends. Anything that asks for time, chance or the
 * outside, that waits, or that may run code which is not in the text makes the answer unknown. Types are taken from
 * the values that the variables have now and carried through the text until they change no more.
 */
export class LoopAnalysis extends Calls {
  #staying: LoopPlan['staying'] = [];
  #settled: Effects | undefined;
  #moving: ReadonlySet<string> = new Set();

  /** The variables whose kinds have to be known; undefined when nothing can be shown anyway. */
  names(): string[] | undefined {
    return this.#attempt(() => {
      this.#walk();
      return [...this.visible.values()].map(({ name }) => name);
    });
  }

  /** `moving`: conditions that were found not to stay what they are. */
  plan(kinds: ReadonlyMap<string, Kind>, moving: ReadonlySet<string> = new Set()): LoopPlan | undefined {
    this.#moving = moving;
    this.#settled = undefined;
    this.masks.clear();
    this.heapMask = T.undefined;
    for (const { name, cell } of this.visible.values()) {
      const kind = kinds.get(name);
      if (kind === undefined) return undefined;
      this.masks.set(cell, kind.mask);
      this.heapMask |= (kind.mask & (T.object | T.mapOrSet)) !== 0 ? anything : kind.elements;
    }
    return this.#attempt(() => {
      for (let before = ''; before !== this.typesText();) {
        before = this.typesText();
        this.#walk();
      }
      this.#settled = this.effects;
      this.#walk();
      return this.#conclude(kinds);
    });
  }

  #conclude(kinds: ReadonlyMap<string, Kind>): LoopPlan {
    const relevant = this.effects.relevant();
    const withContents = relevant.has(heap) && this.effects.writesHeap;
    const visible = [...this.visible.values()];
    // What is made anew in every pass is no state; neither is what nothing in the loop writes. Objects count by what else refers to them.
    const decisive = visible.filter(({ cell }) => relevant.has(cell));
    const written = decisive.filter(({ cell }) => this.effects.isWritten(cell));
    const hasObjects = written.some(({ cell }) => ((this.masks.get(cell) ?? anything) & structured) !== 0);
    const state = withContents || hasObjects ? decisive : written;
    const objects = visible.filter(({ name }) => {
      const { mask, elements } = kinds.get(name) ?? { mask: anything, elements: anything };
      return (mask & (T.object | T.mapOrSet)) !== 0 || (elements & structured) !== 0;
    });
    return {
      state: state.map(({ name }) => name),
      withContents,
      staying: this.#staying,
      plain: this.effects.touchesObjects ? objects.map(({ name }) => name) : [],
      methods: [...this.effects.methods],
      texts: [this.loop, ...this.entered],
    };
  }

  #walk(): void {
    this.effects = new Effects();
    this.#staying = [];
    this.nodes = 0;
    const { type } = this.loop;
    // An iterator keeps its position where nobody sees it.
    if (type === 'ForOfStatement' || type === 'ForInStatement') throw new Unknown();
    this.#conditional(nodeField(this.loop, 'test'), (reads) => {
      this.effects.exit(reads);
      this.effects.under(reads, () => {
        this.statement(nodeField(this.loop, 'body'));
        const update = nodeField(this.loop, 'update');
        if (update !== undefined) this.value(update);
      });
    });
  }

  // --- statements ---

  protected statement(node: Node | undefined): void {
    if (node === undefined) return;
    if (++this.nodes > maxNodes) throw new Unknown();
    switch (node.type) {
      case 'ExpressionStatement':
        return void this.value(nodeField(node, 'expression'));
      case 'VariableDeclaration':
        for (const each of listField(node, 'declarations')) {
          const init = nodeField(each, 'init');
          const id = nodeField(each, 'id');
          if (init !== undefined && isFunction(init)) {
            this.assignTo(id, { mask: T.function, reads: none }, undefined);
            continue;
          }
          if (init !== undefined || textField(node, 'kind') !== 'var')
            this.assignTo(id, init === undefined ? { mask: T.undefined, reads: none } : this.value(init), init);
        }
        return;
      case 'BlockStatement':
        for (const each of listField(node, 'body')) this.statement(each);
        return;
      case 'EmptyStatement':
        return;
      case 'FunctionDeclaration':
        return this.assignTo(nodeField(node, 'id'), { mask: T.function, reads: none }, undefined);
      case 'IfStatement':
        return this.#conditional(nodeField(node, 'test'), (reads) =>
          this.effects.under(reads, () => {
            this.statement(nodeField(node, 'consequent'));
            this.statement(nodeField(node, 'alternate'));
          }),
        );
      case 'LabeledStatement':
        return this.statement(nodeField(node, 'body'));
      case 'SwitchStatement':
        return this.#switch(node);
      case 'ReturnStatement': {
        const value = this.optional(nodeField(node, 'argument'));
        const made = this.calls.at(-1);
        if (made !== undefined) this.join(returnCell(made), value);
        return this.effects.exit(none);
      }
      case 'ThrowStatement':
        this.value(nodeField(node, 'argument'));
        return this.effects.exit(none);
      case 'BreakStatement':
      case 'ContinueStatement':
        return this.effects.exit(none);
      default:
        if (isLoop(node)) return this.#innerLoop(node);
        throw new Unknown();
    }
  }

  #switch(node: Node): void {
    const tested = this.value(nodeField(node, 'discriminant'));
    const cases = listField(node, 'cases');
    const tests = cases.map((each) => this.optional(nodeField(each, 'test')).reads);
    this.effects.under(union(tested.reads, ...tests), () => {
      for (const each of cases) for (const statement of listField(each, 'consequent')) this.statement(statement);
    });
  }

  #innerLoop(node: Node): void {
    if (field(node, 'await') === true) throw new Unknown();
    const body = () => this.statement(nodeField(node, 'body'));
    if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') {
      const over = this.value(nodeField(node, 'right'));
      this.iterate(over);
      const reads = union(over.reads, new Set([heap]));
      const left = nodeField(node, 'left');
      const target =
        left?.type === 'VariableDeclaration' ? nodeField(listField(left, 'declarations')[0] ?? left, 'id') : left;
      const mask = node.type === 'ForInStatement' ? T.string : this.elementOf(over.mask);
      return this.effects.under(reads, () => {
        this.assignTo(target, { mask, reads }, undefined);
        body();
      });
    }
    const init = nodeField(node, 'init');
    if (init?.type === 'VariableDeclaration') this.statement(init);
    else if (init !== undefined) this.value(init);
    // Written before the test is read again, so the test is followed first and last.
    const test = nodeField(node, 'test');
    const update = nodeField(node, 'update');
    this.effects.under(this.optional(test).reads, () => {
      body();
      if (update !== undefined) this.value(update);
    });
  }

  // --- conditions ---

  /** A condition that stays what it is decides nothing any more. */
  #conditional(test: Node | undefined, work: (reads: Cells) => void): void {
    let reads = none;
    for (const part of test === undefined ? [] : conjuncts(test))
      this.effects.under(reads, () => (reads = union(reads, this.#partReads(part))));
    work(reads);
  }

  #partReads(part: Node): Cells {
    const { reads } = this.value(part);
    const stays = this.#settled === undefined ? undefined : this.#stayingCondition(part, this.#settled);
    if (stays === undefined) return reads;
    this.#staying.push(stays);
    return none;
  }

  /** `i < n` where i only goes down and n stays. */
  #stayingCondition(part: Node, settled: Effects): LoopPlan['staying'][number] | undefined {
    const operator = textField(part, 'operator') ?? '';
    const [left, right] = [nodeField(part, 'left'), nodeField(part, 'right')];
    if (part.type !== 'BinaryExpression' || left === undefined || right === undefined || this.calls.length > 0)
      return undefined;
    for (const [moving, bound, relation] of [
      [left, right, operator],
      [right, left, mirrored[operator] ?? operator],
    ] as const) {
      if (moving.type !== 'Identifier') continue;
      const variable = this.variable(moving);
      const direction = variable === undefined ? undefined : settled.directionOf(variable.cell);
      if (variable === undefined || (direction !== 'up' && direction !== 'down')) continue;
      const limit = this.value(bound);
      const isFixed = [...limit.reads].every(
        (cell) => !settled.isWritten(cell) && (cell === heap || this.isVisible(cell)),
      );
      if (this.masks.get(variable.cell) !== T.number || limit.mask !== T.number || !isFixed) continue;
      if (!this.isVisible(variable.cell)) continue;
      const text = this.program.source.slice(part.start, part.end);
      const boundText = `(${this.program.source.slice(bound.start, bound.end)})`;
      const away = `${variable.name} ${direction === 'down' ? '<' : '>'} ${boundText}`;
      const isTowards =
        (relation.startsWith('<') && direction === 'up') || (relation.startsWith('>') && direction === 'down');
      if (this.#moving.has(text)) continue;
      const check = /^[<>]/.test(relation)
        ? `(${text}) === ${String(!isTowards)}`
        : /^[!=]=/.test(relation)
          ? away
          : undefined;
      if (check !== undefined) return { check, text, name: variable.name, direction };
    }
    return undefined;
  }

  #attempt<R>(work: () => R): R | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof Unknown) return undefined;
      throw error;
    }
  }
}

const mirrored: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

function conjuncts(test: Node): Node[] {
  const [left, right] = [nodeField(test, 'left'), nodeField(test, 'right')];
  if (test.type !== 'LogicalExpression' || textField(test, 'operator') !== '&&') return [test];
  return [left, right].flatMap((side) => (side === undefined ? [] : conjuncts(side)));
}
