import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../../../base/positions.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { hasPlainEffects } from '../../semantics/effects.ts';
import { formatOptionsFor, semicolonIn } from '../../servers/formatOptions.ts';
import { indentAt, reindented } from '../../syntax/indentation.ts';
import { standIn } from '../jsxParts.ts';
import { freeNames } from '../../syntax/scopes.ts';
import { mayFail, whySharedMatters } from '../../semantics/sharedValue.ts';
import { addEdit, type FileEdits } from '../../servers/trial.ts';

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
    if (isBareBody(at, selected)) return bareBody(path, text, source, at, selected, newName);
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
  const plain = withoutParentheses(selected, source);
  const value = reindented(plain.getText(source), indentAt(start, source), inner);
  const returned = withoutParentheses(body, source);
  const isAll = start <= returned.getStart(source) && returned.getEnd() <= end;
  const [from, to] = [returned.getStart(source), returned.getEnd()];
  const result = isAll ? newName : text.text.slice(from, start) + standIn(selected, newName) + text.text.slice(end, to);
  const semicolon = semicolonIn(text.text);
  const lines = [
    `const ${newName} = ${value}${semicolon}`,
    `return ${reindented(result, indentAt(from, source), inner)}${semicolon}`,
  ];
  const block = `{\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent}}`;
  addBlock(edits, path, text, body, block);
  return edits;
}

/** Puts a block in place of something; where that stands on a line of its own, the brace goes to the line before. */
function addBlock(edits: FileEdits, path: string, text: LineIndex, node: ts.Node, block: string): void {
  const start = node.getStart();
  const isApart = /^\s*\n\s*$/.test(text.text.slice(node.pos, start));
  const place = { start: text.positionAt(isApart ? node.pos : start), end: text.positionAt(node.getEnd()) };
  addEdit(edits, path, place, isApart ? ` ${block}` : block);
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
function isBareBody(node: ts.Node, selected: ts.Expression): boolean {
  const tsc = compiler();
  const { parent } = node;
  if (!tsc.isStatement(node) || tsc.isBlock(node)) return false;
  if (tsc.isIfStatement(node) && tsc.isIfStatement(parent) && parent.elseStatement === node)
    return isDecidedBefore(node, selected);
  return tsc.isIfStatement(parent) || tsc.isIterationStatement(parent, false);
}

/** Whether the conditions before an `else if` decide whether the selection may be evaluated: else it can stand before all of them. */
function isDecidedBefore(statement: ts.IfStatement, selected: ts.Expression): boolean {
  const tsc = compiler();
  if (hasPlainEffects(selected)) return true;
  const names = freeNames(selected);
  for (let at: ts.Node = statement; tsc.isIfStatement(at.parent) && at.parent.elseStatement === at; at = at.parent)
    if (mayFail(selected) && [...freeNames(at.parent.expression)].some((name) => names.has(name))) return true;
  return false;
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
  const semicolon = statement.getText(source).endsWith(';') ? ';' : semicolonIn(text.text);
  const rest = text.text.slice(from, start) + standIn(selected, newName) + text.text.slice(end, statement.getEnd());
  const lines = [
    `const ${newName} = ${text.text.slice(start, end)}${semicolon}`,
    reindented(rest, indentAt(from, source), indent + step),
  ];
  const block = `{\n${lines.map((line) => `${indent}${step}${line}\n`).join('')}${indent}}`;
  addBlock(edits, path, text, statement, block);
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
