import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { wholeLines } from '../syntax/deletion.ts';
import { textWith, type Change } from '../syntax/textChange.ts';

/**
 * Imports that are new in a file, joined with those that it had from the same module: the server writes one beside the other, even of
 * the same name.
 */
export function withJoinedImports(path: string, text: string, before: string): string {
  const source = parse(path, text);
  const known = importsOf(parse(path, before)).map((one) => one.getText());
  const all = importsOf(source);
  // Two may be written alike: only as many of them as there were are old.
  const old = all.filter((one) => {
    const index = known.indexOf(one.getText(source));
    if (index >= 0) known.splice(index, 1);
    return index >= 0;
  });
  const edits: Change[] = [];
  for (const added of all.filter((one) => !old.includes(one))) {
    const host = old.find((one) => isJoinable(one, added));
    const names = host === undefined ? undefined : missingNames(host, added, source);
    if (host === undefined || names === undefined) continue;
    const elements = namedImports(host)?.elements;
    if (names.length > 0 && elements === undefined) continue;
    const end = elements?.at(-1)?.getEnd();
    if (end !== undefined && names.length > 0) edits.push({ start: end, end, text: `, ${names.join(', ')}` });
    edits.push(wholeLines(added, source));
  }
  return textWith(text, edits);
}

function importsOf(source: ts.SourceFile): ts.ImportDeclaration[] {
  return source.statements.filter(compiler().isImportDeclaration);
}

/** A value cannot come through an import of types; a type can come through one of values. */
function isJoinable(old: ts.ImportDeclaration, added: ts.ImportDeclaration): boolean {
  const tsc = compiler();
  const sameModule =
    tsc.isStringLiteral(old.moduleSpecifier) &&
    tsc.isStringLiteral(added.moduleSpecifier) &&
    old.moduleSpecifier.text === added.moduleSpecifier.text;
  return sameModule && old.attributes === undefined && (isTypeOnly(added) || !isTypeOnly(old));
}

/** What the new import brings besides what the old one has; undefined when the two say different things. */
function missingNames(
  old: ts.ImportDeclaration,
  added: ts.ImportDeclaration,
  source: ts.SourceFile,
): string[] | undefined {
  const clause = added.importClause;
  if (clause === undefined || (clause.name !== undefined && clause.name.text !== old.importClause?.name?.text))
    return undefined;
  if (clause.namedBindings === undefined) return [];
  const elements = namedImports(added)?.elements;
  if (elements === undefined) return undefined;
  const prefix = isTypeOnly(added) && !isTypeOnly(old) ? 'type ' : '';
  const has = new Set(namedImports(old)?.elements.map((one) => withoutType(one.getText(source))));
  return elements
    .map((one) => one.getText(source))
    .filter((one) => !has.has(withoutType(one)))
    .map((one) => (prefix === '' || one.startsWith(prefix) ? one : prefix + one));
}

function withoutType(element: string): string {
  return element.replace(/^type\s+/, '');
}

function namedImports(declaration: ts.ImportDeclaration): ts.NamedImports | undefined {
  const bindings = declaration.importClause?.namedBindings;
  return bindings !== undefined && compiler().isNamedImports(bindings) ? bindings : undefined;
}

function isTypeOnly({ importClause }: ts.ImportDeclaration): boolean {
  return importClause?.phaseModifier === compiler().SyntaxKind.TypeKeyword;
}
