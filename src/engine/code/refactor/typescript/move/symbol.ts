import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type ts from 'typescript-classic';
import { isTypeDeclarationFile } from '../../../../../base/languages/byPath.ts';
import { ToolError } from '../../../../../base/errors.ts';
import { displayPath } from '../../../../../base/paths.ts';
import { LineIndex, type Range } from '../../../../../base/positions.ts';
import type { FileOperation } from '../../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../../workspace/edits/text/textEdits.ts';
import {
  proposal,
  type CheckedProblem,
  type Conflict,
  type Proposal,
  type RefactorTarget,
  type RefactorWaiting,
} from '../../model.ts';
import { filesWithWord } from '../../../sourceFiles.ts';
import { withReexport, withOwnReexport } from './barrels.ts';
import { followCarriedPaths } from './rebasedPaths.ts';
import { compiler, parse, sourceExtensions, tokenAt } from '../syntax/compiler.ts';
import { actionsFor, editsFor } from '../servers/serverEdits.ts';
import { withoutLeftNamespaces } from './unusedNamespaceImports.ts';
import { asWritten, isListedExport, withDeclaredExports } from './listedExports.ts';
import { loadCycle } from '../semantics/loadCycle.ts';
import { moduleCycle } from '../semantics/moduleCycle.ts';
import { keepLoading } from '../semantics/loadEffects.ts';
import { loadOrder, rootOf } from '../semantics/loadOrder.ts';
import { isAskedLate, isHandledWhole, isLookedThrough } from './namespaceEscapes.ts';
import { placedFirst, tidyMove } from './text.ts';
import { bindRemains, withAliases } from './sourceRebinding.ts';
import { pointsTo } from '../imports/specifiers.ts';
import { isDefaultExport, isExported, preparedMove } from './preparation.ts';
import { shareTakenApart } from './destructuredExports.ts';
import { editedTexts, tryContents, type Trial } from '../servers/trial.ts';
import { sourcePattern, type TypeScriptService } from '../servers/tsService.ts';
import { because, refuse } from '../../refusals/refuse.ts';

/** Moves a top-level declaration to another file, new or existing; both files' imports and all importers follow. */
export async function moveSymbol(
  service: TypeScriptService,
  target: RefactorTarget,
  targetFile: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  if (!sourcePattern.test(targetFile))
    throw new ToolError('invalid_arguments', `${basename(targetFile)} is no TypeScript or JavaScript file.`);
  if (isDeclarationFile(targetFile) && !isDeclarationFile(target.path))
    throw refuse('onlyDescribes', {
      file: basename(targetFile),
      source: basename(targetFile).replace(/\.d(\.[cm]?ts)$/, '$1'),
    });
  if (targetFile === target.path) throw new ToolError('invalid_arguments', `"${target.name}" is in that file already.`);
  const onDisk = await service.text(target.path);
  const old = parse(target.path, onDisk.text);
  const asked = topLevelStatement(old, tokenAt(old, onDisk.offsetAt(target.position)));
  if (asked === undefined) throw refuse('notTopLevel', { name: target.name });
  const there = existsSync(targetFile) ? parse(targetFile, (await service.text(targetFile)).text) : undefined;
  const { texts: prepared, aliases } = preparedMove(old, target.name, there);
  const text = new LineIndex(prepared.get(target.path) ?? onDisk.text);
  const source = prepared.has(target.path) ? parse(target.path, text.text) : old;
  const { first, last, statement } = declarationsTogether(source, asked, target.name);
  const range = { start: text.positionAt(first.getStart(source)), end: text.positionAt(last.getEnd()) };
  const mentions = await service.openMentions(target.name, waiting);
  await service.open([targetFile]);
  await service.formatFor(target.path);
  const moved = source.statements.slice(source.statements.indexOf(first), source.statements.indexOf(last) + 1);
  const texts = await movedByServer(service, source, moved, { range, targetFile, prepared }, waiting);
  const names = declaredNames(statement).map((name) => name.getText(source));
  const before = (path: string): string | undefined => service.textNow(path);
  const way = { from: target.path, to: targetFile };
  const { specifier: like, quote } =
    mentions.flatMap((file) => specifiersIn(file, before(file) ?? '', target.path)).at(0) ?? {};
  const departure = { name: target.name, ...way, like, quote };
  tidyMove(texts, { first, last, names, ...way, like }, before);
  shareTakenApart(source, moved, texts, targetFile);
  const conflicts = [
    ...bindRemains(texts, departure, old),
    ...followCarriedPaths(texts, moved, way),
    ...(await lookedThrough(service, targetFile, target.name)),
  ];
  withAliases(texts, aliases, departure);
  await passOn(service, texts, moved, { name: target.name, ...way, isType: moved.every(isTypeStatement) }, waiting);
  withoutLeftNamespaces(texts, target.path, before);
  keepLoading(texts, way, before, (path) => texts.get(path) ?? before(path) ?? compiler().sys.readFile(path));
  const dependents = mentions.filter((file) => !texts.has(file));
  const onDiskText = (path: string): string | undefined => before(path) ?? compiler().sys.readFile(path);
  const tried = await triedMove(service, texts, { targetFile, names, dependents }, waiting);
  const direct = loadCycle(target.path, targetFile, texts, existsSync(targetFile));
  conflicts.push(...(direct.length > 0 ? direct : moduleCycle(service.project.root, texts, onDiskText)));
  conflicts.push(...loadOrder(moved, target.name, isImported(texts, targetFile)));
  return proposal(
    `move ${target.name} from ${displayPath(service.project.root, target.path)} to ${displayPath(service.project.root, targetFile)}`,
    wholeFiles(service, texts),
    { ...(tried ?? { tryOnDisk: true }), dependents, conflicts: [...(tried?.conflicts ?? []), ...conflicts] },
  );
}

