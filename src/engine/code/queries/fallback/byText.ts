import { comparePositions, type LineIndex } from '../../../../base/positions.ts';
import type { Target } from '../../addressing.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf } from '../../languageServer.ts';
import type { IndexState, OutlineSymbol } from '../../model.ts';
import { classifyReference } from '../../syntax/classify.ts';
import { identifiersIn, symbolNamesIn } from '../../syntax/identifiers.ts';
import { extensionsLike, textualReferencesOf, type TextualReference } from '../../textual/textualReferences.ts';
import { textualSymbols } from '../../textual/textualSearch.ts';
import type { CallHierarchyQuery, CallHierarchyResult, CallNode } from '../callHierarchy.ts';
import type { CompletionQuery, CompletionResult } from '../completions.ts';
import type { Implementation, ImplementationsResult } from '../implementations.ts';
import type { SymbolInfo } from '../inspect.ts';
import { flattenOutline, symbolsAround } from '../requests/outline.ts';
import { signatureOf } from '../outlineView.ts';
import type { TypeHierarchyQuery, TypeHierarchyResult } from '../typeHierarchy.ts';
import type { TypeNode } from '../requests/typeNode.ts';

/*
 * What the text tells about a symbol while its language server is still loading. The state that goes with it says that it is
 * incomplete: names are compared, not meanings, and nothing is followed further than one step.
 */

/** Names looked up in the project for one answer. */
const maxNames = 12;
const typeKinds = new Set(['class', 'interface', 'struct', 'trait', 'enum', 'type', 'record']);

export async function inspectByText(
  workspace: CodeWorkspace,
  target: Target,
  index: IndexState,
  signal?: AbortSignal,
): Promise<SymbolInfo> {
  const uses = await textualReferencesOf(workspace, target.name, target.path, signal);
  const { path, text, symbol, above } = await declarationOf(workspace, target, uses);
  const used = uses.filter(({ kind }) => kind !== 'declaration');
  return {
    name: target.name,
    kind: symbol?.kind ?? 'word',
    ...(above.length === 0 ? {} : { container: above.map(({ name }) => name).join('/') }),
    ...(symbol === undefined ? {} : { signature: signatureOf(text, symbol) }),
    modifiers: [],
    path,
    position: symbol?.nameRange.start ?? target.position,
    isLibrary: false,
    usages: used.length,
    usageFiles: new Set(used.map((use) => use.path)).size,
    possibleUsages: 0,
    members: (symbol?.children ?? []).map(({ name, kind, nameRange }) => ({ name, kind, line: nameRange.start.line })),
    index,
  };
}

export async function callsByText(
  workspace: CodeWorkspace,
  target: Target,
  query: CallHierarchyQuery,
  index: IndexState,
  signal?: AbortSignal,
): Promise<CallHierarchyResult> {
  const uses = await textualReferencesOf(workspace, target.name, target.path, signal);
  const declared = await declarationOf(workspace, target, uses);
  const children =
    query.direction === 'callers' ? await callersOf(workspace, uses) : await calleesOf(workspace, declared, signal);
  const root = callNode(target.name, declared.symbol?.kind ?? 'function', declared.path, declared.position);
  return { root: { ...root, children }, index, truncated: false, possible: [] };
}

export async function typesByText(
  workspace: CodeWorkspace,
  target: Target,
  query: TypeHierarchyQuery,
  index: IndexState,
  signal?: AbortSignal,
): Promise<TypeHierarchyResult> {
  const uses = await textualReferencesOf(workspace, target.name, target.path, signal);
  const declared = await declarationOf(workspace, target, uses);
  const wants = (direction: 'supertypes' | 'subtypes') => query.direction === 'both' || query.direction === direction;
  return {
    element: typeNode(target.name, declared.symbol?.kind ?? 'type', declared),
    supertypes: wants('supertypes') ? await basesOf(workspace, declared, signal) : [],
    subtypes: wants('subtypes') ? (await heirsOf(workspace, uses)).map(({ node }) => node) : [],
    truncated: false,
    index,
  };
}

