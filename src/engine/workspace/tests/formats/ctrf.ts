import { relative } from 'node:path';
import type { TestResult, TestRun } from '../model.ts';

/** The Common Test Report Format: what other tools read. Tests without a verdict are `other`, with why. */
export function ctrfReport(runs: readonly TestRun[], root: string): string {
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const stops = runs.map(({ durationMs }, at) => (starts[at] ?? 0) + Math.round(durationMs));
  const sum = (of: (run: TestRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  const [first] = runs;
  return JSON.stringify(
    {
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      results: {
        tool: { name: [...new Set(runs.map(({ runner }) => runner))].join(', '), ...versionOf(first) },
        summary: {
          tests: sum(({ counts }) => counts.expected),
          passed: sum(({ counts }) => counts.passed),
          failed: sum(({ counts }) => counts.failed),
          pending: 0,
          skipped: sum(({ counts }) => counts.skipped),
          other: sum(({ counts }) => counts.notRun),
          start: Math.min(...starts),
          stop: Math.max(...stops),
        },
        tests: runs.flatMap((run) => [
          ...run.results.map((result) => testOf(result, run, root)),
          ...run.notRun.flatMap(({ tests, why }) =>
            tests.map((test) => ({ ...placed(test, root), status: 'other', duration: 0, message: why })),
          ),
        ]),
      },
    },
    undefined,
    1,
  );
}

function versionOf(run: TestRun | undefined): { version?: string } {
  return run?.runnerVersion === undefined ? {} : { version: run.runnerVersion };
}

function testOf(result: TestResult, run: TestRun, root: string): Record<string, unknown> {
  const [failure] = result.failures ?? [];
  const message = failure?.message ?? result.reason;
  const trace = failure?.frames
    .map(({ file, line, function: name }) => `at ${name ?? ''} (${file}:${line})`)
    .join('\n');
  const isFlaky =
    (result.status === 'passed' && (result.retries ?? 0) > 0) ||
    run.flaky?.some(({ test }) => test.name === result.name && test.file === result.file) === true;
  return {
    ...placed(result, root),
    status: result.status,
    duration: Math.round(result.durationMs ?? 0),
    ...(message === undefined ? {} : { message }),
    ...(trace === undefined || trace === '' ? {} : { trace }),
    ...(result.retries === undefined ? {} : { retries: result.retries }),
    ...(isFlaky ? { flaky: true } : {}),
    ...(result.output === undefined ? {} : { stdout: result.output.split('\n') }),
  };
}

function placed({ suite, name, file, line }: Pick<TestResult, 'suite' | 'name' | 'file' | 'line'>, root: string) {
  return {
    name,
    ...(suite.length === 0 ? {} : { suite }),
    ...(file === undefined ? {} : { filePath: relative(root, file) }),
    ...(line === undefined ? {} : { line }),
  };
}
