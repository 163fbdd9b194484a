import type { CallHierarchyItem } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../base/paths.ts';
import type { Position } from '../../../base/positions.ts';
import { fromWireRange, fromWireUri, toWirePosition } from '../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import { classifyReference } from '../syntax/classify.ts';
import { commonJsReferences } from './commonJsReferences.ts';
import { casualOutlineOf, symbolsAround } from './outline.ts';
import { askReferences } from './locateReferences.ts';

export interface Caller {
  item: CallHierarchyItem;
  sites: Position[];
}

/** Calls of a function through `module.exports = { name }`, which the server takes for calls of another symbol. */
export async function commonJsCallers(
  workspace: CodeWorkspace,
  server: LanguageServer,
  item: CallHierarchyItem,
  signal: AbortSignal | undefined,
): Promise<Caller[]> {
  const path = fromWireUri(item.uri);
  if (!/^c?jsx?$/.test(extensionOf(path)) || item.kind === 2) return [];
  const range = fromWireRange(item.selectionRange);
  const target = { path, name: item.name, position: range.start, range, notes: [] };
  const { locations } = await askReferences(server, target, signal);
  const { references } = await commonJsReferences(workspace, server, item.name, locations, signal);
  const callers = new Map<string, Caller>();
  for (const { path: file, range: place } of references) {
    const text = await workspace.texts.tryGet(file);
    const hints = { isType: false, isOnlyType: false };
    if (text === undefined || classifyReference(extensionOf(file), text, place.start, hints) !== 'call') continue;
    const caller = await callerAround(server, file, place.start, signal);
    const key = `${caller.uri}:${JSON.stringify(caller.selectionRange)}`;
    const known = callers.get(key) ?? { item: caller, sites: [] };
    known.sites.push(place.start);
    callers.set(key, known);
  }
  return [...callers.values()];
}

/** What the server itself would name as the caller: the innermost thing around that can be called, else the file. */
async function callerAround(
  server: LanguageServer,
  path: string,
  position: Position,
  signal: AbortSignal | undefined,
): Promise<CallHierarchyItem> {
  await server.documents.open(path);
  const uri = pathToUri(path);
  const around = symbolsAround((await casualOutlineOf(server, path, signal)) ?? [], position);
  for (const { nameRange } of around.toReversed()) {
    const items = await server.request<CallHierarchyItem[] | null>(
      'textDocument/prepareCallHierarchy',
      { textDocument: { uri }, position: toWirePosition(nameRange.start) },
      signal === undefined ? {} : { signal },
    );
    const [item] = items ?? [];
    if (item?.uri === uri) return item;
  }
  const start = { line: 0, character: 0 };
  const range = { start, end: start };
  return { name: path, kind: 2, uri, range, selectionRange: range };
}
