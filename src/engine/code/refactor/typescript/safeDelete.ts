import type ts from 'typescript-classic';
import { ToolError } from '../../../../base/errors.ts';
import { displayPath } from '../../../../base/paths.ts';
import { LineIndex } from '../../../../base/positions.ts';
import { proposal, type Proposal, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { removalRange } from './deletion.ts';
import { definitionOf, referencesOf, type Reference } from './references.ts';
import { notOffered } from './serverEdits.ts';
import { addEdit, editedTexts, editOperations, tryContents, type FileEdits } from './trial.ts';
import type { TypeScriptService } from './tsService.ts';

const maxUsagesShown = 20;

/** Deletes a declaration that nothing uses any more, with its documentation and the imports only it needed. */
export async function safeDelete(
  service: TypeScriptService,
  target: RefactorTarget,
  options: { cascade: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const definition = await definitionOf(service, target, waiting);
  const path = definition?.path ?? target.path;
  const text = await service.text(path);
  const source = parse(path, text.text);
  const offset = definition?.offset ?? text.offsetAt(target.position);
  const name = tokenAt(source, offset);
  const references = await referencesOf(service, { ...target, path, position: text.positionAt(offset) }, waiting);
  const declarations = declarationsOf(service, references, name);
  if (declarations.length === 0) throw notOffered(`"${target.name}" is not something that can be deleted here`);

  const isInside = (ref: Reference): boolean =>
    declarations.some(
      (one) => one.getSourceFile().fileName === ref.path && one.pos <= ref.offset && ref.offset < one.end,
    );
  const usages = references.filter((ref) => !isInside(ref));
  const exportOnly = usages.filter((ref) => isReexport(service, ref));
  const blocking = options.cascade
    ? usages.filter((ref) => !exportOnly.includes(ref) && !isUnusedImport(service, ref, usages))
    : usages;
  if (blocking.length > 0) throw inUse(service, target.name, blocking, options.cascade);

  const edits: FileEdits = new Map();
  const remove = (node: ts.Node): void => {
    const file = node.getSourceFile();
    const lines = new LineIndex(file.text);
    const range = removalRange(node, file);
    addEdit(edits, file.fileName, { start: lines.positionAt(range.start), end: lines.positionAt(range.end) }, '');
  };
  for (const declaration of declarations) remove(declaration);
  if (options.cascade)
    for (const ref of usages) {
      const token = tokenAt(parse(ref.path, service.textNow(ref.path) ?? ''), ref.offset);
      remove(token.parent);
    }
  const first = await editedTexts(service, edits);
  await dropUnusedImports(service, edits, first, waiting);
  const texts = await editedTexts(service, edits);
  const trial = await tryContents(service, texts, [], waiting);
  return proposal(
    `delete ${target.name}${options.cascade && usages.length > 0 ? ` and ${usages.length} re-exports or imports of it` : ''}`,
    editOperations(service, edits),
    trial,
  );
}

/** All declarations of the symbol: the overloads of a function, the parts of a merged interface. */
function declarationsOf(service: TypeScriptService, references: readonly Reference[], name: ts.Node): ts.Node[] {
  const found = new Map<string, ts.Node>();
  const add = (token: ts.Node): void => {
    const declaration = declarationAround(token);
    if (declaration !== undefined) found.set(`${declaration.getSourceFile().fileName}:${declaration.pos}`, declaration);
  };
  add(name);
  for (const ref of references) {
    if (!ref.isDefinition) continue;
    const token =
      ref.path === name.getSourceFile().fileName
        ? tokenAt(name.getSourceFile(), ref.offset)
        : tokenAt(parse(ref.path, service.textNow(ref.path) ?? ''), ref.offset);
    const tsc = compiler();
    if (
      !tsc.isImportSpecifier(token.parent) &&
      !tsc.isImportClause(token.parent) &&
      !tsc.isExportSpecifier(token.parent) &&
      !tsc.isNamespaceImport(token.parent)
    )
      add(token);
  }
  return [...found.values()];
}

function declarationAround(token: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  const { parent } = token;
  const isNamed =
    tsc.isFunctionDeclaration(parent) ||
    tsc.isClassDeclaration(parent) ||
    tsc.isInterfaceDeclaration(parent) ||
    tsc.isTypeAliasDeclaration(parent) ||
    tsc.isEnumDeclaration(parent) ||
    tsc.isEnumMember(parent) ||
    tsc.isModuleDeclaration(parent) ||
    tsc.isMethodDeclaration(parent) ||
    tsc.isMethodSignature(parent) ||
    tsc.isPropertyDeclaration(parent) ||
    tsc.isPropertySignature(parent) ||
    tsc.isGetAccessorDeclaration(parent) ||
    tsc.isSetAccessorDeclaration(parent) ||
    (tsc.isVariableDeclaration(parent) && tsc.isIdentifier(parent.name));
  return isNamed && parent.name === token ? parent : undefined;
}

function isReexport(service: TypeScriptService, ref: Reference): boolean {
  return compiler().isExportSpecifier(tokenAt(parse(ref.path, service.textNow(ref.path) ?? ''), ref.offset).parent);
}

/** An import in a file that uses the name for nothing else. */
function isUnusedImport(service: TypeScriptService, ref: Reference, usages: readonly Reference[]): boolean {
  const tsc = compiler();
  const token = tokenAt(parse(ref.path, service.textNow(ref.path) ?? ''), ref.offset);
  return tsc.isImportSpecifier(token.parent) && usages.filter((one) => one.path === ref.path).length === 1;
}

function inUse(service: TypeScriptService, name: string, usages: readonly Reference[], cascade: boolean): ToolError {
  const { root } = service.project;
  const shown = usages
    .slice(0, maxUsagesShown)
    .map((ref) => ({ file: displayPath(root, ref.path), line: ref.line, column: ref.column, context: ref.lineText }));
  const [first] = shown;
  return new ToolError(
    'refactoring_conflict',
    `"${name}" is still used in ${usages.length} place${usages.length === 1 ? '' : 's'}${first === undefined ? '' : `, first at ${first.file}:${first.line}: ${first.context}`}. Nothing was changed.`,
    {
      hint: cascade
        ? 'Remove these uses first, or delete it with force.'
        : 'Remove these uses first. cascade: true also removes re-exports and unused imports of it.',
      data: { usages: shown, totalCount: usages.length },
    },
  );
}

/** Takes out the imports that nothing uses any more, and only those that were used before. */
async function dropUnusedImports(
  service: TypeScriptService,
  edits: FileEdits,
  texts: ReadonlyMap<string, string>,
  waiting: RefactorWaiting,
): Promise<void> {
  for (const [path, after] of texts) {
    const before = await unusedImports(service, path, service.textNow(path) ?? '', undefined, waiting);
    const now = await unusedImports(service, path, after, texts, waiting);
    const source = parse(path, service.textNow(path) ?? '');
    const lines = new LineIndex(source.text);
    const fresh = [...now].filter((name) => !before.has(name));
    for (const node of importsNamed(source, fresh)) {
      const range = removalRange(node, source);
      addEdit(edits, path, { start: lines.positionAt(range.start), end: lines.positionAt(range.end) }, '');
    }
  }
}

async function unusedImports(
  service: TypeScriptService,
  path: string,
  text: string,
  overlay: ReadonlyMap<string, string> | undefined,
  waiting: RefactorWaiting,
): Promise<Set<string>> {
  const ask = () =>
    service.request<{ start: { line: number; offset: number }; end: { line: number; offset: number }; code: number }[]>(
      'suggestionDiagnosticsSync',
      { file: path },
      waiting,
    );
  const diagnostics = overlay === undefined ? await ask() : await service.overlaid(overlay, ask);
  const source = parse(path, text);
  const lines = new LineIndex(text);
  const names = new Set<string>();
  const tsc = compiler();
  // 6133: one name is never used; 6192: none of an import's names; 6196: a type declared and not used.
  for (const { start, end, code } of diagnostics) {
    if (code !== 6133 && code !== 6192 && code !== 6196) continue;
    const from = lines.offsetAt({ line: start.line, column: start.offset });
    const to = lines.offsetAt({ line: end.line, column: end.offset });
    for (const statement of source.statements) {
      if (!tsc.isImportDeclaration(statement)) continue;
      for (const { name, node } of boundImports(statement))
        if (
          (from <= node.getStart(source) && node.getEnd() <= to) ||
          (node.getStart(source) <= from && to <= node.getEnd()) ||
          (from <= statement.getStart(source) && statement.getEnd() <= to)
        )
          names.add(name);
    }
  }
  return names;
}

function importsNamed(source: ts.SourceFile, names: readonly string[]): ts.Node[] {
  const tsc = compiler();
  const found: ts.Node[] = [];
  for (const statement of source.statements) {
    if (!tsc.isImportDeclaration(statement)) continue;
    const bound = boundImports(statement);
    const going = bound.filter((one) => names.includes(one.name));
    if (going.length === 0) continue;
    if (going.length === bound.length) found.push(statement);
    // A default import beside others would leave a comma behind: it is kept rather than cut badly.
    else found.push(...going.filter((one) => tsc.isImportSpecifier(one.node)).map((one) => one.node));
  }
  return adjacentFree(found);
}

/** Neighbouring specifiers of one list cannot be cut one by one: their ranges would overlap. Only the first of a run is cut. */
function adjacentFree(nodes: readonly ts.Node[]): ts.Node[] {
  const tsc = compiler();
  const kept: ts.Node[] = [];
  for (const node of nodes) {
    const last = kept.at(-1);
    const isNeighbour =
      last !== undefined &&
      tsc.isImportSpecifier(node) &&
      tsc.isImportSpecifier(last) &&
      node.parent === last.parent &&
      node.parent.elements.indexOf(node) === node.parent.elements.indexOf(last) + 1 &&
      node.parent.elements.at(-1) === node;
    if (!isNeighbour) kept.push(node);
  }
  return kept;
}

function boundImports(statement: ts.ImportDeclaration): { name: string; node: ts.Node }[] {
  const tsc = compiler();
  const clause = statement.importClause;
  if (clause === undefined) return [];
  const found: { name: string; node: ts.Node }[] = [];
  if (clause.name !== undefined) found.push({ name: clause.name.text, node: clause.name });
  const bindings = clause.namedBindings;
  if (bindings !== undefined && tsc.isNamespaceImport(bindings))
    found.push({ name: bindings.name.text, node: bindings });
  if (bindings !== undefined && tsc.isNamedImports(bindings))
    for (const element of bindings.elements) found.push({ name: element.name.text, node: element });
  return found;
}
