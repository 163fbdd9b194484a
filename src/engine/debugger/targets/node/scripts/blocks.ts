import type { Node } from 'acorn';
import { LineIndex } from '../../../../../base/positions.ts';
import { children, isFunction, parseLeniently } from './syntaxTree.ts';

export interface Block {
  kind: 'loop' | 'function';
  firstLine: number;
  lastLine: number;
}

/** The loops and functions of a JavaScript text, outer ones first; none when it cannot be parsed. */
export function blocksOf(source: string): Block[] {
  const program = parseLeniently(source);
  if (program === undefined) return [];
  const index = new LineIndex(source);
  const found: Block[] = [];
  const visit = (node: Node): void => {
    const kind = isFunction(node)
      ? 'function'
      : /^(For|ForOf|ForIn|While|DoWhile)Statement$/.test(node.type)
        ? 'loop'
        : undefined;
    if (kind !== undefined)
      found.push({ kind, firstLine: index.positionAt(node.start).line, lastLine: index.positionAt(node.end).line });
    for (const child of children(node)) visit(child);
  };
  visit(program);
  return found;
}

/** The innermost one that a line stands in, below the line it begins on. */
export function blockAround(blocks: readonly Block[], line: number): Block | undefined {
  return blocks.findLast(({ firstLine, lastLine }) => firstLine < line && line <= lastLine);
}
