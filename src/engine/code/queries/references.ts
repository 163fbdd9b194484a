import { globFilter } from '../../../base/text/glob.ts';
import { comparePositions, type LineIndex, type Position } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import type { IndexState, Waiting } from '../model.ts';
import { answerOrKnown } from '../answerOrFallback.ts';
import { classifyReference, type ClassifyHints, type ReferenceKind } from '../syntax/classify.ts';
import { isTestPath } from '../../../base/languages/byPath.ts';
import { textualReferencesOf } from '../textual/textualReferences.ts';
import { textualState } from '../textual/textualSearch.ts';
import { hoverAt, kindFromSignature } from './requests/hover.ts';
import { locateReferences } from './requests/locateReferences.ts';
import { keyOf } from './requests/references.ts';
import { casualOutlineOf, symbolNamedAt, symbolsAround } from './requests/outline.ts';
import type { Doubt, PossibleUse } from '../uses/accounting.ts';
import { byNameOnly, servedOrByName } from './fallback/unresolvedNames.ts';

interface ReferenceQuery {
  target: Target;
  /** Leave out the declarations themselves. */
  includeDeclaration?: boolean;
  /** Only files that match this glob. */
  pathGlob?: string;
  kinds?: readonly ReferenceKind[];
  offset?: number;
  limit?: number;
}

interface Reference {
  path: string;
  position: Position;
  kind: ReferenceKind;
  /** The text of the line, trimmed. */
  context: string;
  /** `OrderService/total`: the innermost named symbol around it. */
  enclosing?: string;
  isTest: boolean;
}

export interface PossiblePlace {
  path: string;
  position: Position;
  context: string;
  doubt: Doubt;
}

export interface ReferencesResult {
  symbol: { name: string; kind: string; path: string; position: Position };
  /** References that pass the filters, over all pages. */
  total: number;
  /** Exact counts per file, over all pages, in the order of the pages. */
  files: { path: string; count: number; isTest: boolean }[];
  references: Reference[];
  /** Places of that name that nobody resolved to something else, not counted in the total. */
  possible: PossiblePlace[];
  /** So many of them that they were not looked at. */
  unchecked: number;
  /** Every other place with the name in the code was resolved to something else. */
  isComplete: boolean;
  /** Classes built on the one that has the member, with one of their own: not counted in the total. */
  overrides: { holder: string; path: string; position: Position }[];
  offset: number;
  index: IndexState;
}

/** All uses of a symbol. The totals are exact; details are worked out for one page. */
export async function findReferences(
  workspace: CodeWorkspace,
  query: ReferenceQuery,
  waiting: Waiting,
): Promise<ReferencesResult> {
  const definition = workspace.definitionFor(query.target.path);
  if (definition === undefined || !(await workspace.isInstalled(definition)))
    return textualReferences(workspace, query, waiting);
  return answerOrKnown(
    workspace,
    definition,
    waiting,
    () =>
      servedOrByName(
        workspace,
        query.target,
        () => servedReferences(workspace, query, waiting),
        () => textualReferences(workspace, query, waiting, byNameOnly),
      ),
    (index) => textualReferences(workspace, query, waiting, index),
  );
}

async function servedReferences(
  workspace: CodeWorkspace,
  query: ReferenceQuery,
  waiting: Waiting,
): Promise<ReferencesResult> {
  const { target } = query;
  let early: { place: FileRange; kind: Promise<string> } | undefined;
  const uses = await locateReferences(workspace, target, waiting, {
    inStep: true,
    onDefinitions(asked, [place]) {
      if (place === undefined) return;
      early = { place, kind: kindAt(workspace, asked, place, waiting.signal) };
      early.kind.catch(() => undefined);
    },
  });
  const { server, declarations, index } = uses;
  const declared = declarations[0] ?? { path: target.path, range: target.range };
  const known = early !== undefined && keyOf(early.place) === keyOf(declared) ? early.kind : undefined;
  const hints = hintsOf(await (known ?? kindAt(workspace, server, declared, waiting.signal)));
  const all = filterPaths(workspace, uses.resolved, query.pathGlob);
  const wanted = await filterKinds(workspace, all, declarations, hints, query);
  const sorted = sortForReading(wanted, declarations[0]?.path ?? target.path);
  const offset = query.offset ?? 0;
  const page = sorted.slice(offset, offset + (query.limit ?? 100));
  return {
    symbol: {
      name: target.name,
      kind: hints.kind,
      path: declarations[0]?.path ?? target.path,
      position: declarations[0]?.range.start ?? target.position,
    },
    total: sorted.length,
    files: countByFile(sorted),
    references: await Promise.all(
      page.map((location) => describe(workspace, server, location, declarations, hints, waiting.signal)),
    ),
    possible: await possibleUses(workspace, filterPaths(workspace, uses.possible, query.pathGlob)),
    unchecked: uses.unchecked,
    isComplete: uses.isComplete,
    overrides: uses.overrides.map(({ holder, place }) => ({
      holder,
      path: place.path,
      position: place.range.start,
    })),
    offset,
    index,
  };
}

