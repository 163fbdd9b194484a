import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import { askDefinition } from '../queries/requests/definition.ts';
import { isLibraryPath } from '../queries/requests/symbols.ts';
import type { PossibleUse } from './accounting.ts';

const maxAsked = 1500;
const askedTogether = 64;

/**
 * A member that stands in for one of a library (`toString`, an event handler) is the same symbol to TypeScript's server as the library's,
 * and so are the uses of all others that stand in for it. Only what leads to the project's own is a use of it; what leads to the
 * library's may be one.
 */
export async function withoutLibraryMembers(
  workspace: CodeWorkspace,
  server: LanguageServer,
  declarations: readonly FileRange[],
  told: readonly FileRange[],
  signal?: AbortSignal,
): Promise<{ own: FileRange[]; possible: PossibleUse[] }> {
  const isForeign = ({ path }: FileRange): boolean => isLibraryPath(workspace, path);
  const own = told.filter((place) => !isForeign(place));
  // Asked for a library's own symbol, its uses are what is wanted.
  if (own.length === told.length || declarations.every(isForeign)) return { own: [...told], possible: [] };
  if (own.length > maxAsked) return { own, possible: [] };
  const kept: FileRange[] = [];
  const possible: PossibleUse[] = [];
  for (let at = 0; at < own.length; at += askedTogether)
    await Promise.all(
      own.slice(at, at + askedTogether).map(async (place) => {
        const at = { path: place.path, position: place.range.start };
        const definitions = await askDefinition(server, 'textDocument/definition', at, signal);
        const isOwn = definitions.length === 0 || definitions.some((definition) => !isForeign(definition));
        if (isOwn) kept.push(place);
        else possible.push({ path: place.path, range: place.range, doubt: 'library' });
      }),
    );
  return { own: kept, possible };
}
