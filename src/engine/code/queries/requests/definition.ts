import { isPythonFile } from '../../../../base/languages/byPath.ts';
import { pathToUri } from '../../../../base/paths.ts';
import type { Position } from '../../../../base/positions.ts';
import {
  fromWireDefinition,
  toWirePosition,
  type DefinitionTarget,
  type WireDefinition,
} from '../../../../protocol/lsp/convert.ts';
import type { LanguageServer } from '../../languageServer.ts';

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
  return Promise.all(fromWireDefinition(result).map((found) => atItsName(server, found)));
}

/** ty defines an attribute by the whole of `self.total`; its name alone is what references and outlines go by. */
async function atItsName(server: LanguageServer, found: DefinitionTarget): Promise<DefinitionTarget> {
  const { path, range } = found;
  if (range.start.line !== range.end.line || !isPythonFile(path)) return found;
  const line = (await server.context.texts.tryGet(path))?.lineText(range.start.line) ?? '';
  const dot = line.slice(range.start.column - 1, range.end.column - 1).lastIndexOf('.');
  if (dot === -1) return found;
  return { ...found, range: { start: { ...range.start, column: range.start.column + dot + 1 }, end: range.end } };
}
