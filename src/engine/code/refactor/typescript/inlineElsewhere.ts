import { dirname, join, relative } from 'node:path';
import type ts from 'typescript-classic';
import { displayPath } from '../../../../base/paths.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { removalRange } from './deletion.ts';
import type { RefactorWaiting } from '../model.ts';
import { definitionOf, type Reference } from './references.ts';
import { byFile, freeNames, isShadowed, scopeDeclares } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import type { TypeScriptService } from './tsService.ts';

/** Where a name is used, and what brings it there. */
export interface Uses {
  /** The name itself, or the name as a member of its module (`module.name`). */
  nodes: ts.Expression[];
  /** The imports of other files that bring the name in. */
  imports: (ts.ImportSpecifier | ts.ImportClause)[];
  /** It is passed on by an export of its own file or of another one. */
  isPassedOn: boolean;
  sources: ReadonlyMap<string, ts.SourceFile>;
}

/** Sorts the references to a declaration of `home`; its own name is none. */
export function usesOf(
  service: TypeScriptService,
  references: readonly Reference[],
  declared: ts.Node,
  home: ts.SourceFile,
): Uses {
  const tsc = compiler();
  const sources = new Map([[home.fileName, home]]);
  const uses = { nodes: [] as ts.Expression[], imports: [] as Uses['imports'], isPassedOn: false, sources };
  const isInNamespace = tsc.findAncestor(declared, tsc.isModuleBlock) !== undefined;
  for (const { path, offset, line } of references) {
    if (path === home.fileName && offset === declared.getStart(home)) continue;
    const file = sources.get(path) ?? parse(path, service.textNow(path) ?? '');
    sources.set(path, file);
    const token = tokenAt(file, offset);
    // A mention in a comment is no use.
    if (!isNameAt(token, offset)) continue;
    const { parent } = token;
    if (tsc.isExportSpecifier(parent) || tsc.isExportAssignment(parent)) uses.isPassedOn = true;
    else if (tsc.isImportClause(parent)) uses.imports.push(parent);
    else if (tsc.isImportSpecifier(parent)) {
      if (parent.name === token || parent.propertyName === undefined) uses.imports.push(parent);
    } else if (
      tsc.isPropertyAccessExpression(parent) &&
      parent.name === token &&
      (isInNamespace || isNamespace(parent.expression, file))
    )
      uses.nodes.push(parent);
    // Signatures of a function that has several.
    else if (tsc.isFunctionDeclaration(parent) && parent.name === token && parent.body === undefined) continue;
    else if (tsc.isIdentifier(token) && !isDeclarationName(token) && !isMemberName(token)) uses.nodes.push(token);
    else
      throw notOffered(
        `${displayPath(service.project.root, path)}:${line} uses it in a way that a value cannot stand for`,
      );
  }
  uses.imports = [...new Set(uses.imports)];
  return uses;
}

/** Whether a token is the name that begins at an offset; in a comment, some larger node around it is found. */
export function isNameAt(token: ts.Node, offset: number): boolean {
  const tsc = compiler();
  return (tsc.isIdentifier(token) || tsc.isPrivateIdentifier(token)) && token.getStart() === offset;
}

function isDeclarationName(token: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = token;
  return (
    (tsc.isFunctionDeclaration(parent) || tsc.isVariableDeclaration(parent) || tsc.isClassDeclaration(parent)) &&
    parent.name === token
  );
}

function isMemberName(token: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = token;
  return (
    (tsc.isPropertyAccessExpression(parent) && parent.name === token) ||
    (tsc.isQualifiedName(parent) && parent.right === token)
  );
}

function isNamespace(node: ts.Expression, file: ts.SourceFile): boolean {
  const tsc = compiler();
  return (
    tsc.isIdentifier(node) &&
    file.statements.some((statement) => {
      const bindings = tsc.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
      return bindings !== undefined && tsc.isNamespaceImport(bindings) && bindings.name.text === node.text;
    })
  );
}

interface Needed {
  /** Names to import from the home of the body. */
  names: string[];
  /** Whole import statements for what the home itself imports. */
  statements: string[];
}

/**
 * What a body needs to be known where it is put, in another file. What its home does not export cannot be had there, and what the
 * other file calls by the same name would be taken for it.
 */
function neededImports(
  body: ts.Node,
  home: ts.SourceFile,
  own: readonly string[],
  uses: readonly ts.Node[],
  there: ts.SourceFile,
  same: ReadonlySet<string>,
): Needed {
  const needed: Needed = { names: [], statements: [] };
  for (const name of new Set([...freeNames(body), ...typeNames(body)])) {
    if (own.includes(name)) continue;
    const shadowed = uses.find((use) => isShadowed(name, use, there));
    if (shadowed !== undefined) throw notOffered(`"${name}" means something else where it is used in another file`);
    const origin = importOf(home, name);
    const isOwn = scopeDeclares(home, name) || declaresType(home, name);
    const known = importOf(there, name);
    if (same.has(`${there.fileName}\0${name}`)) continue;
    if (known !== undefined && isOwn) {
      const wanted = origin ?? { module: home.fileName, imported: name };
      if (
        resolvedModule(there, known.module) === resolvedModule(home, wanted.module) &&
        known.imported === wanted.imported
      )
        continue;
    }
    if (known !== undefined || scopeDeclares(there, name) || declaresType(there, name))
      throw notOffered(`"${name}" means something else in another file that uses it`);
    if (!isOwn) continue;
    if (origin !== undefined) needed.statements.push(importStatement(origin, name, home, there));
    else if (isExportedByName(home, name)) needed.names.push(name);
    else throw notOffered(`it needs "${name}", which other files cannot import`);
  }
  return needed;
}

