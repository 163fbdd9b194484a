import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../../base/errors.ts';
import type { Provision } from '../../provision/provision.ts';
import type { Project } from '../../workspace/project.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf } from '../languageServer.ts';
import { runProgram } from '../runProgram.ts';
import { parseEslint, parseOxlint, parseRuff, type LintFinding } from './lintOutput.ts';
import { ProblemIds, type KnownProblem, type Problem } from './problem.ts';
import type { LintResult, ProblemSource } from './problemSource.ts';

interface LinterRules {
  name: string;
  /** Files that show that the project uses it. */
  configuration: readonly string[];
  extensions: RegExp;
  locate(project: Project): Promise<string | undefined>;
  arguments(paths: readonly string[]): string[];
  parse(output: string, root: string): LintFinding[];
}

/** The linters a project may use. They run the project's own configuration and plug-ins, so only in projects a person trusts. */
export function linters(provision: Provision | undefined): ProblemSource[] {
  const inModules = (program: string) => (project: Project) => {
    const path = join(project.root, 'node_modules', '.bin', program);
    return Promise.resolve(existsSync(path) ? path : undefined);
  };
  const rules: LinterRules[] = [
    {
      name: 'ESLint',
      configuration: [
        'eslint.config.js',
        'eslint.config.mjs',
        'eslint.config.cjs',
        'eslint.config.ts',
        '.eslintrc.json',
        '.eslintrc.js',
        '.eslintrc.cjs',
        '.eslintrc.yml',
        '.eslintrc.yaml',
        '.eslintrc',
      ],
      extensions: /^[cm]?[jt]sx?$/,
      locate: inModules('eslint'),
      arguments: (paths) => ['--format', 'json', '--no-error-on-unmatched-pattern', ...paths],
      parse: parseEslint,
    },
    {
      name: 'oxlint',
      configuration: ['.oxlintrc.json', 'oxlint.config.ts'],
      extensions: /^[cm]?[jt]sx?$/,
      locate: inModules('oxlint'),
      arguments: (paths) => ['--format', 'json', ...paths],
      parse: parseOxlint,
    },
    {
      name: 'Ruff',
      configuration: ['ruff.toml', '.ruff.toml', 'pyproject.toml'],
      extensions: /^pyi?$/,
      locate: async (project) => {
        const engine = await provision?.locate('ruff', project);
        return engine?.found === true ? engine.command[0] : undefined;
      },
      arguments: (paths) => ['check', '--output-format', 'json', '--no-fix', '--exit-zero', ...paths],
      parse: parseRuff,
    },
  ];
  return rules.map((rule) => ({ analyse: (workspace, files, signal) => lint(rule, workspace, files, signal) }));
}

async function lint(
  rules: LinterRules,
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
      ...(signal === undefined ? {} : { signal }),
    });
    if (stdout.trim() === '')
      return { engine: rules.name, problems: [], failure: `${rules.name} failed: ${stderr.trim().slice(-400)}` };
    return { engine: rules.name, problems: await problemsOf(rules, workspace, rules.parse(stdout, project.root)) };
  } catch (error) {
    // A linter that does not work must not hide what the language servers found.
    return { engine: rules.name, problems: [], failure: `${rules.name} failed: ${errorMessage(error)}` };
  }
}

async function usesLinter(rules: LinterRules, workspace: CodeWorkspace): Promise<boolean> {
  for (const name of rules.configuration) {
    const path = join(workspace.project.root, name);
    if (!existsSync(path)) continue;
    // pyproject.toml is everybody's; it is Ruff's only with a section of its own.
    if (name !== 'pyproject.toml' || (await workspace.texts.tryGet(path))?.text.includes('[tool.ruff') === true)
      return true;
  }
  return false;
}

async function problemsOf(
  rules: LinterRules,
  workspace: CodeWorkspace,
  findings: readonly LintFinding[],
): Promise<KnownProblem[]> {
  const ids = new Map<string, ProblemIds>();
  const problems: KnownProblem[] = [];
  for (const finding of findings) {
    const text = await workspace.texts.tryGet(finding.path);
    const fileIds = ids.get(finding.path) ?? new ProblemIds(finding.path, text);
    ids.set(finding.path, fileIds);
    const problem: Problem = {
      id: fileIds.next(finding.range, finding.code, finding.message),
      path: finding.path,
      range: finding.range,
      severity: finding.severity,
      ...(finding.code === undefined ? {} : { code: finding.code }),
      source: rules.name,
      message: finding.message,
    };
    const fix = text === undefined ? undefined : finding.fix?.(text);
    problems.push({ problem, wire: undefined, ...(fix === undefined ? {} : { fix }) });
  }
  return problems;
}
