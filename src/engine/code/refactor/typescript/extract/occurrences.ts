import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import { ToolError } from '../../../../../base/errors.ts';
import type { LineIndex, Range } from '../../../../../base/positions.ts';
import type { Conflict } from '../../model.ts';
import { wholeExpression } from './workarounds/arrows.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { changedByCalls } from '../semantics/changedByCalls.ts';
import { declaringScope, isWritten, writtenBetween, writtenWithin } from '../semantics/effects.ts';
import { semicolonIn } from '../servers/formatOptions.ts';
import { standIn } from './jsxParts.ts';
import { bindsName, freeNames, isShadowed, isValueUse } from '../syntax/scopes.ts';
import { isGuardedWithin, whySharedMatters } from '../semantics/sharedValue.ts';
import { addEdit, type FileEdits } from '../servers/trial.ts';
import { isCalledMember } from './variableSelection.ts';
import { because, refuse } from '../../refusals/refuse.ts';

/** Extracts what the server does not: read before its statement it is what it is in it, unless that writes it. */
export function extractOne(path: string, text: LineIndex, selected: ts.Expression, newName: string): FileEdits {
  const tsc = compiler();
  const block = blockAround(selected);
  const statement = tsc.findAncestor(selected, (node) => node.parent === block);
  const isTag = tsc.isJsxOpeningLikeElement(selected.parent) || tsc.isJsxClosingElement(selected.parent);
  const isName = tsc.isIdentifier(selected);
  if (isTag || !isReplaceable(selected) || (isName && !isValueUse(selected)))
    throw refuse('noValue', { text: selected.getText() });
  if (isName && statement !== undefined && writtenWithin(statement, selected))
    throw refuse('assignedInStatement', { text: selected.getText() });
  return withConstant(path, text, selected, newName, block, [selected]).edits;
}

/** Extracts an expression and puts the new constant in place of every same one of the function around it, as far as it has the same value there. */
export function extractAllOccurrences(
  path: string,
  text: LineIndex,
  range: Range,
  newName: string,
): { edits: FileEdits; count: number; conflicts: Conflict[]; left: number[] } {
  const source = parse(path, text.text);
  const selected = wholeExpression(source, text.offsetAt(range.start), text.offsetAt(range.end));
  if (selected === undefined) throw refuse('notWholeExpression');
  const why = whySharedMatters(selected);
  const outermost = functionBlockAround(selected);
  let refused: unknown;
  for (const candidate of blocksAround(selected)) {
    try {
      const found: ts.Expression[] = occurrencesIn(candidate, selected).filter((use) => isSameThing(use, selected));
      if (!found.includes(selected)) throw refuse('calledOrNamed');
      const written = found.find(isWritten);
      if (written !== undefined) throw refuse('expressionAssigned', { line: lineOf(written, source) });
      const block = isLiteral(selected) ? candidate : blockOfAll(candidate, found);
      const names = freeNames(selected);
      if (block !== blockAround(selected) && found.every((use) => isGuardedWithin(block, use, names)))
        throw refuse('conditionDecides');
      const made = withConstant(path, text, selected, newName, block, found);
      const message = because('occurrencesBecomeOne', {
        why: why ?? '',
        occurrences: counted(found.length, 'occurrence'),
      });
      const others = occurrencesIn(outermost, selected).filter((use) => !found.includes(use) && !isWritten(use));
      return {
        ...made,
        conflicts: why === undefined || found.length < 2 ? [] : [{ kind: 'meaning', message, file: path }],
        left: others.map((use) => lineOf(use, source)),
      };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      refused = error;
    }
  }
  throw refused;
}

/** Whether the names of an expression, and `this` in it, mean the same where it occurs again. */
function isSameThing(use: ts.Expression, selected: ts.Expression): boolean {
  const names = [...freeNames(selected)];
  return (
    names.every((name) => declaringScope(name, use) === declaringScope(name, selected)) && isSameThis(selected, [use])
  );
}

