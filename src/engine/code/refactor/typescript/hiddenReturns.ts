import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import { compiler, parse, tokenAt } from './compiler.ts';

const mark = '__returned';
const endMark = '__ended';

/**
 * The server extracts no statements that return somewhere in their middle, even if they return in the end in any case. It does when the
 * returns in the middle look like something that is thrown: so they are hidden from it, and shown again in what it answers. Where the
 * last statement is not a return itself but ends on all its ways, a return is put behind it, for the server to see. Undefined when
 * what comes after the selection could be reached.
 */
export function hideReturns(path: string, before: LineIndex, range: Range): { text: string; end: number } | undefined {
  const tsc = compiler();
  const source = parse(path, before.text);
  const [start, end] = [before.offsetAt(range.start), before.offsetAt(range.end)];
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const block = tsc.findAncestor(tokenAt(source, start), (node) => tsc.isBlock(node) && !isSelected(node));
  const last = block === undefined || !tsc.isBlock(block) ? undefined : block.statements.findLast(isSelected);
  if (last === undefined || !alwaysEnds(last)) return undefined;
  const isReturn = tsc.isReturnStatement(last) && last.expression !== undefined;
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) && isSelected(node)) return;
    if (tsc.isReturnStatement(node) && isSelected(node) && !(isReturn && node === last))
      edits.push({
        start: node.getStart(source),
        end: node.getEnd(),
        text: `throw ${mark}(${node.expression?.getText(source) ?? ''});`,
      });
    tsc.forEachChild(node, visit);
  };
  visit(source);
  if (edits.length === 0) return undefined;
  if (!isReturn) edits.push({ start: last.getEnd(), end: last.getEnd(), text: `\nreturn ${endMark}();` });
  const text = edited(before.text, edits);
  return { text, end: end + text.length - before.text.length };
}

/** Whether nothing comes after a statement, whichever way it takes. */
export function alwaysEnds(node: ts.Statement | undefined): boolean {
  const tsc = compiler();
  if (node === undefined) return false;
  if (tsc.isReturnStatement(node) || tsc.isThrowStatement(node)) return true;
  if (tsc.isBlock(node)) return alwaysEnds(node.statements.at(-1));
  if (tsc.isIfStatement(node)) return alwaysEnds(node.thenStatement) && alwaysEnds(node.elseStatement);
  if (!tsc.isTryStatement(node)) return false;
  if (alwaysEnds(node.finallyBlock)) return true;
  return alwaysEnds(node.tryBlock) && (node.catchClause === undefined || alwaysEnds(node.catchClause.block));
}

export function showReturns(path: string, text: string): string {
  const tsc = compiler();
  const source = parse(path, text);
  const edits: Edit[] = [];
  const callOf = (value: ts.Expression | undefined, name: string): ts.CallExpression | undefined =>
    value !== undefined && tsc.isCallExpression(value) && value.expression.getText(source) === name ? value : undefined;
  const visit = (node: ts.Node): void => {
    const hidden = tsc.isThrowStatement(node) ? callOf(node.expression, mark) : undefined;
    if (hidden !== undefined) {
      const value = hidden.arguments[0]?.getText(source);
      edits.push({
        start: node.getStart(source),
        end: node.getEnd(),
        text: value === undefined ? 'return;' : `return ${value};`,
      });
    }
    if (tsc.isReturnStatement(node) && callOf(node.expression, endMark) !== undefined)
      edits.push({ start: node.getFullStart(), end: node.getEnd(), text: '' });
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
