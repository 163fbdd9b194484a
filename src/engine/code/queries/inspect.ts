import { comparePositions, type Position } from '../../../base/positions.ts';
import { noSymbolAt, type Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { IndexState, Waiting } from '../model.ts';
import { answerOrKnownOf } from '../answerOrFallback.ts';
import { inspectByText } from './fallback/byText.ts';
import { askDefinition } from './requests/definition.ts';
import { hoverAt, kindFromSignature, withSignature } from './requests/hover.ts';
import { flattenOutline, outlineOf, symbolNamedAt, symbolsAround } from './requests/outline.ts';
import { signatureOf } from './outlineView.ts';
import { findUses } from '../uses/findUses.ts';
import { isLibraryPath } from './requests/symbols.ts';

export interface SymbolInfo {
  name: string;
  kind: string;
  /** The names above it: `OrderService`. */
  container?: string;
  signature?: string;
  documentation?: string;
  modifiers: string[];
  path: string;
  position: Position;
  isLibrary: boolean;
  typePath?: string;
  typePosition?: Position;
  /** Uses in the project, its declarations not counted. Absent: the server cannot tell. */
  usages?: number;
  usageFiles: number;
  /** Uses of that name on objects whose type nobody knows, not counted above. */
  possibleUsages: number;
  members: { name: string; kind: string; line: number }[];
  index: IndexState;
}

const modifierWords = new Set([
  'export',
  'default',
  'abstract',
  'static',
  'async',
  'readonly',
  'private',
  'protected',
  'public',
  'override',
  'const',
  'let',
  'var',
  'declare',
]);

/** All that is known about one symbol, in one answer. */
export function inspectSymbol(workspace: CodeWorkspace, target: Target, waiting: Waiting): Promise<SymbolInfo> {
  return answerOrKnownOf(
    workspace,
    target.path,
    waiting,
    () => servedSymbol(workspace, target, waiting),
    (index) => inspectByText(workspace, target, index, waiting.signal),
  );
}

async function servedSymbol(workspace: CodeWorkspace, target: Target, waiting: Waiting): Promise<SymbolInfo> {
  const server = await workspace.requireServer(target.path);
  await server.documents.open(target.path);
  const index = await server.waitUntilReady(waiting);
  const { signal } = waiting;
  const [hover, definitions, types, uses] = await Promise.all([
    hoverAt(server, target.path, target.position, signal),
    askDefinition(server, 'textDocument/definition', target, signal),
    server.client.offers('typeDefinitionProvider', 'textDocument/typeDefinition')
      ? askDefinition(server, 'textDocument/typeDefinition', target, signal)
      : [],
    findUses(workspace, server, target, signal),
  ]);
  if (
    uses.resolved.length === 0 &&
    definitions.length === 0 &&
    hover.signature === undefined &&
    index.state === 'ready'
  )
    throw noSymbolAt(workspace, target);
  const place = definitions[0] ?? { path: target.path, range: target.range };
  const text = await workspace.texts.tryGet(place.path);
  const outline = text === undefined ? [] : await outlineOf(server, place.path, signal);
  const exact = symbolNamedAt(outline, place.range.start);
  const holders = exact === undefined ? undefined : flattenOutline(outline).find(({ symbol }) => symbol === exact);
  const above =
    holders?.namePath.slice(0, -1) ?? symbolsAround(outline, place.range.start).map((symbol) => symbol.name);
  const header = exact === undefined || text === undefined ? undefined : signatureOf(text, exact);
  const line = text?.lineText(place.range.start.line)?.slice(0, place.range.start.column - 1) ?? '';
  const declared = new Set(
    uses.declarations.map((item) => `${item.path}:${item.range.start.line}:${item.range.start.column}`),
  );
  const used = uses.resolved.filter(
    (item) => !declared.has(`${item.path}:${item.range.start.line}:${item.range.start.column}`),
  );
  const places = definitions.length === 0 ? [place] : definitions;
  const [type] = types.filter(
    (item) =>
      server.definition.builtInFiles?.test(item.path) !== true &&
      !places.some(({ path, range }) => item.path === path && comparePositions(item.range.start, range.start) === 0),
  );
  // Several declarations can be one symbol: interfaces and namespaces of one name.
  const merged = places
    .filter(({ path }) => path === place.path)
    .flatMap(({ range }) => symbolNamedAt(outline, range.start)?.children ?? []);
  return {
    name: target.name,
    kind: exact?.kind ?? kindFromSignature(hover.signature),
    ...(above.length === 0 ? {} : { container: above.join('/') }),
    ...withSignature(hover, header),
    modifiers: line.split(/[^\w]+/).filter((word) => modifierWords.has(word)),
    path: place.path,
    position: place.range.start,
    isLibrary: isLibraryPath(workspace, place.path),
    ...(type === undefined ? {} : { typePath: type.path, typePosition: type.range.start }),
    ...(uses.resolved.length === 0 ? {} : { usages: used.length }),
    usageFiles: new Set(used.map((item) => item.path)).size,
    possibleUsages: uses.possible.length,
    // What a function holds are its locals.
    members: (exact === undefined || exact.kind === 'function' || exact.kind === 'method' ? [] : merged).map(
      (child) => ({
        name: child.name,
        kind: child.kind,
        line: child.nameRange.start.line,
      }),
    ),
    index,
  };
}
