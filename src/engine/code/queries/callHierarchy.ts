import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
} from 'vscode-languageserver-protocol';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { pathToUri } from '../../../base/paths.ts';
import type { Position } from '../../../base/positions.ts';
import { fromWireRange, fromWireUri, toWirePosition } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import { symbolKindName, worstState, type IndexState, type Waiting } from '../model.ts';
import { answerOrKnownOf } from '../answerOrFallback.ts';
import { callsByText } from './fallback/byText.ts';
import { callersOf, isFile } from '../uses/callers.ts';
import { currentAnswer, placesOfItems } from './requests/currentAnswer.ts';
import { outlineOf, symbolsAround } from './requests/outline.ts';
import { findUses } from '../uses/findUses.ts';
import { possibleUses, type PossiblePlace } from './references.ts';
import { isLibraryPath } from './requests/symbols.ts';
import { byNameOnly } from './fallback/unresolvedNames.ts';

export interface CallNode {
  name: string;
  kind: string;
  path: string;
  position: Position;
  /** Where the calls stand: in the caller's file. */
  sites: Position[];
  /** It is already above in this chain: not followed again. */
  isCycle: boolean;
  /** Not followed any further: the depth or the size of the answer is reached. */
  isCut: boolean;
  children: CallNode[];
}

export interface CallHierarchyQuery {
  direction: 'callers' | 'callees';
  depth: number;
  /** Follow calls into libraries. */
  libraries?: boolean;
  maxNodes?: number;
}

export interface CallHierarchyResult {
  root: CallNode;
  index: IndexState;
  truncated: boolean;
  /** Calls of that name on objects whose type nobody knows: none of them is among the callers. */
  possible: PossiblePlace[];
}

/** Who calls a function, or what it calls, some levels deep. */
export function callHierarchy(
  workspace: CodeWorkspace,
  target: Target,
  query: CallHierarchyQuery,
  waiting: Waiting,
): Promise<CallHierarchyResult> {
  return answerOrKnownOf(
    workspace,
    target.path,
    waiting,
    () => servedCalls(workspace, target, query, waiting),
    (index) => callsByText(workspace, target, query, index, waiting.signal),
  );
}

async function servedCalls(
  workspace: CodeWorkspace,
  target: Target,
  query: CallHierarchyQuery,
  waiting: Waiting,
): Promise<CallHierarchyResult> {
  const server = await workspace.requireServer(target.path);
  await server.documents.open(target.path);
  const index = await server.waitUntilReady(waiting);
  const place = { textDocument: { uri: pathToUri(target.path) }, position: toWirePosition(target.position) };
  const items = await currentAnswer(workspace, {
    server,
    name: target.name,
    ask: () => server.request<CallHierarchyItem[] | null>('textDocument/prepareCallHierarchy', place, options(waiting)),
    placesOf: placesOfItems,
    signal: waiting.signal,
  });
  const line = (await workspace.texts.tryGet(target.path))?.lineText(target.position.line) ?? '';
  const isAssigned = server.definition.repairs?.assignsFunction?.(line, target.position.column) === true;
  // What is assigned to a property has no callers and callees of its own for the server; its uses tell the callers.
  const item = query.direction === 'callers' && isAssigned ? itemAt(target) : items?.[0];
  if (item === undefined)
    throw new ToolError('symbol_not_found', `"${target.name}" is nothing that can be called.`, {
      hint: advise`Point at a function, method or class. ${step('ideFindReferences')} finds the uses of everything else.`,
    });
  const walk = new Walk(workspace, server, query, waiting);
  const root = await walk.node(item, []);
  const [possible] = await Promise.all([
    query.direction === 'callers' ? possibleCalls(workspace, server, target, waiting.signal) : [],
    walk.follow(root, item, 0, new Set([keyOf(item)])),
  ]);
  return { root, index: walk.byName ? worstState([index, byNameOnly]) : index, truncated: walk.truncated, possible };
}

