import { ToolError } from '../../../base/errors.ts';
import { extensionOf } from '../languageServer.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { OutlineSymbol, Waiting } from '../model.ts';
import { textKindAt, type TextKind } from '../syntax/classify.ts';
import { runRipgrep } from '../../workspace/ripgrep.ts';
import type { LineIndex } from '../../../base/positions.ts';
import { fileOutline } from './fileOutline.ts';
import { symbolsAround } from './requests/outline.ts';

interface TextSearch {
  pattern: string;
  /** The pattern is the text itself, no regular expression. */
  isLiteral: boolean;
  isCaseIgnored: boolean;
  areWholeWords: boolean;
  globs: readonly string[];
  /** Canonical; a file or folder of the project. */
  below?: string;
  /** Only matches of this kind. */
  kind?: TextKind;
  offset: number;
  limit: number;
}

interface TextMatch {
  path: string;
  line: number;
  column: number;
  lineText: string;
  kind?: TextKind;
  /** `Cart/total`: what it stands in. */
  enclosing?: string;
}

interface TextMatches {
  matches: TextMatch[];
  total: number;
  /** Matches per file, most first. */
  files: { path: string; count: number }[];
  /** Why the counts are those of a part; undefined when they are exact. */
  incomplete?: string;
}

/** Where telling code from comments must stop: it reads every file with a match. */
const maxJudgedMatches = 20_000;
/** Outlines are asked for these many files at most; further matches tell their place alone. */
const maxOutlines = 30;
const outlinesMs = 4000;
const maxLineChars = 240;

/** Text in the files of a project, those that git ignores left out. Counts are exact, whatever part of the matches is shown. */
export async function searchText(workspace: CodeWorkspace, search: TextSearch, waiting: Waiting): Promise<TextMatches> {
  await workspace.sync();
  const found = await foundMatches(workspace, search, waiting.signal);
  await addSurroundings(workspace, found.matches, waiting);
  return found;
}

async function foundMatches(workspace: CodeWorkspace, search: TextSearch, signal?: AbortSignal): Promise<TextMatches> {
  try {
    return search.kind === undefined
      ? await countedMatches(workspace, search, signal)
      : await judgedMatches(workspace, search, search.kind, signal);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'invalid_arguments') throw error;
    const reason = error.message.replace(/^rg: /, '').replace(/\s+/g, ' ');
    throw new ToolError('invalid_arguments', `The pattern cannot be searched for: ${reason}`, {
      hint: 'Pass literal: true to search for the text itself, or escape what means something in a regular expression.',
    });
  }
}

/** Every file's count by one pass, and the lines of the page by another that ends with it. */
async function countedMatches(
  workspace: CodeWorkspace,
  search: TextSearch,
  signal?: AbortSignal,
): Promise<TextMatches> {
  const unsaved = await unsavedMatches(workspace, search, signal);
  const counts = [...unsaved].map(([path, { length }]) => ({ path, count: length })).filter(({ count }) => count > 0);
  await runRipgrep(workspace.project, {
    args: ['--count-matches', '--null', '--with-filename', ...argumentsOf(workspace, search)],
    separator: '\n',
    onRecord: (record) => {
      const [path, count] = record.split('\0');
      if (path !== undefined && count !== undefined && !unsaved.has(path)) counts.push({ path, count: Number(count) });
      return true;
    },
    signal,
  });
  const matches: TextMatch[] = [];
  let seen = 0;
  if (counts.length > 0)
    await eachMatch(workspace, search, unsaved, signal, (match) => {
      if (seen++ >= search.offset) matches.push(match);
      return matches.length < search.limit;
    });
  return { matches, total: counts.reduce((sum, { count }) => sum + count, 0), files: mostFirst(counts) };
}

