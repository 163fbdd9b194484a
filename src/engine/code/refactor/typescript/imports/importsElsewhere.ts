import { dirname, join, relative } from 'node:path';
import type ts from 'typescript-classic';
import type { RefactorWaiting } from '../../model.ts';
import { compiler } from '../syntax/compiler.ts';
import { definitionsOf } from '../servers/references.ts';
import { byFile, freeNames, isShadowed, scopeDeclares } from '../syntax/scopes.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/** What code that is put in another file calls there by other names than at home, because something else is called so there. */
export type OtherNames = ReadonlyMap<ts.SourceFile, ReadonlyMap<string, string>>;

/** What is known about the code that is carried to other files. */
export interface Carried {
  /** Where it was written. */
  home: ts.SourceFile;
  /** Names that it brings along itself. */
  own: readonly string[];
  /** Names that another file imports in its own way, and that mean the same (importedAlike). */
  same: ReadonlySet<string>;
}

/** Other names for what the code needs, per file in which it is put. What no import can bring is refused. */
export function otherNames(body: ts.Node, carried: Carried, uses: readonly ts.Node[]): OtherNames {
  const found = new Map<ts.SourceFile, ReadonlyMap<string, string>>();
  for (const [there, nodes] of byFile(uses)) {
    if (there === carried.home) continue;
    const names = new Map<string, string>();
    const values = freeNames(body);
    for (const name of neededNames(body, carried.own)) {
      const isHidden =
        nodes.some((use) => isShadowed(name, use, there)) ||
        (values.has(name) && importOf(there, name)?.isType === true);
      if (!isHidden && (isKnownAlike(name, carried, there) || !isKnown(there, name))) continue;
      if (!isKnown(carried.home, name)) throw refuse('meansOtherInUsingFile', { name });
      names.set(name, freeName(name, `${there.text}\n${carried.home.text}`));
    }
    found.set(there, names);
  }
  return found;
}

function neededNames(body: ts.Node, own: readonly string[]): string[] {
  return [...new Set([...freeNames(body), ...typeNames(body)])].filter((name) => !own.includes(name));
}

function isKnown(file: ts.SourceFile, name: string): boolean {
  return importOf(file, name) !== undefined || scopeDeclares(file, name) || declaresType(file, name);
}

/** Whether another file knows a name, and means the same by it. */
function isKnownAlike(name: string, { home, same }: Carried, there: ts.SourceFile): boolean {
  if (same.has(`${there.fileName}\0${name}`)) return true;
  const known = importOf(there, name);
  if (known === undefined || !isKnown(home, name)) return false;
  const wanted = importOf(home, name) ?? { module: home.fileName, imported: name };
  return (
    resolvedModule(there, known.module) === resolvedModule(home, wanted.module) && known.imported === wanted.imported
  );
}

export function freeName(name: string, text: string): string {
  for (let number = 1; ; number++) {
    const fresh = `${name}${number}`;
    if (!new RegExp(`(?<![\\w$])${fresh.replaceAll('$', '\\$')}(?![\\w$])`).test(text)) return fresh;
  }
}

export interface Needed {
  /** What to import from the home of the body, as it is written in an import. */
  names: string[];
  /** Whole import statements for what the home itself imports. */
  statements: string[];
  /** Names that join an import of the same module. */
  joined: { at: number; text: string }[];
}

/**
 * What must be imported for code to mean the same in another file. What its home does not export cannot be had there; nothing joins
 * the import that is leaving.
 */
