import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorMessage } from '../../../../base/errors.ts';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { runProgram } from '../../runProgram.ts';
import { type KnownProblem, ProblemIds, type Severity } from '../../problems/problem.ts';
import type { LintResult, ProblemSource } from '../../problems/problemSource.ts';

const name = 'cargo check';
/** A first check compiles every dependency; what it has done by then is kept for the next one. */
const checkMs = 30_000;

interface Span {
  file_name: string;
  line_start: number;
  line_end: number;
  column_start: number;
  column_end: number;
  is_primary: boolean;
  label: string | null;
}

interface CompilerMessage {
  reason: string;
  message?: { level: string; message: string; code: { code: string } | null; spans: Span[] };
}

/** What the compiler itself says: types, borrows and lints, of which the language server finds a part. It runs code of the project. */
export const cargoCheck: ProblemSource = {
  analyse: async (workspace, files, signal): Promise<LintResult | undefined> => {
    const { project } = workspace;
    if (!project.trusted) return undefined;
    const about = files.length === 0 ? [join(project.root, 'Cargo.toml')] : files;
    const packages = new Set(about.map((path) => packageOf(path, project.root)));
    // A file of no package is compiled by nobody.
    if (packages.has(undefined)) return undefined;
    const problems: KnownProblem[] = [];
    const failures: string[] = [];
    for (const folder of packages) {
      if (folder === undefined) continue;
      try {
        problems.push(...(await check(workspace, folder, signal)));
      } catch (error) {
        failures.push(`${name}: ${errorMessage(error)}`);
      }
    }
    const wanted = new Set(files);
    return {
      engine: name,
      problems: problems.filter(({ problem }) => wanted.size === 0 || wanted.has(problem.path)),
      ...(failures.length === 0 ? {} : { failure: failures.join('; ') }),
    };
  },
};

async function check(
  workspace: CodeWorkspace,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<KnownProblem[]> {
  const { project } = workspace;
  const cargo = (...args: string[]) =>
    runProgram({
      name,
      command: 'cargo',
      args,
      cwd: folder,
      // A folder of its own: neither does it wait for a build of the person's, nor that for it.
      env: { ...project.env, CARGO_TARGET_DIR: join(project.stateDir, 'cargo-check') },
      timeoutMs: checkMs,
      ...(signal === undefined ? {} : { signal }),
    });
  // Paths in messages are relative to the workspace.
  const root = dirname((await cargo('locate-project', '--workspace', '--message-format=plain')).stdout.trim());
  const args = ['--workspace', '--all-targets', '--keep-going', '--message-format=json', '--color=never'];
  const { stdout, stderr, code } = await cargo('check', ...args);
  const told = messagesIn(stdout);
  if (code !== 0 && !told.some(({ message }) => message?.level === 'error'))
    throw new Error(`it failed: ${stderr.trim().slice(-300)}`);
  return problemsOf(workspace, told, root);
}

function packageOf(path: string, root: string): string | undefined {
  for (let folder = dirname(path); folder.startsWith(root); folder = dirname(folder)) {
    if (existsSync(join(folder, 'Cargo.toml'))) return folder;
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

function messagesIn(output: string): CompilerMessage[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const told = JSON.parse(line) as CompilerMessage;
    return told.reason === 'compiler-message' ? [told] : [];
  });
}

async function problemsOf(
  workspace: CodeWorkspace,
  told: readonly CompilerMessage[],
  folder: string,
): Promise<KnownProblem[]> {
  const ids = new Map<string, ProblemIds>();
  const seen = new Set<string>();
  const problems: KnownProblem[] = [];
  for (const { message } of told) {
    const span = message?.spans.find((each) => each.is_primary);
    const severity = severityOf(message?.level ?? '');
    if (message === undefined || span === undefined || severity === undefined) continue;
    const path = resolve(folder, span.file_name);
    // The same code is compiled once for the program and once for its tests.
    const key = JSON.stringify([path, span.line_start, span.column_start, message.message]);
    if (seen.has(key)) continue;
    seen.add(key);
    const text = await workspace.texts.tryGet(path);
    const fileIds = ids.get(path) ?? new ProblemIds(path, text);
    ids.set(path, fileIds);
    const range = rangeOf(span, text);
    const code = message.code?.code;
    const words = [message.message, ...(span.label === null ? [] : [span.label])].join(': ');
    const id = fileIds.next(range, code, words);
    problems.push({ problem: { id, path, range, severity, code, source: name, message: words }, wire: undefined });
  }
  return problems;
}

function severityOf(level: string): Severity | undefined {
  if (level === 'error' || level === 'warning') return level;
  return undefined;
}

/** Its columns count characters, not UTF-16 units. */
function rangeOf(span: Span, text: LineIndex | undefined): Range {
  const column = (line: number, counted: number) =>
    Array.from(text?.lineText(line) ?? '')
      .slice(0, counted - 1)
      .join('').length + 1;
  const at = (line: number, counted: number) => ({
    line,
    column: text === undefined ? counted : column(line, counted),
  });
  return { start: at(span.line_start, span.column_start), end: at(span.line_end, span.column_end) };
}
