import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf } from '../languageServer.ts';
import type { FoundSymbol, IndexState, OutlineSymbol } from '../model.ts';
import { filesContaining } from '../sourceFiles.ts';
import { textualExtensions, textualOutline } from './textualOutline.ts';

const maxFiles = 200;

/** Extensions that no installed language server answers for. */
async function textualExtensionsOf(workspace: CodeWorkspace): Promise<string[]> {
  const served = new Set(['md', 'markdown']);
  for (const definition of workspace.definitions)
    if (await workspace.isInstalled(definition))
      for (const extension of Object.keys(definition.languages)) served.add(extension);
  return textualExtensions.filter((extension) => !served.has(extension));
}

/** Declarations whose name holds the query, in files without a language server. */
export async function textualSymbols(
  workspace: CodeWorkspace,
  query: string,
  signal?: AbortSignal,
): Promise<FoundSymbol[]> {
  const extensions = await textualExtensionsOf(workspace);
  if ((await workspace.listFiles(extensions, signal)).length === 0) return [];
  const files = await filesContaining(workspace.project.root, query, extensions, signal);
  const found: FoundSymbol[] = [];
  for (const path of files.slice(0, maxFiles)) {
    const text = await workspace.texts.tryGet(path);
    if (text === undefined) continue;
    const visit = (symbols: readonly OutlineSymbol[], container: string): void => {
      for (const symbol of symbols) {
        if (symbol.name.toLowerCase().includes(query.toLowerCase()))
          found.push({
            name: symbol.name,
            kind: symbol.kind,
            ...(container === '' ? {} : { container }),
            path,
            position: symbol.nameRange.start,
          });
        visit(symbol.children, container === '' ? symbol.name : `${container}/${symbol.name}`);
      }
    };
    visit(textualOutline(text, extensionOf(path)), '');
  }
  return found;
}

/** Why an answer was made from text alone. */
export function textualState(workspace: CodeWorkspace, path: string): IndexState {
  const definition = workspace.definitionFor(path);
  const detail =
    definition === undefined
      ? `textual: no language server for .${extensionOf(path)} files`
      : `textual: the ${definition.title} is not installed. ${definition.missing}`;
  return { state: 'partial', detail };
}
