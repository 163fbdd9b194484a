import { counted } from '../../base/text/counted.ts';
import type { FailureData, RunData } from './runShapes.ts';

export function renderRun(run: RunData): string[] {
  return [
    headline(run),
    ...run.failures.flatMap(renderFailure),
    ...(run.moreFailed === undefined ? [] : [`Failed, too: ${run.moreFailed.join('; ')}`]),
    ...(run.notRunWhy ?? []).map(renderNotRun),
    ...(run.problems ?? []).flatMap(renderProblem),
    ...renderSkipped(run),
    ...renderRunning(run),
    ...renderCoverage(run),
    ...(run.notes ?? []),
  ];
}

function renderCoverage({ coverage }: RunData): string[] {
  if (coverage === undefined) return [];
  if ('problem' in coverage) return [`No coverage: ${coverage.problem}`];
  const { covered, lines, percent, files } = coverage;
  return [
    `coverage: ${covered} of ${lines} lines ran (${percent} %) in ${counted(files, 'file')}${covered < lines ? '; get_coverage tells which did not' : ''}`,
  ];
}

function headline(run: RunData): string {
  const { expected, passed, failed, skipped, notRun, deselected } = run;
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${passed} passed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(run.state === 'running' ? [`${notRun} not ended`] : notRun > 0 ? [`${notRun} NOT RUN`] : []),
  ];
  const left = deselected === undefined ? '' : `; ${deselected} not selected`;
  const where = run.folder === '.' ? '' : ` in ${run.folder}`;
  const attempt = run.attempt === undefined ? '' : ` #${run.attempt}`;
  return `${run.runner}${where}${attempt}: of ${counted(expected, 'test')}${run.state === 'running' ? ' known so far' : ''} ${parts.join(', ')}${left} (${howEnded(run)})`;
}

function howEnded({ state, durationMs, exitCode, signal, jobId }: RunData): string {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (state === 'running') return `running for ${seconds}, ${jobId ?? ''}`;
  if (state === 'ended') return seconds;
  const end = signal === undefined ? `code ${exitCode ?? '?'}` : signal;
  return state === 'stopped' ? `stopped after ${seconds}` : `the runner died with ${end} after ${seconds}`;
}

function renderFailure(failure: FailureData): string[] {
  const { test, at, error, message, expected, actual, diff, failedAt, code, output } = failure;
  const lines = [`FAILED ${test}${at === undefined ? '' : ` (${at})`}`];
  lines.push(...`${error === undefined ? '' : `${error}: `}${message}`.split('\n').map((line) => `  ${line}`));
  if (diff !== undefined) lines.push('  - expected, + actual:', ...diff.split('\n').map((line) => `  ${line}`));
  else if (expected !== undefined) lines.push(`  expected ${expected}`, `  actual   ${actual ?? ''}`);
  if (failedAt !== undefined) lines.push(`  at ${failedAt}${code === undefined ? '' : `: ${code}`}`);
  lines.push(...(failure.calledFrom ?? []).map((frame) => `  from ${frame}`));
  lines.push(...(failure.also ?? []).map((text) => `  also: ${text}`));
  if (output !== undefined) lines.push(`  printed: ${output.split('\n').slice(-6).join('\n    ')}`);
  if (failure.alike !== undefined) {
    const more = (failure.alikeCount ?? 0) - failure.alike.length;
    lines.push(`  the same in ${failure.alikeCount} more: ${failure.alike.join('; ')}${more > 0 ? ` +${more}` : ''}`);
  }
  return lines;
}

type NotRunData = NonNullable<RunData['notRunWhy']>[number];
type ProblemData = NonNullable<RunData['problems']>[number];

function renderNotRun({ why, count, at, tests = [], files = [] }: NotRunData): string {
  const more = count > tests.length ? ` +${count - tests.length}` : '';
  const what = [
    ...(count > 0 ? [`${counted(count, 'test')}${tests.length === 0 ? '' : ` (${tests.join('; ')}${more})`}`] : []),
    ...(files.length > 0 ? [`all of ${files.join(', ')}`] : []),
  ];
  const place = at === undefined ? '' : ` (${at})`;
  return `NOT RUN ${what.length === 0 ? 'some files' : what.join(' and ')}: ${why}${place}`;
}

function renderProblem({ kind, at, message, output }: ProblemData): string[] {
  const place = at === undefined ? '' : ` at ${at}`;
  return [
    `PROBLEM (${kind})${place}: ${message}`,
    ...(output === undefined || output === '' ? [] : [`  printed: ${output.split('\n').slice(-12).join('\n    ')}`]),
  ];
}

function renderSkipped({ skippedWhy = [], skipped }: RunData): string[] {
  const told = skippedWhy.filter(({ reason }) => reason !== '');
  if (told.length === 0) return [];
  const silent = skipped - told.reduce((sum, { count }) => sum + count, 0);
  const parts = told.map(({ reason, count }) => `${count} ${reason}`);
  return [`Skipped: ${[...parts, ...(silent > 0 ? [`${silent} without a reason`] : [])].join('; ')}`];
}

function renderRunning({ state, running = [], loading = [] }: RunData): string[] {
  if (state !== 'running') return [];
  return [
    ...running.map(
      ({ test, at, forMs }) =>
        `Running for ${(forMs / 1000).toFixed(1)} s: ${test}${at === undefined ? '' : ` (${at})`}`,
    ),
    ...(loading.length === 0 ? [] : [`Loading: ${loading.join(', ')}`]),
  ];
}
