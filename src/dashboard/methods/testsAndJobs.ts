import { z } from 'zod';
import { errorMessage } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import { clip } from '../../base/text/textBudget.ts';
import { Job } from '../../engine/workspace/jobs/jobStore.ts';
import type { JobView } from '../../engine/workspace/jobs/jobView.ts';
import type { TestFailure, TestRef, TestResult, TestRun } from '../../engine/workspace/tests/model.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { projectAt } from '../projectAt.ts';
import type { JobRow, TestRow, TestRunView } from '../viewChannel.ts';

const maxTests = 3000;
const maxJobs = 50;
const maxTextChars = 8000;
const maxOutputBytes = 200_000;
const outputWaitMs = 20_000;

/** Test runs and jobs as a person sees them; they are started and stopped by the tools. */
export function testMethods({ parts }: MethodContext): AnyMethod[] {
  const { engines, projects } = parts;
  return [
    method('tests.latest', z.object({ project: z.string() }), async ({ project }) => {
      const where = projectAt(projects, project);
      const batch = engines.tests.batch(where);
      const runs =
        batch === undefined || (batch.hasEnded && batch.runs.length === 0)
          ? await engines.tests.latestRuns(where)
          : await batch.looks();
      const failure = batch?.failure === undefined ? undefined : errorMessage(batch.failure);
      return {
        isRunning: batch?.hasEnded === false,
        runs: runs.slice(-20).map((run) => runView(run, where.root)),
        ...(failure === undefined ? {} : { failure }),
      };
    }),
    method('jobs.list', z.object({ project: z.string() }), async ({ project }) => {
      const all = await engines.jobs.all(projectAt(projects, project));
      return all.slice(0, maxJobs).map(jobRow);
    }),
    method(
      'jobs.output',
      z.object({ project: z.string(), id: z.string(), since: z.int().min(0) }),
      async ({ project, id, since }, signal) => {
        const job = await engines.jobs.find(projectAt(projects, project), id);
        if (job instanceof Job && job.state === 'running' && job.output.totalBytes <= since)
          await outputOf(job, signal);
        const { output } = job;
        const from = Math.max(since, output.totalBytes - maxOutputBytes);
        const page = output.read(from, maxOutputBytes);
        return { text: page.text, position: page.next, dropped: page.from - since, state: job.state };
      },
    ),
  ];
}

/** Resolves with more output, the end of the job, or when nothing came for a while. */
function outputOf(job: Job, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      void hearing.dispose();
      resolve();
    };
    const timer = setTimeout(done, outputWaitMs);
    const hearing = job.output.onDidAppend.on(done);
    signal.addEventListener('abort', done, { once: true });
    void job.ended.finally(() => done());
  });
}

function jobRow({ id, name, shownCommand, state, startedAt, durationMs, exit }: JobView): JobRow {
  const how =
    exit === undefined ? undefined : exit.code === null ? `signal ${exit.signal ?? '?'}` : `exit ${exit.code}`;
  return {
    id,
    name,
    command: shownCommand,
    state,
    startedAt: startedAt.toISOString(),
    durationMs,
    ...(how === undefined ? {} : { exit: how }),
  };
}

function runView(run: TestRun, root: string): TestRunView {
  const order = { failed: 0, running: 1, 'not run': 2, skipped: 3, passed: 4 } as const;
  const tests = [
    ...run.results.map((result) => testRow(result, run)),
    ...run.running.map((test) => otherRow(test, 'running', undefined)),
    ...run.notRun.flatMap(({ tests: missing, why }) => missing.map((test) => otherRow(test, 'not run', why))),
  ].sort((a, b) => order[a.status] - order[b.status]);
  const { counts, problems } = run;
  return {
    id: run.id,
    runner: run.runner,
    folder: displayPath(root, run.folder) || '.',
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    state: run.state,
    selected: run.selected,
    counts: {
      expected: counts.expected,
      passed: counts.passed,
      failed: counts.failed,
      skipped: counts.skipped,
      notRun: counts.notRun,
    },
    tests: tests.slice(0, maxTests),
    moreTests: Math.max(tests.length - maxTests, 0),
    problems: problems
      .slice(0, 20)
      .map(({ message, file, line }) => ({ message: clip(message, maxTextChars), file, line })),
    jobId: run.jobId,
    repeated: run.repeated,
    hasCoverage: run.coverage !== undefined,
  };
}

function testRow(result: TestResult, { flaky }: TestRun): TestRow {
  const unsteady = flaky?.find(({ test }) => keyOf(test) === keyOf(result));
  return {
    ...namesOf(result),
    status: result.status,
    durationMs: result.durationMs,
    reason: result.reason,
    failures: (result.failures ?? []).slice(0, 5).map(failureView),
    ...(unsteady === undefined ? {} : { flaky: { failed: unsteady.failed, of: unsteady.of } }),
  };
}

function otherRow(test: TestRef, status: 'running' | 'not run', reason: string | undefined): TestRow {
  return { ...namesOf(test), status, ...(reason === undefined ? {} : { reason }), failures: [] };
}

function namesOf({ suite, name, parameters, file, line }: TestRef): Pick<TestRow, 'suite' | 'name' | 'file' | 'line'> {
  return { suite: [...suite], name: parameters === undefined ? name : `${name}[${parameters}]`, file, line };
}

function keyOf({ file = '', suite, name, parameters = '' }: TestRef): string {
  return [file, ...suite, name, parameters].join('\0');
}

function failureView({ message, expected, actual, diff, place }: TestFailure): TestRow['failures'][number] {
  const cut = (text: string | undefined) => (text === undefined ? undefined : clip(text, maxTextChars));
  return {
    message: clip(message, maxTextChars),
    expected: cut(expected),
    actual: cut(actual),
    diff: cut(diff),
    ...(place === undefined ? {} : { place: { file: place.file, line: place.line, text: place.text } }),
  };
}