/** Places with the word, for languages without a server, and while it loads. */
async function textualReferences(
  workspace: CodeWorkspace,
  query: ReferenceQuery,
  waiting: Waiting,
  index?: IndexState,
): Promise<ReferencesResult> {
  const { target } = query;
  const found = await textualReferencesOf(workspace, target.name, target.path, waiting.signal);
  const wanted = filterPaths(workspace, found, query.pathGlob).filter(
    ({ kind }) =>
      (query.includeDeclaration !== false || kind !== 'declaration') &&
      (query.kinds === undefined || query.kinds.length === 0 || query.kinds.includes(kind)),
  );
  const declared = found.find(({ kind }) => kind === 'declaration');
  const sorted = sortForReading(wanted, declared?.path ?? target.path);
  const offset = query.offset ?? 0;
  const page = sorted.slice(offset, offset + (query.limit ?? 100));
  return {
    symbol: {
      name: target.name,
      kind: 'word',
      path: declared?.path ?? target.path,
      position: declared?.range.start ?? target.position,
    },
    total: sorted.length,
    files: countByFile(sorted),
    references: await Promise.all(
      page.map(async ({ path, range, kind, enclosing }): Promise<Reference> => ({
        path,
        position: range.start,
        kind,
        context: contextOf(await workspace.texts.tryGet(path), range.start),
        enclosing,
        isTest: isTestPath(workspace.shown(path)),
      })),
    ),
    possible: [],
    unchecked: 0,
    isComplete: false,
    overrides: [],
    offset,
    index: index ?? (await textualState(workspace, target.path)),
  };
}

interface SymbolHints extends ClassifyHints {
  kind: string;
}

const typeKinds = new Set(['class', 'interface', 'enum', 'struct', 'type parameter', 'type']);

function hintsOf(kind: string): SymbolHints {
  const isOnlyType = kind === 'interface' || kind === 'type parameter' || kind === 'type';
  return { kind, isType: typeKinds.has(kind), isOnlyType };
}

async function kindAt(
  workspace: CodeWorkspace,
  server: LanguageServer,
  place: FileRange,
  signal: AbortSignal | undefined,
): Promise<string> {
  const text = await workspace.texts.tryGet(place.path);
  if (text === undefined) return 'symbol';
  const outline = await casualOutlineOf(server, place.path, signal);
  if (outline === undefined) {
    // The word before a name mostly tells its kind; only where it does not is the server asked.
    const before = text.lineText(place.range.start.line)?.slice(0, place.range.start.column - 1) ?? '';
    const word = /\b(?:class|interface|enum|function|const|let|var|type|namespace|def)\s+$/.exec(before)?.[0];
    if (word !== undefined) return kindFromSignature(word);
    return kindFromSignature((await hoverAt(server, place.path, place.range.start, signal)).signature);
  }
  const exact = symbolNamedAt(outline, place.range.start);
  const line = text.lineText(place.range.start.line) ?? '';
  if (
    new RegExp(
      `\\btype\\s+${text.text.slice(text.offsetAt(place.range.start), text.offsetAt(place.range.end)).replace(/[^\w]/g, '\\$&')}\\b`,
    ).test(line)
  )
    return 'type';
  return exact?.kind ?? 'variable';
}

