import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError, errorMessage } from '../../../base/errors.ts';
import type { LineIndex, Position, Range } from '../../../base/positions.ts';
import type { Provision } from '../../provision/provision.ts';
import type { Project } from '../../workspace/project.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf } from '../languageServer.ts';
import { runProgram } from '../runProgram.ts';
import { linters } from './linters/index.ts';
import type { LinterRules } from './linter.ts';
import type { FoundFix, LintFinding } from './lintOutput.ts';
import { OxlintFixes } from './oxlintFixes.ts';
import { ProblemIds, type KnownProblem, type LintFix } from './problem.ts';
import type { LintResult, ProblemSource } from './problemSource.ts';

/** A linter that knows where engines are installed. */
type LocatedLinter = Omit<LinterRules, 'locate'> & { locate(project: Project): Promise<string | undefined> };

/** The linters a project may use. They run the project's own configuration and plug-ins, so only in projects a person trusts. */
export function lintSources(provision: Provision | undefined): ProblemSource[] {
  return linters.map((rules) => {
    const located = { ...rules, locate: (project: Project) => rules.locate(project, provision) };
    return { analyse: (workspace, files, signal) => lint(located, workspace, files, signal) };
  });
}

async function lint(
  rules: LocatedLinter,
  workspace: CodeWorkspace,
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LintResult | undefined> {
  const { project } = workspace;
  if (!project.trusted) return undefined;
  if (!(await usesLinter(rules, workspace))) return undefined;
  const wanted = files.filter((path) => rules.extensions.test(extensionOf(path)));
  if (files.length > 0 && wanted.length === 0) return undefined;
  const program = await rules.locate(project);
  if (program === undefined) return undefined;
  try {
    const { stdout, stderr } = await runProgram({
      name: rules.name,
      command: program,
      args: rules.arguments(wanted.length > 0 ? wanted : ['.']),
      cwd: project.root,
      env: project.env,
      timeoutMs: 30_000,
      signal,
    });
    if (stdout.trim() === '')
      return { engine: rules.name, problems: [], failure: `${rules.name} failed: ${stderr.trim().slice(-400)}` };
    return {
      engine: rules.name,
      problems: await problemsOf(rules, workspace, rules.parse(stdout, project.root), program),
    };
  } catch (error) {
    // A linter that does not work must not hide what the language servers found.
    return { engine: rules.name, problems: [], failure: `${rules.name} failed: ${errorMessage(error)}` };
  }
}

async function usesLinter(rules: LinterRules, workspace: CodeWorkspace): Promise<boolean> {
  for (const name of rules.configuration) {
    const path = join(workspace.project.root, name);
    if (!existsSync(path)) continue;
    const section = rules.sections?.[name];
    if (section === undefined || (await workspace.texts.tryGet(path))?.text.includes(section) === true) return true;
  }
  return false;
}

async function problemsOf(
  rules: LocatedLinter,
  workspace: CodeWorkspace,
  findings: readonly LintFinding[],
  program: string,
): Promise<KnownProblem[]> {
  const ids = new Map<string, ProblemIds>();
  const problems: KnownProblem[] = [];
  const served = rules.tellsFixesAsServer === true ? new OxlintFixes(workspace.project, program) : undefined;
  for (const finding of findings) {
    const text = await workspace.texts.tryGet(finding.path);
    const fileIds = ids.get(finding.path) ?? new ProblemIds(finding.path, text);
    ids.set(finding.path, fileIds);
    const range = text === undefined ? finding.range : inUtf16(finding.range, text, rules.columns);
    const problem = {
      id: fileIds.next(range, finding.code, finding.message),
      path: finding.path,
      range,
      severity: finding.severity,
      code: finding.code,
      source: rules.name,
      message: finding.message,
    };
    const fixes = async () => {
      if (text === undefined) return [];
      return served?.of(problem, text) ?? fixesOf(rules, workspace, finding, text, program);
    };
    problems.push({ problem, wire: undefined, lintFixes: fixes });
  }
  return problems;
}

function fixesOf(
  rules: LocatedLinter,
  workspace: CodeWorkspace,
  finding: LintFinding,
  text: LineIndex,
  program: string,
): LintFix[] {
  const told = (finding.fixes ?? []).map((fix: FoundFix) => ({
    title: fix.title,
    safe: fix.safe,
    edits: () => Promise.resolve(fix.edits.map(({ at, newText }) => ({ range: rangeOf(at, text, rules), newText }))),
  }));
  const args = rules.fixArguments?.(workspace.shown(finding.path), finding.code ?? '');
  if (args === undefined) return told;
  const edits = async () => {
    const { stdout, stderr } = await runProgram({
      name: rules.name,
      command: program,
      args,
      cwd: workspace.project.root,
      env: workspace.project.env,
      input: text.text,
      timeoutMs: 30_000,
    });
    if (stdout.trim() === '' || stdout === text.text)
      throw new ToolError('refactoring_not_available', `${rules.name} has no fix for ${finding.code ?? 'this'} here.`, {
        ...(stderr.trim() === '' ? {} : { hint: stderr.trim().slice(-300) }),
      });
    const whole = { start: { line: 1, column: 1 }, end: text.positionAt(text.text.length) };
    return [{ range: whole, newText: stdout }];
  };
  return [
    ...told,
    { title: `Fix all ${finding.code ?? ''} problems of the file`, safe: false, wholeFile: true, edits },
  ];
}

function rangeOf(at: FoundFix['edits'][number]['at'], text: LineIndex, rules: LocatedLinter): Range {
  return 'start' in at
    ? inUtf16(at, text, rules.columns)
    : { start: text.positionAt(at[0]), end: text.positionAt(at[1]) };
}

function inUtf16({ start, end }: Range, text: LineIndex, columns: LinterRules['columns']): Range {
  if (columns === 'utf16') return { start, end };
  const convert = ({ line, column }: Position): Position => {
    if (columns === 'utf8') return { line, column: text.columnFromUtf8(line, column) };
    const before = Array.from(text.lineText(line) ?? '').slice(0, column - 1);
    return { line, column: before.join('').length + 1 };
  };
  return { start: convert(start), end: convert(end) };
}
