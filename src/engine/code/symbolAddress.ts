import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import type { Position } from '../../base/positions.ts';
import { filesWithWord } from './sourceFiles.ts';
import type { Target } from './addressing.ts';
import { textualSymbols } from './textual/textualSearch.ts';
import type { CodeWorkspace } from './codeWorkspace.ts';
import { readyState, type IndexState, type Waiting } from './model.ts';
import { nearestNames, type NamedPlace } from './nearNames.ts';
import { answerOrKnown } from './answerOrFallback.ts';
import { flattenOutline, isRequired, outlineOf } from './queries/requests/outline.ts';
import { definitionsInUse, isLibraryPath, searchSymbols } from './queries/requests/symbols.ts';

interface Candidate {
  path: string;
  namePath: string[];
  kind: string;
  position: Position;
  isLocal?: boolean;
}

/** Files that hold the word are looked through when the server's own search does not know the symbol (locals, members). */
const maxFilesToLookThrough = 60;
const maxShortName = 6;

/** Finds a symbol by its name or name path, in one file or in the whole project. */
export async function resolveSymbol(
  workspace: CodeWorkspace,
  symbol: string,
  file: string | undefined,
  waiting: Waiting,
): Promise<Target> {
  const { fileName, namePath } = splitAddress(symbol);
  const segments = namePath
    .replace(/\(.*\)$/, '')
    // `Class#method` is a way to write a path; `#field` is a name.
    .split(/\/|\.|::|(?<=[\p{L}\d_$])#/u)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');
  const name = segments.at(-1);
  if (name === undefined) throw new ToolError('invalid_arguments', `"${symbol}" names no symbol.`);
  const inFile = file ?? (fileName === undefined ? undefined : await workspace.findFile(fileName));
  if (fileName !== undefined && inFile === undefined)
    throw new ToolError('file_not_found', `${fileName} does not exist in the project.`);
  const inProject = inFile === undefined ? await findInProject(workspace, segments, waiting) : undefined;
  const found = inFile === undefined ? (inProject?.candidates ?? []) : await findInFile(workspace, inFile, waiting);
  const named = found.filter((candidate) => endsWith(candidate.namePath, segments));
  const matches = visibleFirst(
    merge(named.length > 0 || inFile === undefined ? named : await findAssigned(workspace, segments, inFile, waiting)),
  );
  // In one file a whole path leaves no doubt: `total` there is what is declared at the top, not a member `Order/total`.
  const whole = inFile === undefined ? [] : matches.filter(({ namePath: path }) => path.length === segments.length);
  const only = whole.length === 1 ? whole[0] : matches[0];
  if (only === undefined) throw await notFound(workspace, { symbol, segments, found, file: inFile }, waiting);
  if (matches.length > 1 && whole.length !== 1)
    throw ambiguous(workspace, symbol, matches, inProject?.index ?? readyState);
  return {
    path: only.path,
    name,
    position: only.position,
    range: { start: only.position, end: { line: only.position.line, column: only.position.column + name.length } },
    notes: [],
  };
}

/** `src/a.ts#Class/method`: what stands before the sign is a file when it has an extension or a folder. */
function splitAddress(symbol: string): { fileName?: string; namePath: string } {
  const [, fileName, namePath] = /^([^#]*[^#/.])#(.*)$/s.exec(symbol) ?? [];
  return fileName !== undefined && namePath !== undefined && /[/.]/.test(fileName)
    ? { fileName, namePath }
    : { namePath: symbol };
}

async function findInFile(workspace: CodeWorkspace, path: string, waiting: Waiting): Promise<Candidate[]> {
  const definition = workspace.definitionFor(path);
  const byText = async () => (await workspace.textual.get(path)).outline;
  const served = async () => {
    const server = await workspace.serverFor(path);
    return server === undefined ? byText() : outlineOf(server, path, waiting.signal);
  };
  const outline =
    definition === undefined ? await byText() : await answerOrKnown(workspace, definition, waiting, served, byText);
  return flattenOutline(outline).map(({ symbol, namePath, isLocal }) => ({
    path,
    namePath,
    isLocal,
    kind: symbol.kind,
    position: symbol.nameRange.start,
  }));
}

async function findInProject(
  workspace: CodeWorkspace,
  segments: readonly string[],
  waiting: Waiting,
): Promise<{ candidates: Candidate[]; index: IndexState }> {
  const name = segments.at(-1) ?? '';
  const { symbols, index } = await searchSymbols(workspace, { query: name, libraries: true }, waiting);
  const exact = symbols.filter((symbol) => symbol.name === name || symbol.name === `${name}()`);
  const own = exact.filter((symbol) => !isLibraryPath(workspace, symbol.path));
  const files = new Set((own.length > 0 ? own : exact).map((symbol) => symbol.path).slice(0, maxFilesToLookThrough));
  const candidates = await lookThrough(workspace, files, waiting);
  if (candidates.some((candidate) => endsWith(candidate.namePath, segments))) return { candidates, index };
  const { symbols: textual } = await textualSymbols(workspace, name, waiting.signal);
  if (textual.length > 0)
    candidates.push(
      ...textual.map((symbol) => ({
        path: symbol.path,
        namePath: [...(symbol.container?.split('/') ?? []), symbol.name],
        kind: symbol.kind,
        position: symbol.position,
      })),
    );
  // Symbols the server's search leaves out are still in the outlines of the files that hold the word.
  const more = await filesToLookThrough(workspace, name, waiting.signal);
  const others = await lookThrough(workspace, new Set(more.filter((path) => !files.has(path))), waiting);
  return { candidates: [...candidates, ...others], index };
}

/** What a file declares by assigning to it (`exports.etag = make()`) is in no outline, but the server's search knows it. */
async function findAssigned(
  workspace: CodeWorkspace,
  segments: readonly string[],
  path: string,
  waiting: Waiting,
): Promise<Candidate[]> {
  const { symbols } = await searchSymbols(workspace, { query: segments.at(-1) ?? '' }, waiting);
  const text = await workspace.texts.tryGet(path);
  return symbols
    .filter((symbol) => symbol.path === path && !isRequired(text?.lineText(symbol.position.line) ?? ''))
    .map((symbol) => ({
      path,
      namePath: [...(symbol.container?.split('/') ?? []), symbol.name],
      kind: symbol.kind,
      position: symbol.position,
    }))
    .filter((candidate) => endsWith(candidate.namePath, segments));
}

async function lookThrough(workspace: CodeWorkspace, files: Iterable<string>, waiting: Waiting): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const path of files) {
    if (workspace.definitionFor(path) === undefined || (await workspace.texts.tryGet(path)) === undefined) continue;
    candidates.push(...(await findInFile(workspace, path, waiting)));
  }
  return candidates;
}

async function filesToLookThrough(workspace: CodeWorkspace, word: string, signal?: AbortSignal): Promise<string[]> {
  const extensions = (await definitionsInUse(workspace, signal)).flatMap((definition) =>
    Object.keys(definition.languages),
  );
  if (extensions.length === 0) return [];
  const files = await filesWithWord(workspace.project, word, extensions, signal);
  return files.slice(0, maxFilesToLookThrough);
}

function endsWith(namePath: readonly string[], segments: readonly string[]): boolean {
  if (segments.length > namePath.length || namePath.at(-1)?.endsWith(' callback') === true) return false;
  return segments.every(
    (segment, index) => plain(namePath[namePath.length - segments.length + index] ?? '') === segment,
  );
}

/** Some servers put parameters or quotes into the names of symbols. */
function plain(name: string): string {
  return name.replace(/\(.*$/, '').replace(/^["']|["']$/g, '');
}

/** Who says a bare name means what the project can name; a local of some function only when nothing else is called that. */
function visibleFirst(candidates: Candidate[]): Candidate[] {
  const visible = candidates.filter((candidate) => candidate.isLocal !== true);
  return visible.length === 0 ? candidates : visible;
}

/** Overloads and merged declarations of one file are one symbol. */
function merge(candidates: readonly Candidate[]): Candidate[] {
  const byName = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = `${candidate.path}\0${candidate.namePath.join('/')}`;
    if (!byName.has(key)) byName.set(key, candidate);
  }
  return [...byName.values()];
}

function ambiguous(
  workspace: CodeWorkspace,
  symbol: string,
  matches: readonly Candidate[],
  index: IndexState,
): ToolError {
  const candidates = matches.slice(0, 15).map((match) => ({
    handle: `${workspace.shown(match.path)}:${match.position.line}:${match.position.column}`,
    kind: match.kind,
    symbol: match.namePath.join('/'),
  }));
  const soFar = index.state === 'ready' ? '' : ` so far; there may be more (index ${index.state})`;
  return new ToolError('ambiguous_symbol', `"${symbol}" means ${matches.length} symbols${soFar}.`, {
    hint: 'Pass the handle of one of the candidates (file:line:column) as symbol, or a longer name path.',
    data: { candidates },
  });
}

async function notFound(
  workspace: CodeWorkspace,
  asked: { symbol: string; segments: readonly string[]; found: readonly Candidate[]; file: string | undefined },
  waiting: Waiting,
): Promise<ToolError> {
  const { symbol, segments, found, file } = asked;
  const name = segments.at(-1) ?? '';
  const holder = segments.at(-2);
  const inFile = file === undefined ? [] : nearestNames(name, found, holder);
  const places =
    inFile.length > 0
      ? inFile
      : nearestNames(name, [...found, ...(await nearInProject(workspace, name, waiting))], holder);
  const near = places.map(
    ({ path, namePath, position }) =>
      `${namePath.map(plain).join('/')} (${workspace.shown(path)}:${position.line}:${position.column})`,
  );
  const where = file === undefined ? 'in the project' : `in ${workspace.shown(file)}`;
  return new ToolError('symbol_not_found', `There is no symbol "${symbol}" ${where}.`, {
    hint:
      near.length > 0
        ? `Near it: ${near.join(', ')}.`
        : advise`${step('searchSymbols')} finds symbols by parts of their names.`,
  });
}

/**
 * Servers match letters in their order, so a name with a wrong or missing letter is found by its beginning or its end, and a short one
 * in which letters are swapped by what is left without one of them.
 */
async function nearInProject(workspace: CodeWorkspace, name: string, waiting: Waiting): Promise<NamedPlace[]> {
  const letters = name.length <= maxShortName ? Array.from(name) : [];
  const shorter = letters.map((_, index) => letters.toSpliced(index, 1).join(''));
  const queries = new Set([name, name.slice(0, 3), name.slice(-4), ...shorter].filter((query) => query.length >= 3));
  const found = await Promise.all([...queries].map((query) => searchSymbols(workspace, { query }, waiting)));
  return found.flatMap(({ symbols }) =>
    symbols.map(({ path, name: own, container, position }) => ({
      path,
      namePath: [...(container?.split('/') ?? []), own],
      position,
    })),
  );
}