/** The texts as the server makes them of the prepared ones. */
async function movedByServer(
  service: TypeScriptService,
  source: ts.SourceFile,
  moved: readonly ts.Statement[],
  { range, targetFile, prepared }: { range: Range; targetFile: string; prepared: Map<string, string> },
  waiting: RefactorWaiting,
): Promise<Map<string, string>> {
  const { fileName: path } = source;
  const ask = (shown: ReadonlyMap<string, string>): Promise<Map<string, string>> =>
    service.overlaid(shown, async () => {
      const actions = await actionsFor(service, path, range, 'refactor.move', waiting);
      const action = actions.find((one) => one.name === 'Move to file');
      if (action === undefined || action.notApplicableReason !== undefined)
        throw action?.notApplicableReason === undefined
          ? refuse('serverDoesNotMove')
          : refuse('engineSays', { reason: action.notApplicableReason });
      const { edits } = await editsFor(service, path, range, action, waiting, { targetFile });
      return editedTexts(service, edits, shown);
    });
  try {
    return await ask(prepared);
  } catch (error) {
    if (!isListedExport(error)) throw error;
  }
  const helped = await service.overlaid(prepared, () =>
    withDeclaredExports(service, source, moved, (file) => prepared.get(file) ?? service.textNow(file), waiting),
  );
  const texts = await ask(new Map([...prepared, ...helped]));
  for (const [file, shown] of helped) {
    const text = asWritten(texts.get(file) ?? shown);
    // A file that only helped is not changed.
    if (text === asWritten(shown) && !prepared.has(file)) texts.delete(file);
    else texts.set(file, text);
  }
  return texts;
}

/**
 * What the checker says, tried out in memory; undefined when that tells nothing. A file that does not exist yet belongs to no configuration
 * for the server: what seems wrong with it is seen on disk.
 */
async function triedMove(
  service: TypeScriptService,
  texts: Map<string, string>,
  { targetFile, names, dependents }: { targetFile: string; names: readonly string[]; dependents: readonly string[] },
  waiting: RefactorWaiting,
): Promise<Trial | undefined> {
  if (!existsSync(dirname(targetFile))) return undefined;
  if (!existsSync(targetFile)) {
    const problems = await service.overlaid(texts, () => service.problems([...texts.keys()], waiting));
    importTypesAsTypes(texts, problems);
    if (problems.some((one) => one.file === targetFile && !typeOnly.has(one.code))) return undefined;
  }
  const trial = await tryContents(service, texts, dependents, waiting);
  const placed = texts.get(targetFile);
  const isChanged = importTypesAsTypes(texts, trial.tried.after);
  const isTooLate = trial.tried.after.some((one) => one.file === targetFile && tooLate.has(one.code));
  if (isTooLate && placed !== undefined) texts.set(targetFile, placedFirst(targetFile, placed, names));
  if (!isTooLate && !isChanged) return trial.conflicts.length > 0 && !existsSync(targetFile) ? undefined : trial;
  const again = await tryContents(service, texts, dependents, waiting);
  if (!isTooLate || placed === undefined || again.conflicts.length === 0) return again;
  texts.set(targetFile, placed);
  return trial;
}