export function neededImports(
  parts: readonly ts.Node[],
  carried: Carried,
  there: ts.SourceFile,
  others: ReadonlyMap<string, string>,
  leaving?: ts.Node,
): Needed {
  const { home } = carried;
  const needed: Needed = { names: [], statements: [], joined: [] };
  const imported: { origin: Imported; name: string }[] = [];
  for (const name of new Set(parts.flatMap((part) => neededNames(part, carried.own)))) {
    const other = others.get(name);
    if (!isKnown(home, name) || (other === undefined && isKnownAlike(name, carried, there))) continue;
    const origin = importOf(home, name);
    if (origin !== undefined) imported.push({ origin, name: other ?? name });
    else if (isExportedByName(home, name)) needed.names.push(other === undefined ? name : `${name} as ${other}`);
    else throw refuse('cannotBeImported', { name });
  }
  // Names of one module come in one statement.
  const isNamed = ({ origin }: { origin: Imported }): boolean => !['default', '*'].includes(origin.imported);
  for (const one of imported) {
    const isAlike = (other: { origin: Imported; name: string }): boolean =>
      other === one ||
      (isNamed(one) &&
        isNamed(other) &&
        one.origin.module === other.origin.module &&
        (one.origin.isType === true) === (other.origin.isType === true));
    const alike = imported.filter(isAlike);
    if (alike[0] !== one) continue;
    const known = isNamed(one) ? namedImportOf(there, home, one.origin, leaving) : undefined;
    if (known === undefined) needed.statements.push(importStatement(one.origin, alike, home, there));
    else needed.joined.push({ at: known.getEnd(), text: alike.map((each) => `, ${importedAs(each)}`).join('') });
  }
  return needed;
}

export interface Imported {
  module: string;
  imported: string;
  /** It is imported as a type only. */
  isType?: boolean;
  statement?: ts.ImportDeclaration;
  /** Where the import says the name. */
  name?: ts.Identifier;
}

export function importOf(file: ts.SourceFile, name: string): Imported | undefined {
  const tsc = compiler();
  for (const statement of file.statements) {
    if (!tsc.isImportDeclaration(statement) || !tsc.isStringLiteral(statement.moduleSpecifier)) continue;
    const module = statement.moduleSpecifier.text;
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    const areTypes = clause?.phaseModifier === tsc.SyntaxKind.TypeKeyword;
    if (clause?.name?.text === name)
      return { module, imported: 'default', isType: areTypes, statement, name: clause.name };
    if (bindings !== undefined && tsc.isNamespaceImport(bindings) && bindings.name.text === name)
      return { module, imported: '*', isType: areTypes, statement, name: bindings.name };
    if (bindings !== undefined && tsc.isNamedImports(bindings)) {
      const found = bindings.elements.find((one) => one.name.text === name);
      const isType = found?.isTypeOnly === true || areTypes;
      if (found !== undefined)
        return { module, imported: (found.propertyName ?? found.name).text, isType, statement, name: found.name };
    }
  }
  return undefined;
}

function resolvedModule(file: ts.SourceFile, module: string): string {
  const plain = module.startsWith('.') ? join(dirname(file.fileName), module) : module;
  return plain.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
}

function importedAs({ origin: { imported }, name }: { origin: Imported; name: string }): string {
  return imported === name ? name : `${imported} as ${name}`;
}

/** The last name that a file imports from a module already, as values or types like the others. */
function namedImportOf(
  there: ts.SourceFile,
  home: ts.SourceFile,
  origin: Imported,
  leaving: ts.Node | undefined,
): ts.ImportSpecifier | undefined {
  const tsc = compiler();
  for (const statement of there.statements) {
    if (!tsc.isImportDeclaration(statement) || !tsc.isStringLiteral(statement.moduleSpecifier)) continue;
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    const areTypes = clause?.phaseModifier === tsc.SyntaxKind.TypeKeyword;
    const isSame = resolvedModule(there, statement.moduleSpecifier.text) === resolvedModule(home, origin.module);
    if (!isSame || areTypes !== (origin.isType === true) || bindings === undefined || statement === leaving) continue;
    if (tsc.isNamedImports(bindings) && bindings.elements.length > 0) return bindings.elements.at(-1);
  }
  return undefined;
}

/** An import of names that a file has by others of the same kind, for another file. */
function importStatement(
  origin: Imported,
  names: readonly { origin: Imported; name: string }[],
  home: ts.SourceFile,
  there: ts.SourceFile,
): string {
  const quote = /^['"]/.exec(origin.statement?.moduleSpecifier.getText(home) ?? '')?.[0] ?? "'";
  let module = origin.module;
  if (module.startsWith('.')) {
    const path = relative(dirname(there.fileName), join(dirname(home.fileName), module));
    module = path.startsWith('.') ? path : `./${path}`;
  }
  const named = names.map(importedAs);
  const [first] = names;
  const what =
    origin.imported === 'default'
      ? first?.name
      : origin.imported === '*'
        ? `* as ${first?.name}`
        : `{ ${named.join(', ')} }`;
  const semicolon = origin.statement?.getText(home).endsWith(';') === false ? '' : ';';
  return `import ${origin.isType === true ? 'type ' : ''}${what} from ${quote}${module}${quote}${semicolon}`;
}

/** Types that the body names and does not declare. */
export function typeNames(body: ts.Node): string[] {
  const tsc = compiler();
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (tsc.isTypeReferenceNode(node)) {
      const root = tsc.isIdentifier(node.typeName) ? node.typeName : undefined;
      if (root !== undefined) names.add(root.text);
    }
    if (tsc.isTypeQueryNode(node) && tsc.isIdentifier(node.exprName)) names.add(node.exprName.text);
    tsc.forEachChild(node, visit);
  };
  visit(body);
  return [...names];
}