/** The types that name it as a base; of a method, those of the same name in the types that name its own type as a base. */
export async function implementationsByText(
  workspace: CodeWorkspace,
  target: Target,
  index: IndexState,
  signal?: AbortSignal,
): Promise<ImplementationsResult> {
  const uses = await textualReferencesOf(workspace, target.name, target.path, signal);
  const { symbol, above } = await declarationOf(workspace, target, uses);
  const holder = above.at(-1);
  const isMember = holder !== undefined && symbol !== undefined && !typeKinds.has(symbol.kind);
  const heirs = await heirsOf(
    workspace,
    isMember ? await textualReferencesOf(workspace, holder.name, target.path, signal) : uses,
  );
  const found = heirs.flatMap(({ node, symbol: heir, text }) =>
    (isMember ? heir.children.filter(({ name }) => name === target.name) : [heir]).map(
      ({ name, kind, nameRange }): Implementation => ({
        name: isMember ? `${node.name}/${name}` : node.name,
        kind,
        path: node.path,
        position: nameRange.start,
        context: text.lineText(nameRange.start.line)?.trim() ?? '',
      }),
    ),
  );
  return { implementations: found, index };
}

/** The names of the file, those it declares first. */
export async function completionsByText(
  workspace: CodeWorkspace,
  query: CompletionQuery,
  index: IndexState,
): Promise<CompletionResult> {
  const text = await workspace.texts.get(query.path);
  const before = text.lineText(query.position.line)?.slice(0, query.position.column - 1) ?? '';
  const typed = /[\p{ID_Continue}$]*$/u.exec(before + (query.insertText ?? ''))?.[0] ?? '';
  const prefix = (query.prefix ?? typed).toLowerCase();
  const { outline } = await workspace.textual.get(query.path);
  const kinds = new Map(flattenOutline(outline).map(({ symbol }) => [symbol.name, symbol.kind]));
  for (const line of text.text.split('\n'))
    for (const { name } of symbolNamesIn(line, extensionOf(query.path))) if (!kinds.has(name)) kinds.set(name, 'text');
  const matching = [...kinds].filter(([name]) => name.toLowerCase().startsWith(prefix) && name !== typed);
  return {
    completions: matching.slice(0, query.limit).map(([label, kind]) => ({ label, kind })),
    total: matching.length,
    isIncomplete: true,
    index,
  };
}

interface Declared {
  path: string;
  text: LineIndex;
  position: { line: number; column: number };
  symbol: OutlineSymbol | undefined;
  above: OutlineSymbol[];
}

/** The declaration at the place itself, else the first of that name. */
async function declarationOf(
  workspace: CodeWorkspace,
  target: Target,
  uses: readonly TextualReference[],
): Promise<Declared> {
  const declarations = uses.filter(({ kind }) => kind === 'declaration');
  const place =
    declarations.find(
      ({ path, range }) => path === target.path && comparePositions(range.start, target.position) === 0,
    ) ?? declarations[0];
  const { path, range } = place ?? target;
  const around = symbolsAround((await workspace.textual.get(path)).outline, range.start);
  const symbol = around.findLast(({ nameRange }) => comparePositions(nameRange.start, range.start) === 0);
  return {
    path,
    text: await workspace.texts.get(path),
    position: range.start,
    symbol,
    above: around.filter((item) => item !== symbol),
  };
}

async function callersOf(workspace: CodeWorkspace, uses: readonly TextualReference[]): Promise<CallNode[]> {
  const callers = new Map<string, CallNode>();
  for (const { path, range, kind, enclosing } of uses) {
    if (kind !== 'call') continue;
    const inner = symbolsAround((await workspace.textual.get(path)).outline, range.start).at(-1);
    const position = inner?.nameRange.start ?? { line: 1, column: 1 };
    const key = `${path}:${position.line}:${position.column}`;
    const known = callers.get(key) ?? callNode(enclosing ?? '(top level)', inner?.kind ?? 'module', path, position);
    known.sites.push(range.start);
    callers.set(key, known);
  }
  return [...callers.values()];
}

