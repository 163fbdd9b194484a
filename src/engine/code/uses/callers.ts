import type { CallHierarchyIncomingCall, CallHierarchyItem } from 'vscode-languageserver-protocol';
import { isJavascriptFile } from '../../../base/languages/byPath.ts';
import { pathToUri } from '../../../base/paths.ts';
import { comparePositions, type Position, type Range } from '../../../base/positions.ts';
import { fromWireRange, fromWireUri, toWirePosition, type FileRange } from '../../../protocol/lsp/convert.ts';
import { targetAt } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import { casualOutlineOf, symbolsAround } from '../queries/requests/outline.ts';
import { classifyReference } from '../syntax/classify.ts';
import { identifierAt } from '../syntax/identifiers.ts';
import { textualReferencesOf } from '../textual/textualReferences.ts';
import { findUses } from './findUses.ts';

interface Caller {
  item: CallHierarchyItem;
  sites: Position[];
}

/**
 * Who calls a function: the callers that the server tells, as far as their calls are uses of it, and the calls among the uses that the
 * server takes for calls of another symbol (through `module.exports = { name }`, or because it is assigned to a property). Where it
 * resolves nothing at all, calls of that name (`byName`).
 */
export async function callersOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  item: CallHierarchyItem,
  incoming: readonly CallHierarchyIncomingCall[],
  signal: AbortSignal | undefined,
): Promise<{ callers: Caller[]; byName: boolean }> {
  const path = fromWireUri(item.uri);
  if (isFile(item)) return { callers: [], byName: false };
  const { start } = fromWireRange(item.selectionRange);
  const text = await workspace.texts.tryGet(path);
  const name = identifierAt(text?.lineText(start.line) ?? '', start.column)?.name ?? item.name;
  const { resolved } = await findUses(
    workspace,
    server,
    targetAt(path, start.line, { name, column: start.column }, []),
    signal,
  );
  const sites = incoming.flatMap(({ from, fromRanges }) =>
    fromRanges.map((wire) => ({ from, range: { path: fromWireUri(from.uri), range: fromWireRange(wire) } })),
  );
  const isUse = ({ path: file, range }: FileRange): boolean =>
    resolved.length === 0 || resolved.some((use) => use.path === file && contains(range, use.range.start));
  const callers = new Map<CallHierarchyItem, Caller>();
  const atTop: FileRange[] = [];
  for (const { from, range } of sites.filter((site) => isUse(site.range))) {
    // Functions that are assigned to a property are the file to the server.
    if (isFile(from) && isJavascriptFile(range.path)) {
      atTop.push(range);
      continue;
    }
    const known = callers.get(from) ?? { item: from, sites: [] };
    known.sites.push(range.range.start);
    callers.set(from, known);
  }
  const isAssigned =
    isJavascriptFile(path) &&
    server.definition.repairs?.assignsFunction?.(text?.lineText(start.line) ?? '', start.column) === true;
  const byName = isAssigned && resolved.length === 0;
  const uses = byName ? await textualReferencesOf(workspace, name, path, signal) : resolved;
  const told = (use: FileRange): boolean =>
    sites.some(({ range }) => range.path === use.path && contains(range.range, use.range.start));
  const forgotten = await callsAmong(
    workspace,
    uses.filter((use) => !told(use)),
  );
  return { callers: [...callers.values(), ...(await callersAround(server, [...atTop, ...forgotten], signal))], byName };
}

function contains(range: Range, position: Position): boolean {
  return comparePositions(range.start, position) <= 0 && comparePositions(position, range.end) <= 0;
}

async function callsAmong(workspace: CodeWorkspace, uses: readonly FileRange[]): Promise<FileRange[]> {
  const calls: FileRange[] = [];
  for (const use of uses) {
    // What a decorator or a tag does is told by the server, where it is a call to it.
    const text = await workspace.texts.tryGet(use.path);
    const after = text?.lineText(use.range.end.line)?.slice(use.range.end.column - 1) ?? '';
    if (text === undefined || !/^\s*(?:\?\.)?\(/.test(after)) continue;
    const hints = { isType: false, isOnlyType: false };
    if (classifyReference(extensionOf(use.path), text, use.range.start, hints) === 'call') calls.push(use);
  }
  return calls;
}

/** What calls at these places, each caller once. */
async function callersAround(
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
