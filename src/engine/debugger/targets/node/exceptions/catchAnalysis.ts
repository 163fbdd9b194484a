import type { Node } from 'acorn';
import { children, field, isFunction, isNode, parseLeniently } from '../scripts/syntaxTree.ts';

/**
 * Says whether code catches what is thrown at a position. V8 only knows "caught by somebody", and in a test run that
 * somebody is always the runner; so the functions on the stack are read and their `try` blocks and promise chains looked at.
 */
interface FrameVerdict {
  /** A `try` around the position catches it and does not throw again. */
  caught: boolean;
  /** A `try` around the position catches it and throws again in some cases only. */
  mayBeCaught: boolean;
  /** The promise made at the position is given a handler (`.catch`, `assert.rejects`, `expect().rejects`). */
  promiseHandled: boolean;
  /** The promise made at the position is awaited or returned, so its rejection goes on outwards. */
  promisePassedOn: boolean;
  isAsync: boolean;
  /** The position is in no function. */
  isTopLevel: boolean;
}

export class ParsedScript {
  readonly #program: Node | undefined;
  readonly #lineStarts: number[] = [0];

  constructor(source: string) {
    this.#program = parseLeniently(source);
    for (let i = 0; i < source.length; i++) if (source.charCodeAt(i) === 10) this.#lineStarts.push(i + 1);
  }

  /** Line and column are V8's, 0-based. Undefined when the script cannot be parsed. */
  verdict(line: number, column: number): FrameVerdict | undefined {
    if (this.#program === undefined) return undefined;
    const offset = (this.#lineStarts[line] ?? 0) + column;
    return judge(pathTo(this.#program, offset), offset);
  }

  /** Where top-level code begins to run: declarations of functions and imports do nothing by themselves. */
  firstStatement(): { line: number; column: number } {
    const body = this.#program === undefined ? undefined : field(this.#program, 'body');
    const statements = Array.isArray(body) ? body.filter(isNode) : [];
    const first = statements.find(doesSomething);
    return this.#position((first ?? statements[0])?.start ?? 0);
  }

  #position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - (this.#lineStarts[low] ?? 0) };
  }
}

/** Declarations have no place to stop at: V8 would take the next one, and that may be inside of a function. */
function doesSomething(statement: Node): boolean {
  if (/^(Function|Class|Import)Declaration$|^EmptyStatement$/.test(statement.type)) return false;
  if (statement.type !== 'VariableDeclaration') return field(statement, 'directive') === undefined;
  const declared = field(statement, 'declarations');
  return Array.isArray(declared) && declared.filter(isNode).some((each) => isNode(field(each, 'init')));
}

const handlers = new Set(['catch', 'rejects', 'doesNotReject', 'allSettled', 'any']);

function judge(path: readonly Node[], offset: number): FrameVerdict {
  const verdict: FrameVerdict = {
    caught: false,
    mayBeCaught: false,
    promiseHandled: false,
    promisePassedOn: false,
    isAsync: false,
    isTopLevel: false,
  };
  for (let i = path.length - 1; i >= 0; i--) {
    const node = path[i];
    if (node === undefined) continue;
    const inner = path[i + 1];
    if (isFunction(node)) {
      verdict.isAsync = field(node, 'async') === true;
      if (node.type === 'ArrowFunctionExpression' && field(node, 'body') === inner) verdict.promisePassedOn = true;
      return verdict;
    }
    if (node.type === 'TryStatement' && field(node, 'block') === inner) {
      const handler = field(node, 'handler');
      if (!isNode(handler)) continue;
      if (!holds(handler, 'ThrowStatement')) verdict.caught = true;
      else if (!alwaysThrows(handler)) verdict.mayBeCaught = true;
    } else if (node.type === 'CallExpression') {
      if (handlesPromise(node, offset)) verdict.promiseHandled = true;
    } else if (node.type === 'MemberExpression') {
      const name = propertyName(node);
      if (name === 'rejects' || name === 'resolves') verdict.promiseHandled = true;
    } else if (node.type === 'AwaitExpression' || node.type === 'ReturnStatement') {
      verdict.promisePassedOn = true;
    }
  }
  // Top-level code of a module awaits like an async function.
  verdict.isTopLevel = true;
  verdict.isAsync = verdict.promisePassedOn;
  return verdict;
}

/** `x.catch(…)` and `x.then(a, b)` around the position, or `assert.rejects(x)` with the position in its arguments. */
function handlesPromise(call: Node, offset: number): boolean {
  const callee = field(call, 'callee');
  if (!isNode(callee)) return false;
  const name = callee.type === 'MemberExpression' ? propertyName(callee) : textOf(field(callee, 'name'));
  const isInCallee = offset >= callee.start && offset < callee.end;
  const args = field(call, 'arguments');
  const count = Array.isArray(args) ? args.length : 0;
  if (isInCallee) {
    const object = field(callee, 'object');
    const isInObject = isNode(object) && offset >= object.start && offset < object.end;
    return isInObject && (name === 'catch' || (name === 'then' && count > 1));
  }
  return name !== undefined && name !== 'catch' && handlers.has(name);
}

/** Its last statement throws, and nothing leaves it before. */
function alwaysThrows(handler: Node): boolean {
  const block = field(handler, 'body');
  const statements = isNode(block) ? field(block, 'body') : undefined;
  const last: unknown = Array.isArray(statements) ? statements.at(-1) : undefined;
  return isNode(last) && last.type === 'ThrowStatement' && !holds(handler, 'ReturnStatement');
}

function holds(node: Node, type: string): boolean {
  return node.type === type || children(node).some((child) => holds(child, type));
}

function pathTo(program: Node, offset: number): Node[] {
  const path: Node[] = [program];
  for (;;) {
    const last = path.at(-1);
    const next =
      last === undefined ? undefined : children(last).find((child) => child.start <= offset && offset < child.end);
    if (next === undefined) return path;
    path.push(next);
  }
}

function propertyName(member: Node): string | undefined {
  const property = field(member, 'property');
  return isNode(property) ? textOf(field(property, 'name')) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
