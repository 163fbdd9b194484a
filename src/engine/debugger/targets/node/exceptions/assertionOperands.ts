import type { Node } from 'acorn';
import { children, isFunction, listField, nodeField, parseLeniently, textField } from '../scripts/syntaxTree.ts';

const maxOperands = 4;
const comparisons = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=', 'in', 'instanceof']);

/**
 * The expressions whose values tell why an assertion failed: both sides of the comparison, and what was computed on the way.
 * The position is V8's of the call that failed, 0-based. Plain literals are left out, they can be read.
 */
export function assertionOperands(source: string, line: number, column: number): string[] {
  const program = parseLeniently(source);
  const call = program === undefined ? undefined : callAt(program, offsetOf(source, line, column));
  const condition = call === undefined ? undefined : listField(call, 'arguments')[0];
  if (condition === undefined || condition.type === 'SpreadElement') return [];
  const found = operandsOf(condition).filter((node) => !isUnanswerable(node));
  return [...new Set(found.map((node) => source.slice(node.start, node.end)))].slice(0, maxOperands);
}

/** The innermost call whose callee stands at the offset. */
function callAt(node: Node, offset: number): Node | undefined {
  for (const child of children(node))
    if (child.start <= offset && offset < child.end) {
      const inner = callAt(child, offset);
      if (inner !== undefined) return inner;
    }
  const callee = node.type === 'CallExpression' ? nodeField(node, 'callee') : undefined;
  return callee !== undefined && callee.start <= offset && offset <= callee.end ? node : undefined;
}

function operandsOf(condition: Node): Node[] {
  const [left, right, argument] = ['left', 'right', 'argument'].map((name) => nodeField(condition, name));
  if (condition.type === 'UnaryExpression' && argument !== undefined) return operandsOf(argument);
  if (left !== undefined && right !== undefined) {
    if (condition.type === 'LogicalExpression') return [...operandsOf(left), ...operandsOf(right)];
    if (comparisons.has(textField(condition, 'operator') ?? '')) return [...explain(left), ...explain(right)];
  }
  if (condition.type === 'CallExpression')
    return [...explain(condition), ...listField(condition, 'arguments').flatMap((each) => explain(each))];
  return explain(condition);
}

/** The value itself; of arithmetic also the calls in it, because the result alone hides what was wrong. */
function explain(node: Node): Node[] {
  if (isPlain(node)) return [];
  return node.type === 'BinaryExpression' || isMath(node) ? [node, ...callsIn(node)] : [node];
}

function callsIn(node: Node): Node[] {
  if (isFunction(node)) return [];
  return children(node).flatMap((child) =>
    child.type === 'CallExpression' && !isMath(child) ? [child] : callsIn(child),
  );
}

function isMath(node: Node): boolean {
  const callee = node.type === 'CallExpression' ? nodeField(node, 'callee') : undefined;
  const object = callee === undefined ? undefined : nodeField(callee, 'object');
  return object !== undefined && textField(object, 'name') === 'Math';
}

function isPlain(node: Node): boolean {
  if (node.type === 'UnaryExpression') return children(node).every(isPlain);
  if (node.type === 'Identifier') return textField(node, 'name') === 'undefined';
  return node.type === 'Literal' || isFunction(node);
}

/** What waits, or would do something. */
function isUnanswerable(node: Node): boolean {
  return (
    /^(Await|Yield|Assignment|Update|Import)Expression$/.test(node.type) ||
    (!isFunction(node) && children(node).some(isUnanswerable))
  );
}

function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let n = 0; n < line; n++) start = source.indexOf('\n', start) + 1;
  return start + column;
}
