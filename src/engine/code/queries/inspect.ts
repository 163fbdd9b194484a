import { comparePositions, type Position } from '../../../base/positions.ts';
import { noSymbolAt, type Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { IndexState, Waiting } from '../model.ts';
import { answerOrKnownOf } from '../patience.ts';
import { inspectByText } from './byText.ts';
import { askDefinition } from './definitionRequest.ts';
import { hoverAt, kindFromSignature } from './hover.ts';
import { outlineOf, symbolsAround } from './outline.ts';
import { gatherReferences } from './locateReferences.ts';
import { isLibraryPath } from './symbols.ts';

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
  /** Uses in the project, its declarations not counted. */
  usages: number;
  usageFiles: number;
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
    gatherReferences(workspace, server, target, signal),
  ]);
  if (
    uses.locations.length === 0 &&
    definitions.length === 0 &&
    hover.signature === undefined &&
    index.state === 'ready'
  )
    throw noSymbolAt(workspace, target);
  const place = definitions[0] ?? { path: target.path, range: target.range };
  const text = await workspace.texts.tryGet(place.path);
  const around =
    text === undefined ? [] : symbolsAround(await outlineOf(server, place.path, signal), place.range.start);
  const exact = around.findLast((symbol) => comparePositions(symbol.nameRange.start, place.range.start) === 0);
  const above = around.filter((symbol) => symbol !== exact);
  const line = text?.lineText(place.range.start.line)?.slice(0, place.range.start.column - 1) ?? '';
  const declared = new Set(
    uses.declarations.map((item) => `${item.path}:${item.range.start.line}:${item.range.start.column}`),
  );
  const used = uses.locations.filter(
    (item) => !declared.has(`${item.path}:${item.range.start.line}:${item.range.start.column}`),
  );
  const [type] = types.filter(
    (item) => item.path !== place.path || comparePositions(item.range.start, place.range.start) !== 0,
  );
  return {
    name: target.name,
    kind: exact?.kind ?? kindFromSignature(hover.signature),
    ...(above.length === 0 ? {} : { container: above.map((symbol) => symbol.name).join('/') }),
    ...hover,
    modifiers: line.split(/[^\w]+/).filter((word) => modifierWords.has(word)),
    path: place.path,
    position: place.range.start,
    isLibrary: isLibraryPath(workspace, place.path),
    ...(type === undefined ? {} : { typePath: type.path, typePosition: type.range.start }),
    usages: used.length,
    usageFiles: new Set(used.map((item) => item.path)).size,
    members: (exact?.children ?? []).map((child) => ({
      name: child.name,
      kind: child.kind,
      line: child.nameRange.start.line,
    })),
    index,
  };
}
