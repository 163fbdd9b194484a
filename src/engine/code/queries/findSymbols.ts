import type { CodeWorkspace } from '../codeWorkspace.ts';
import { worstState, type FoundSymbol, type IndexState, type Waiting } from '../model.ts';
import { textualSymbols } from '../textual/textualSearch.ts';
import { casualOutlineOf, flattenOutline } from './outline.ts';
import { rank, searchSymbols } from './symbols.ts';

export interface SymbolQuery {
  query: string;
  kinds: readonly string[];
  libraries: boolean | undefined;
  limit: number;
}

/** Symbols by name, the page of them with exact places and containers: some servers tell only the whole declaration. */
export async function findSymbols(
  workspace: CodeWorkspace,
  query: SymbolQuery,
  waiting: Waiting,
): Promise<{ symbols: FoundSymbol[]; total: number; textual: boolean; index: IndexState }> {
  // `Class/method` and `Class.method` search for the last part within the others.
  const segments = query.query.split(/\/|\.|::|#/).filter((segment) => segment !== '');
  const name = segments.at(-1) ?? query.query;
  const { symbols, index } = await searchSymbols(
    workspace,
    { query: name, kinds: query.kinds, ...(query.libraries === undefined ? {} : { libraries: query.libraries }) },
    waiting,
  );
  const byText = await textualSymbols(workspace, name, waiting.signal);
  const textual = byText.symbols.filter((symbol) => query.kinds.length === 0 || query.kinds.includes(symbol.kind));
  symbols.push(...rank(textual, name, workspace));
  const container = segments.slice(0, -1).join('/').toLowerCase();
  const limit = container === '' ? query.limit : symbols.length;
  const exact = await Promise.all(
    symbols.slice(0, limit).map((symbol) => withPlace(workspace, symbol, waiting.signal)),
  );
  const wanted = exact.filter(
    (symbol) => container === '' || (symbol.container ?? '').toLowerCase().includes(container),
  );
  return {
    symbols: wanted.slice(0, query.limit),
    total: container === '' ? symbols.length : wanted.length,
    textual: textual.length > 0,
    index: byText.complete
      ? index
      : worstState([
          index,
          { state: 'partial', detail: 'textual: too many files hold such names; ask for a longer one' },
        ]),
  };
}

async function withPlace(
  workspace: CodeWorkspace,
  symbol: FoundSymbol,
  signal: AbortSignal | undefined,
): Promise<FoundSymbol> {
  const server = workspace.runningServers.find(
    (candidate) => candidate.definition === workspace.definitionFor(symbol.path),
  );
  const outline = server === undefined ? undefined : await casualOutlineOf(server, symbol.path, signal);
  if (outline === undefined) return symbol;
  const flat = flattenOutline(outline);
  const { line } = symbol.position;
  const match = flat.find(
    ({ symbol: candidate }) =>
      candidate.name === symbol.name &&
      (candidate.nameRange.start.line === line || candidate.range.start.line === line),
  );
  if (match === undefined) return symbol;
  const container = match.namePath.slice(0, -1).join('/');
  return {
    ...symbol,
    position: match.symbol.nameRange.start,
    ...(container === '' ? {} : { container }),
  };
}
