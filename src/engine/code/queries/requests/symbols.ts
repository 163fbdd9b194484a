import type { SymbolInformation, WorkspaceSymbol } from 'vscode-languageserver-protocol';
import { isTypescriptFile } from '../../../../base/languages/byPath.ts';
import { isInside } from '../../../../base/paths.ts';
import { fromWireRange, fromWireUri } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../../languageServer.ts';
import {
  readyState,
  symbolKindName,
  worstState,
  type FoundSymbol,
  type IndexState,
  type Waiting,
} from '../../model.ts';
import { answerOrKnown } from '../../answerOrFallback.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { textualSymbols } from '../../textual/textualSearch.ts';

interface SymbolSearch {
  query: string;
  /** `function`, `class`, ...; empty for all. */
  kinds?: readonly string[];
  /** Include symbols of libraries. */
  libraries?: boolean;
}

/** Symbols by name from every language of the project, best matches first. */
export async function searchSymbols(
  workspace: CodeWorkspace,
  search: SymbolSearch,
  waiting: Waiting,
): Promise<{ symbols: FoundSymbol[]; index: IndexState }> {
  const symbols: FoundSymbol[] = [];
  const states: IndexState[] = [];
  for (const definition of await definitionsInUse(workspace, waiting.signal)) {
    const found = await answerOrKnown(
      workspace,
      definition,
      waiting,
      () => servedSymbols(workspace, definition, search.query, waiting),
      async (index) => {
        const also = Object.keys(definition.languages);
        const known = await textualSymbols(workspace, search.query, waiting.signal, also);
        return { symbols: known.symbols.filter(({ path }) => also.includes(extensionOf(path))), index };
      },
    );
    symbols.push(...found.symbols);
    states.push(found.index);
  }
  const wanted = new Set(search.kinds?.map((kind) => kind.toLowerCase()));
  const seen = new Set<string>();
  const kindMatters = wanted.has('class') || wanted.has('type');
  const known = kindMatters ? await Promise.all(symbols.map((symbol) => withTypeKind(workspace, symbol))) : symbols;
  const found = known.filter((symbol) => {
    if (wanted.size > 0 && !wanted.has(symbol.kind)) return false;
    if (search.libraries !== true && isLibraryPath(workspace, symbol.path)) return false;
    const key = `${symbol.path}:${symbol.position.line}:${symbol.position.column}:${symbol.name}`;
    return !seen.has(key) && seen.add(key);
  });
  return {
    symbols: rank(found, search.query, workspace),
    index: states.length === 0 ? readyState : worstState(states),
  };
}

async function servedSymbols(
  workspace: CodeWorkspace,
  definition: ServerDefinition,
  query: string,
  waiting: Waiting,
): Promise<{ symbols: FoundSymbol[]; index: IndexState }> {
  const server = await workspace.server(definition);
  if (server === undefined) {
    const detail = `${definition.title} is not installed: ${definition.installation?.failure ?? definition.missing}`;
    return { symbols: [], index: { state: 'partial', detail } };
  }
  const index = await server.waitUntilReady(waiting);
  return { symbols: await askSymbols(server, query, waiting.signal), index };
}

/** TypeScript's server calls type aliases classes. */
export async function withTypeKind(workspace: CodeWorkspace, symbol: FoundSymbol): Promise<FoundSymbol> {
  if (symbol.kind !== 'class' || !isTypescriptFile(extensionOf(symbol.path))) return symbol;
  const line = (await workspace.texts.tryGet(symbol.path))?.lineText(symbol.position.line) ?? '';
  return /\btype\s+$/.test(line.slice(0, symbol.position.column - 1)) ? { ...symbol, kind: 'type' } : symbol;
}

async function askSymbols(server: LanguageServer, query: string, signal?: AbortSignal): Promise<FoundSymbol[]> {
  const result = await server.request<(SymbolInformation | WorkspaceSymbol)[] | null>(
    'workspace/symbol',
    { query },
    signal === undefined ? {} : { signal },
  );
  const { definition } = server;
  return (result ?? []).map((item) => ({
    kind: symbolKindName(item.kind),
    ...(definition.readSymbolName?.(item.name, item.containerName) ?? {
      name: item.name,
      ...(item.containerName === undefined || item.containerName === '' ? {} : { container: item.containerName }),
    }),
    path: fromWireUri(item.location.uri),
    position: 'range' in item.location ? fromWireRange(item.location.range).start : { line: 1, column: 1 },
  }));
}

/** The languages that this project has files of. */
export async function definitionsInUse(workspace: CodeWorkspace, signal?: AbortSignal): Promise<ServerDefinition[]> {
  const running = new Set(workspace.runningServers.map((server) => server.definition.id));
  const used: ServerDefinition[] = [];
  for (const definition of workspace.definitions) {
    const inUse =
      running.has(definition.id) || (await workspace.listFiles(Object.keys(definition.languages), signal)).length > 0;
    if (inUse) used.push(definition);
  }
  return used;
}

export function isLibraryPath(workspace: CodeWorkspace, path: string): boolean {
  return !isInside(workspace.project.root, path) || /\/(node_modules|site-packages|\.venv|venv)\//.test(path);
}

const variableKinds = new Set(['variable', 'constant', 'property', 'field', 'enum member', 'key']);

export function rank(symbols: FoundSymbol[], query: string, workspace: CodeWorkspace): FoundSymbol[] {
  const plain = query.toLowerCase();
  const score = (symbol: FoundSymbol): number => {
    const name = symbol.name.toLowerCase();
    const match = name === plain ? 0 : name.startsWith(plain) ? 2 : name.includes(plain) ? 4 : 6;
    // Types and functions are what is looked for; most variables and properties are locals or parts of something.
    const kind = variableKinds.has(symbol.kind) ? 3 : 0;
    const nuance = (symbol.name === query ? 0 : 0.5) + (symbol.container === undefined ? 0 : 0.25);
    return (isLibraryPath(workspace, symbol.path) ? 20 : 0) + match + kind + nuance;
  };
  return symbols
    .map((symbol, order) => ({ symbol, order, score: score(symbol) }))
    .sort((a, b) => a.score - b.score || a.order - b.order)
    .map(({ symbol }) => symbol);
}
