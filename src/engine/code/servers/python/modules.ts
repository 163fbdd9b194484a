import { basename, dirname } from 'node:path';
import { isPythonFile } from '../../../../base/languages/byPath.ts';
import type { LineIndex } from '../../../../base/positions.ts';
import type { FileRange } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { occurrencesOfWord } from '../../sourceFiles.ts';
import { isNameAt } from '../../syntax/classify.ts';
import { askDefinition } from '../../queries/requests/definition.ts';
import { placesByDefinition } from '../../queries/fallback/placesByDefinition.ts';

/**
 * The uses of a Python module by its name. ty defines a module name as the beginning of the module's file, and keeps no
 * references for it.
 */
export async function pythonModuleReferences(
  workspace: CodeWorkspace,
  server: LanguageServer,
  name: string,
  definitions: readonly FileRange[],
  signal?: AbortSignal,
): Promise<{ references: FileRange[]; complete: boolean }> {
  // `from . import a` may lead to the package's own `from .a import b` first.
  const further = definitions.filter(({ path }) => isPythonFile(path));
  const next = further.map(({ path, range }) =>
    askDefinition(server, 'textDocument/definition', { path, position: range.start }, signal),
  );
  const modules = [...definitions, ...(await Promise.all(next)).flat()].filter((found) => isModule(found, name));
  const files = new Set(modules.map(({ path }) => path));
  if (files.size === 0) return { references: [], complete: true };
  const isThisModule = (definition: FileRange) => isModule(definition, name) && files.has(definition.path);
  const inPackage = ({ path }: FileRange) => /\/__init__\.pyi?$/.test(path);
  const found = await placesByDefinition(workspace, server, name, () => true, isThisModule, signal, inPackage);
  const dotted = await dottedUses(workspace, name, found.references, signal);
  return { references: [...found.references, ...dotted], complete: found.complete };
}

/** After `import a.b`, ty tells of `a.b.c` neither what `a` nor what `b` is; that it is what was imported, the text tells. */
async function dottedUses(
  workspace: CodeWorkspace,
  name: string,
  known: readonly FileRange[],
  signal: AbortSignal | undefined,
): Promise<FileRange[]> {
  const imported = new Map<string, Set<string>>();
  for (const place of known) {
    const text = await workspace.texts.tryGet(place.path);
    const line = text?.lineText(place.range.start.line) ?? '';
    if (text === undefined || !/^\s*import\s/.test(line) || !/\w\.\w/.test(line)) continue;
    const names = imported.get(place.path) ?? new Set<string>();
    imported.set(place.path, names.add(dottedName(text, place)));
  }
  if (imported.size === 0) return [];
  const words = await occurrencesOfWord(workspace.project, name, ['py', 'pyi'], signal);
  const uses: FileRange[] = [];
  for (const place of words) {
    const text = imported.has(place.path) ? await workspace.texts.tryGet(place.path) : undefined;
    if (text === undefined || imported.get(place.path)?.has(dottedName(text, place)) !== true) continue;
    if (isNameAt('py', text, place.range.start)) uses.push(place);
  }
  return uses;
}

function dottedName(text: LineIndex, { range }: FileRange): string {
  const line = text.lineText(range.start.line) ?? '';
  return /(?:[\p{L}_][\p{L}\d_]*\.)*[\p{L}\d_]*$/u.exec(line.slice(0, range.end.column - 1))?.[0] ?? '';
}

function isModule({ path, range: { start } }: FileRange, name: string): boolean {
  if (start.line !== 1 || start.column !== 1 || !isPythonFile(path)) return false;
  const file = basename(path).replace(/\.pyi?$/, '');
  return (file === '__init__' ? basename(dirname(path)) : file) === name;
}