/** A type is imported as a value, where the configuration demands that it is not. */
const typeOnly = new Set(['TS1484', 'TS1485']);
/** Something is used above its declaration. */
const tooLate = new Set(['TS2448', 'TS2449', 'TS2454']);

/** Whoever looks through the file that a symbol goes to would find it there. */
async function lookedThrough(service: TypeScriptService, file: string, name: string): Promise<Conflict[]> {
  const stem = basename(file).replace(/\.[cm]?[jt]sx?$/, '');
  if (!existsSync(file)) return [];
  for (const path of await filesWithWord(
    service.project,
    stem === 'index' ? basename(dirname(file)) : stem,
    sourceExtensions,
  )) {
    const text = compiler().sys.readFile(path);
    if (text === undefined || !isLookedThrough(path, text, file)) continue;
    const message = because('exportsLookedThrough', { file: basename(file), name });
    return [{ kind: 'meaning', message, file: path }];
  }
  return [];
}

function isDeclarationFile(path: string): boolean {
  return isTypeDeclarationFile(path);
}

/** How a file names another one, where it does. */
function specifiersIn(path: string, text: string, file: string): { specifier: string; quote: string }[] {
  return [...text.matchAll(/(['"])(\.[^'"\n]*)\1/g)]
    .map(([, quote = "'", specifier = '']) => ({ specifier, quote }))
    .filter(({ specifier }) => pointsTo(path, specifier, file));
}

function isTypeStatement(statement: ts.Statement): boolean {
  return compiler().isInterfaceDeclaration(statement) || compiler().isTypeAliasDeclaration(statement);
}

/** Whether one of the changed files loads a file. */
function isImported(texts: ReadonlyMap<string, string>, file: string): boolean {
  const tsc = compiler();
  return [...texts].some(
    ([path, text]) =>
      path !== file &&
      parse(path, text).statements.some(
        (one) =>
          (tsc.isImportDeclaration(one) || tsc.isExportDeclaration(one)) &&
          one.moduleSpecifier !== undefined &&
          tsc.isStringLiteral(one.moduleSpecifier) &&
          !(tsc.isImportDeclaration(one) && one.importClause?.phaseModifier === tsc.SyntaxKind.TypeKeyword) &&
          pointsTo(path, one.moduleSpecifier.text, file),
      ),
  );
}

/** Lets files that pass on all of the old file, or have it as an object, find the moved symbol there. */
async function passOn(
  service: TypeScriptService,
  texts: Map<string, string>,
  statements: readonly ts.Statement[],
  moved: { name: string; from: string; to: string; isType: boolean },
  waiting: RefactorWaiting,
): Promise<void> {
  const tsc = compiler();
  const isDefault = statements.some((one) => isDefaultExport(one, moved.name));
  const isNamed = statements.some((one) => isExported(one) && !isDefaultExport(one, moved.name));
  const stem = basename(moved.from).replace(/\.[cm]?[jt]sx?$/, '');
  const left = texts.get(moved.from);
  const isLast = left !== undefined && !tsc.isExternalModule(parse(moved.from, left));
  if (!isDefault && !isNamed) return;
  const passing = await service.openMentions(stem === 'index' ? 'export' : stem, waiting);
  for (const name of [...(isNamed ? [moved.name] : []), ...(isDefault ? ['default'] : [])])
    for (const path of passing) {
      if (path === moved.to || path === moved.from) continue;
      const before = texts.get(path) ?? (await service.text(path)).text;
      const now = withReexport(path, before, { ...moved, name, isLast });
      if (now !== undefined) texts.set(path, now);
      // Whoever has the old file as an object (`export * as old`, `Object.keys(old)`, `await import('./old')`) finds the symbol there.
      const rest = texts.get(moved.from);
      const isObject =
        isAskedLate(path, now ?? before, moved.from, name) || isHandledWhole(path, now ?? before, moved.from);
      if (rest === undefined || !isObject) continue;
      const { specifier: like, quote } = specifiersIn(path, now ?? before, moved.from)[0] ?? {};
      texts.set(moved.from, withOwnReexport(moved.from, rest, { ...moved, name, like, quote }));
    }
}

/** The server forgets `type` on the imports it writes; where the configuration demands it, the checker says exactly where. */
function importTypesAsTypes(texts: Map<string, string>, problems: readonly CheckedProblem[]): boolean {
  let isChanged = false;
  for (const [path, text] of texts) {
    const edits = problems
      .filter((problem) => problem.file === path && typeOnly.has(problem.code))
      .map(({ line, column }) => ({ range: { start: { line, column }, end: { line, column } }, newText: 'type ' }));
    if (edits.length === 0) continue;
    texts.set(path, applyTextEdits(text, edits, path));
    isChanged = true;
  }
  return isChanged;
}

function wholeFiles(service: TypeScriptService, texts: ReadonlyMap<string, string>): FileOperation[] {
  return [...texts].map(([path, content]) => {
    const expectedHash = service.hashOf(path);
    return expectedHash === undefined
      ? { kind: 'create', path, content }
      : { kind: 'write', path, content, expectedHash };
  });
}

function topLevelStatement(source: ts.SourceFile, node: ts.Node): ts.Statement | undefined {
  for (let at: ts.Node = node; at.parent !== undefined; at = at.parent) {
    if (!compiler().isSourceFile(at.parent)) continue;
    // The name must be what the statement declares, not something used deep inside it.
    const isDeclared = declaredNames(at).some(
      (name) => name.getStart(source) <= node.getStart(source) && node.getEnd() <= name.getEnd(),
    );
    return isDeclared && compiler().isStatement(at) ? at : undefined;
  }
  return undefined;
}

/** Overloads, a type and a value of one name, and what makes it the file's default export move together. */
function declarationsTogether(
  source: ts.SourceFile,
  asked: ts.Statement,
  name: string,
): { first: ts.Statement; last: ts.Statement; statement: ts.Statement } {
  const isSame = (one: ts.Statement): boolean => declaredNames(one).some((each) => each.getText(source) === name);
  const statement = source.statements.find((one) => one.kind === asked.kind && isSame(one)) ?? asked;
  const same = source.statements.filter(
    (one) =>
      one === statement ||
      isSame(one) ||
      setsMember(one, name) ||
      (compiler().isExportAssignment(one) && isDefaultExport(one, name)),
  );
  const first = same[0] ?? statement;
  const last = same.at(-1) ?? statement;
  const between = source.statements.slice(source.statements.indexOf(first), source.statements.indexOf(last) + 1);
  if (between.length > same.length) throw refuse('declaredInPieces', { name });
  return { first, last, statement };
}

/** `name.member = …`, `name.prototype.member = …`: it is part of what the name means. */
function setsMember(statement: ts.Statement, name: string): boolean {
  const tsc = compiler();
  const set = tsc.isExpressionStatement(statement) ? statement.expression : undefined;
  if (set === undefined || !tsc.isBinaryExpression(set) || set.operatorToken.kind !== tsc.SyntaxKind.EqualsToken)
    return false;
  return !tsc.isIdentifier(set.left) && rootOf(set.left)?.text === name;
}

function declaredNames(node: ts.Node): ts.Node[] {
  const tsc = compiler();
  if (tsc.isVariableStatement(node)) return node.declarationList.declarations.map((one) => one.name);
  const isNamed =
    tsc.isFunctionDeclaration(node) ||
    tsc.isClassDeclaration(node) ||
    tsc.isInterfaceDeclaration(node) ||
    tsc.isTypeAliasDeclaration(node) ||
    tsc.isEnumDeclaration(node) ||
    tsc.isModuleDeclaration(node);
  return isNamed && node.name !== undefined ? [node.name] : [];
}
