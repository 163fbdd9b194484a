import type ts from 'typescript-classic';
import { compiler } from './compiler.ts';
import { removalRange } from './deletion.ts';
import { freeNames, isShadowed, scopeDeclares } from './scopes.ts';
import { notOffered } from './serverEdits.ts';

/** The import by which a file knows the function; undefined when this place is a use. */
export function importOf(token: ts.Node, name: string, shownFile: string): ts.ImportSpecifier | undefined {
  const tsc = compiler();
  const { parent } = token;
  if (tsc.isExportSpecifier(parent)) throw notOffered(`"${name}" is exported again by ${shownFile}`);
  if (tsc.isImportClause(parent)) throw notOffered(`${shownFile} imports "${name}" as a default`);
  if (!tsc.isImportSpecifier(parent)) {
    if (tsc.isPropertyAccessExpression(parent) && parent.name === token)
      throw notOffered(`${shownFile} uses "${name}" as a member of its module`);
    return undefined;
  }
  if (parent.propertyName !== undefined) throw notOffered(`${shownFile} imports "${name}" under another name`);
  return parent;
}

/**
 * What a body needs of its own file, to be imported where it is put instead of the function itself. What is not exported cannot be
 * had there, and what the other file calls by the same name would be taken for it.
 */
export function neededImports(
  body: ts.Node,
  parameters: readonly string[],
  calls: readonly ts.CallExpression[],
  specifier: ts.ImportSpecifier,
): string[] {
  const tsc = compiler();
  const home = body.getSourceFile();
  const there = specifier.getSourceFile();
  const needed: string[] = [];
  for (const name of freeNames(body)) {
    if (parameters.includes(name)) continue;
    const shadowed = calls.find((call) => isShadowed(name, call, there));
    if (shadowed !== undefined) throw notOffered(`"${name}" means something else at a call in another file`);
    const isOwn = scopeDeclares(home, name);
    const isImportedAlike = specifier.parent.elements.some(
      (one) => one.name.text === name && one.propertyName === undefined,
    );
    if (isOwn && isImportedAlike) continue;
    if (scopeDeclares(there, name)) throw notOffered(`"${name}" means something else in another file that calls it`);
    if (!isOwn) continue;
    const isExported = home.statements.some(
      (statement) =>
        tsc.canHaveModifiers(statement) &&
        (tsc.getModifiers(statement)?.some((one) => one.kind === tsc.SyntaxKind.ExportKeyword) ?? false) &&
        !(tsc.getModifiers(statement)?.some((one) => one.kind === tsc.SyntaxKind.DefaultKeyword) ?? false) &&
        declaresName(statement, name),
    );
    if (!isExported) throw notOffered(`its body needs "${name}", which other files cannot import`);
    needed.push(name);
  }
  return needed;
}

function declaresName(statement: ts.Statement, name: string): boolean {
  const tsc = compiler();
  if (tsc.isVariableStatement(statement))
    return statement.declarationList.declarations.some((one) => tsc.isIdentifier(one.name) && one.name.text === name);
  return (
    (tsc.isFunctionDeclaration(statement) || tsc.isClassDeclaration(statement) || tsc.isEnumDeclaration(statement)) &&
    statement.name?.text === name
  );
}

/** The change of the import itself: the needed names in place of the function's, or nothing. */
export function importEdit(
  specifier: ts.ImportSpecifier,
  needed: readonly string[],
): { start: number; end: number; text: string } {
  const source = specifier.getSourceFile();
  if (needed.length === 0) return { ...removalRange(specifier, source), text: '' };
  return { start: specifier.getStart(source), end: specifier.getEnd(), text: needed.join(', ') };
}
