import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type ts from 'typescript-classic';
import { counted } from '../../../../base/counted.ts';
import { ToolError } from '../../../../base/errors.ts';
import { displayPath, isInside } from '../../../../base/paths.ts';
import { LineIndex } from '../../../../base/positions.ts';
import type { FileOperation, TextEdit } from '../../../workspace/edits/operations.ts';
import { readVersion } from '../../../workspace/edits/readVersion.ts';
import { applyTextEdits } from '../../../workspace/edits/textEdits.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import { proposal, type Proposal, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import { isPassedOnWhole, withReexport, withOwnReexport } from './barrels.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { actionsFor, editsFor, notOffered } from './serverEdits.ts';
import { loadCycle } from './loadCycle.ts';
import { loadOrder } from './loadOrder.ts';
import { followInPackages } from './movedPackageFiles.ts';
import { followMovedPaths } from './movedPaths.ts';
import { tidyMove } from './movedText.ts';
import { pointsTo } from './specifiers.ts';
import { isDefaultExport, preparedMove } from './preparedMove.ts';
import { shareTakenApart } from './takenApart.ts';
import { editedTexts, editOperations, tryContents } from './trial.ts';
import { sourcePattern, type TsFileChanges, type TypeScriptService } from './tsService.ts';

/** More files of a moved directory than this are not opened beforehand: one of each configuration is among them. */
const maxOpened = 300;

/** Moves a top-level declaration to another file, new or existing; both files' imports and all importers follow. */
export async function moveSymbol(
  service: TypeScriptService,
  target: RefactorTarget,
  targetFile: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  if (!sourcePattern.test(targetFile))
    throw new ToolError('invalid_arguments', `${basename(targetFile)} is no TypeScript or JavaScript file.`);
  if (targetFile === target.path) throw new ToolError('invalid_arguments', `"${target.name}" is in that file already.`);
  const onDisk = await service.text(target.path);
  const old = parse(target.path, onDisk.text);
  const asked = topLevelStatement(old, tokenAt(old, onDisk.offsetAt(target.position)));
  if (asked === undefined) throw notOffered(`"${target.name}" is not declared at the top level of its file`);
  const there = existsSync(targetFile) ? parse(targetFile, (await service.text(targetFile)).text) : undefined;
  const prepared = preparedMove(old, target.name, there);
  const text = new LineIndex(prepared.get(target.path) ?? onDisk.text);
  const source = prepared.has(target.path) ? parse(target.path, text.text) : old;
  const { first, last, statement } = declarationsTogether(source, asked, target.name);
  const range = { start: text.positionAt(first.getStart(source)), end: text.positionAt(last.getEnd()) };
  const mentions = await service.openMentions(target.name, waiting);
  await service.open([targetFile]);
  await service.formatFor(target.path);
  const texts = await service.overlaid(prepared, async () => {
    const actions = await actionsFor(service, target.path, range, 'refactor.move', waiting);
    const action = actions.find((one) => one.name === 'Move to file');
    if (action === undefined || action.notApplicableReason !== undefined)
      throw notOffered(action?.notApplicableReason ?? 'the TypeScript server does not offer to move this');
    const { edits } = await editsFor(service, target.path, range, action, waiting, { targetFile });
    return editedTexts(service, edits, prepared);
  });
  const moved = source.statements.slice(source.statements.indexOf(first), source.statements.indexOf(last) + 1);
  const names = declaredNames(statement).map((name) => name.getText(source));
  tidyMove(texts, { first, last, names, from: target.path, to: targetFile }, (path) => service.textNow(path));
  shareTakenApart(source, moved, texts, targetFile);
  await passOn(service, texts, statement, { name: target.name, from: target.path, to: targetFile }, waiting);
  const dependents = mentions.filter((file) => !texts.has(file));
  const isTried = existsSync(dirname(targetFile));
  if (isTried) await importTypesAsTypes(service, texts, waiting);
  let tried = isTried ? await tryContents(service, texts, dependents, waiting) : undefined;
  const left = texts.get(target.path);
  if (left !== undefined && tried?.conflicts.some((one) => isAskedOfModule(one.message, target.name)) === true) {
    const like = mentions.flatMap((file) => specifierIn(file, service.textNow(file) ?? '', target.path)).at(0);
    const how = { name: target.name, isType: isTypeStatement(statement), to: targetFile, like };
    texts.set(target.path, withOwnReexport(target.path, left, how));
    tried = await tryContents(service, texts, dependents, waiting);
  }
  // A file that does not exist yet belongs to no configuration for the server: what seems wrong with it is seen on disk.
  const isDoubtful = tried === undefined || (tried.conflicts.length > 0 && !existsSync(targetFile));
  const trial = isDoubtful ? { tryOnDisk: true } : tried;
  const cycle = loadCycle(target.path, targetFile, texts, existsSync(targetFile));
  const order = loadOrder(moved, target.name, isImported(texts, targetFile));
  return proposal(
    `move ${target.name} from ${displayPath(service.project.root, target.path)} to ${displayPath(service.project.root, targetFile)}`,
    wholeFiles(service, texts),
    { ...trial, dependents, conflicts: [...(isDoubtful ? [] : (tried?.conflicts ?? [])), ...cycle, ...order] },
  );
}

