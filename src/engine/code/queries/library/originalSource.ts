import { realpath, stat } from 'node:fs/promises';
import { isScriptFile } from '../../../../base/languages/byPath.ts';
import { isInside } from '../../../../base/paths.ts';
import { LineIndex, type Position } from '../../../../base/positions.ts';
import { loadScriptMap, mapPathOf, sourceMapUrlOf, type ScriptMap } from '../../../../base/sourceMaps.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import type { OutlineSymbol } from '../../model.ts';
import { declared, type Definition } from '../requests/declaration.ts';
import { flattenOutline, outlineOf, symbolNamedAt, trialOutline } from '../requests/outline.ts';
import { packageFolder } from './packageFiles.ts';

const maxMapBytes = 24_000_000;
/** A compiler may map a declaration to its export or its documentation, a few lines above the name. */
const nearLines = 6;

/**
 * The source of a place in a library's compiled JavaScript, by its source map: the file it was compiled from, or the text that the
 * map itself holds. Files outside the package are not read, whatever a map says.
 */
export async function originalOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  compiled: { path: string; position: Position },
  namePath: readonly string[],
  signal?: AbortSignal,
): Promise<Definition | undefined> {
  const map = await mapOf(workspace, compiled.path);
  const mapped = map?.toOriginal(compiled.position.line, compiled.position.column);
  if (map === undefined || mapped === undefined || !isScriptFile(mapped.file)) return undefined;
  const held = map.content(mapped.file);
  const onDisk = await fileOfPackage(workspace, compiled.path, mapped.file);
  // A file that is not what was compiled would be shown at the wrong lines.
  const isFile = onDisk !== undefined && (held === undefined || sameText(held, onDisk.text));
  const text = isFile ? onDisk : held === undefined ? undefined : new LineIndex(held);
  if (text === undefined) return undefined;
  const outline = isFile
    ? await outlineOf(server, mapped.file, signal)
    : await trialOutline(server, mapped.file, text, signal);
  const name = namePath.at(-1) ?? '';
  const symbol = named(outline, namePath, mapped.line) ?? symbolNamedAt(outline, placeOf(text, mapped, name));
  const start = symbol?.nameRange.start ?? placeOf(text, mapped, name);
  const range = symbol?.nameRange ?? { start, end: { ...start, column: start.column + name.length } };
  if (symbol === undefined && text.text.slice(text.offsetAt(range.start), text.offsetAt(range.end)) !== name)
    return undefined;
  const item = { path: mapped.file, range, fullRange: symbol?.range };
  return {
    ...declared(workspace, item, text, name, symbol?.kind ?? 'symbol'),
    isLibrary: true,
    isImplementation: true,
    compiled,
    ...(isFile ? {} : { isOnlyInMap: true }),
  };
}

async function mapOf(workspace: CodeWorkspace, path: string): Promise<ScriptMap | undefined> {
  const text = await workspace.texts.tryGet(path);
  if (text === undefined) return undefined;
  // Some packages ship a map that the code does not name.
  const url = sourceMapUrlOf(text.text) ?? `${encodeURI(path)}.map`;
  const mapPath = mapPathOf(url, path);
  const folder = packageFolder(path);
  if (mapPath === undefined && !url.startsWith('data:')) return undefined;
  if (mapPath !== undefined) {
    const stats = await stat(mapPath).catch(() => undefined);
    if (stats?.isFile() !== true || stats.size > maxMapBytes) return undefined;
    if (folder === undefined || !(await isReallyInside(folder, mapPath))) return undefined;
  }
  return loadScriptMap(url, path, (file) => file);
}

async function fileOfPackage(
  workspace: CodeWorkspace,
  compiledPath: string,
  file: string,
): Promise<LineIndex | undefined> {
  const folder = packageFolder(compiledPath);
  if (folder === undefined || !(await isReallyInside(folder, file))) return undefined;
  return workspace.texts.tryGet(file);
}

async function isReallyInside(folder: string, path: string): Promise<boolean> {
  try {
    return isInside(await realpath(folder), await realpath(path));
  } catch {
    // There is no such file.
    return false;
  }
}

function sameText(held: string, onDisk: string): boolean {
  return held.replace(/^\uFEFF|\r/g, '') === onDisk.replace(/\r/g, '');
}

/** The symbol of that name path, the nearest to the line when there are several. */
function named(
  outline: readonly OutlineSymbol[],
  namePath: readonly string[],
  line: number,
): OutlineSymbol | undefined {
  const found = flattenOutline(outline).filter(({ namePath: path }) => path.join('/') === namePath.join('/'));
  const distance = ({ symbol }: { symbol: OutlineSymbol }) =>
    // The last of several is the one with a body: those before it are overloads.
    Math.abs(symbol.nameRange.start.line - line);
  return found.sort((a, b) => distance(a) - distance(b))[0]?.symbol;
}

function placeOf(text: LineIndex, mapped: Position, name: string): Position {
  for (let line = mapped.line; line <= mapped.line + nearLines; line++) {
    const content = text.lineText(line) ?? '';
    const at = content.search(new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, 'u'));
    if (at !== -1) return { line, column: at + 1 };
  }
  return mapped;
}