/** Matches of one kind only: each is judged by the syntax around it. */
async function judgedMatches(
  workspace: CodeWorkspace,
  search: TextSearch,
  kind: TextKind,
  signal?: AbortSignal,
): Promise<TextMatches> {
  const candidates: TextMatch[] = [];
  const unsaved = await unsavedMatches(workspace, search, signal);
  const isWhole = await eachMatch(
    workspace,
    search,
    unsaved,
    signal,
    (match) => candidates.push(match) < maxJudgedMatches,
  );
  const counts = new Map<string, number>();
  const matches: TextMatch[] = [];
  let total = 0;
  const unjudged = new Map<string, number>();
  for (const match of candidates) {
    const found = await kindOf(workspace, match);
    const extension = extensionOf(match.path);
    if (found === undefined) unjudged.set(extension, (unjudged.get(extension) ?? 0) + 1);
    if (found !== kind) continue;
    counts.set(match.path, (counts.get(match.path) ?? 0) + 1);
    if (total++ >= search.offset && matches.length < search.limit) matches.push({ ...match, kind: found });
  }
  const why = [
    ...(isWhole ? [] : [`only the first ${maxJudgedMatches} matches were told apart by syntax`]),
    ...[...unjudged].map(
      ([extension, count]) =>
        `${count} more in ${extension === '' ? 'other' : `.${extension}`} files, whose syntax is not known here`,
    ),
  ];
  return {
    matches,
    total,
    files: mostFirst([...counts].map(([path, count]) => ({ path, count }))),
    ...(why.length === 0 ? {} : { incomplete: why.join('; ') }),
  };
}

function mostFirst(files: { path: string; count: number }[]): { path: string; count: number }[] {
  return files.sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
}

function argumentsOf(workspace: CodeWorkspace, search: TextSearch): string[] {
  const isMultiline = !search.isLiteral && /\\n|\n/.test(search.pattern);
  return [
    ...(search.isLiteral ? ['--fixed-strings'] : []),
    ...(search.isCaseIgnored ? ['--ignore-case'] : []),
    ...(search.areWholeWords ? ['--word-regexp'] : []),
    ...(isMultiline || search.pattern.includes('\n') ? ['--multiline'] : []),
    ...['--hidden', '--no-require-git'],
    // The last glob that matches decides.
    ...globsOf(search),
    '--regexp',
    search.pattern,
    '--',
    search.below ?? workspace.project.root,
  ];
}

function globsOf(search: TextSearch): string[] {
  return [...search.globs, ...unlessNamed(search)].flatMap((glob) => ['--glob', glob]);
}

