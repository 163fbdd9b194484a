import { comparePositions, type LineIndex, type Position } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import type { IndexState, Waiting } from '../model.ts';
import { answerOrKnownOf } from '../answerOrFallback.ts';
import { implementationsByText } from './fallback/byText.ts';
import { classifyReference } from '../syntax/classify.ts';
import { askDefinition } from './requests/definition.ts';
import { casualOutlineOf, outlineOf, symbolNamedAt, symbolsAround } from './requests/outline.ts';
import type { TypeNode } from './requests/typeNode.ts';

export interface Implementation {
  /** `Book/price`. */
  name: string;
  kind: string;
  path: string;
  position: Position;
  context: string;
}

export interface ImplementationsResult {
  implementations: Implementation[];
  index: IndexState;
}

/** The classes that implement an interface or abstract class, or the methods that implement one of its methods. */
export function findImplementations(
  workspace: CodeWorkspace,
  target: Target,
  waiting: Waiting,
): Promise<ImplementationsResult> {
  return answerOrKnownOf(
    workspace,
    target.path,
    waiting,
    () => servedImplementations(workspace, target, waiting),
    (index) => implementationsByText(workspace, target, index, waiting.signal),
  );
}

async function servedImplementations(
  workspace: CodeWorkspace,
  target: Target,
  waiting: Waiting,
): Promise<ImplementationsResult> {
  const server = await workspace.requireServer(target.path);
  await server.documents.open(target.path);
  const index = await server.waitUntilReady(waiting);
  const found = await askDefinition(server, 'textDocument/implementation', target, waiting.signal);
  const implementations = await Promise.all(
    found.map(async (item): Promise<Implementation> => {
      const text = await workspace.texts.tryGet(item.path);
      const around =
        text === undefined ? [] : symbolsAround(await outlineOf(server, item.path, waiting.signal), item.range.start);
      const exact = around.findLast((symbol) => comparePositions(symbol.nameRange.start, item.range.start) === 0);
      return {
        name: around.length === 0 ? target.name : around.map((symbol) => symbol.name).join('/'),
        kind: exact?.kind ?? (text === undefined ? 'symbol' : kindInCode(item, text)),
        path: item.path,
        position: item.range.start,
        context: text?.lineText(item.range.start.line)?.trim() ?? '',
      };
    }),
  );
  // Where an import stands for a class the server names it as well.
  const real = implementations.filter(({ kind }) => kind !== 'import');
  const declared = await askDefinition(server, 'textDocument/definition', target, waiting.signal);
  const isDeclared = ({ path, position }: { path: string; position: Position }): boolean =>
    declared.some((item) => item.path === path && comparePositions(item.range.start, position) === 0);
  const wanted = await typeMeant(workspace, server, declared[0], waiting.signal);
  // What makes or holds an object of a type implements none; only what has a call signature is implemented by functions.
  const others = real.filter(
    (item) =>
      !isDeclared(item) && !(wanted === 'objects' && /^(?:function|method|property|field|variable)$/.test(item.kind)),
  );
  if (wanted !== undefined)
    others.push(...(await heirsMissed(workspace, server, target, [...others, ...real], waiting.signal)));
  const fitting = server.definition.repairs?.fittingTypes?.(workspace, server, target, waiting.signal);
  for (const { path, symbol, namePath } of (await fitting) ?? []) {
    const position = symbol.nameRange.start;
    if (others.some((item) => item.path === path && comparePositions(item.position, position) === 0)) continue;
    const context = (await workspace.texts.tryGet(path))?.lineText(position.line)?.trim() ?? '';
    others.push({ name: namePath.join('/'), kind: `fitting ${symbol.kind}`, path, position, context });
  }
  const sorted = others.sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : comparePositions(a.position, b.position),
  );
  return { implementations: sorted, index };
}

/** What implements a type: objects and classes, or functions too; undefined for anything but a type. */
async function typeMeant(
  workspace: CodeWorkspace,
  server: LanguageServer,
  declared: FileRange | undefined,
  signal: AbortSignal | undefined,
): Promise<'objects' | 'functions' | undefined> {
  const text = declared === undefined ? undefined : await workspace.texts.tryGet(declared.path);
  if (declared === undefined || text === undefined) return undefined;
  const outline = (await casualOutlineOf(server, declared.path, signal)) ?? [];
  const symbol = symbolNamedAt(outline, declared.range.start);
  if (symbol === undefined || !/^(?:class|interface|type)$/.test(symbol.kind)) return undefined;
  const source = text.text.slice(text.offsetAt(symbol.range.start), text.offsetAt(symbol.range.end));
  const calls = symbol.kind === 'type' ? /=>/ : /[{;,\n]\s*(?:new\s*)?(?:<[^>]*>\s*)?\([^)]*\)\s*:/;
  return calls.test(source) ? 'functions' : 'objects';
}

/** Classes built on a CommonJS one in other files, which the server takes for another. */
async function heirsMissed(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  known: readonly Implementation[],
  signal: AbortSignal | undefined,
): Promise<Implementation[]> {
  const source = server.definition.repairs?.heirs?.(workspace, server, target.path, signal);
  if (source === undefined) return [];
  const found: Implementation[] = [];
  const isKnown = (path: string, position: Position): boolean =>
    [...known, ...found].some((item) => item.path === path && comparePositions(item.position, position) === 0);
  const follow = async (node: TypeNode | undefined): Promise<void> => {
    for (const { name, kind, path, position } of node === undefined ? [] : await source.subtypes(node)) {
      if (isKnown(path, position)) continue;
      const context = (await workspace.texts.tryGet(path))?.lineText(position.line)?.trim() ?? '';
      found.push({ name, kind, path, position, context });
      await follow({ name, kind, path, position, children: [] });
    }
  };
  await follow(await source.find(target));
  return found;
}

/** Outlines leave out object literals and class expressions inside of code, and imports. */
function kindInCode({ path, range }: FileRange, text: LineIndex): string {
  const kind = classifyReference(extensionOf(path), text, range.start, { isType: true, isOnlyType: false });
  if (kind === 'import') return kind;
  const rest = text.text.slice(text.offsetAt(range.start), text.offsetAt(range.start) + 200);
  if (/^class\b/.test(rest)) return 'class';
  if (rest.startsWith('{')) return 'object';
  return /^[\w$]*\s*(<[^>]*>)?\(/.test(rest) ? 'method' : 'property';
}
