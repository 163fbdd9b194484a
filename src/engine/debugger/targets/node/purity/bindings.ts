import type { Node } from 'acorn';
import { children, isFunction, listField, nodeField, textField } from '../scripts/syntaxTree.ts';

/** A variable of the code that is looked at; it comes into being with each run of it. */
export interface Binding {
  kind: 'variable' | 'parameter' | 'function';
  /** What it is given, when all of that is known. */
  given: Node[];
  /** It is also given something that cannot be pointed at: by a pattern, a loop, a caller. */
  isOpaque: boolean;
}

/** Which variable a name means at each place. Names that mean nothing inside come from outside. */
export class Bindings {
  readonly #scopes = new Map<Node, Map<string, Binding>>();
  readonly #around = new Map<Node, Node | undefined>();

  constructor(root: Node) {
    this.#declareAll(root, undefined, undefined);
    this.#noteGiven(root);
  }

  of(identifier: Node): Binding | undefined {
    const name = textField(identifier, 'name') ?? '';
    for (let node: Node | undefined = identifier; node !== undefined; node = this.#around.get(node)) {
      const found = this.#scopes.get(node)?.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `hoisting`: the function's body, where `var` is declared. */
  #declareAll(node: Node, parent: Node | undefined, hoisting: Node | undefined): void {
    this.#around.set(node, parent);
    let inner = hoisting;
    if (isFunction(node)) {
      // Parameters are a scope of their own: what their defaults name is not what the body declares.
      for (const param of listField(node, 'params')) this.#declare(node, param, 'parameter');
      if (node.type !== 'ArrowFunctionExpression') this.#add(node, 'arguments', 'parameter');
      const id = nodeField(node, 'id');
      if (node.type === 'FunctionExpression' && id !== undefined && !this.#has(node, id))
        this.#declare(node, id, 'function');
      inner = nodeField(node, 'body');
    }
    if (node.type === 'CatchClause') this.#declare(node, nodeField(node, 'param'), 'parameter');
    // What a declared function is called outside may mean something else by now.
    if (node.type === 'FunctionDeclaration' && parent !== undefined)
      this.#declare(this.#blockOf(parent), nodeField(node, 'id'), 'function');
    if (node.type === 'VariableDeclaration') {
      const home = textField(node, 'kind') === 'var' ? (hoisting ?? node) : this.#blockOf(parent ?? node);
      for (const each of children(node)) this.#declare(home, nodeField(each, 'id'), 'variable');
    }
    for (const child of children(node)) this.#declareAll(child, node, inner);
  }

  /** All cases of a switch are one block. */
  #blockOf(node: Node): Node {
    return node.type === 'SwitchCase' ? (this.#around.get(node) ?? node) : node;
  }

  #has(scope: Node, id: Node): boolean {
    return this.#scopes.get(scope)?.has(textField(id, 'name') ?? '') === true;
  }

  #declare(scope: Node, pattern: Node | undefined, kind: Binding['kind']): void {
    for (const name of namesIn(pattern)) this.#add(scope, name, kind);
    // What a pattern takes apart cannot be pointed at.
    if (pattern !== undefined && pattern.type !== 'Identifier')
      for (const name of namesIn(pattern)) this.#opaque(this.#scopes.get(scope)?.get(name));
  }

  #add(scope: Node, name: string, kind: Binding['kind']): void {
    const names = this.#scopes.get(scope) ?? new Map<string, Binding>();
    this.#scopes.set(scope, names);
    const known = names.get(name);
    if (known === undefined) names.set(name, { kind, given: [], isOpaque: kind === 'parameter' });
    // Declared twice, as a parameter and a variable or so: nothing is known of it.
    else if (known.kind !== kind) known.isOpaque = true;
  }

  #opaque(binding: Binding | undefined): void {
    if (binding !== undefined) binding.isOpaque = true;
  }

  #noteGiven(node: Node): void {
    const id = nodeField(node, 'id');
    if (node.type === 'FunctionDeclaration' && id !== undefined) this.of(id)?.given.push(node);
    if (node.type === 'FunctionExpression' && id !== undefined) this.of(id)?.given.push(node);
    if (node.type === 'VariableDeclarator' && id?.type === 'Identifier') {
      const init = nodeField(node, 'init');
      if (init !== undefined) this.of(id)?.given.push(init);
    }
    if (node.type === 'AssignmentExpression') {
      const left = nodeField(node, 'left');
      if (left?.type === 'Identifier') this.of(left)?.given.push(node);
      else for (const target of targetsIn(left)) this.#opaque(this.of(target));
    }
    if (/^For(In|Of)Statement$/.test(node.type)) {
      const left = nodeField(node, 'left');
      const declared =
        left?.type === 'VariableDeclaration' ? children(left).map((each) => nodeField(each, 'id')) : [left];
      for (const target of declared.flatMap((each) => targetsIn(each))) this.#opaque(this.of(target));
    }
    for (const child of children(node)) this.#noteGiven(child);
  }
}

/** The names that a pattern gives values to. */
export function targetsIn(pattern: Node | undefined): Node[] {
  if (pattern === undefined) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return targetsIn(nodeField(pattern, 'left'));
    case 'RestElement':
      return targetsIn(nodeField(pattern, 'argument'));
    case 'ArrayPattern':
      return listField(pattern, 'elements').flatMap(targetsIn);
    case 'ObjectPattern':
      return listField(pattern, 'properties').flatMap((each) => targetsIn(nodeField(each, 'value') ?? each));
    default:
      return [];
  }
}

function namesIn(pattern: Node | undefined): string[] {
  return targetsIn(pattern).map((target) => textField(target, 'name') ?? '');
}
