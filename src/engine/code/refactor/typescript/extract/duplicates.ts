import type ts from 'typescript-classic';
import { samePosition } from '../servers/trial.ts';
import type { LineIndex, Range } from '../../../../../base/positions.ts';
import type { TextEdit } from '../../../../workspace/edits/operations.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';

/** Where else in a file the same code stands: the same tokens, as whole statements or a whole expression. */
export function duplicatesOf(path: string, text: LineIndex, range: Range): Range[] {
  const tsc = compiler();
  const source = parse(path, text.text);
  const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
  const nodes = selectedNodes(source, start, end);
  const wanted = nodes.map((node) => tokensOf(node, source));
  const found: Range[] = [];
  let free = 0;
  const take = (first: ts.Node, last: ts.Node): void => {
    const [from, to] = [first.getStart(source), last.getEnd()];
    const isApart = (to <= start || from >= end) && from >= free;
    if (!isApart) return;
    free = to;
    found.push({ start: text.positionAt(from), end: text.positionAt(to) });
  };
  const visit = (node: ts.Node): void => {
    const list = statementsOf(node);
    list.forEach((one, index) => {
      const same = list.slice(index, index + wanted.length);
      const isSame = same.length === wanted.length && same.every((each, at) => tokensOf(each, source) === wanted[at]);
      if (isSame) take(one, same.at(-1) ?? one);
    });
    const [only] = nodes;
    const isExpression =
      only !== undefined && tsc.isExpression(only) && tsc.isExpression(node) && node.kind === only.kind;
    if (isExpression && tokensOf(node, source) === wanted[0]) take(node, node);
    tsc.forEachChild(node, visit);
  };
  if (nodes.length > 0) visit(source);
  return found;
}

/** What stands in place of a duplicate, if the server would make the very same function of it; else nothing. */
export function callsAt(
  duplicate: Range,
  edits: readonly TextEdit[],
  original: Range,
  asked: readonly TextEdit[],
): TextEdit[] | undefined {
  const [own, made] = split(edits, duplicate);
  const [, wanted] = split(asked, original);
  // The server may know more or less of what is wanted of the value at each place; a return type tells nothing else.
  const textOf = (list: readonly TextEdit[]): string =>
    list.map((edit) => edit.newText.trim().replace(/\)\s*:[^\n]*\{$/m, ') {')).join('\n');
  return own.length > 0 && textOf(made) === textOf(wanted) ? own : undefined;
}

function split(edits: readonly TextEdit[], { start, end }: Range): [TextEdit[], TextEdit[]] {
  const isBefore = (a: Range['start'], b: Range['start']): boolean =>
    a.line < b.line || (a.line === b.line && a.column <= b.column);
  // The server may take the blanks before a statement along.
  const isOwn = ({ range }: TextEdit): boolean =>
    isBefore(range.start, end) && isBefore(start, range.end) && !samePosition(range.start, range.end);
  return [edits.filter(isOwn), edits.filter((edit) => !isOwn(edit))];
}

function selectedNodes(source: ts.SourceFile, start: number, end: number): ts.Node[] {
  const tsc = compiler();
  const isIn = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  for (let at: ts.Node | undefined = tokenAt(source, start); at !== undefined; at = at.parent) {
    if (at.getStart(source) === start && at.getEnd() === end && tsc.isExpression(at)) return [at];
    const list = statementsOf(at).filter(isIn);
    if (list.length > 0) return list;
  }
  return [];
}

function statementsOf(node: ts.Node): readonly ts.Statement[] {
  const tsc = compiler();
  const isList =
    tsc.isBlock(node) ||
    tsc.isSourceFile(node) ||
    tsc.isModuleBlock(node) ||
    tsc.isCaseClause(node) ||
    tsc.isDefaultClause(node);
  return isList ? node.statements : [];
}

/** Code without its layout and comments. */
function tokensOf(node: ts.Node, source: ts.SourceFile): string {
  const tokens: string[] = [];
  const visit = (one: ts.Node): void => {
    const children = one.getChildren(source);
    if (children.length === 0) tokens.push(one.getText(source));
    for (const child of children) if (!compiler().isJSDoc(child)) visit(child);
  };
  visit(node);
  return tokens.join(' ');
}
