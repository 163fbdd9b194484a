import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import { wholeExpression } from './arrowExtraction.ts';
import { compiler, parse } from './compiler.ts';
import { hasEffects, isWritten, makesIdentity, writtenBetween } from './effects.ts';
import { freeNames, isShadowed } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import { addEdit, type FileEdits } from './trial.ts';
import { isCalledMember } from './variableSelection.ts';

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
  const block = tsc.findAncestor(
    selected,
    (node) => tsc.isBlock(node) || tsc.isModuleBlock(node) || tsc.isSourceFile(node),
  );
  if (block === undefined) throw notOffered('there is no block around the selection');
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
  const [first] = found;
  if (first === undefined)
    throw notOffered('the expression is called or named in a way that a variable cannot stand for');
  for (const use of found)
    for (const name of [...freeNames(selected), newName])
      if (isShadowed(name, use, block))
        throw notOffered(`"${name}" means something else on line ${lineOf(use, source)}`);
  const why = writtenBetween(first, found);
  if (why !== undefined) throw notOffered(`the occurrences need not have the same value: ${why}`);
  if (!isSameThis(selected, found)) throw notOffered('"this" is not the same everywhere the expression occurs');

  const edits: FileEdits = new Map();
  for (const use of found) {
    const isShorthand = tsc.isShorthandPropertyAssignment(use.parent);
    const place = { start: text.positionAt(use.getStart(source)), end: text.positionAt(use.getEnd()) };
    addEdit(edits, path, place, isShorthand ? `${use.getText(source)}: ${newName}` : newName);
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

function normalised(node: ts.Node, source: ts.SourceFile): string {
  return node.getText(source).replace(/\s+/g, ' ');
}

/** A member that is called needs its object; a name that is declared, or a type, is no value. */
function isReplaceable(node: ts.Expression): boolean {
  const { parent } = node;
  return !isCalledMember(node) && !compiler().isPartOfTypeNode(node) && !('name' in parent && parent.name === node);
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