async function possibleCalls(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<CallHierarchyResult['possible']> {
  const { possible } = await findUses(workspace, server, target, signal);
  const lines = await Promise.all(possible.map(({ path }) => workspace.texts.tryGet(path)));
  const calls = possible.filter(({ range: { end } }, index) =>
    /^\s*(?:\?\.)?\(/.test(lines[index]?.lineText(end.line)?.slice(end.column - 1) ?? ''),
  );
  return possibleUses(workspace, calls);
}

class Walk {
  truncated = false;
  /** Some callers were told by nothing but the name they call. */
  byName = false;
  readonly #workspace: CodeWorkspace;
  readonly #server: LanguageServer;
  readonly #query: CallHierarchyQuery;
  readonly #waiting: Waiting;
  #left: number;

  constructor(workspace: CodeWorkspace, server: LanguageServer, query: CallHierarchyQuery, waiting: Waiting) {
    this.#workspace = workspace;
    this.#server = server;
    this.#query = query;
    this.#waiting = waiting;
    this.#left = query.maxNodes ?? 150;
  }

  async follow(node: CallNode, item: CallHierarchyItem, depth: number, above: ReadonlySet<string>): Promise<void> {
    const calls = await this.#calls(item);
    const found = await Promise.all(
      calls.map(async (call) => ({ next: call.item, child: await this.node(call.item, call.sites) })),
    );
    for (const { next, child } of this.#query.direction === 'callees' ? withBodies(found) : found) {
      if (this.#query.libraries !== true && isLibraryPath(this.#workspace, child.path)) continue;
      if (this.#left-- <= 0) {
        this.truncated = true;
        node.isCut = true;
        return;
      }
      node.children.push(child);
      child.isCycle = above.has(keyOf(next));
      if (child.isCycle || isFile(next)) continue;
      if (depth + 1 < this.#query.depth) await this.follow(child, next, depth + 1, new Set([...above, keyOf(next)]));
    }
  }

  async node(item: CallHierarchyItem, sites: Position[]): Promise<CallNode> {
    const node = nodeOf(item, sites);
    if (isFile(item) || (await this.#workspace.texts.tryGet(node.path)) === undefined) return node;
    const outline = await outlineOf(this.#server, node.path, this.#waiting.signal);
    const around = symbolsAround(outline, node.position);
    return around.length === 0 ? node : { ...node, name: around.map((symbol) => symbol.name).join('/') };
  }

  async #calls(item: CallHierarchyItem): Promise<{ item: CallHierarchyItem; sites: Position[] }[]> {
    // The server answers from a document only while it is open.
    const path = fromWireUri(item.uri);
    if ((await this.#workspace.texts.tryGet(path)) === undefined) return [];
    await this.#server.documents.open(path);
    if (this.#query.direction === 'callers') {
      const calls = await this.#server.request<CallHierarchyIncomingCall[] | null>(
        'callHierarchy/incomingCalls',
        { item },
        options(this.#waiting),
      );
      const found = await callersOf(this.#workspace, this.#server, item, calls ?? [], this.#waiting.signal);
      this.byName ||= found.byName;
      return found.callers;
    }
    const calls = await this.#server.request<CallHierarchyOutgoingCall[] | null>(
      'callHierarchy/outgoingCalls',
      { item },
      options(this.#waiting),
    );
    return (calls ?? []).map((call) => ({ item: call.to, sites: starts(call.fromRanges) }));
  }
}

/** Overloads are several places of one function; the last one has the body. */
function withBodies<T extends { child: CallNode }>(found: readonly T[]): T[] {
  return [...new Map(found.map((item) => [`${item.child.path}:${item.child.name}`, item])).values()];
}

/** A function as the server would name it. */
function itemAt({ path, name, range }: Target): CallHierarchyItem {
  const wire = { start: toWirePosition(range.start), end: toWirePosition(range.end) };
  return { name, kind: 12, uri: pathToUri(path), range: wire, selectionRange: wire };
}

function nodeOf(item: CallHierarchyItem, sites: Position[]): CallNode {
  const path = fromWireUri(item.uri);
  return {
    // For calls at the top level of a file servers give its absolute path as the name.
    name: isFile(item) ? '(top level)' : item.name,
    kind: symbolKindName(item.kind),
    path,
    position: fromWireRange(item.selectionRange).start,
    sites,
    isCycle: false,
    isCut: false,
    children: [],
  };
}

function starts(ranges: CallHierarchyIncomingCall['fromRanges']): Position[] {
  return ranges.map((range) => fromWireRange(range).start);
}

function keyOf(item: CallHierarchyItem): string {
  return `${item.uri}:${item.selectionRange.start.line}:${item.selectionRange.start.character}`;
}

function options(waiting: Waiting): { signal?: AbortSignal } {
  return waiting.signal === undefined ? {} : { signal: waiting.signal };
}
