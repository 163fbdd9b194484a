import type { CodeWorkspace } from '../codeWorkspace.ts';
import { worstState, type FoundSymbol, type IndexState, type OutlineSymbol, type Waiting } from '../model.ts';
import { textualSymbols } from '../textual/textualSearch.ts';
import { casualOutlineOf } from './requests/outline.ts';
import { declarationsByName } from './fallback/unresolvedNames.ts';
import { extensionOf } from '../languageServer.ts';
import { rank, searchSymbols, withTypeKind } from './requests/symbols.ts';

interface SymbolQuery {
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
  if (!symbols.some((symbol) => symbol.name === name))
    symbols.push(...(await attributesNamed(workspace, name, query.kinds, waiting.signal)));
  const container = segments.slice(0, -1).join('/').toLowerCase();
  const limit = container === '' ? query.limit : symbols.length;
  const page = symbols.slice(0, limit);
  // A server that has not answered so far would not answer this either; what was found by text has its place.
  const exact =
    index.partial === true
      ? page
      : await Promise.all(page.map((symbol) => withPlace(workspace, symbol, waiting.signal)));
  const inside = exact.filter(
    (symbol) => container === '' || (symbol.container ?? '').toLowerCase().includes(container),
  );
  // `res.send` may name a variable that holds the object, which no container tells.
  const wanted = inside.length > 0 ? inside : exact.filter((symbol) => symbol.name === name);
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

/** Servers leave out of their search what methods set on their object; the outlines of the files that hold the word have it. */
async function attributesNamed(
  workspace: CodeWorkspace,
  name: string,
  kinds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<FoundSymbol[]> {
  if (!/^[\p{L}_][\p{L}\d_]*$/u.test(name) || (kinds.length > 0 && !kinds.includes('field'))) return [];
  const servers = workspace.runningServers.filter(({ definition }) => definition.findsExactSymbols !== true);
  const found = await Promise.all(servers.map((server) => declarationsByName(workspace, server, name, signal)));
  return found.flat().map(({ path, range }) => ({ name, kind: 'field', path, position: range.start }));
}

async function withPlace(
  workspace: CodeWorkspace,
  symbol: FoundSymbol,
  signal: AbortSignal | undefined,
): Promise<FoundSymbol> {
  const fitting = workspace.runningServers.filter(({ definition }) => extensionOf(symbol.path) in definition.languages);
  const server = fitting.find(({ definition }) => definition === workspace.definitionFor(symbol.path)) ?? fitting[0];
  if (server === undefined) return symbol;
  const { findsExactSymbols, untypedExtensions } = server.definition;
  if (findsExactSymbols && untypedExtensions?.includes(extensionOf(symbol.path)) !== true)
    return withTypeKind(workspace, symbol);
  const outline = await casualOutlineOf(server, symbol.path, signal);
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
