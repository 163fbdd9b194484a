import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { formatOptionsFor } from './formatOptions.ts';
import { indentAt } from './indentation.ts';
import { standIn } from './jsxParts.ts';
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
    return blockBody(path, text, source, parent, at, selected, newName);
  }
  return undefined;
}

function blockBody(
  path: string,
  text: LineIndex,
  source: ts.SourceFile,
  arrow: ts.ArrowFunction,
  body: ts.Node,
  selected: ts.Expression,
  newName: string,
): FileEdits {
  const [start, end] = [selected.getStart(source), selected.getEnd()];
  const edits: FileEdits = new Map();
  const lineStart = text.text.lastIndexOf('\n', arrow.getStart(source) - 1) + 1;
  const indent = /^[ \t]*/.exec(text.text.slice(lineStart))?.[0] ?? '';
  const options = formatOptionsFor(text.text);
  const step = options.convertTabsToSpaces ? ' '.repeat(options.indentSize) : '\t';
  const selectedText = text.text.slice(start, end);
  const isAll = start <= body.getStart(source) && body.getEnd() <= end;
  const result = isAll
    ? newName
    : text.text.slice(body.getStart(source), start) + standIn(selected, newName) + text.text.slice(end, body.getEnd());
  const block = `{\n${indent}${step}const ${newName} = ${selectedText};\n${indent}${step}return ${result};\n${indent}}`;
  addEdit(edits, path, { start: text.positionAt(body.getStart(source)), end: text.positionAt(body.getEnd()) }, block);
  return edits;
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
  const options = formatOptionsFor(text.text);
  const step = options.convertTabsToSpaces ? ' '.repeat(options.indentSize) : '\t';
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
