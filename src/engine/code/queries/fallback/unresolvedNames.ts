import { ToolError } from '../../../../base/errors.ts';
import type { DefinitionTarget } from '../../../../protocol/lsp/convert.ts';
import type { Target } from '../../addressing.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../../languageServer.ts';
import type { IndexState, OutlineSymbol } from '../../model.ts';
import { filesWithWord } from '../../sourceFiles.ts';
import { isNameAt } from '../../syntax/classify.ts';
import { casualOutlineOf, flattenOutline } from '../requests/outline.ts';

/**
 * Old JavaScript (`View.prototype.lookup = …`, `this.lookup()`) and untyped values hold names that a language server resolves to
 * nothing. What has that name is a better answer than none, as long as it says what it is.
 */
export const byNameOnly: IndexState = {
  state: 'partial',
  detail: 'the language server does not resolve this name; what has the same name was looked for',
};

/** What `served` answers; where the server knows nothing of what is a name in the code, what `byName` finds. */
export async function servedOrByName<T>(
  workspace: CodeWorkspace,
  target: Target,
  served: () => Promise<T>,
  byName: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await served();
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'symbol_not_found') throw error;
    const text = await workspace.texts.tryGet(target.path);
    if (text === undefined || !isNameAt(extensionOf(target.path), text, target.position)) throw error;
    const found = await byName();
    if (found === undefined) throw error;
    return found;
  }
}

const maxFiles = 60;

/** Declarations of that name in the project, by the outlines of the files that hold it. */
export async function declarationsByName(
  workspace: CodeWorkspace,
  server: LanguageServer,
  name: string,
  signal?: AbortSignal,
): Promise<DefinitionTarget[]> {
  const extensions = Object.keys(server.definition.languages);
  const files = await filesWithWord(workspace.project, name, extensions, signal);
  const found = await Promise.all(
    files.slice(0, maxFiles).map(async (path) => {
      const outline = (await casualOutlineOf(server, path, signal)) ?? [];
      return flattenOutline(outline)
        .filter(({ symbol }) => symbol.name === name && symbol.kind !== 'variable' && !isMinified(symbol))
        .map(({ symbol: { nameRange, range } }) => ({ path, range: nameRange, fullRange: range }));
    }),
  );
  return found.flat();
}

function isMinified({ nameRange }: OutlineSymbol): boolean {
  return nameRange.start.column > 400;
}