/** The same expressions in a block that a variable can stand for. */
function occurrencesIn(block: ts.Node, selected: ts.Expression): ts.Expression[] {
  const tsc = compiler();
  const source = selected.getSourceFile();
  const wanted = normalised(selected, source);
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isExpression(node) && node.kind === selected.kind && normalised(node, source) === wanted) {
      if (isReplaceable(node)) found.push(node);
      return;
    }
    tsc.forEachChild(node, visit);
  };
  visit(block);
  return found;
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
  if (first === undefined) throw refuse('calledOrNamed');
  for (const use of found)
    for (const name of [...freeNames(selected), newName])
      if (isShadowed(name, use, block)) throw refuse('meansOtherThere', { name, line: lineOf(use, source) });
  const why = writtenBetween(first, found) ?? changedByCalls(first, found, []);
  if (why !== undefined) throw refuse('occurrencesDiffer', { why });
  if (!isSameThis(selected, found)) throw refuse('thisDiffers');

  const statement = tsc.findAncestor(first, (node) => node.parent === block);
  if (statement === undefined) throw refuse('noStatementBefore');
  const late = [...freeNames(selected)].find((name) => isDeclaredFrom(statement, block, name));
  if (late !== undefined) throw refuse('noValueYet', { name: late, line: lineOf(statement, source) });
  const edits: FileEdits = new Map();
  for (const use of found) {
    const isShorthand = tsc.isShorthandPropertyAssignment(use.parent);
    const place = { start: text.positionAt(use.getStart(source)), end: text.positionAt(use.getEnd()) };
    addEdit(edits, path, place, isShorthand ? `${use.getText(source)}: ${newName}` : standIn(use, newName));
  }
  const start = startWithComments(statement, source);
  const indent = /[ \t]*$/.exec(text.text.slice(0, start))?.[0] ?? '';
  const at = text.positionAt(start);
  const declared = `const ${newName} = ${selected.getText(source)}${semicolonIn(text.text)}`;
  addEdit(edits, path, { start: at, end: at }, `${declared}\n${indent}`);
  return { edits, count: found.length };
}

/** Where a statement begins with the comments that stand directly above it; those at the top of a file may be about the file. */
function startWithComments(statement: ts.Node, source: ts.SourceFile): number {
  let start = statement.getStart(source, true);
  const isFirst = source.statements[0] === statement;
  const comments = isFirst ? [] : (compiler().getLeadingCommentRanges(source.text, statement.pos) ?? []);
  for (const { pos, end } of comments.toReversed()) {
    const isOwnLine = /\n[ \t]*$/.test(source.text.slice(0, pos));
    if (end > start || !isOwnLine || !/^[ \t]*\r?\n?[ \t]*$/.test(source.text.slice(end, start))) break;
    start = pos;
  }
  return start;
}

function blockAround(node: ts.Node): ts.Node {
  const tsc = compiler();
  const isBlock = (one: ts.Node): boolean => tsc.isBlock(one) || tsc.isModuleBlock(one) || tsc.isSourceFile(one);
  return tsc.findAncestor(node.parent, isBlock) ?? node.getSourceFile();
}

/** The blocks around an expression, from that of the function to the innermost. A literal has its value wherever in the function it stands. */
function blocksAround(node: ts.Node): ts.Node[] {
  const outermost = functionBlockAround(node);
  if (isLiteral(node)) return [outermost];
  const blocks = [blockAround(node)];
  for (let at = blocks[0]; at !== undefined && at !== outermost; at = blocks[0]) blocks.unshift(blockAround(at));
  return blocks;
}

/** The innermost block that holds all of these. */
function blockOfAll(block: ts.Node, found: readonly ts.Node[]): ts.Node {
  const [first] = found;
  for (let at = first && blockAround(first); at !== undefined && at !== block; at = blockAround(at)) {
    const { pos, end } = at;
    if (found.every((one) => pos <= one.pos && one.end <= end)) return at;
  }
  return block;
}

/** Whether a block declares a name only at or after one of its statements, other than as a function, which is there from the beginning. */
function isDeclaredFrom(statement: ts.Node, block: ts.Node, name: string): boolean {
  const tsc = compiler();
  if (!tsc.isBlock(block) && !tsc.isModuleBlock(block) && !tsc.isSourceFile(block)) return false;
  return block.statements.some((one) => {
    if (one.pos < statement.pos) return false;
    if (tsc.isClassDeclaration(one)) return one.name?.text === name;
    return (
      tsc.isVariableStatement(one) &&
      one.declarationList.declarations.some((declared) => bindsName(declared.name, name))
    );
  });
}

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