/** Names with a parenthesis after them in the body, as far as the project declares them. */
async function calleesOf(workspace: CodeWorkspace, declared: Declared, signal?: AbortSignal): Promise<CallNode[]> {
  const { path, text, symbol } = declared;
  if (symbol === undefined) return [];
  const file = await workspace.textual.get(path);
  const sites = new Map<string, { line: number; column: number }[]>();
  for (let { line } = symbol.nameRange.end; line <= symbol.range.end.line; line++) {
    const content = text.lineText(line) ?? '';
    for (const { name, column } of identifiersIn(content)) {
      const position = { line, column };
      const isCall = /^\s*\(/.test(content.slice(column - 1 + name.length)) && file.isCode(text.offsetAt(position));
      if (isCall && comparePositions(position, symbol.nameRange.end) > 0)
        sites.set(name, [...(sites.get(name) ?? []), position]);
    }
  }
  const nodes: CallNode[] = [];
  for (const [name, places] of [...sites].slice(0, maxNames)) {
    const [found] = await symbolsNamed(workspace, name, path, signal);
    if (found !== undefined) nodes.push({ ...callNode(name, found.kind, found.path, found.position), sites: places });
  }
  return nodes;
}

/** The types named after `extends`, `implements` or in the parentheses of a Python class. */
async function basesOf(workspace: CodeWorkspace, declared: Declared, signal?: AbortSignal): Promise<TypeNode[]> {
  const { path, text, symbol } = declared;
  if (symbol === undefined) return [];
  const from = text.offsetAt(symbol.nameRange.end);
  const rest = text.text.slice(from, Math.min(text.offsetAt(symbol.range.end), from + 1000));
  const header = rest.slice(0, Math.max(rest.search(/[{:]/), 0));
  const names = new Set(symbolNamesIn(header.replace(/<[^>]*>/g, ''), extensionOf(path)).map(({ name }) => name));
  const nodes: TypeNode[] = [];
  for (const name of [...names].slice(0, maxNames)) {
    const found = (await symbolsNamed(workspace, name, path, signal)).find(({ kind }) => typeKinds.has(kind));
    if (found !== undefined) nodes.push(typeNode(name, found.kind, found));
  }
  return nodes;
}

async function heirsOf(
  workspace: CodeWorkspace,
  uses: readonly TextualReference[],
): Promise<{ node: TypeNode; symbol: OutlineSymbol; text: LineIndex }[]> {
  const found = [];
  for (const { path, range } of uses) {
    const text = await workspace.texts.get(path);
    const hints = { isType: true, isOnlyType: false };
    if (classifyReference(extensionOf(path), text, range.start, hints) !== 'inheritance') continue;
    const around = symbolsAround((await workspace.textual.get(path)).outline, range.start);
    const symbol = around.findLast(({ kind }) => typeKinds.has(kind));
    if (symbol !== undefined)
      found.push({
        node: typeNode(symbol.name, symbol.kind, { path, position: symbol.nameRange.start }),
        symbol,
        text,
      });
  }
  return found;
}

async function symbolsNamed(workspace: CodeWorkspace, name: string, path: string, signal?: AbortSignal) {
  const related = extensionsLike(workspace, path);
  const { symbols } = await textualSymbols(workspace, name, signal, related);
  const same = symbols.filter((symbol) => symbol.name === name && related.includes(extensionOf(symbol.path)));
  return same.sort((a, b) => Number(b.path === path) - Number(a.path === path));
}

function callNode(name: string, kind: string, path: string, position: CallNode['position']): CallNode {
  return { name, kind, path, position, sites: [], isCycle: false, isCut: true, children: [] };
}

function typeNode(name: string, kind: string, at: { path: string; position: TypeNode['position'] }): TypeNode {
  return { name, kind, path: at.path, position: at.position, children: [] };
}
