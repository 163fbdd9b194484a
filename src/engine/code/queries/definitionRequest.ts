import { pathToUri } from '../../../base/paths.ts';
import type { Position } from '../../../base/positions.ts';
import {
  fromWireDefinition,
  toWirePosition,
  type DefinitionTarget,
  type WireDefinition,
} from '../../../protocol/lsp/convert.ts';
import type { LanguageServer } from '../languageServer.ts';

/** Asks for a definition, type definition, declaration or implementation. */
export async function askDefinition(
  server: LanguageServer,
  method: string,
  target: { path: string; position: Position },
  signal?: AbortSignal,
): Promise<DefinitionTarget[]> {
  const result = await server.request<WireDefinition>(
    method,
    { textDocument: { uri: pathToUri(target.path) }, position: toWirePosition(target.position) },
    signal === undefined ? {} : { signal },
  );
  return fromWireDefinition(result);
}
