import { relative } from 'node:path';
import type { TestResult, TestRun } from '../model.ts';

/** JUnit XML as build servers read it: a suite for each run; what was not run is an error, so that nobody takes it for a pass. */
export function junitReport(runs: readonly TestRun[], root: string): string {
  const suites = runs.flatMap((run) => suiteLines(run, root));
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join('\n');
}

function suiteLines(run: TestRun, root: string): string[] {
  const { counts } = run;
  const errors = counts.notRun + run.problems.length;
  const head = attributes({
    name: `${run.runner} ${relative(root, run.folder)}`.trim(),
    tests: counts.expected + run.problems.length,
    failures: counts.failed,
    errors,
    skipped: counts.skipped,
    time: seconds(run.durationMs),
    timestamp: run.startedAt,
  });
  return [
    `  <testsuite${head}>`,
    ...run.results.flatMap((result) => caseLines(result, root)),
    ...run.notRun.flatMap(({ tests, why }) =>
      tests.map(
        (test) => `    <testcase${caseAttributes(test, root)}><error${attributes({ message: why })}/></testcase>`,
      ),
    ),
    ...run.problems.map(
      ({ kind, file, message }) =>
        `    <testcase${attributes({ name: kind, file: file === undefined ? undefined : relative(root, file) })}><error${attributes({ message })}/></testcase>`,
    ),
    '  </testsuite>',
  ];
}

function caseLines(result: TestResult, root: string): string[] {
  const open = `    <testcase${caseAttributes(result, root)}${attributes({ time: seconds(result.durationMs ?? 0) })}`;
  if (result.status === 'passed') return [`${open}/>`];
  if (result.status === 'skipped') return [`${open}><skipped${attributes({ message: result.reason })}/></testcase>`];
  const failures = (result.failures ?? []).map(({ message, type, frames, diff }) => {
    const text = [
      message,
      diff,
      ...frames.map(({ file, line, function: name }) => `at ${name ?? ''} (${file}:${line})`),
    ];
    return `      <failure${attributes({ message: message.split('\n')[0], type })}>${escaped(text.filter(Boolean).join('\n'))}</failure>`;
  });
  const output = result.output === undefined ? [] : [`      <system-out>${escaped(result.output)}</system-out>`];
  return [`${open}>`, ...failures, ...output, '    </testcase>'];
}

function caseAttributes(
  { suite, name, file, line }: Pick<TestResult, 'suite' | 'name' | 'file' | 'line'>,
  root: string,
): string {
  const shownFile = file === undefined ? undefined : relative(root, file);
  return attributes({ name, classname: suite.join(' > ') || shownFile, file: shownFile, line });
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`)
    .join('');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Also without the characters that XML cannot hold at all. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
}
