import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import { wholeExpression } from './arrowExtraction.ts';
import { compiler, parse } from './compiler.ts';
import { changedByCalls } from './changedByCalls.ts';
import { hasEffects, isWritten, makesIdentity, writtenBetween, writtenWithin } from './effects.ts';
import { standIn } from './jsxParts.ts';
import { freeNames, isShadowed, isValueUse } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import { addEdit, type FileEdits } from './trial.ts';
import { isCalledMember } from './variableSelection.ts';

/** Extracts a single name, which the server does not: read before its statement it is what it is in it, unless that writes it. */
export function extractName(path: string, text: LineIndex, name: ts.Identifier, newName: string): FileEdits {
  const tsc = compiler();
  const block = blockAround(name);
  const statement = tsc.findAncestor(name, (node) => node.parent === block);
  const isType = tsc.findAncestor(name, (node) => tsc.isTypeNode(node) && !tsc.isExpressionWithTypeArguments(node));
  const isTag = tsc.isJsxOpeningLikeElement(name.parent) || tsc.isJsxClosingElement(name.parent);
  if (!isValueUse(name) || !isReplaceable(name) || isType !== undefined || isTag)
    throw notOffered(`"${name.text}" is no value here`);
  if (statement !== undefined && writtenWithin(statement, name))
    throw notOffered(`"${name.text}" is assigned to within the statement`);
  return withConstant(path, text, name, newName, block, [name]).edits;
}

/** Extracts an expression and puts the new constant in place of every same expression of the block around it. */
export function extractAllOccurrences(
  path: string,
  text: LineIndex,
  range: Range,
  newName: string,
): { edits: FileEdits; count: number } {
  const tsc = compiler();
  const source = parse(path, text.text);
  const selected = wholeExpression(source, text.offsetAt(range.start), text.offsetAt(range.end));
  if (selected === undefined) throw notOffered('the selection is not one whole expression');
  if (hasEffects(selected) || makesIdentity(selected))
    throw notOffered(
      'the expression has side effects or makes a new object each time',
      'Extract one occurrence (all: false).',
    );
  const block = isLiteral(selected) ? functionBlockAround(selected) : blockAround(selected);
  const wanted = normalised(selected, source);
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isExpression(node) && node.kind === selected.kind && normalised(node, source) === wanted) {
      if (isWritten(node)) throw notOffered(`the expression is assigned to on line ${lineOf(node, source)}`);
      if (isReplaceable(node)) found.push(node);
      return;
    }
    tsc.forEachChild(node, visit);
  };
  visit(block);
  return withConstant(path, text, selected, newName, block, found);
}

/** Puts the constant before the statement with the first of these uses of it. */
function withConstant(
  path: string,
  text: LineIndex,
  selected: ts.Expression,
  newName: string,
  block: ts.Node,
  found: readonly ts.Expression[],
): { edits: FileEdits; count: number } {
  const tsc = compiler();
  const source = selected.getSourceFile();
  const [first] = found;
  if (first === undefined)
    throw notOffered('the expression is called or named in a way that a variable cannot stand for');
  for (const use of found)
    for (const name of [...freeNames(selected), newName])
      if (isShadowed(name, use, block))
        throw notOffered(`"${name}" means something else on line ${lineOf(use, source)}`);
  const why = writtenBetween(first, found) ?? changedByCalls(first, found, []);
  if (why !== undefined) throw notOffered(`the occurrences need not have the same value: ${why}`);
  if (!isSameThis(selected, found)) throw notOffered('"this" is not the same everywhere the expression occurs');

  const edits: FileEdits = new Map();
  for (const use of found) {
    const isShorthand = tsc.isShorthandPropertyAssignment(use.parent);
    const place = { start: text.positionAt(use.getStart(source)), end: text.positionAt(use.getEnd()) };
    addEdit(edits, path, place, isShorthand ? `${use.getText(source)}: ${newName}` : standIn(use, newName));
  }
  const statement = tsc.findAncestor(first, (node) => node.parent === block);
  if (statement === undefined) throw notOffered('there is no statement to put the variable before');
  const start = statement.getStart(source);
  const indent = /[ \t]*$/.exec(text.text.slice(0, start))?.[0] ?? '';
  const at = text.positionAt(start);
  const semicolon = /;\s*$/m.test(text.text) ? ';' : '';
  addEdit(edits, path, { start: at, end: at }, `const ${newName} = ${selected.getText(source)}${semicolon}\n${indent}`);
  return { edits, count: found.length };
}

function blockAround(node: ts.Node): ts.Node {
  const tsc = compiler();
  const isBlock = (one: ts.Node): boolean => tsc.isBlock(one) || tsc.isModuleBlock(one) || tsc.isSourceFile(one);
  return tsc.findAncestor(node.parent, isBlock) ?? node.getSourceFile();
}

/** A literal has its value wherever in the function it stands. */
function functionBlockAround(node: ts.Node): ts.Node {
  const tsc = compiler();
  const block = blockAround(node);
  const isWhole = tsc.isSourceFile(block) || tsc.isModuleBlock(block) || tsc.isFunctionLike(block.parent);
  return isWhole || tsc.isClassStaticBlockDeclaration(block.parent) ? block : functionBlockAround(block);
}

function isLiteral(node: ts.Node): boolean {
  const { kind } = node;
  const { NullKeyword, TrueKeyword, FalseKeyword } = compiler().SyntaxKind;
  return (
    compiler().isStringLiteralLike(node) ||
    compiler().isNumericLiteral(node) ||
    [NullKeyword, TrueKeyword, FalseKeyword].some((one) => one === kind)
  );
}

function normalised(node: ts.Node, source: ts.SourceFile): string {
  // Quotes make no difference, and blanks do only within them.
  return compiler().isStringLiteral(node) ? JSON.stringify(node.text) : node.getText(source).replace(/\s+/g, ' ');
}

/** A member that is called needs its object; a name that is declared, or a type, is no value. */
function isReplaceable(node: ts.Expression): boolean {
  const { parent } = node;
  const tsc = compiler();
  // The compiler takes every `null` for a part of a type.
  const isType = isLiteral(node) ? tsc.isLiteralTypeNode(parent) : tsc.isPartOfTypeNode(node);
  // Names of modules must stand where they are, and a string that is a statement is a directive.
  const isModule =
    tsc.isImportDeclaration(parent) ||
    tsc.isExportDeclaration(parent) ||
    tsc.isExternalModuleReference(parent) ||
    tsc.isExpressionStatement(parent) ||
    (tsc.isCallExpression(parent) && /^(?:import|require)$/.test(parent.expression.getText()));
  return !isCalledMember(node) && !isType && !isModule && !('name' in parent && parent.name === node);
}

function isSameThis(selected: ts.Node, uses: readonly ts.Node[]): boolean {
  const tsc = compiler();
  let usesThis = false;
  const visit = (node: ts.Node): void => {
    if (node.kind === tsc.SyntaxKind.ThisKeyword) usesThis = true;
    tsc.forEachChild(node, visit);
  };
  visit(selected);
  if (!usesThis) return true;
  const owner = (node: ts.Node): ts.Node | undefined =>
    tsc.findAncestor(node, (one) => (tsc.isFunctionLike(one) && !tsc.isArrowFunction(one)) || tsc.isClassLike(one));
  return uses.every((use) => owner(use) === owner(selected));
}

function lineOf(node: ts.Node, source: ts.SourceFile): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
