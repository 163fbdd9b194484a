import { dirname, resolve } from 'node:path';
import { isTypeDeclarationFile, javascriptEnding } from '../../../../base/languages/byPath.ts';
import { comparePositions, type Position, type Range } from '../../../../base/positions.ts';
import type { DefinitionTarget } from '../../../../protocol/lsp/convert.ts';
import type { Target } from '../../addressing.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import type { OutlineSymbol } from '../../model.ts';
import { declared, maxLineChars, type Definition } from '../requests/declaration.ts';
import { askDefinition } from '../requests/definition.ts';
import { flattenOutline, outlineOf, symbolNamedAt, symbolsAround } from '../requests/outline.ts';
import { originalOf } from './originalSource.ts';
import { isReduced, modulesAt, packageOfTypes } from './packageFiles.ts';

const maxPlaces = 3;

/**
 * The code of a library symbol whose declaration only tells its types: the JavaScript that runs, and where a source map leads on,
 * the source that was compiled to it.
 */
export async function codeOfLibrary(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  declaration: Definition | undefined,
  signal?: AbortSignal,
): Promise<Definition[]> {
  if (server.definition.implementationMethod === undefined || declaration?.isLibrary !== true) return [];
  const isTypes = isTypesOnly(declaration.path);
  if (!isTypes && !javascriptEnding.test(declaration.path)) return [];
  const symbol = await wantedOf(workspace, server, declaration, signal);
  const places = isTypes
    ? await compiledPlaces(workspace, server, target, declaration, symbol, signal)
    : [{ path: declaration.path, range: startingAt(declaration.position), fullRange: undefined }];
  const found = await Promise.all(
    places.map(async (place) => {
      const compiled = { path: place.path, position: place.range.start };
      const original = await originalOf(workspace, server, compiled, symbol.namePath, signal);
      return original ?? (isTypes ? compiledCode(workspace, server, place, declaration, symbol, signal) : undefined);
    }),
  );
  return found.filter((item) => item !== undefined);
}

function startingAt(position: Position): Range {
  return { start: position, end: position };
}

function isTypesOnly(path: string): boolean {
  return isTypeDeclarationFile(path);
}

/** What is looked for: a name within the class that holds it; namespaces and modules are no part of the code. */
interface Wanted {
  namePath: string[];
  holderKind?: string;
  /** The name is that of the types alone: `export = e`, `export default e`. */
  isWholeModule?: boolean;
}

async function wantedOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  { path, position, name }: Definition,
  signal: AbortSignal | undefined,
): Promise<Wanted> {
  const around = symbolsAround(await outlineOf(server, path, signal), position).filter(
    ({ nameRange }) => comparePositions(nameRange.start, position) !== 0,
  );
  const holder = around.findLast(({ kind }) => kind === 'class' || kind === 'interface');
  if (holder !== undefined) return { namePath: [holder.name, name], holderKind: holder.kind };
  const exported = /^export\s*(?:=|default)\s*(?:(?:abstract\s+)?(?:async\s+)?(?:function|class)\s+)?([\w$]+)/m.exec(
    (await workspace.texts.tryGet(path))?.text ?? '',
  );
  return { namePath: [name], ...(exported?.[1] === name ? { isWholeModule: true } : {}) };
}

async function compiledPlaces(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  declaration: Definition,
  wanted: Wanted,
  signal: AbortSignal | undefined,
): Promise<DefinitionTarget[]> {
  const code = await packageOfTypes(declaration.path);
  if (code === undefined) return [];
  for (const path of code.beside) {
    const symbol = declaredIn(await outlineOf(server, path, signal), wanted);
    if (symbol !== undefined) return [{ path, range: symbol.nameRange, fullRange: symbol.range }];
  }
  const entries = await code.entries();
  for (const path of wanted.isWholeModule === true ? entries : []) {
    const place = await moduleOf(workspace, server, path, signal);
    if (place !== undefined) return [place];
  }
  const told = await askDefinition(server, server.definition.implementationMethod ?? '', target, signal);
  const fitting = await Promise.all(told.map((place) => fitted(workspace, server, place, wanted, signal)));
  // The same function in several builds of one package is told once, by the build that says most.
  const byName = new Map<string, DefinitionTarget>();
  for (const { place, namePath } of fitting.filter((item) => item !== undefined).sort(fullBuildsFirst))
    if (!byName.has(namePath)) byName.set(namePath, place);
  if (byName.size > 0) return [...byName.values()].slice(0, maxPlaces);
  for (const path of entries) {
    const place = await exportedBy(workspace, server, path, wanted, signal);
    if (place !== undefined) return [place];
  }
  return [];
}

function declaredIn(outline: readonly OutlineSymbol[], { namePath }: Wanted): OutlineSymbol | undefined {
  return flattenOutline(outline).find((item) => item.namePath.join('/') === namePath.join('/'))?.symbol;
}

interface Fitting {
  place: DefinitionTarget;
  namePath: string;
}

function fullBuildsFirst(a: Fitting, b: Fitting): number {
  return Number(isReduced(a.place.path)) - Number(isReduced(b.place.path));
}

/**
 * What the server calls the code may only share its name: where it cannot follow a library it answers with any property of that
 * name. Only what can be the thing itself is told.
 */
