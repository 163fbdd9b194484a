import { comparePositions, type LineIndex } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf } from '../languageServer.ts';
import type { OutlineSymbol } from '../model.ts';
import { symbolsAround } from '../queries/requests/outline.ts';
import { occurrencesOfWord } from '../sourceFiles.ts';
import { hasTokens, isNameAt, type ReferenceKind } from '../syntax/classify.ts';
import type { TextualFile } from './textualIndex.ts';
import { relatedExtensions } from './syntaxQueries.ts';

export interface TextualReference extends FileRange {
  kind: ReferenceKind;
  enclosing?: string;
}

/** Every place where a word stands in code, in files of the same language. Which of them mean the same symbol, the text cannot tell. */
export async function textualReferencesOf(
  workspace: CodeWorkspace,
  word: string,
  path: string,
  signal?: AbortSignal,
): Promise<TextualReference[]> {
  const extensions = extensionsLike(workspace, path);
  const found = await occurrencesOfWord(workspace.project, word, extensions, signal);
  const references: TextualReference[] = [];
  for (const place of found) {
    const reference = await read(workspace, place);
    if (reference !== undefined) references.push(reference);
  }
  return references.sort(
    (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || comparePositions(a.range.start, b.range.start),
  );
}

/** Extensions of files that can use the symbols of this one. */
export function extensionsLike(workspace: CodeWorkspace, path: string): readonly string[] {
  const definition = workspace.definitionFor(path);
  return definition === undefined ? relatedExtensions(extensionOf(path)) : Object.keys(definition.languages);
}

async function read(workspace: CodeWorkspace, place: FileRange): Promise<TextualReference | undefined> {
  const text = await workspace.texts.tryGet(place.path);
  if (text === undefined) return undefined;
  const file = await workspace.textual.get(place.path);
  const offset = text.offsetAt(place.range.start);
  const around = symbolsAround(file.outline, place.range.start);
  const declared = around.findLast((symbol) => comparePositions(symbol.nameRange.start, place.range.start) === 0);
  // A Ruby `attr_reader :name` declares by a literal.
  if (declared === undefined && !isCode(file, text, place)) return undefined;
  const after = text.text.slice(text.offsetAt(place.range.end), text.offsetAt(place.range.end) + 40);
  const enclosing = around
    .filter((symbol) => symbol !== declared)
    .map(nameWithContainer)
    .join('/');
  const kind =
    declared !== undefined
      ? 'declaration'
      : file.isImport(offset)
        ? 'import'
        : /^\s*(?:::)?(?:<[\w\s,.:*&]*>)?\(/.test(after)
          ? 'call'
          : 'read';
  return { ...place, kind, ...(enclosing === '' ? {} : { enclosing }) };
}

/** Where only lines were looked at, the tokens of a language that is known still tell comments and literals from code. */
function isCode(file: TextualFile, text: LineIndex, { path, range }: FileRange): boolean {
  if (file.linesOnly === undefined || !hasTokens(extensionOf(path))) return file.isCode(text.offsetAt(range.start));
  return isNameAt(extensionOf(path), text, range.start);
}

function nameWithContainer(symbol: OutlineSymbol): string {
  return symbol.container === undefined ? symbol.name : `${symbol.container}/${symbol.name}`;
}