/** What is found in files that an editor holds unsaved, in those that the search is about; the disk does not count for them. */
async function unsavedMatches(
  workspace: CodeWorkspace,
  search: TextSearch,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, TextMatch[]>> {
  const unsaved = workspace.unsavedPaths;
  const found = new Map<string, TextMatch[]>();
  if (unsaved.size === 0) return found;
  await runRipgrep(workspace.project, {
    args: [
      ...['--files', '--null', '--sort', 'path', '--hidden', '--no-require-git', ...globsOf(search), '--'],
      search.below ?? workspace.project.root,
    ],
    separator: '\0',
    onRecord: (path) => !unsaved.has(path) || found.set(path, []).size > 0,
    signal,
  });
  for (const [path, matches] of found) {
    const { text } = await workspace.texts.get(path);
    await runRipgrep(workspace.project, {
      args: ['--json', ...argumentsOf(workspace, search).slice(0, -1), '-'],
      input: text,
      separator: '\n',
      onRecord: (record) => {
        if (record.startsWith('{"type":"match"')) matches.push(...matchesOf(record).map((one) => ({ ...one, path })));
        return true;
      },
      signal,
    });
  }
  return found;
}

/** Installed packages are searched when they are named. */
function unlessNamed({ globs, below }: TextSearch): string[] {
  const places = [...globs, below ?? ''].join();
  return ['.git', 'node_modules', '.venv', 'venv', '__pycache__']
    .filter((folder) => folder === '.git' || !places.includes(folder))
    .map((folder) => `!**/${folder}/**`);
}

interface RipgrepMatch {
  type: string;
  data: {
    path: { text?: string };
    lines: { text?: string };
    line_number: number | null;
    submatches: { start: number; end: number }[];
  };
}

async function eachMatch(
  workspace: CodeWorkspace,
  search: TextSearch,
  unsaved: ReadonlyMap<string, TextMatch[]>,
  signal: AbortSignal | undefined,
  take: (match: TextMatch) => boolean,
): Promise<boolean> {
  for (const matches of unsaved.values()) if (!matches.every(take)) return false;
  return runRipgrep(workspace.project, {
    args: ['--json', '--sort', 'path', ...argumentsOf(workspace, search)],
    separator: '\n',
    onRecord: (record) =>
      !record.startsWith('{"type":"match"') ||
      matchesOf(record).every((match) => unsaved.has(match.path) || take(match)),
    signal,
  });
}

function matchesOf(json: string): TextMatch[] {
  const { data } = JSON.parse(json) as RipgrepMatch;
  const { text: path } = data.path;
  const { text } = data.lines;
  // Names and lines that are not UTF-8 come as bytes.
  if (path === undefined || text === undefined) return [];
  const bytes = Buffer.from(text, 'utf8');
  return data.submatches.map(({ start }) => {
    const before = bytes
      .subarray(0, start)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    const lineStart = before.lastIndexOf('\n') + 1;
    const line = before.slice(lineStart) + bytes.subarray(start).toString('utf8').split('\n', 1)[0];
    return {
      path,
      line: (data.line_number ?? 1) + before.split('\n').length - 1,
      column: before.length - lineStart + 1,
      lineText: windowOf(line.replace(/\r$/, ''), before.length - lineStart),
    };
  });
}

/** The part of a very long line around the match. */
function windowOf(line: string, at: number): string {
  if (line.length <= maxLineChars) return line;
  const from = Math.max(at - 100, 0);
  const to = Math.min(from + maxLineChars, line.length);
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

async function kindOf(workspace: CodeWorkspace, match: TextMatch): Promise<TextKind | undefined> {
  const text = await workspace.texts.tryGet(match.path);
  if (text === undefined) return undefined;
  const offset = firstVisible(text, text.offsetAt({ line: match.line, column: match.column }));
  const byTokens = textKindAt(extensionOf(match.path), text, offset);
  if (byTokens !== undefined) return byTokens;
  const file = await workspace.textual.tryGet(match.path);
  if (file?.textAt === undefined) return undefined;
  const literal = file.textAt(offset);
  if (literal === undefined) return 'code';
  return /^\w{0,3}#*["'`]/.test(literal) ? 'string' : 'comment';
}

/** A match may begin with white space; what it is about begins behind that. */
function firstVisible(text: LineIndex, offset: number): number {
  let at = offset;
  while (/\s/.test(text.text.charAt(at))) at++;
  return at;
}

/** What each match stands in, as far as it can be told soon. */
async function addSurroundings(
  workspace: CodeWorkspace,
  matches: readonly TextMatch[],
  waiting: Waiting,
): Promise<void> {
  const untilMs = performance.now() + outlinesMs;
  const paths = [...new Set(matches.map(({ path }) => path))].slice(0, maxOutlines);
  const outlines = new Map<string, readonly OutlineSymbol[]>();
  await Promise.all(
    paths.map(async (path) => {
      const patienceMs = Math.max(untilMs - performance.now(), 0);
      try {
        const { symbols } = await fileOutline(workspace, path, { ...waiting, patienceMs, acceptsPartial: true });
        outlines.set(path, symbols);
      } catch {
        // A match is told whether or not its surroundings are known.
      }
    }),
  );
  for (const match of matches) {
    match.kind ??= await kindOf(workspace, match);
    // By where the line begins: a comment at its end belongs to the same symbol.
    const column = Math.min(match.lineText.search(/\S/) + 1 || 1, match.column);
    const around = symbolsAround(outlines.get(match.path) ?? [], { line: match.line, column });
    const names = around.filter(({ nameRange }) => nameRange.start.line !== match.line).map(({ name }) => name);
    if (names.length > 0) match.enclosing = names.join('/');
  }
}
