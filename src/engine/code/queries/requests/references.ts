import type { Location as WireLocation } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../../base/paths.ts';
import type { Range } from '../../../../base/positions.ts';
import { fromWireLocation, toWirePosition, type FileRange } from '../../../../protocol/lsp/convert.ts';
import type { Target } from '../../addressing.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { askDefinition } from './definition.ts';

interface RawReferences {
  declarations: FileRange[];
  locations: FileRange[];
}

/** What the server itself tells, no more: uses that it misses are found by `findUses`. */
export async function askReferences(
  server: LanguageServer,
  target: Target,
  signal?: AbortSignal,
  onDefinitions?: (definitions: readonly FileRange[]) => void,
): Promise<RawReferences & { definitions: FileRange[] }> {
  const place = { textDocument: { uri: pathToUri(target.path) }, position: toWirePosition(target.position) };
  const options = signal === undefined ? {} : { signal };
  const askDefinitions = async () => {
    const found = await askDefinition(server, 'textDocument/definition', target, signal);
    onDefinitions?.(found);
    return found;
  };
  const [references, definitions] = await Promise.all([
    server.request<WireLocation[] | null>(
      'textDocument/references',
      { ...place, context: { includeDeclaration: true } },
      options,
    ),
    askDefinitions(),
  ]);
  const locations = (references ?? []).map(fromWireLocation);
  const keys = new Set(locations.map(keyOf));
  // A definition that is not among the references belongs to something else the position also touches (an import's module).
  const declarations = definitions.filter((definition) => keys.has(keyOf(definition)));
  return { declarations, locations, definitions };
}

export function keyOf(location: { path: string; range: Range }): string {
  return `${location.path}:${location.range.start.line}:${location.range.start.column}`;
}
