import type { TypeHierarchyItem } from 'vscode-languageserver-protocol';
import { ToolError } from '../../../base/errors.ts';
import { isInside, pathToUri } from '../../../base/paths.ts';
import type { Position } from '../../../base/positions.ts';
import { fromWireRange, fromWireUri, toWirePosition } from '../../../protocol/lsp/convert.ts';
import { targetAt, type Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import { symbolKindName, type IndexState, type Waiting } from '../model.ts';
import { answerOrKnownOf } from '../answerOrFallback.ts';
import { classifyReference } from '../syntax/classify.ts';
import { typesByText } from './fallback/byText.ts';
import { heritageTypes } from './requests/heritage.ts';
import { currentAnswer, placesOfItems } from './requests/currentAnswer.ts';
import { casualOutlineOf, symbolsAround } from './requests/outline.ts';
import { findUses } from '../uses/findUses.ts';
import type { TypeNode, TypeSource } from './requests/typeNode.ts';

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
export function typeHierarchy(
  workspace: CodeWorkspace,
  target: Target,
  query: TypeHierarchyQuery,
  waiting: Waiting,
): Promise<TypeHierarchyResult> {
  return answerOrKnownOf(
    workspace,
    target.path,
    waiting,
    () => servedTypes(workspace, target, query, waiting),
    (index) => typesByText(workspace, target, query, index, waiting.signal),
  );
}

async function servedTypes(
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
    : (server.definition.repairs?.types?.(workspace, server, waiting.signal) ??
      heritageTypes(workspace, server, waiting.signal));
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
    // Every Python class is an object; to say so tells nothing.
    return (answer ?? []).filter(({ name, uri }) => name !== 'object' || !uri.endsWith('builtins.pyi')).map(register);
  };
  const find = async (target: { path: string; position: Position; name?: string }): Promise<TypeNode | undefined> => {
    const place = { textDocument: { uri: pathToUri(target.path) }, position: toWirePosition(target.position) };
    const found = await currentAnswer(workspace, {
      server,
      name: target.name ?? '',
      ask: () => server.request<TypeHierarchyItem[] | null>('textDocument/prepareTypeHierarchy', place, options),
      placesOf: placesOfItems,
      signal,
    });
    const [first] = found ?? [];
    return first === undefined ? undefined : register(first);
  };
  return {
    find,
    supertypes: (node) => ask('typeHierarchy/supertypes', node),
    async subtypes(node) {
      const all = await ask('typeHierarchy/subtypes', node);
      // ty names a class once for each way to import it.
      const told = [...new Map(all.map((item) => [keyOf(item), item])).values()];
      const known = new Set(told.map(keyOf));
      for (const place of isInside(workspace.project.root, node.path)
        ? await heirs(workspace, server, node, signal)
        : []) {
        const more = known.has(keyOf(place)) ? undefined : await find(place);
        if (more === undefined || known.has(keyOf(more))) continue;
        known.add(keyOf(more));
        told.push(more);
      }
      const fitting = server.definition.repairs?.fittingTypes?.(workspace, server, node, signal);
      for (const { path, symbol } of (await fitting) ?? []) {
        const fit = await find({ path, position: symbol.nameRange.start });
        if (fit !== undefined && !known.has(keyOf(fit))) told.push(Object.assign(fit, { edge: 'fits' as const }));
      }
      return told;
    },
  };
}

/** The classes whose headers name a type as a base. ty was seen to answer "none" for one that its own references knew. */
async function heirs(
  workspace: CodeWorkspace,
  server: LanguageServer,
  { path, name, position }: TypeNode,
  signal: AbortSignal | undefined,
): Promise<{ path: string; position: Position }[]> {
  const target = targetAt(path, position.line, { name, column: position.column }, []);
  await server.documents.open(path);
  const { resolved } = await findUses(workspace, server, target, signal);
  const found: { path: string; position: Position }[] = [];
  for (const { path: file, range } of resolved) {
    const text = await workspace.texts.tryGet(file);
    const hints = { isType: true, isOnlyType: false };
    if (text === undefined || classifyReference(extensionOf(file), text, range.start, hints) !== 'inheritance')
      continue;
    const around = symbolsAround((await casualOutlineOf(server, file, signal)) ?? [], range.start);
    const heir = around.findLast(({ kind }) => kind === 'class');
    if (heir !== undefined) found.push({ path: file, position: heir.nameRange.start });
  }
  return found;
}
