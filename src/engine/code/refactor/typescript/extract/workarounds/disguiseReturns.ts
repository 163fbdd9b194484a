import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../../../base/positions.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { type Change, textWith } from '../../syntax/textChange.ts';
import type { Disguise } from './preparation.ts';
import { alwaysEnds } from '../../syntax/endings.ts';

const mark = '__returned';
const endMark = '__ended';
const tailMark = '__left';

/**
 * The server extracts no statements that return somewhere in their middle, even if they return in the end in any case. It does when the
 * returns in the middle look like something that is thrown: so they are hidden from it, and shown again in what it answers. Where the
 * last statement is not a return itself but ends on all its ways, a return is put behind it, for the server to see. Statements up to the
 * end of a function may return nothing early, and those up to the end of a loop's body may go on with the loop: both return early from
 * the new function then. Undefined when what comes after the selection could be reached.
 */
export function hideReturns(path: string, before: LineIndex, range: Range): Disguise | undefined {
  const tsc = compiler();
  const source = parse(path, before.text);
  const [start, end] = [before.offsetAt(range.start), before.offsetAt(range.end)];
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const block = tsc.findAncestor(tokenAt(source, start), (node) => tsc.isBlock(node) && !isSelected(node));
  const last = block === undefined || !tsc.isBlock(block) ? undefined : block.statements.findLast(isSelected);
  if (last === undefined) return undefined;
  const jumps = jumpsIn(source, isSelected);
  const isEnd = alwaysEnds(last);
  const tail = isEnd ? undefined : tailOf(last);
  const isTail =
    (tail === 'function' && jumps.every((one) => tsc.isReturnStatement(one) && one.expression === undefined)) ||
    (tail === 'loop' && jumps.every((one) => tsc.isContinueStatement(one)));
  if (!isTail && !(isEnd && jumps.every((one) => tsc.isReturnStatement(one)))) return undefined;
  const isReturn = tsc.isReturnStatement(last) && last.expression !== undefined;
  const hidden = jumps.filter((one) => !(isReturn && one === last));
  if (hidden.length === 0) return undefined;
  const edits: Change[] = hidden.map((one) => ({
    start: one.getStart(source),
    end: one.getEnd(),
    text: `throw ${isTail ? tailMark : mark}(${tsc.isReturnStatement(one) ? (one.expression?.getText(source) ?? '') : ''});`,
  }));
  if (isEnd && !isReturn) edits.push({ start: last.getEnd(), end: last.getEnd(), text: `\nreturn ${endMark}();` });
  const text = textWith(before.text, edits);
  return { text, start, end: end + text.length - before.text.length, reveal: (after) => showReturns(path, after) };
}

/** What leaves the selected statements: returns, and what goes on with a loop around them. */
function jumpsIn(source: ts.SourceFile, isSelected: (node: ts.Node) => boolean): ts.Statement[] {
  const tsc = compiler();
  const found: ts.Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) && isSelected(node)) return;
    const isNext =
      tsc.isContinueStatement(node) &&
      node.label === undefined &&
      !isSelected(tsc.findAncestor(node, (one) => tsc.isIterationStatement(one, false)) ?? source);
    if ((tsc.isReturnStatement(node) || isNext) && isSelected(node)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What comes to its end with a statement: a function, or one round of a loop. */
function tailOf(statement: ts.Statement): 'function' | 'loop' | undefined {
  const tsc = compiler();
  const { parent } = statement;
  if (tsc.isIfStatement(parent)) return tailOf(parent);
  if (!tsc.isBlock(parent)) return tsc.isIterationStatement(parent, false) ? 'loop' : undefined;
  if (parent.statements.at(-1) !== statement) return undefined;
  if (tsc.isFunctionLike(parent.parent)) return 'function';
  return tailOf(parent);
}

function showReturns(path: string, text: string): string {
  const tsc = compiler();
  const source = parse(path, text);
  const edits: Change[] = [];
  const callOf = (value: ts.Expression | undefined, name: string): ts.CallExpression | undefined =>
    value !== undefined && tsc.isCallExpression(value) && value.expression.getText(source) === name ? value : undefined;
  const visit = (node: ts.Node): void => {
    const thrown = tsc.isThrowStatement(node) ? node.expression : undefined;
    const hidden = callOf(thrown, mark) ?? callOf(thrown, tailMark);
    if (hidden !== undefined) {
      const value = hidden.arguments[0]?.getText(source) ?? (callOf(thrown, tailMark) && handedBack(node, source));
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
  return textWith(text, edits);
}

/** What a function hands back at its end, variables that it was given, it hands back when it ends early too. */
function handedBack(node: ts.Node, source: ts.SourceFile): string | undefined {
  const tsc = compiler();
  const around = tsc.findAncestor(node, tsc.isFunctionLike);
  const body = around !== undefined && 'body' in around ? around.body : undefined;
  const last = body !== undefined && tsc.isBlock(body) ? body.statements.at(-1) : undefined;
  return last !== undefined && tsc.isReturnStatement(last) ? last.expression?.getText(source) : undefined;
}
