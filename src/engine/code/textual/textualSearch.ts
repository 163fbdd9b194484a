import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf } from '../languageServer.ts';
import type { FoundSymbol, IndexState } from '../model.ts';
import { flattenOutline } from '../queries/requests/outline.ts';
import { filesContaining, filesMatching } from '../sourceFiles.ts';
import { syntaxQueries, textualExtensions } from './syntaxQueries.ts';

const maxFiles = 2000;
/** Reading the syntax of many files for the first time takes this long at most; what was read is kept for the next question. */
const maxMs = 10_000;

/** Data and markup: their keys are no symbols that anybody searches. */
const withoutSymbols = new Set(['md', 'markdown', 'json', 'jsonc', 'yaml', 'yml', 'toml', 'html', 'htm']);

/** Extensions that no installed language server answers for. */
async function textualExtensionsOf(workspace: CodeWorkspace): Promise<string[]> {
  const served = new Set(withoutSymbols);
  for (const definition of workspace.definitions)
    if (await workspace.isInstalled(definition))
      for (const extension of Object.keys(definition.languages)) served.add(extension);
  const known = new Set([
    ...textualExtensions,
    ...Object.values(syntaxQueries).flatMap(({ extensions }) => extensions),
  ]);
  return [...known].filter((extension) => !served.has(extension));
}

interface TextualSymbols {
  symbols: FoundSymbol[];
  /** All files that may hold such a name were looked at. */
  complete: boolean;
}

/** Declarations by name in files without a language server: those that hold the query, or, when there are none, its letters in order. */
export async function textualSymbols(
  workspace: CodeWorkspace,
  query: string,
  signal?: AbortSignal,
  /** Extensions to look through although a language server knows them: it may not be ready. */
  also: readonly string[] = [],
): Promise<TextualSymbols> {
  const extensions = [...new Set([...(await textualExtensionsOf(workspace)), ...also])];
  if ((await workspace.listFiles(extensions, signal)).length === 0) return { symbols: [], complete: true };
  const { project } = workspace;
  const plain = query.toLowerCase();
  const holding = await filesContaining(project, query, extensions, signal);
  const exact = await declarationsIn(workspace, holding, (name) => name.toLowerCase().includes(plain));
  // Letters in their order are only looked for when all of them can be part of a name.
  if (exact.symbols.length > 0 || !/^[\p{L}\d_]{3,}$/u.test(plain)) return exact;
  const letters = Array.from(plain);
  const files = await filesMatching(project, letters.join('\\w*'), extensions, signal);
  return declarationsIn(workspace, files, (name) => hasInOrder(name.toLowerCase(), letters));
}

/** Letter by letter: as a regular expression it would try every way to place them. */
function hasInOrder(name: string, letters: readonly string[]): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = name.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}

async function declarationsIn(
  workspace: CodeWorkspace,
  files: readonly string[],
  isWanted: (name: string) => boolean,
): Promise<TextualSymbols> {
  const symbols: FoundSymbol[] = [];
  const untilMs = performance.now() + maxMs;
  let complete = files.length <= maxFiles;
  for (const path of files.slice(0, maxFiles)) {
    if (performance.now() > untilMs) {
      complete = false;
      break;
    }
    const file = await workspace.textual.tryGet(path);
    for (const { symbol, namePath } of flattenOutline(file?.outline ?? [])) {
      if (!isWanted(symbol.name)) continue;
      const container = namePath.slice(0, -1).join('/');
      symbols.push({
        name: symbol.name,
        kind: symbol.kind,
        ...(container === '' ? {} : { container }),
        path,
        position: symbol.nameRange.start,
      });
    }
  }
  return { symbols, complete };
}

/** Why an answer was made from text alone, and how closely the text was read. */
export async function textualState(workspace: CodeWorkspace, path: string): Promise<IndexState> {
  const definition = workspace.definitionFor(path);
  const why =
    definition === undefined
      ? workspace.isHeldBack(path)
        ? `the language server of .${extensionOf(path)} files runs only in a trusted project`
        : `no language server for .${extensionOf(path)} files`
      : `the ${definition.title} is not installed. ${definition.installation?.failure ?? definition.missing}`;
  const linesOnly = (await workspace.textual.tryGet(path))?.linesOnly;
  const how = linesOnly === undefined ? '' : `; only lines were looked at: ${linesOnly}`;
  return { state: 'partial', detail: `textual: ${why}${how}` };
}
