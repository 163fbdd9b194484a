import { rgPath } from '@vscode/ripgrep';
import { TransportError } from '../../base/errors.ts';
import type { FileRange } from '../../protocol/lsp/convert.ts';
import { runProgram } from './runProgram.ts';

export interface RipgrepRun {
  root: string;
  args: readonly string[];
  signal?: AbortSignal;
  maxBytes?: number;
}

/** Runs ripgrep and gives its output. Finding nothing is an empty answer. */
export async function runRipgrep(run: RipgrepRun): Promise<{ output: string; truncated: boolean }> {
  const { stdout, stderr, code, truncated } = await runProgram({
    name: 'ripgrep',
    command: rgPath,
    // A configuration file of the user could change what is found.
    args: ['--no-config', ...run.args],
    cwd: run.root,
    env: process.env,
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    ...(run.maxBytes === undefined ? {} : { maxBytes: run.maxBytes }),
  });
  // 1: nothing found. 2 with output: some files could not be read, the rest is right.
  if (code === 2 && stdout === '' && !truncated && /error|invalid|unrecognized/i.test(stderr))
    throw new TransportError('ripgrep', `The search failed: ${stderr.trim()}`, stderr);
  return { output: stdout, truncated };
}

/** The files of a project with one of these extensions (or exact names), those that git ignores left out. Absolute, sorted. */
export async function listSourceFiles(
  root: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const { output } = await runRipgrep({
    root,
    args: ['--files', '--null', ...sourceFilters(extensions), root],
    ...(signal === undefined ? {} : { signal }),
  });
  return pathsIn(output);
}

/** Files with these extensions that hold a text, whatever its case. */
export function filesContaining(
  root: string,
  text: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  return filesWith(root, ['--fixed-strings', '--ignore-case', ...sourceFilters(extensions), '--', text], signal);
}

/** Files with these extensions that hold something like a regular expression, whatever its case. */
export function filesMatching(
  root: string,
  pattern: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  return filesWith(root, ['--ignore-case', ...sourceFilters(extensions), '--', pattern], signal);
}

async function filesWith(root: string, search: readonly string[], signal: AbortSignal | undefined): Promise<string[]> {
  const { output } = await runRipgrep({
    root,
    args: ['--files-with-matches', '--null', ...search, root],
    ...(signal === undefined ? {} : { signal }),
  });
  return pathsIn(output);
}

export interface WordPlace extends FileRange {
  lineText: string;
}

/** Every place where a word stands in files with these extensions. Textual: comments and strings included. */
export async function occurrencesOfWord(
  root: string,
  word: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<WordPlace[]> {
  const { output } = await runRipgrep({
    root,
    args: ['--json', '--word-regexp', '--fixed-strings', ...sourceFilters(extensions), '--', word, root],
    ...(signal === undefined ? {} : { signal }),
  });
  return output.split('\n').flatMap((line) => (line.startsWith('{"type":"match"') ? placesIn(line) : []));
}

/** The project's own files with these extensions, hidden ones included, ignored ones not. */
function sourceFilters(extensions: readonly string[]): string[] {
  const dependencies = '!**/{.git,node_modules,.venv,venv,__pycache__}/**';
  return ['--hidden', '--no-require-git', '--glob', `*.{${extensions.join(',')}}`, '--glob', dependencies];
}

function pathsIn(output: string): string[] {
  return output
    .split('\0')
    .filter((path) => path !== '')
    .sort();
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
