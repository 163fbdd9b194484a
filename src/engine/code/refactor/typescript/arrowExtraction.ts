import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { formatOptionsFor, semicolonIn } from './formatOptions.ts';
import { indentAt, reindented } from './indentation.ts';
import { standIn } from './jsxParts.ts';
import { freeNames } from './scopes.ts';
import { whySharedMatters } from './sharedValue.ts';
import { addEdit, type FileEdits } from './trial.ts';

/**
 * Extracting from the body of an arrow function that is an expression, or from a statement without braces around it. The TypeScript server puts the constant outside of the
 * function there, where its parameters do not exist; here the body becomes a block instead. Undefined when the selection is none of this.
 */
export function arrowExtraction(path: string, text: LineIndex, range: Range, newName: string): FileEdits | undefined {
  const tsc = compiler();
  const source = parse(path, text.text);
  const start = text.offsetAt(range.start);
  const end = text.offsetAt(range.end);
  const selected = wholeExpression(source, start, end);
  if (selected === undefined) return undefined;
  for (let at: ts.Node = selected; at.parent !== undefined; at = at.parent) {
    if (isBareBody(at)) return bareBody(path, text, source, at, selected, newName);
    if (tsc.isStatement(at) || tsc.isClassElement(at) || tsc.isParameter(at)) return undefined;
    const { parent } = at;
    if (!tsc.isArrowFunction(parent) || parent.body !== at || tsc.isBlock(at)) continue;
    if (isConstant(selected)) return undefined;
    return blockBody(path, text, source, parent, parent.body, selected, newName);
  }
  return undefined;
}

function blockBody(
  path: string,
  text: LineIndex,
  source: ts.SourceFile,
  arrow: ts.ArrowFunction,
  body: ts.ConciseBody,
  selected: ts.Expression,
  newName: string,
): FileEdits {
  const [start, end] = [selected.getStart(source), selected.getEnd()];
  const edits: FileEdits = new Map();
  const indent = indentAt(arrow.getStart(source), source);
  const inner = indent + stepOf(text.text);
  const value = reindented(text.text.slice(start, end), indentAt(start, source), inner);
  const returned = withoutParentheses(body, source);
  const isAll = start <= returned.getStart(source) && returned.getEnd() <= end;
  const [from, to] = [returned.getStart(source), returned.getEnd()];
  const result = isAll ? newName : text.text.slice(from, start) + standIn(selected, newName) + text.text.slice(end, to);
  const semicolon = semicolonIn(text.text);
  const lines = [`const ${newName} = ${value}${semicolon}`, `return ${reindented(result, indent, inner)}${semicolon}`];
  const block = `{\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent}}`;
  addEdit(edits, path, { start: text.positionAt(body.getStart(source)), end: text.positionAt(body.getEnd()) }, block);
  return edits;
}

/** What stands in parentheses, unless it begins on another line: there `return` needs them. */
function withoutParentheses(body: ts.ConciseBody, source: ts.SourceFile): ts.ConciseBody {
  if (!compiler().isParenthesizedExpression(body)) return body;
  const { expression } = body;
  const around =
    source.text.slice(body.getStart(source) + 1, expression.getStart(source)) +
    source.text.slice(expression.getEnd(), body.getEnd() - 1);
  return around.trim() === '' && !around.includes('\n') ? withoutParentheses(expression, source) : body;
}

function stepOf(text: string): string {
  const options = formatOptionsFor(text);
  return options.convertTabsToSpaces ? ' '.repeat(options.indentSize) : '\t';
}

/** Made of literals only: it has the same value outside of the function. */
function isConstant(selected: ts.Expression): boolean {
  const isThis = (node: ts.Node): boolean =>
    node.kind === compiler().SyntaxKind.ThisKeyword ||
    (compiler().forEachChild(node, (one) => isThis(one) || undefined) ?? false);
  return freeNames(selected).size === 0 && whySharedMatters(selected) === undefined && !isThis(selected);
}

/** A statement that stands alone where a block could stand. */
function isBareBody(node: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = node;
  if (!tsc.isExpressionStatement(node) && !tsc.isReturnStatement(node) && !tsc.isThrowStatement(node)) return false;
  return tsc.isIfStatement(parent) || tsc.isIterationStatement(parent, false);
}

function bareBody(
  path: string,
  text: LineIndex,
  source: ts.SourceFile,
  statement: ts.Node,
  selected: ts.Expression,
  newName: string,
): FileEdits {
  const [start, end] = [selected.getStart(source), selected.getEnd()];
  const edits: FileEdits = new Map();
  const from = statement.getStart(source);
  const indent = indentAt(statement.parent.getStart(source), source);
  const step = stepOf(text.text);
  const semicolon = statement.getText(source).endsWith(';') ? ';' : '';
  const rest = text.text.slice(from, start) + standIn(selected, newName) + text.text.slice(end, statement.getEnd());
  const lines = [`const ${newName} = ${text.text.slice(start, end)}${semicolon}`, rest];
  const block = `{\n${lines.map((line) => `${indent}${step}${line}\n`).join('')}${indent}}`;
  addEdit(edits, path, { start: text.positionAt(from), end: text.positionAt(statement.getEnd()) }, block);
  return edits;
}

/** The expression that a selection covers exactly. */
export function wholeExpression(source: ts.SourceFile, start: number, end: number): ts.Expression | undefined {
  const tsc = compiler();
  for (let at: ts.Node | undefined = tokenAt(source, start); at !== undefined; at = at.parent) {
    if (at.getStart(source) < start || at.getEnd() > end) return undefined;
    if (at.getStart(source) === start && at.getEnd() === end && tsc.isExpression(at)) return at;
  }
  return undefined;
}
