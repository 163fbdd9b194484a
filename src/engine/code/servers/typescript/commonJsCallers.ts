import type { CallHierarchyItem } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../../base/paths.ts';
import type { Position } from '../../../../base/positions.ts';
import { fromWireRange, fromWireUri, toWirePosition, type FileRange } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../../languageServer.ts';
import { classifyReference } from '../../syntax/classify.ts';
import { textualReferencesOf } from '../../textual/textualReferences.ts';
import { assignsFunction } from './assignedFunctions.ts';
import { commonJsReferences } from './commonJsReferences.ts';
import { casualOutlineOf, symbolsAround } from '../../queries/requests/outline.ts';
import { askReferences } from '../../queries/requests/locateReferences.ts';

export interface Caller {
  item: CallHierarchyItem;
  sites: Position[];
}

/**
 * Calls of a function that the server takes for calls of another symbol: through `module.exports = { name }`, or because it is
 * assigned to a property. Where it resolves nothing at all, calls of that name (`byName`).
 */
export async function commonJsCallers(
  workspace: CodeWorkspace,
  server: LanguageServer,
  item: CallHierarchyItem,
  signal: AbortSignal | undefined,
): Promise<{ callers: Caller[]; byName: boolean }> {
  const path = fromWireUri(item.uri);
  if (!/^[cm]?jsx?$/.test(extensionOf(path)) || isFile(item)) return { callers: [], byName: false };
  const { start } = fromWireRange(item.selectionRange);
  const line = (await workspace.texts.tryGet(path))?.lineText(start.line) ?? '';
  const isAssigned = assignsFunction(line, start.column);
  const end = { line: start.line, column: start.column + item.name.length };
  const target = { path, name: item.name, position: start, range: { start, end }, notes: [] };
  const { locations } = await askReferences(server, target, signal);
  const { references } = await commonJsReferences(workspace, server, item.name, locations, signal);
  const byName = isAssigned && locations.length === 0;
  const uses = byName ? await textualReferencesOf(workspace, item.name, path, signal) : references;
  const calls: FileRange[] = [];
  for (const use of isAssigned ? [...locations, ...uses] : uses) {
    const text = await workspace.texts.tryGet(use.path);
    const hints = { isType: false, isOnlyType: false };
    if (text !== undefined && classifyReference(extensionOf(use.path), text, use.range.start, hints) === 'call')
      calls.push(use);
  }
  return { callers: await callersAround(server, calls, signal), byName };
}

/** What calls at these places, each caller once. */
export async function callersAround(
  server: LanguageServer,
  calls: readonly FileRange[],
  signal: AbortSignal | undefined,
): Promise<Caller[]> {
  const callers = new Map<string, Caller>();
  for (const { path, range } of calls) {
    const item = await callerAround(server, path, range.start, signal);
    const key = `${item.uri}:${JSON.stringify(item.selectionRange)}`;
    const known = callers.get(key) ?? { item, sites: [] };
    known.sites.push(range.start);
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
    if (item?.uri === uri && !isFile(item)) return item;
  }
  const assigned = around.findLast(({ kind }) => kind === 'function' || kind === 'method');
  if (assigned !== undefined) {
    const name = { start: toWirePosition(assigned.nameRange.start), end: toWirePosition(assigned.nameRange.end) };
    return { name: assigned.name, kind: 12, uri, range: name, selectionRange: name };
  }
  const start = { line: 0, character: 0 };
  const range = { start, end: start };
  return { name: path, kind: 2, uri, range, selectionRange: range };
}

/** The top level of a file is a caller too. */
export function isFile({ kind }: CallHierarchyItem): boolean {
  return kind === 1 || kind === 2;
}
