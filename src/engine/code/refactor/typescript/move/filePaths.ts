import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import type ts from 'typescript-classic';
import { isInside } from '../../../../../base/paths.ts';
import type { LineIndex } from '../../../../../base/positions.ts';
import { filesMatching, listSourceFiles } from '../../../sourceFiles.ts';
import type { Conflict, RefactorWaiting } from '../../model.ts';
import { compiler, parse, sourceExtensions } from '../syntax/compiler.ts';
import { exactPaths, moduleNamed } from '../imports/exactPaths.ts';
import { addEdit, samePosition, type FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { because, type Reason } from '../../refusals/refuse.ts';

export interface MovedPath {
  from: string;
  to: string;
}

/** Only files with one of these can name a file by anything but an import. */
const quick =
  /require\s*\.\s*resolve|\.(?:un|do|dont)?[mM]ock\s*\(|\.(?:require|import)(?:Actual|Mock)\b|import\s*\.\s*meta|__dirname|(?:require|import)\s*\(\s*(?:`[^`]*\$\{|['"][^'"]*['"]\s*\+)/;

/** What names a file whole: by an import of something with an extension, or by a reference. */
const named = /['"`]\.{1,2}\/[^'"`\n]*\.\w+['"`]|<reference\s+path/;

const addition = 'declare\\s+module\\s+[\'"]\\.';

/**
 * Paths that no import names: those given to `require.resolve`, to mocks and to `new URL(…, import.meta.url)` follow what moves. Where a
 * path is put together at run time, or is told from the place of the file itself, the move is a conflict.
 */
export async function followMovedPaths(
  service: TypeScriptService,
  moved: MovedPath,
  edits: FileEdits,
  waiting: RefactorWaiting,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  const stem = basename(moved.from).replace(/\..*$/, '');
  const adding = await filesMatching(service.project, addition, sourceExtensions, waiting.signal);
  for (const path of await listSourceFiles(service.project, sourceExtensions, waiting.signal)) {
    const known = await service.text(path);
    const isNear = isInside(moved.from, path) || known.text.includes(stem) || stem === 'index';
    if (isNear && named.test(known.text)) withExactPaths(edits, path, known, moved);
    if (isNear && adding.length > 0) withAddedModules(edits, path, known, moved);
    if (!quick.test(known.text)) continue;
    const found = pathsIn(parse(path, known.text), moved);
    for (const { literal, newPath } of found.followed) {
      const start = known.positionAt(literal.getStart() + 1);
      addEdit(edits, path, { start, end: known.positionAt(literal.getEnd() - 1) }, newPath);
    }
    conflicts.push(...found.unclear.map(({ node, message }) => conflictAt(path, known, node, message)));
  }
  return conflicts;
}

/** Files that are named whole; what the server says of them gives way. */
function withExactPaths(edits: FileEdits, path: string, known: LineIndex, moved: MovedPath): void {
  for (const { start, end, text } of exactPaths(parse(path, known.text), moved)) {
    const range = { start: known.positionAt(start), end: known.positionAt(end) };
    const others = (edits.get(path) ?? []).filter((one) => !samePosition(one.range.start, range.start));
    edits.set(path, [...others, { range, newText: text }]);
  }
}

/** What others add to (`declare module './file'`) is no file for the server any more: it leaves all imports of it as they are. */
function withAddedModules(edits: FileEdits, path: string, known: LineIndex, moved: MovedPath): void {
  const source = parse(path, known.text);
  const visit = (node: ts.Node): void => {
    compiler().forEachChild(node, visit);
    const literal = moduleNamed(node);
    if (literal === undefined || !literal.text.startsWith('.')) return;
    const start = known.positionAt(literal.getStart(source) + 1);
    const newPath = followed(path, literal.text, moved);
    if (newPath === undefined || newPath === literal.text) return;
    if ((edits.get(path) ?? []).some((one) => samePosition(one.range.start, start))) return;
    addEdit(edits, path, { start, end: known.positionAt(literal.getEnd() - 1) }, newPath);
  };
  visit(source);
}

function conflictAt(path: string, text: LineIndex, node: ts.Node, message: Reason): Conflict {
  const { line, column } = text.positionAt(node.getStart());
  return { kind: 'meaning', message, file: path, line, column };
}

interface Found {
  followed: { literal: ts.StringLiteralLike; newPath: string }[];
  unclear: { node: ts.Node; message: Reason }[];
}

function pathsIn(source: ts.SourceFile, moved: MovedPath): Found {
  const tsc = compiler();
  const path = source.fileName;
  const found: Found = { followed: [], unclear: [] };
  const goesAlong = isInside(moved.from, path);
  const changesFolder = goesAlong && dirname(moved.to) !== dirname(moved.from);
  const visit = (node: ts.Node): void => {
    tsc.forEachChild(node, visit);
    const literal = pathArgument(node);
    if (literal !== undefined) {
      const newPath = followed(path, literal.text, moved);
      if (newPath !== undefined && newPath !== literal.text) found.followed.push({ literal, newPath });
    } else if (isOwnFolder(node)) {
      const target = joinedPath(node, path);
      const isMoved = target !== undefined && isInside(moved.from, target);
      if (goesAlong ? changesFolder && !(isMoved && target !== moved.from) : isMoved)
        found.unclear.push({
          node,
          message: goesAlong ? because('findsByOwnPlace') : because('foundByPath'),
        });
    } else {
      const prefix = dynamicPrefix(node);
      const folder =
        prefix === undefined ? undefined : join(dirname(path), prefix.slice(0, prefix.lastIndexOf('/') + 1), '.');
      const isLoaded =
        folder !== undefined &&
        (goesAlong ? changesFolder && !isInside(moved.from, folder) : dirname(moved.from) === folder);
      if (isLoaded) found.unclear.push({ node, message: because('loadedAtRunTime') });
    }
  };
  visit(source);
  return found;
}

const resolving = /^(?:require\.resolve|import\.meta\.resolve)$/;
const mocking = /^(?:(?:un|do|dont)?[mM]ock|setMock|(?:require|import)(?:Actual|Mock))$/;

/** The string by which a call names a file as an import would. */
export function pathArgument(node: ts.Node): ts.StringLiteralLike | undefined {
  const tsc = compiler();
  const isUrl =
    tsc.isNewExpression(node) &&
    node.expression.getText() === 'URL' &&
    node.arguments?.[1]?.getText() === 'import.meta.url';
  const isCall =
    tsc.isCallExpression(node) &&
    (resolving.test(node.expression.getText()) ||
      (tsc.isPropertyAccessExpression(node.expression) && mocking.test(node.expression.name.text)));
  const first = isUrl || isCall ? node.arguments?.[0] : undefined;
  return first !== undefined && tsc.isStringLiteralLike(first) && /^\.{1,2}\//.test(first.text) ? first : undefined;
}

/** `__dirname` and what stands for it. */
export function isOwnFolder(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isIdentifier(node) && node.text === '__dirname') return !tsc.isVariableDeclaration(node.parent);
  if (tsc.isPropertyAccessExpression(node) && node.getText() === 'import.meta.dirname') return true;
  return (
    tsc.isCallExpression(node) &&
    /(?:^|\.)dirname$/.test(node.expression.getText()) &&
    /import\.meta\.url/.test(node.getText())
  );
}

/** What `join(__dirname, 'a', 'b')` means, when it is all written out. */
function joinedPath(folder: ts.Node, path: string): string | undefined {
  const tsc = compiler();
  const call = folder.parent;
  if (!tsc.isCallExpression(call) || !/(?:^|\.)(?:join|resolve)$/.test(call.expression.getText())) return undefined;
  if (call.arguments[0] !== folder) return undefined;
  const parts = call.arguments.slice(1).map((one) => (tsc.isStringLiteralLike(one) ? one.text : undefined));
  return parts.includes(undefined) ? undefined : join(dirname(path), ...parts.map((one) => one ?? ''));
}

/** The beginning of a module's name that is made at run time. */
function dynamicPrefix(node: ts.Node): string | undefined {
  const tsc = compiler();
  if (!tsc.isCallExpression(node)) return undefined;
  const isLoad = node.expression.kind === tsc.SyntaxKind.ImportKeyword || node.expression.getText() === 'require';
  const first = isLoad ? node.arguments[0] : undefined;
  let start: string | undefined;
  if (first !== undefined && tsc.isTemplateExpression(first)) start = first.head.text;
  if (first !== undefined && tsc.isBinaryExpression(first) && tsc.isStringLiteralLike(first.left))
    start = first.left.text;
  return start !== undefined && /^\.{1,2}\//.test(start) ? start : undefined;
}

/** How a file names another after the move; undefined when nothing of it moves. */
function followed(path: string, specifier: string, { from, to }: MovedPath): string | undefined {
  const target = fileNamed(join(dirname(path), specifier));
  if (target === undefined) return undefined;
  const after = (one: string): string => (isInside(from, one) ? to + one.slice(from.length) : one);
  const [newTarget, newPath] = [after(target.file), after(path)];
  if (newTarget === target.file && newPath === path) return undefined;
  const plain = relative(dirname(newPath), target.written(newTarget));
  return plain.startsWith('.') ? plain : `./${plain}`;
}

/** The file that a path without, or with another, extension means; and how such a path to another file is written. */
function fileNamed(path: string): { file: string; written: (file: string) => string } | undefined {
  if (existsSync(path) && statSync(path).isFile()) return { file: path, written: (file) => file };
  const source = /\.[cm]?js$/.test(path) ? path.replace(/js$/, 'ts') : undefined;
  if (source !== undefined && existsSync(source))
    return { file: source, written: (file) => file.slice(0, -extname(file).length) + extname(path) };
  for (const extension of sourceExtensions)
    if (existsSync(`${path}.${extension}`))
      return { file: `${path}.${extension}`, written: (file) => file.slice(0, -extname(file).length) };
  for (const extension of sourceExtensions) {
    const index = join(path, `index.${extension}`);
    const isIndex = (file: string): boolean => basename(file, extname(file)) === 'index';
    if (existsSync(index))
      return { file: index, written: (file) => (isIndex(file) ? dirname(file) : file.slice(0, -extname(file).length)) };
  }
  return undefined;
}
