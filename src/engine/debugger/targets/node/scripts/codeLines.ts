import type { Node } from 'acorn';
import { LineIndex } from '../../../../../base/positions.ts';
import { children, field, isFunction, nodeField, parseLeniently, textField } from './syntaxTree.ts';

/** Lines of a JavaScript text on which V8 can stop, told without running it; undefined when it cannot be parsed. */
export function linesWithCode(source: string): number[] | undefined {
  const program = parseLeniently(source);
  if (program === undefined) return undefined;
  const index = new LineIndex(source);
  const lines = new Set<number>();
  const stack: Node[] = [program];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const offset of stopsOf(node)) lines.add(index.positionAt(offset).line);
    stack.push(...children(node));
  }
  return [...lines].toSorted((a, b) => a - b);
}

/** The lines nearest to a wanted one, from above and below, in order. */
export function nearestLines(lines: readonly number[], wanted: number): number[] {
  const before = lines.filter((line) => line < wanted).slice(-2);
  const after = lines.filter((line) => line >= wanted).slice(0, 2);
  return [...before, ...after];
}

/** Offsets at which V8 stops for this node itself. */
function stopsOf(node: Node): number[] {
  switch (node.type) {
    case 'IfStatement':
    case 'SwitchStatement':
    case 'ThrowStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'DebuggerStatement':
      return [node.start];
    case 'ExpressionStatement':
    case 'ReturnStatement': {
      const inner = nodeField(node, node.type === 'ReturnStatement' ? 'argument' : 'expression');
      return isMemberCall(inner) || field(node, 'directive') !== undefined ? [] : [node.start];
    }
    case 'CallExpression': {
      const callee = nodeField(node, 'callee');
      return callee === undefined ? [] : [nodeField(callee, 'property')?.start ?? callee.start];
    }
    case 'NewExpression':
      return [node.start];
    case 'VariableDeclaration':
      return textField(node, 'kind') === 'var'
        ? []
        : children(node).flatMap((each) => (nodeField(each, 'init') ? [] : each.start));
    case 'VariableDeclarator':
    case 'PropertyDefinition':
      return startOf(nodeField(node, node.type === 'PropertyDefinition' ? 'value' : 'init'));
    case 'ForStatement':
      return ['test', 'update'].flatMap((part) => startOf(nodeField(node, part)));
    case 'ForOfStatement':
    case 'ForInStatement':
      return ['left', 'right'].flatMap((part) => startOf(nodeField(node, part)));
    case 'WhileStatement':
    case 'DoWhileStatement':
      return startOf(nodeField(node, 'test'));
    default:
      return isFunction(node) ? functionEnd(node) : [];
  }
}

/** A chain of calls stops at each method's name, not where the statement begins. */
function isMemberCall(node: Node | undefined): boolean {
  return node?.type === 'CallExpression' && nodeField(node, 'callee')?.type === 'MemberExpression';
}

/** The closing brace is where a function returns that does not say `return` last; a short arrow stops at its expression. */
function functionEnd(node: Node): number[] {
  const body = nodeField(node, 'body');
  if (body === undefined) return [];
  if (body.type !== 'BlockStatement') return [body.start];
  const last = children(body).at(-1);
  return last !== undefined && /^(Return|Throw)Statement$/.test(last.type) ? [] : [body.end - 1];
}

function startOf(node: Node | undefined): number[] {
  return node === undefined ? [] : [node.start];
}
