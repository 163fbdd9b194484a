import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import { compiler, parse, tokenAt } from './compiler.ts';

const mark = '__returned';

/**
 * The server extracts no statements that return somewhere in their middle, even if they return in the end in any case. It does when the
 * returns in the middle look like something that is thrown: so they are hidden from it, and shown again in what it answers. Undefined
 * when the selection does not end with a return.
 */
export function hideReturns(path: string, before: LineIndex, range: Range): { text: string; end: number } | undefined {
  const tsc = compiler();
  const source = parse(path, before.text);
  const [start, end] = [before.offsetAt(range.start), before.offsetAt(range.end)];
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const block = tsc.findAncestor(tokenAt(source, start), (node) => tsc.isBlock(node) && !isSelected(node));
  const last = block === undefined || !tsc.isBlock(block) ? undefined : block.statements.findLast(isSelected);
  if (last === undefined || !tsc.isReturnStatement(last) || last.expression === undefined) return undefined;
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) && isSelected(node)) return;
    if (tsc.isReturnStatement(node) && isSelected(node) && node !== last)
      edits.push({
        start: node.getStart(source),
        end: node.getEnd(),
        text: `throw ${mark}(${node.expression?.getText(source) ?? ''});`,
      });
    tsc.forEachChild(node, visit);
  };
  visit(source);
  if (edits.length === 0) return undefined;
  const text = edited(before.text, edits);
  return { text, end: end + text.length - before.text.length };
}

export function showReturns(path: string, text: string): string {
  const tsc = compiler();
  const source = parse(path, text);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (
      tsc.isThrowStatement(node) &&
      tsc.isCallExpression(node.expression) &&
      node.expression.expression.getText(source) === mark
    ) {
      const value = node.expression.arguments[0]?.getText(source);
      edits.push({
        start: node.getStart(source),
        end: node.getEnd(),
        text: value === undefined ? 'return;' : `return ${value};`,
      });
    }
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return edited(text, edits);
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

function edited(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}