interface Imported {
  module: string;
  imported: string;
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
    if (clause?.name?.text === name) return { module, imported: 'default', statement, name: clause.name };
    if (bindings !== undefined && tsc.isNamespaceImport(bindings) && bindings.name.text === name)
      return { module, imported: '*', statement, name: bindings.name };
    if (bindings !== undefined && tsc.isNamedImports(bindings)) {
      const found = bindings.elements.find((one) => one.name.text === name);
      if (found !== undefined)
        return { module, imported: (found.propertyName ?? found.name).text, statement, name: found.name };
    }
  }
  return undefined;
}

function resolvedModule(file: ts.SourceFile, module: string): string {
  const plain = module.startsWith('.') ? join(dirname(file.fileName), module) : module;
  return plain.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
}

function importStatement(origin: Imported, name: string, home: ts.SourceFile, there: ts.SourceFile): string {
  const quote = /^['"]/.exec(origin.statement?.moduleSpecifier.getText(home) ?? '')?.[0] ?? "'";
  let module = origin.module;
  if (module.startsWith('.')) {
    const path = relative(dirname(there.fileName), join(dirname(home.fileName), module));
    module = path.startsWith('.') ? path : `./${path}`;
  }
  const what =
    origin.imported === 'default'
      ? name
      : origin.imported === '*'
        ? `* as ${name}`
        : `{ ${origin.imported === name ? name : `${origin.imported} as ${name}`} }`;
  const semicolon = origin.statement?.getText(home).endsWith(';') === false ? '' : ';';
  return `import ${what} from ${quote}${module}${quote}${semicolon}`;
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

function isExportedByName(home: ts.SourceFile, name: string): boolean {
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

/** The change of an import that brings the name in: the needed names in place of it, or nothing. */
function importEdit(
  brought: ts.ImportSpecifier | ts.ImportClause,
  isGone: boolean,
  needed: Needed,
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
    if (names.length === 0) edits.push({ ...removalRange(brought, source), text: '' });
    else edits.push({ start: brought.getStart(source), end: brought.getEnd(), text: names.join(', ') });
    return edits;
  }
  const bindings = brought.namedBindings;
  if (bindings !== undefined && tsc.isNamespaceImport(bindings)) {
    if (isGone || needed.names.length > 0) throw notOffered('it is imported as a default beside the whole module');
    return edits;
  }
  const named = [...(bindings?.elements ?? []).map((one) => one.getText(source)), ...needed.names];
  const parts = [
    ...(isGone ? [] : [brought.name?.getText(source) ?? '']),
    ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : []),
  ];
  if (parts.length === 0 && statement !== undefined) edits.push({ ...removalRange(statement, source), text: '' });
  else edits.push({ start: brought.getStart(source), end: brought.getEnd(), text: parts.join(', ') });
  return edits;
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
    if (specifier === undefined) return undefined;
    const { line, character } = file.getLineAndCharacterOfPosition(specifier.getStart(file));
    const target = { path: file.fileName, name, position: { line: line + 1, column: character + 1 } };
    const found = await definitionOf(service, target, waiting);
    return found === undefined ? undefined : `${found.path}:${found.offset}`;
  };
  for (const there of byFile(uses).keys()) {
    if (there === home) continue;
    for (const name of new Set([...freeNames(body), ...typeNames(body)])) {
      const theirs = declaredAt(there, name) ?? (await meaning(there, name));
      const own = theirs === undefined ? undefined : (declaredAt(home, name) ?? (await meaning(home, name)));
      if (own !== undefined && own === theirs) same.add(`${there.fileName}\0${name}`);
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

/** Imports of the name give way to those that the body needs, in files where it is not used any more. */
export function followImports(
  imports: readonly (ts.ImportSpecifier | ts.ImportClause)[],
  uses: readonly ts.Node[],
  chosen: readonly ts.Node[],
  body: ts.Node,
  home: ts.SourceFile,
  own: readonly string[],
  same: ReadonlySet<string>,
  edit: (file: ts.SourceFile, start: number, end: number, text: string) => void,
): void {
  for (const [file, nodes] of byFile(chosen)) {
    if (file === home) continue;
    const brought = imports.find((one) => one.getSourceFile() === file);
    const needed = neededImports(body, home, own, nodes, file, same);
    if (brought === undefined) {
      if (needed.names.length + needed.statements.length > 0)
        throw notOffered('another file would have to import what the function needs');
      continue;
    }
    const isGone = nodes.length === uses.filter((use) => use.getSourceFile() === file).length;
    for (const change of importEdit(brought, isGone, needed)) edit(file, change.start, change.end, change.text);
  }
}
