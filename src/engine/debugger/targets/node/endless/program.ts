import type { Node } from 'acorn';
import { children, field, isFunction, listField, nodeField, parseLeniently, textField } from '../scripts/syntaxTree.ts';
import { Scopes } from './scopes.ts';

const maxSourceChars = 1_000_000;

/** A text whose loops are looked at. */
export class LoopProgram {
  readonly source: string;
  readonly root: Node;
  readonly scopes: Scopes;
  readonly #functions = new Map<string, Node>();
  readonly #assigned = new Set<string>();
  readonly #constants = new Set<number>();

  private constructor(source: string, root: Node) {
    this.source = source;
    this.root = root;
    this.scopes = new Scopes(root);
    this.#collect(root);
  }

  static of(source: string): LoopProgram | undefined {
    const root = source.length > maxSourceChars ? undefined : parseLeniently(source);
    return root === undefined ? undefined : new LoopProgram(source, root);
  }

  /** The function that a name always stands for; undefined when that cannot be told from the text. */
  functionNamed(name: string): Node | undefined {
    return this.scopes.isUnique(name) && !this.#assigned.has(name) ? this.#functions.get(name) : undefined;
  }

  /** Whether what is declared at an offset can never be written again. */
  isConstant(declaredAt: number): boolean {
    return this.#constants.has(declaredAt);
  }

  /** The loops around an offset, in the same function, innermost first. */
  loopsAround(offset: number): Node[] {
    let found: Node[] = [];
    for (const node of this.#path(offset)) {
      if (isFunction(node)) found = [];
      else if (isLoop(node)) found.unshift(node);
    }
    return found;
  }

  /**
   * Whether a program that stands at this offset is at the beginning of a statement of the loop itself. V8 stops at the first thing in
   * a statement that could be seen from outside, so reading variables may have begun, but nothing is written yet.
   */
  beginsAt(offset: number, loop: Node): boolean {
    const path = this.#path(offset);
    const inLoop = path[path.indexOf(loop) + 1];
    const isPart =
      inLoop === nodeField(loop, 'body') || (loop.type !== 'ForStatement' && inLoop === nodeField(loop, 'test'));
    const statement = path.findLast((node) => /Statement$|^VariableDeclaration$/.test(node.type));
    const begun = statement === loop ? inLoop : statement;
    return isPart && begun !== undefined && !hasWrittenBefore(begun, offset);
  }

  #path(offset: number): Node[] {
    const path: Node[] = [];
    for (let node: Node | undefined = this.root; node !== undefined;) {
      path.push(node);
      node = children(node).find((child) => child.start <= offset && offset < child.end);
    }
    return path;
  }

  #collect(node: Node): void {
    const id = nodeField(node, 'id');
    const name = textField(id ?? node, 'name');
    if (name !== undefined && id !== undefined) {
      const made = node.type === 'FunctionDeclaration' ? node : nodeField(node, 'init');
      if (made !== undefined && isFunction(made) && field(made, 'async') !== true && field(made, 'generator') !== true)
        this.#functions.set(name, made);
    }
    if (textField(node, 'kind') === 'const' && node.type === 'VariableDeclaration')
      for (const each of listField(node, 'declarations')) this.#addConstants(nodeField(each, 'id'));
    if (/^Import.*Specifier$/.test(node.type)) this.#addConstants(nodeField(node, 'local'));
    const target = nodeField(node, node.type === 'UpdateExpression' ? 'argument' : 'left');
    if (/^(Assignment|Update)Expression$|^For(In|Of)Statement$/.test(node.type) && target !== undefined)
      for (const each of namesIn(target)) this.#assigned.add(each);
    for (const child of children(node)) this.#collect(child);
  }

  #addConstants(pattern: Node | undefined): void {
    if (pattern?.type === 'Identifier') this.#constants.add(pattern.start);
    else if (pattern !== undefined) for (const child of children(pattern)) this.#addConstants(child);
  }
}

function hasWrittenBefore(node: Node, offset: number): boolean {
  if (node.start >= offset) return false;
  if (node.end <= offset && /^(Assignment|Update|Call|New)Expression$/.test(node.type)) return true;
  return children(node).some((child) => hasWrittenBefore(child, offset));
}

export function isLoop(node: Node): boolean {
  return /^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type);
}

/** The names that a pattern binds or assigns to; `a.b` has none. */
export function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [textField(pattern, 'name') ?? ''];
  if (pattern.type === 'MemberExpression') return [];
  if (pattern.type === 'Property') return namesIn(nodeField(pattern, 'value') ?? pattern);
  if (pattern.type === 'AssignmentPattern') return namesIn(nodeField(pattern, 'left') ?? pattern);
  return children(pattern).flatMap(namesIn);
}