async function fitted(
  workspace: CodeWorkspace,
  server: LanguageServer,
  told: DefinitionTarget,
  wanted: Wanted,
  signal: AbortSignal | undefined,
): Promise<Fitting | undefined> {
  const place = await behindShorthand(workspace, server, told, signal);
  if (isTypesOnly(place.path)) return undefined;
  const outline = await outlineOf(server, place.path, signal);
  const symbol = symbolNamedAt(outline, place.range.start);
  const holders = symbolsAround(outline, place.range.start).filter((item) => item !== symbol);
  const holder = holders.findLast(({ kind }) => kind === 'class' || kind === 'variable');
  if (wanted.namePath.length === 1 && holder !== undefined) return undefined;
  if (wanted.holderKind === 'class' && holder !== undefined && holder.name !== wanted.namePath[0]) return undefined;
  const line = (await workspace.texts.tryGet(place.path))?.lineText(place.range.start.line) ?? '';
  // Names within minified code are no names.
  if (line.length > maxLineChars) return undefined;
  const after = line.slice(place.range.end.column - 1);
  if (symbol === undefined && !/^\s*(?:=(?![=>])|\()/.test(after)) return undefined;
  const isValue = symbol?.kind === 'property' && symbol.children.length === 0;
  if (isValue && /^\s*:(?!\s*(?:async\b|function\b|\(|[\w$]+\s*=>))/.test(after)) return undefined;
  const namePath = [holder?.name ?? '', wanted.namePath.at(-1)].join('/');
  return { place: { ...place, fullRange: place.fullRange ?? symbol?.range }, namePath };
}

/** `{ parse, satisfies }`: what is exported so is declared somewhere else. */
async function behindShorthand(
  workspace: CodeWorkspace,
  server: LanguageServer,
  place: DefinitionTarget,
  signal: AbortSignal | undefined,
): Promise<DefinitionTarget> {
  const line = (await workspace.texts.tryGet(place.path))?.lineText(place.range.start.line) ?? '';
  const before = line.slice(0, place.range.start.column - 1).trim();
  const after = line.slice(place.range.end.column - 1).trim();
  if (!/(^|[{,])$/.test(before) || !/^[,}]|^$/.test(after)) return place;
  const at = { path: place.path, position: place.range.start };
  const [first] = (await askDefinition(server, 'textDocument/definition', at, signal)).filter(
    ({ path, range }) => path !== place.path || comparePositions(range.start, place.range.start) !== 0,
  );
  return first ?? place;
}

/** Where a file that users of a package load says that it exports a name, followed to what it exports. */
async function exportedBy(
  workspace: CodeWorkspace,
  server: LanguageServer,
  path: string,
  { namePath: [name = ''] }: Wanted,
  signal: AbortSignal | undefined,
): Promise<DefinitionTarget | undefined> {
  const text = await workspace.texts.tryGet(path);
  const word = `${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`;
  const exported = new RegExp(
    `(?<=exports\\.|\\bas\\s+|\\bexport\\s+(?:async\\s+)?(?:function\\*?|class|const|let|var)\\s+|\\bexport\\s*\\{(?:[^}]*[,\\s])?)${word}(?!\\s+as\\b)`,
    'u',
  ).exec(text?.text ?? '');
  if (text === undefined || exported === null) return undefined;
  await server.documents.open(path);
  const start = text.positionAt(exported.index);
  const [followed] = await askDefinition(server, 'textDocument/definition', { path, position: start }, signal);
  if (followed !== undefined && !isTypesOnly(followed.path)) return followed;
  const range = { start, end: { ...start, column: start.column + name.length } };
  return { path, range, fullRange: undefined };
}

/** What a module is as a whole: `module.exports = …`, `export default …`. */
async function moduleOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  path: string,
  signal: AbortSignal | undefined,
  hops = 3,
): Promise<DefinitionTarget | undefined> {
  const text = await workspace.texts.tryGet(path);
  const exported = wholeModule.exec(text?.text ?? '');
  if (text === undefined || exported === null || hops === 0) return undefined;
  const [all, required, plain, named, aliased] = exported;
  const name = plain ?? named ?? aliased ?? '';
  if (required !== undefined) {
    const [next] = await modulesAt(resolve(dirname(path), required));
    return next === undefined ? undefined : moduleOf(workspace, server, next, signal, hops - 1);
  }
  await server.documents.open(path);
  const position = text.positionAt(exported.index + all.length - name.length);
  const found = await askDefinition(server, 'textDocument/definition', { path, position }, signal);
  return found.find((place) => !isTypesOnly(place.path));
}

const wholeModule = new RegExp(
  [
    /(?:\bmodule\.exports\s*=|\bexport\s+default)\s+require\(['"](\.[^'"]+)['"]\)/,
    /(?:\bmodule\.exports\s*=|\bexport\s+default)\s+((?!function\b|class\b)[\w$]+)(?=\s*(?:;|$))/,
    /(?:\bmodule\.exports\s*=|\bexport\s+default)\s+(?:async\s+)?(?:function\b\s*\*?|class)\s+((?!extends\b)[\w$]+)/,
    /\bexport\s*\{(?:[^}]*[,\s])?([\w$]+)(?=\s+as\s+default\b)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
);

async function compiledCode(
  workspace: CodeWorkspace,
  server: LanguageServer,
  place: DefinitionTarget,
  declaration: Definition,
  wanted: Wanted,
  signal: AbortSignal | undefined,
): Promise<Definition | undefined> {
  const text = await workspace.texts.tryGet(place.path);
  const outline = await outlineOf(server, place.path, signal);
  const symbol = symbolNamedAt(outline, place.range.start);
  // An entry tells where the class is; the member is what was asked for.
  const isHolder = wanted.namePath.length > 1 && symbol?.name === wanted.namePath[0];
  const member = isHolder ? declaredIn(outline, wanted) : undefined;
  if (isHolder && member === undefined) return undefined;
  const range = member?.nameRange ?? place.range;
  const fullRange = member?.range ?? place.fullRange ?? symbol?.range;
  const item = { path: place.path, range, fullRange };
  return { ...declared(workspace, item, text, declaration.name, declaration.kind), isImplementation: true };
}
