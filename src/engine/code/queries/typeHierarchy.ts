import type { TypeHierarchyItem } from 'vscode-languageserver-protocol';
import { ToolError } from '../../../base/errors.ts';
import { pathToUri } from '../../../base/paths.ts';
import type { Position } from '../../../base/positions.ts';
import { fromWireRange, fromWireUri, toWirePosition } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import { symbolKindName, type IndexState, type Waiting } from '../model.ts';
import { heritageTypes } from './heritage.ts';
import type { TypeNode, TypeSource } from './typeNode.ts';

export interface TypeHierarchyQuery {
  direction: 'supertypes' | 'subtypes' | 'both';
  depth: number;
  maxNodes?: number;
}

export interface TypeHierarchyResult {
  element: TypeNode;
  supertypes: TypeNode[];
  subtypes: TypeNode[];
  truncated: boolean;
  index: IndexState;
}

/** The types a type is built on and those built on it. Servers without type hierarchy are helped with heritage clauses. */
export async function typeHierarchy(
  workspace: CodeWorkspace,
  target: Target,
  query: TypeHierarchyQuery,
  waiting: Waiting,
): Promise<TypeHierarchyResult> {
  const server = await workspace.requireServer(target.path);
  await server.documents.open(target.path);
  const index = await server.waitUntilReady(waiting);
  const source: TypeSource = server.client.offers('typeHierarchyProvider', 'textDocument/prepareTypeHierarchy')
    ? serverTypes(workspace, server, waiting.signal)
    : heritageTypes(workspace, server, waiting.signal);
  const element = await source.find(target);
  if (element === undefined)
    throw new ToolError('symbol_not_found', `"${target.name}" is not a type.`, {
      hint: 'Point at a class or interface.',
    });
  const budget = { left: query.maxNodes ?? 200, truncated: false };
  const walk = async (direction: 'supertypes' | 'subtypes') =>
    query.direction === 'both' || query.direction === direction
      ? follow(source, element, direction, query.depth, new Set([keyOf(element)]), budget)
      : [];
  const supertypes = await walk('supertypes');
  const subtypes = await walk('subtypes');
  return { element, supertypes, subtypes, truncated: budget.truncated, index };
}

async function follow(
  source: TypeSource,
  node: TypeNode,
  direction: 'supertypes' | 'subtypes',
  depth: number,
  above: ReadonlySet<string>,
  budget: { left: number; truncated: boolean },
): Promise<TypeNode[]> {
  const result: TypeNode[] = [];
  for (const next of await source[direction](node)) {
    if (above.has(keyOf(next))) continue;
    if (budget.left-- <= 0) {
      budget.truncated = true;
      break;
    }
    const children =
      depth > 1 ? await follow(source, next, direction, depth - 1, new Set([...above, keyOf(next)]), budget) : [];
    result.push({ ...next, children });
  }
  return result;
}

function keyOf(node: { path: string; position: Position }): string {
  return `${node.path}:${node.position.line}:${node.position.column}`;
}

/** The server's own type hierarchy. */
function serverTypes(workspace: CodeWorkspace, server: LanguageServer, signal: AbortSignal | undefined): TypeSource {
  const items = new WeakMap<TypeNode, TypeHierarchyItem>();
  const options = signal === undefined ? {} : { signal };
  const register = (item: TypeHierarchyItem): TypeNode => {
    const node: TypeNode = {
      name: item.name,
      kind: symbolKindName(item.kind),
      path: fromWireUri(item.uri),
      position: fromWireRange(item.selectionRange).start,
      children: [],
    };
    items.set(node, item);
    return node;
  };
  const ask = async (method: string, node: TypeNode): Promise<TypeNode[]> => {
    const item = items.get(node);
    if (item === undefined) return [];
    if ((await workspace.texts.tryGet(node.path)) !== undefined) await server.documents.open(node.path);
    const answer = await server.request<TypeHierarchyItem[] | null>(method, { item }, options);
    return (answer ?? []).map(register);
  };
  return {
    async find(target) {
      const found = await server.request<TypeHierarchyItem[] | null>(
        'textDocument/prepareTypeHierarchy',
        { textDocument: { uri: pathToUri(target.path) }, position: toWirePosition(target.position) },
        options,
      );
      const [first] = found ?? [];
      return first === undefined ? undefined : register(first);
    },
    supertypes: (node) => ask('typeHierarchy/supertypes', node),
    subtypes: (node) => ask('typeHierarchy/subtypes', node),
  };
}