function filterPaths<T extends FileRange>(workspace: CodeWorkspace, locations: T[], glob: string | undefined): T[] {
  if (glob === undefined) return locations;
  const matches = globFilter([glob]);
  return locations.filter((location) => matches(workspace.shown(location.path)));
}

async function filterKinds(
  workspace: CodeWorkspace,
  locations: readonly FileRange[],
  declarations: readonly FileRange[],
  hints: SymbolHints,
  query: ReferenceQuery,
): Promise<FileRange[]> {
  const declared = new Set(declarations.map(keyOf));
  const included =
    query.includeDeclaration === false
      ? locations.filter((location) => !declared.has(keyOf(location)))
      : [...locations];
  const { kinds } = query;
  if (kinds === undefined || kinds.length === 0) return included;
  const labelled = await Promise.all(
    included.map(async (location) => ({ location, kind: await kindOf(workspace, location, declared, hints) })),
  );
  return labelled.filter((item) => kinds.includes(item.kind)).map((item) => item.location);
}

async function kindOf(
  workspace: CodeWorkspace,
  location: FileRange,
  declared: ReadonlySet<string>,
  hints: SymbolHints,
): Promise<ReferenceKind> {
  if (declared.has(keyOf(location))) return 'declaration';
  const text = await workspace.texts.tryGet(location.path);
  return text === undefined ? 'read' : classifyReference(extensionOf(location.path), text, location.range.start, hints);
}

async function describe(
  workspace: CodeWorkspace,
  server: LanguageServer,
  location: FileRange,
  declarations: readonly FileRange[],
  hints: SymbolHints,
  signal: AbortSignal | undefined,
): Promise<Reference> {
  const text = await workspace.texts.tryGet(location.path);
  const enclosing = text === undefined ? undefined : await enclosingName(server, location, signal);
  return {
    path: location.path,
    position: location.range.start,
    kind: await kindOf(workspace, location, new Set(declarations.map(keyOf)), hints),
    context: contextOf(text, location.range.start),
    enclosing,
    isTest: isTestPath(workspace.shown(location.path)),
  };
}

/** The line, trimmed; of a minified one what stands around the place. */
function contextOf(text: LineIndex | undefined, { line, column }: Position): string {
  const content = text?.lineText(line) ?? '';
  return (content.length <= 1000 ? content : content.slice(Math.max(column - 20, 0), column + 140)).trim();
}

export async function possibleUses(workspace: CodeWorkspace, places: readonly PossibleUse[]): Promise<PossiblePlace[]> {
  return Promise.all(
    sortForReading(places, '').map(async ({ path, range: { start }, doubt }) => ({
      path,
      doubt,
      position: start,
      context: contextOf(await workspace.texts.tryGet(path), start),
    })),
  );
}

async function enclosingName(
  server: LanguageServer,
  location: FileRange,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const outline = (await casualOutlineOf(server, location.path, signal)) ?? [];
  const around = symbolsAround(outline, location.range.start).filter(
    (symbol) => comparePositions(symbol.nameRange.start, location.range.start) !== 0 && isNamed(symbol.name),
  );
  return around.length === 0 ? undefined : around.map((symbol) => symbol.name).join('/');
}

/** Servers also list callbacks, under made-up names. */
function isNamed(name: string): boolean {
  return !/^<|\(\)| callback$/.test(name);
}

/** The file of the declaration first, then the others by path, test code last. */
function sortForReading<T extends FileRange>(locations: readonly T[], first: string): T[] {
  const ranks = new Map<string, number>();
  for (const { path } of locations)
    if (!ranks.has(path)) ranks.set(path, path === first ? 0 : isTestPath(path) ? 2 : 1);
  const rank = (path: string) => ranks.get(path) ?? 1;
  return [...locations].sort(
    (a, b) =>
      rank(a.path) - rank(b.path) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
      comparePositions(a.range.start, b.range.start),
  );
}

function countByFile(locations: readonly FileRange[]): ReferencesResult['files'] {
  const counts = new Map<string, number>();
  for (const { path } of locations) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].map(([path, count]) => ({ path, count, isTest: isTestPath(path) }));
}
