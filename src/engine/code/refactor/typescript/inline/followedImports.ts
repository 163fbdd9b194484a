import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { removalRange, type Cut } from '../syntax/deletion.ts';
import { neededImports, newImports, type Carried, type Needed, type OtherNames } from '../imports/importsElsewhere.ts';
import { isForLoading, type Reader } from '../semantics/loadEffects.ts';
import { byFile } from '../syntax/scopes.ts';
import { importOfNames } from '../imports/specifiers.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Imports of the name give way to those that the parts of its definition need which are put elsewhere, in files where it is not used any more. */
export function followImports(
  imports: readonly (ts.ImportSpecifier | ts.ImportClause)[],
  uses: readonly ts.Node[],
  chosen: readonly ts.Node[],
  parts: readonly ts.Node[],
  carried: Carried,
  others: OtherNames,
  read: Reader,
  edit: (file: ts.SourceFile, start: number, end: number, text: string) => void,
): void {
  const { home } = carried;
  for (const [file, nodes] of byFile(chosen)) {
    if (file === home) continue;
    const brought = imports.find((one) => one.getSourceFile() === file);
    const leaving = compiler().findAncestor(brought, compiler().isImportDeclaration);
    const needed = neededImports(parts, carried, file, others.get(file) ?? new Map(), leaving);
    for (const { at, text } of needed.joined) edit(file, at, at, text);
    if (brought === undefined) {
      const lines = [
        ...needed.statements,
        ...(needed.names.length > 0 ? [importOfNames(needed.names, home, file)] : []),
      ];
      if (lines.length > 0) edit(file, ...newImports(file, lines));
      continue;
    }
    const isGone = nodes.length === uses.filter((use) => use.getSourceFile() === file).length;
    for (const change of importEdit(brought, isGone, needed, read)) edit(file, change.start, change.end, change.text);
  }
}

/** The change of an import that brings the name in: the needed names in place of it, or nothing. */
function importEdit(
  brought: ts.ImportSpecifier | ts.ImportClause,
  isGone: boolean,
  needed: Needed,
  read: Reader,
): { start: number; end: number; text: string }[] {
  const tsc = compiler();
  const source = brought.getSourceFile();
  const statement = tsc.findAncestor(brought, tsc.isImportDeclaration);
  const edits: { start: number; end: number; text: string }[] = [];
  if (statement !== undefined && needed.statements.length > 0) {
    const at = statement.getStart(source);
    edits.push({ start: at, end: at, text: `${needed.statements.join('\n')}\n` });
  }
  if (tsc.isImportSpecifier(brought)) {
    const names = [...(isGone ? [] : [brought.getText(source)]), ...needed.names];
    const isWhole =
      statement !== undefined && statement.importClause?.name === undefined && brought.parent.elements.length === 1;
    if (names.length === 0) edits.push(isWhole ? wholeImport(statement, read) : removalRange(brought, source));
    else edits.push({ start: brought.getStart(source), end: brought.getEnd(), text: names.join(', ') });
    return edits;
  }
  const bindings = brought.namedBindings;
  if (bindings !== undefined && tsc.isNamespaceImport(bindings)) {
    if (isGone || needed.names.length > 0) throw refuse('defaultBesideNamespace');
    return edits;
  }
  const named = [...(bindings?.elements ?? []).map((one) => one.getText(source)), ...needed.names];
  const parts = [
    ...(isGone ? [] : [brought.name?.getText(source) ?? '']),
    ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : []),
  ];
  if (parts.length === 0 && statement !== undefined) edits.push(wholeImport(statement, read));
  else edits.push({ start: brought.getStart(source), end: brought.getEnd(), text: parts.join(', ') });
  return edits;
}

/** An import that brings nothing in any more goes, but for what loading its file does. */
function wholeImport(statement: ts.ImportDeclaration, read: Reader): Cut {
  const tsc = compiler();
  const source = statement.getSourceFile();
  const module = statement.moduleSpecifier;
  const isLoadedElse = source.statements.some(
    (one) => tsc.isImportDeclaration(one) && one !== statement && one.moduleSpecifier.getText() === module.getText(),
  );
  const clause = statement.importClause;
  return clause === undefined || isLoadedElse || !isForLoading(statement, read)
    ? removalRange(statement, source)
    : { start: clause.getStart(source), end: module.getStart(source), text: '' };
}