/** Whether somebody has the old file as an object (`await import('./old')`, `typeof import('./old')`) and asks it for the symbol. */
function isAskedOfModule(message: string, name: string): boolean {
  const isMissing = message.startsWith(`Property '${name}' does not exist on type 'typeof import(`);
  return isMissing || (message.startsWith('Namespace ') && message.includes(`has no exported member '${name}'`));
}

/** How a file names another one, where it does. */
function specifierIn(path: string, text: string, file: string): string[] {
  return [...text.matchAll(/(['"])(\.[^'"\n]*)\1/g)]
    .map((one) => one[2] ?? '')
    .filter((one) => pointsTo(path, one, file));
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

/** Lets files that pass on all of the old file pass on the moved symbol too. */
async function passOn(
  service: TypeScriptService,
  texts: Map<string, string>,
  statement: ts.Statement,
  moved: { name: string; from: string; to: string },
  waiting: RefactorWaiting,
): Promise<void> {
  const tsc = compiler();
  const isExported =
    tsc.canHaveModifiers(statement) &&
    (tsc.getModifiers(statement)?.some((one) => one.kind === tsc.SyntaxKind.ExportKeyword) ?? false);
  if (!isExported) return;
  const isType = isTypeStatement(statement);
  const stem = basename(moved.from).replace(/\.[cm]?[jt]sx?$/, '');
  const left = texts.get(moved.from);
  const isLast = left !== undefined && !tsc.isExternalModule(parse(moved.from, left));
  const passing = await service.openMentions(stem === 'index' ? 'export' : stem, waiting);
  for (const path of passing) {
    if (path === moved.to) continue;
    const text = withReexport(path, texts.get(path) ?? (await service.text(path)).text, { ...moved, isType, isLast });
    if (text !== undefined) texts.set(path, text);
    // Whoever names the old file as a whole (`export * as old`) asks it for the symbol.
    const rest = texts.get(moved.from);
    if (rest !== undefined && isPassedOnWhole(path, texts.get(path) ?? (await service.text(path)).text, moved.from))
      texts.set(moved.from, withOwnReexport(moved.from, rest, { ...moved, isType }));
  }
}

/** The server forgets `type` on the imports it writes; where the configuration demands it, the checker says exactly where. */
async function importTypesAsTypes(
  service: TypeScriptService,
  texts: Map<string, string>,
  waiting: RefactorWaiting,
): Promise<void> {
  const typeOnly = new Set(['TS1484', 'TS1485']);
  const problems = await service.overlaid(texts, () => service.problems([...texts.keys()], waiting));
  for (const [path, text] of texts) {
    const index = new LineIndex(text);
    const edits = problems
      .filter((problem) => problem.file === path && typeOnly.has(problem.code))
      .map(({ line, column }) => ({ range: { start: { line, column }, end: { line, column } }, newText: 'type ' }));
    if (edits.length > 0) texts.set(path, applyTextEdits(index.text, edits, path));
  }
}

function wholeFiles(service: TypeScriptService, texts: ReadonlyMap<string, string>): FileOperation[] {
  return [...texts].map(([path, content]) => {
    const expectedHash = service.hashOf(path);
    return expectedHash === undefined
      ? { kind: 'create', path, content }
      : { kind: 'write', path, content, expectedHash };
  });
}

/** Moves or renames a file or directory; every import of it, and every import in it, follows. */
export async function moveFile(
  service: TypeScriptService,
  from: string,
  to: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const isDirectory = (await lstat(from)).isDirectory();
  if (isDirectory && isInside(from, to))
    throw new ToolError('invalid_arguments', 'A directory cannot be moved into itself.');
  // Importers name the file by its stem or, for an index file, by its directory: those that mention either are loaded.
  const stem = basename(from).replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  const mentions = new Set(await service.openMentions(stem, waiting));
  if (/^index$/.test(stem))
    for (const file of await service.openMentions(basename(join(from, '..')), waiting)) mentions.add(file);
  // The configurations of what moves are loaded with it: they may name it.
  await service.open(isDirectory ? await sourcesBelow(service, from) : [from]);
  const answer = await service.request<TsFileChanges[]>(
    'getEditsForFileRename',
    { oldFilePath: from, newFilePath: to },
    waiting,
  );
  const edits = await service.editsOf(answer);
  const described = await followInPackages(service, { from, to }, waiting);
  for (const [path, list] of edits) edits.set(path, await ownNamesKept(service, path, list, described.names));
  const conflicts = await followMovedPaths(service, { from, to }, edits, waiting);
  // Edits inside what moves are meant for the old place; the move itself comes after them.
  const operations: FileOperation[] = [];
  for (const [path, list] of edits)
    if (path.endsWith('.json')) {
      const read = await readVersion(path);
      const kept = asWrittenBefore(read?.bytes?.toString('utf8') ?? '', list);
      operations.push({ kind: 'edit', path, edits: kept, expectedHash: read?.version.hash });
      edits.delete(path);
    }
  operations.push(
    ...described.operations.filter(({ path }) => operations.every((one) => !('path' in one) || one.path !== path)),
  );
  for (const [path, list] of edits) if (list.length === 0) edits.delete(path);
  const files = edits.size + operations.length;
  operations.push(...editOperations(service, edits), { kind: 'rename', from, to });
  const dependents = [...mentions].filter((file) => file !== from && !isInside(from, file));
  return proposal(
    `move ${displayPath(service.project.root, from)} to ${displayPath(service.project.root, to)}: imports in ${counted(files, 'file')} follow`,
    operations,
    { dependents, conflicts, tryOnDisk: true, renamed: { from, to } },
  );
}

/** A package that is imported by its own name still is: its description follows the file. */
async function ownNamesKept(
  service: TypeScriptService,
  path: string,
  edits: readonly TextEdit[],
  names: readonly string[],
): Promise<TextEdit[]> {
  if (names.length === 0 || !sourcePattern.test(path)) return [...edits];
  const text = await service.text(path);
  return edits.filter(({ range }) => {
    const was = text.text.slice(text.offsetAt(range.start), text.offsetAt(range.end));
    return !names.some((name) => was === name || was.startsWith(`${name}/`));
  });
}

async function sourcesBelow(service: TypeScriptService, directory: string): Promise<string[]> {
  const { files } = await listFiles(service.project, { folder: directory });
  return files
    .map((file) => join(service.project.root, file))
    .filter((file) => sourcePattern.test(file))
    .slice(0, maxOpened);
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
    (one) => one === statement || isSame(one) || (compiler().isExportAssignment(one) && isDefaultExport(one, name)),
  );
  const first = same[0] ?? statement;
  const last = same.at(-1) ?? statement;
  const between = source.statements.slice(source.statements.indexOf(first), source.statements.indexOf(last) + 1);
  if (between.length > same.length)
    throw notOffered(`"${name}" is declared in several places of its file, with others in between`);
  return { first, last, statement };
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

/** The server leaves out the `./` of a path in a configuration, without which the path may mean a package, or nothing. */
function asWrittenBefore(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const index = new LineIndex(text);
  return edits.map((edit) => {
    const was = text.slice(index.offsetAt(edit.range.start), index.offsetAt(edit.range.end));
    return was.startsWith('./') && !/^[./]/.test(edit.newText) ? { ...edit, newText: `./${edit.newText}` } : edit;
  });
}
