import type { FileRange } from '../../protocol/lsp/convert.ts';
import { ripgrepRecords, type SearchedProject } from '../workspace/ripgrep.ts';

/** The files of a project with one of these extensions (or exact names), those that git ignores left out. Absolute, sorted. */
export async function listSourceFiles(
  project: SearchedProject,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  return paths(project, ['--files', ...sourceFilters(extensions)], signal);
}

/** Files with these extensions that hold a text, whatever its case. */
export function filesContaining(
  project: SearchedProject,
  text: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  return filesWith(project, ['--fixed-strings', '--ignore-case', ...sourceFilters(extensions), '--', text], signal);
}

/** Files with these extensions that hold something like a regular expression, whatever its case. */
export function filesMatching(
  project: SearchedProject,
  pattern: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  return filesWith(project, ['--ignore-case', ...sourceFilters(extensions), '--', pattern], signal);
}

/** Files with these extensions that hold a word. */
export function filesWithWord(
  project: SearchedProject,
  word: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  return filesWith(project, ['--fixed-strings', '--word-regexp', ...sourceFilters(extensions), '--', word], signal);
}

function filesWith(
  project: SearchedProject,
  search: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  return paths(project, ['--files-with-matches', ...search], signal);
}

async function paths(
  project: SearchedProject,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const run = { args: ['--null', ...args, project.root], separator: '\0' as const };
  return (await ripgrepRecords(project, { ...run, ...(signal === undefined ? {} : { signal }) })).sort();
}

export interface WordPlace extends FileRange {
  lineText: string;
}

/** Every place where a word stands in files with these extensions. Textual: comments and strings included. */
export async function occurrencesOfWord(
  project: SearchedProject,
  word: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<WordPlace[]> {
  const records = await ripgrepRecords(project, {
    args: ['--json', '--word-regexp', '--fixed-strings', ...sourceFilters(extensions), '--', word, project.root],
    separator: '\n',
    signal,
  });
  return records.flatMap((line) => (line.startsWith('{"type":"match"') ? placesIn(line) : []));
}

/** The project's own files with these extensions, hidden ones included, ignored ones not. */
export function sourceFilters(extensions: readonly string[]): string[] {
  const dependencies = '!**/{.git,node_modules,.venv,venv,__pycache__}/**';
  return ['--hidden', '--no-require-git', '--glob', `*.{${extensions.join(',')}}`, '--glob', dependencies];
}

interface RipgrepMatch {
  data: {
    path: { text?: string };
    lines: { text?: string };
    line_number: number;
    submatches: { start: number; end: number }[];
  };
}

function placesIn(json: string): WordPlace[] {
  const { data } = JSON.parse(json) as RipgrepMatch;
  const { text: path } = data.path;
  const { text: line } = data.lines;
  // Names and lines that are not UTF-8 come as bytes; no language server could name them either.
  if (path === undefined || line === undefined) return [];
  const bytes = Buffer.from(line, 'utf8');
  const column = (offset: number) =>
    bytes
      .subarray(0, offset)
      .toString('utf8')
      .replace(/^\uFEFF/, '').length + 1;
  return data.submatches.map(({ start, end }) => ({
    path,
    lineText: line.replace(/^\uFEFF/, ''),
    range: {
      start: { line: data.line_number, column: column(start) },
      end: { line: data.line_number, column: column(end) },
    },
  }));
}
