import type { CodeWorkspace } from '../codeWorkspace.ts';
import { worstState, type FoundSymbol, type IndexState, type OutlineSymbol, type Waiting } from '../model.ts';
import { textualSymbols } from '../textual/textualSearch.ts';
import { casualOutlineOf } from './outline.ts';
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
    { query: name, kinds: query.kinds, libraries: query.libraries },
    waiting,
  );
  const byText = await textualSymbols(workspace, name, waiting.signal);
  const textual = byText.symbols.filter((symbol) => query.kinds.length === 0 || query.kinds.includes(symbol.kind));
  symbols.push(...rank(textual, name, workspace));
  const container = segments.slice(0, -1).join('/').toLowerCase();
  const limit = container === '' ? query.limit : symbols.length;
  const page = symbols.slice(0, limit);
  // A server that has not answered so far would not answer this either; what was found by text has its place.
  const exact =
    index.partial === true
      ? page
      : await Promise.all(page.map((symbol) => withPlace(workspace, symbol, waiting.signal)));
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
  if (server?.definition.findsExactSymbols) return symbol;
  const outline = server === undefined ? undefined : await casualOutlineOf(server, symbol.path, signal);
  if (outline === undefined) return symbol;
  const found = declaredOnLine(outline, symbol.name, symbol.position.line, []);
  if (found === undefined) return symbol;
  const container = found.above.join('/');
  return { ...symbol, position: found.symbol.nameRange.start, ...(container === '' ? {} : { container }) };
}

function declaredOnLine(
  outline: readonly OutlineSymbol[],
  name: string,
  line: number,
  above: readonly string[],
): { symbol: OutlineSymbol; above: readonly string[] } | undefined {
  for (const symbol of outline) {
    const { range, nameRange } = symbol;
    if (symbol.name === name && (nameRange.start.line === line || range.start.line === line)) return { symbol, above };
    if (range.start.line > line || range.end.line < line || symbol.children.length === 0) continue;
    const inside = declaredOnLine(symbol.children, name, line, [...above, symbol.name]);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
