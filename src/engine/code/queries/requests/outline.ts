import type { DocumentSymbol, SymbolInformation } from 'vscode-languageserver-protocol';
import { untilCancelled } from '../../../../base/cancellation.ts';
import { pathToUri } from '../../../../base/paths.ts';
import { comparePositions, type LineIndex, type Position } from '../../../../base/positions.ts';
import { fromWireRange } from '../../../../protocol/lsp/convert.ts';
import { extensionOf, type LanguageServer } from '../../languageServer.ts';
import { symbolKindName, type OutlineSymbol } from '../../model.ts';
import { classifyReference } from '../../syntax/classify.ts';

/** The declared symbols of a file, nested. Kept until the text changes. */
export async function outlineOf(server: LanguageServer, path: string, signal?: AbortSignal): Promise<OutlineSymbol[]> {
  const cache = cacheOf(server);
  const text = await server.documents.open(path);
  const version = server.documents.version(path);
  const known = cache.get(path);
  // One answer asks for the same outline many times at once: it is made once, for all of them, whoever gives up.
  if (known !== undefined && known.version === version) return untilCancelled(known.symbols, signal);
  const entry: CachedOutline = { version, size: 0, symbols: askOutline(server, path, text) };
  cache.set(path, entry);
  try {
    const symbols = await untilCancelled(entry.symbols, signal);
    // Files that declare nothing count too: there may be many.
    entry.size = flattenOutline(symbols).length + 1;
    trim(cache, path);
    return symbols;
  } catch (error) {
    if (cache.get(path) === entry) cache.delete(path);
    throw error;
  }
}

/** The outline of a text that is in no file, under the path of one. */
export async function trialOutline(
  server: LanguageServer,
  path: string,
  text: LineIndex,
  signal?: AbortSignal,
): Promise<OutlineSymbol[]> {
  return server.documents.withTexts(new Map([[path, text]]), () =>
    untilCancelled(askOutline(server, path, text), signal),
  );
}

async function askOutline(server: LanguageServer, path: string, text: LineIndex): Promise<OutlineSymbol[]> {
  const result = await server.request<DocumentSymbol[] | SymbolInformation[] | null>('textDocument/documentSymbol', {
    textDocument: { uri: pathToUri(path) },
  });
  const symbols = fromWire(result ?? []).filter((symbol) => !isImported(symbol, path, text));
  return server.definition.repairOutline?.(symbols, text) ?? symbols;
}

function trim(cache: Map<string, CachedOutline>, keep: string): void {
  let kept = [...cache.values()].reduce((sum, entry) => sum + entry.size, 0);
  for (const [oldest, entry] of cache) {
    if (kept <= maxKeptSymbols || oldest === keep) break;
    cache.delete(oldest);
    kept -= entry.size;
  }
}

/** Outlines of files longer than this cost more memory and time than the names in them are worth to an answer about something else. */
const maxCasualChars = 300_000;

/** The outline for naming what stands around a place; undefined for very long files, whose places go without that name. */
export async function casualOutlineOf(
  server: LanguageServer,
  path: string,
  signal?: AbortSignal,
): Promise<OutlineSymbol[] | undefined> {
  const text = await server.context.texts.tryGet(path);
  if (text === undefined) return undefined;
  const isKnown = cacheOf(server).get(path) !== undefined;
  return isKnown || text.text.length <= maxCasualChars ? outlineOf(server, path, signal) : undefined;
}

/** The symbols around a position, outermost first. */
export function symbolsAround(outline: readonly OutlineSymbol[], position: Position): OutlineSymbol[] {
  for (const symbol of outline) {
    const inside =
      comparePositions(symbol.range.start, position) <= 0 && comparePositions(position, symbol.range.end) < 0;
    if (inside) return [symbol, ...symbolsAround(symbol.children, position)];
  }
  return [];
}

/** The symbol whose name stands at a position. */
export function symbolNamedAt(outline: readonly OutlineSymbol[], position: Position): OutlineSymbol | undefined {
  for (const symbol of outline) {
    if (comparePositions(symbol.nameRange.start, position) === 0)
      return symbolNamedAt(symbol.children, position) ?? symbol;
    const inside =
      comparePositions(symbol.range.start, position) <= 0 && comparePositions(position, symbol.range.end) < 0;
    const found = inside ? symbolNamedAt(symbol.children, position) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

interface FlatSymbol {
  symbol: OutlineSymbol;
  namePath: string[];
  /** Declared within a function: nothing outside can name it. */
  isLocal: boolean;
}

/** Every symbol of an outline with the names above it. */
export function flattenOutline(
  outline: readonly OutlineSymbol[],
  above: readonly string[] = [],
  isLocal = false,
): FlatSymbol[] {
  return outline.flatMap((symbol) => {
    const namePath = [...above, ...(symbol.container?.split('/') ?? []), symbol.name];
    const isBody = isLocal || functionKinds.has(symbol.kind) || symbol.name.endsWith(' callback');
    return [{ symbol, namePath, isLocal }, ...flattenOutline(symbol.children, namePath, isBody)];
  });
}

const functionKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/** Whether a line is an import of CommonJS: `const { a } = require('b')`, `var a = require('b').a`. */
export function isRequired(line: string): boolean {
  return requires.test(line);
}

const requires = /^\s*(const|let|var)\s[^=]*=\s*require\(\s*['"][^'"]*['"]\s*\)(\.[\w$]+)*;?\s*$/;

/** TypeScript's server lists the names a file imports among those it declares. */
function isImported(symbol: OutlineSymbol, path: string, text: LineIndex): boolean {
  if (symbol.kind !== 'variable' || symbol.children.length > 0) return false;
  // Nothing follows the name of an import within its declaration; only then is it worth looking closer.
  const line = text.lineText(symbol.nameRange.start.line) ?? '';
  if (isRequired(line)) return true;
  if (comparePositions(symbol.range.end, symbol.nameRange.end) !== 0 && !/^\s*import\b/.test(line)) return false;
  const hints = { isType: false, isOnlyType: false };
  return classifyReference(extensionOf(path), text, symbol.nameRange.start, hints) === 'import';
}

/** Outlines are kept up to this many symbols in sum. */
const maxKeptSymbols = 16_000;

interface CachedOutline {
  size: number;
  /** Of the document the outline was made of. */
  version: number | undefined;
  symbols: Promise<OutlineSymbol[]>;
}

const caches = new WeakMap<LanguageServer, Map<string, CachedOutline>>();

function cacheOf(server: LanguageServer): Map<string, CachedOutline> {
  const known = caches.get(server) ?? new Map<string, CachedOutline>();
  caches.set(server, known);
  return known;
}

function fromWire(result: readonly (DocumentSymbol | SymbolInformation)[]): OutlineSymbol[] {
  return result.map((item) => {
    const common = {
      name: item.name,
      kind: symbolKindName(item.kind),
      ...(item.tags?.includes(1) || item.deprecated === true ? { deprecated: true } : {}),
    };
    if ('location' in item) {
      const range = fromWireRange(item.location.range);
      return { ...common, range, nameRange: range, children: [] };
    }
    return {
      ...common,
      range: fromWireRange(item.range),
      nameRange: fromWireRange(item.selectionRange),
      ...(item.detail === undefined || item.detail === '' ? {} : { detail: item.detail }),
      children: fromWire(item.children ?? []),
    };
  });
}
