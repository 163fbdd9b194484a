import type { Node } from 'acorn';
import { nodeField, textField } from '../scripts/syntaxTree.ts';
import { Effects } from './effects.ts';
import type { LoopProgram } from './program.ts';
import type { Variable } from './scopes.ts';
import { type Cells } from './types.ts';

/** What an expression can be, and what it is made from. */
export interface Value {
  mask: number;
  reads: Cells;
}

/** The text cannot be followed to its end; then nothing is claimed. */
export class Unknown extends Error {}

/** What is known while the text of a loop is followed: variables, what they can be, and what has been seen to happen. */
export abstract class Walk {
  protected readonly program: LoopProgram;
  protected readonly loop: Node;
  protected readonly anchor: number;
  /** Variables that have a value when the program stands at the anchor. */
  protected readonly visible = new Map<string, Variable>();
  protected readonly masks = new Map<string, number>();
  /** The functions that are being followed, outermost first. */
  protected readonly calls: Node[] = [];
  protected readonly entered = new Set<Node>();
  /** What objects and arrays can hold. */
  protected heapMask = 0;
  protected effects = new Effects();
  protected nodes = 0;

  /** `anchor`: the offset of a statement of the loop itself at which the program is to stand. */
  constructor(program: LoopProgram, loop: Node, anchor: number) {
    this.program = program;
    this.loop = loop;
    this.anchor = anchor;
  }

  protected typesText(): string {
    return JSON.stringify([this.heapMask, ...this.masks]);
  }

  protected readVisible(variable: Variable): Value {
    this.note(variable);
    return { mask: this.masks.get(variable.cell) ?? 0, reads: new Set([variable.cell]) };
  }

  /** Notes a variable that has a value when the program stands at the anchor. What cannot be seen from there must be new in every pass. */
  protected note(variable: Variable): void {
    const { cell, name, declaredAt, scope } = variable;
    if (this.visible.has(cell)) return;
    const { body } = { body: nodeField(this.loop, 'body') };
    const isInBody = body !== undefined && scope.start >= body.start && scope.end <= body.end;
    const isInCall = this.calls.some((made) => scope.start >= made.start && scope.end <= made.end);
    const isSeen = cell === 'this' || this.program.scopes.resolve(name, this.anchor)?.cell === cell;
    if (isSeen && (!isInBody || declaredAt < this.anchor)) this.visible.set(cell, variable);
    else if (!isInBody && !isInCall) throw new Unknown();
  }

  protected variable(node: Node): Variable | undefined {
    const variable = this.program.scopes.resolve(textField(node, 'name') ?? '', node.start);
    if (variable === undefined) return undefined;
    if (variable.name === 'arguments') throw new Unknown();
    // Used before it is declared: an error or an `undefined` that depends on the way taken.
    const isLocal = variable.scope.start >= this.loop.start && variable.scope.end <= this.loop.end;
    if (isLocal && node.start < variable.declaredAt) throw new Unknown();
    return variable;
  }

  protected join(cell: string, value: Value): void {
    this.masks.set(cell, (this.masks.get(cell) ?? 0) | value.mask);
    this.effects.write(cell, value.reads);
  }

  protected isVisible(cell: string): boolean {
    return this.visible.has(cell);
  }
}

export function returnCell(made: Node): string {
  return `return:${made.start}`;
}