function declaresType(file: ts.SourceFile, name: string): boolean {
  const tsc = compiler();
  return file.statements.some(
    (one) => (tsc.isInterfaceDeclaration(one) || tsc.isTypeAliasDeclaration(one)) && one.name.text === name,
  );
}

export function isExportedByName(home: ts.SourceFile, name: string): boolean {
  const tsc = compiler();
  return home.statements.some((statement) => {
    if (tsc.isExportDeclaration(statement) && statement.moduleSpecifier === undefined) {
      const clause = statement.exportClause;
      return (
        clause !== undefined &&
        tsc.isNamedExports(clause) &&
        clause.elements.some((one) => one.name.text === name && one.propertyName === undefined)
      );
    }
    const modifiers = tsc.canHaveModifiers(statement) ? (tsc.getModifiers(statement) ?? []) : [];
    const has = (kind: ts.SyntaxKind): boolean => modifiers.some((one) => one.kind === kind);
    if (!has(tsc.SyntaxKind.ExportKeyword) || has(tsc.SyntaxKind.DefaultKeyword)) return false;
    if (tsc.isVariableStatement(statement))
      return statement.declarationList.declarations.some((one) => tsc.isIdentifier(one.name) && one.name.text === name);
    return 'name' in statement && (statement.name as ts.Node | undefined)?.getText(home) === name;
  });
}

/** Names that another file imports by another way than the home of a body does, and that mean the same all the same. */
export async function importedAlike(
  service: TypeScriptService,
  body: ts.Node,
  home: ts.SourceFile,
  uses: readonly ts.Node[],
  waiting: RefactorWaiting,
): Promise<Set<string>> {
  const same = new Set<string>();
  const meaning = async (file: ts.SourceFile, name: string): Promise<string | undefined> => {
    const specifier = importOf(file, name)?.name;
    if (specifier === undefined) return declaredAt(file, name);
    const { line, character } = file.getLineAndCharacterOfPosition(specifier.getStart(file));
    const target = { path: file.fileName, name, position: { line: line + 1, column: character + 1 } };
    // A function with several signatures is declared in several places.
    const [first] = await definitionsOf(service, target, waiting);
    return first === undefined ? undefined : `${first.path}:${first.offset}`;
  };
  for (const there of byFile(uses).keys()) {
    if (there === home) continue;
    for (const name of new Set([...freeNames(body), ...typeNames(body)])) {
      const theirs = await meaning(there, name);
      if (theirs !== undefined && theirs === (await meaning(home, name))) same.add(`${there.fileName}\0${name}`);
    }
  }
  return same;
}

/** Where a file itself declares a name that others can import. */
function declaredAt(home: ts.SourceFile, name: string): string | undefined {
  const tsc = compiler();
  for (const statement of home.statements) {
    const names = tsc.isVariableStatement(statement)
      ? statement.declarationList.declarations.map((one) => one.name)
      : 'name' in statement
        ? [statement.name as ts.Node | undefined]
        : [];
    const found = names.find((one) => one?.getText(home) === name);
    if (found !== undefined) return `${home.fileName}:${found.getStart(home)}`;
  }
  return undefined;
}

/** Below the other imports, or at the top. */
export function newImports(file: ts.SourceFile, lines: readonly string[]): [number, number, string] {
  const last = file.statements.findLast((one) => compiler().isImportDeclaration(one));
  if (last !== undefined) return [last.getEnd(), last.getEnd(), `\n${lines.join('\n')}`];
  const at = file.statements[0]?.getStart(file) ?? 0;
  return [at, at, `${lines.join('\n')}\n\n`];
}
