import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import type {
  NotRun,
  RunProblem,
  TestFailure,
  TestFrame,
  TestRef,
  TestResult,
  TestRun,
} from '../../engine/workspace/tests/model.ts';

const failureShape = z.object({
  /** `suite > test`. */
  test: z.string(),
  /** Where the test is written. */
  at: z.string().optional(),
  error: z.string().optional(),
  message: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  diff: z.string().optional(),
  /** The innermost line of the project's own code. */
  failedAt: z.string().optional(),
  code: z.string().optional(),
  /** The project's own calls above it. */
  calledFrom: z.array(z.string()).optional(),
  output: z.string().optional(),
  /** Failures of the same test after the first. */
  also: z.array(z.string()).optional(),
  /** Other tests that failed in the same way at the same line. */
  alike: z.array(z.string()).optional(),
  alikeCount: z.int().optional(),
});
export type FailureData = z.output<typeof failureShape>;

export const runShape = z.object({
  runId: z.string(),
  runner: z.string(),
  folder: z.string(),
  state: z.enum(['running', 'ended', 'died', 'stopped']),
  attempt: z.int().optional(),
  selected: z.string().optional(),
  durationMs: z.int(),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  /** wait_job, read_run_output and stop_job take it. */
  jobId: z.string().optional(),
  /** What was to be run; of it `ran` have a verdict. */
  expected: z.int(),
  ran: z.int(),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  notRun: z.int(),
  /** Left out by the selection. */
  deselected: z.int().optional(),
  failures: z.array(failureShape),
  /** Failed tests of which no more than the name is told here. */
  moreFailed: z.array(z.string()).optional(),
  skippedWhy: z
    .array(z.object({ reason: z.string(), count: z.int(), tests: z.array(z.string()).optional() }))
    .optional(),
  notRunWhy: z
    .array(
      z.object({
        reason: z.string(),
        why: z.string(),
        count: z.int(),
        /** Where that is in the project's own code. */
        at: z.string().optional(),
        tests: z.array(z.string()).optional(),
        files: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  problems: z
    .array(
      z.object({ kind: z.string(), at: z.string().optional(), message: z.string(), output: z.string().optional() }),
    )
    .optional(),
  /** Tests that have started and not ended. */
  running: z.array(z.object({ test: z.string(), at: z.string().optional(), forMs: z.int() })).optional(),
  /** Files that are being loaded. */
  loading: z.array(z.string()).optional(),
  notes: z.array(z.string()).optional(),
  /** Of a run with coverage; get_coverage tells the lines. */
  coverage: z
    .union([
      z.object({ lines: z.int(), covered: z.int(), percent: z.number(), files: z.int() }),
      z.object({ problem: z.string() }),
    ])
    .optional(),
});
export type RunData = z.output<typeof runShape>;

/** How much of a run is told; the counts are always whole. */
export interface Detail {
  failures: number;
  names: number;
  printedChars: number;
}

/** From much to little: the first that fits is taken. */
export const details: readonly Detail[] = [
  { failures: 12, names: 60, printedChars: 600 },
  { failures: 6, names: 40, printedChars: 300 },
  { failures: 3, names: 20, printedChars: 120 },
  { failures: 2, names: 10, printedChars: 0 },
  { failures: 1, names: 5, printedChars: 0 },
  { failures: 0, names: 3, printedChars: 0 },
];

const maxAlike = 5;

export function runData(run: TestRun, root: string, detail: Detail): RunData {
  const { counts, results, notRun, problems, running, loading } = run;
  const failed = results.filter(({ status }) => status === 'failed');
  const groups = failureGroups(failed);
  const shown = groups.slice(0, detail.failures);
  const rest = groups.slice(detail.failures).flatMap((group) => group.map(testName));
  const skipped = skippedReasons(results, detail);
  const untold = problems.filter((problem) => !notRun.some((reason) => isReason(reason, problem)));
  return {
    runId: run.id,
    runner: run.runnerVersion === undefined ? run.runner : `${run.runner} ${run.runnerVersion.replace(/^v/, '')}`,
    folder: displayPath(root, run.folder) || '.',
    state: run.state,
    ...(run.attempt === undefined ? {} : { attempt: run.attempt }),
    ...(run.selected === undefined ? {} : { selected: run.selected }),
    durationMs: Math.round(run.durationMs),
    ...(run.exitCode === undefined ? {} : { exitCode: run.exitCode }),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    ...(run.jobId === undefined ? {} : { jobId: run.jobId }),
    ...counts,
    failures: shown.map((group) => failureData(group, root, detail)),
    ...(rest.length === 0 ? {} : { moreFailed: someOf(rest, detail.names) }),
    ...(skipped.length === 0 ? {} : { skippedWhy: skipped }),
    ...(notRun.length === 0 ? {} : { notRunWhy: notRun.map((each) => notRunData(each, problems, root, detail)) }),
    ...(untold.length === 0
      ? {}
      : { problems: untold.slice(0, Math.min(detail.names, 10)).map((each) => problemData(each, root)) }),
    ...(running.length === 0
      ? {}
      : { running: running.slice(0, 10).map((test) => ({ ...named(test, root), forMs: Math.round(test.forMs) })) }),
    ...(loading.length === 0 ? {} : { loading: loading.slice(0, 10).map((file) => displayPath(root, file)) }),
    ...(run.notes === undefined ? {} : { notes: [...run.notes] }),
    ...(run.coverage === undefined ? {} : { coverage: run.coverage }),
  };
}

export function testName({ suite, name }: TestRef): string {
  return [...suite, name].join(' > ');
}

/** `suite > test` with the place where it is written. */
export function named(test: TestRef, root: string): { test: string; at?: string } {
  const { file, line } = test;
  if (file === undefined) return { test: testName(test) };
  return { test: testName(test), at: displayPath(root, file) + (line === undefined ? '' : `:${line}`) };
}

/** Tests that failed with the same words at the same line are one failure with several names. */
function failureGroups(failed: readonly TestResult[]): TestResult[][] {
  const groups = new Map<string, TestResult[]>();
  for (const test of failed) {
    const [failure] = test.failures ?? [];
    const { place, message = '' } = failure ?? {};
    // Nothing but its subtests, which are told themselves.
    const isParent = failure?.type === 'subtests';
    const words = message.split('\n')[0]?.replaceAll(/\d+/g, '0') ?? '';
    const key = isParent ? 'subtests' : `${place?.file ?? test.file} ${place?.line ?? ''} ${words}`;
    groups.set(key, [...(groups.get(key) ?? []), test]);
  }
  const parents = groups.get('subtests');
  groups.delete('subtests');
  return [...groups.values(), ...(parents === undefined ? [] : [parents])];
}

function failureData(group: readonly TestResult[], root: string, { printedChars }: Detail): FailureData {
  const [first, ...others] = group;
  if (first === undefined) return { test: '', message: '' };
  const [failure, ...more] = first.failures ?? [];
  const alike = others.map(testName);
  const printed = first.output?.trim() ?? '';
  return {
    ...named(first, root),
    ...failureFields(failure ?? { message: 'It failed without a word.', frames: [] }, first, root),
    ...(printed === '' || printedChars === 0 ? {} : { output: printed.slice(-printedChars) }),
    ...(more.length === 0 ? {} : { also: more.slice(0, 3).map(({ message }) => firstLine(message)) }),
    ...(alike.length === 0 ? {} : { alike: alike.slice(0, maxAlike), alikeCount: alike.length }),
  };
}

function failureFields(failure: TestFailure, test: TestRef, root: string): Omit<FailureData, 'test'> {
  const { type, message, expected, actual, diff, place, frames } = failure;
  const hasSides = diff !== undefined || (expected !== undefined && actual !== undefined);
  const isError = type !== undefined && !['Error', 'AssertionError', 'subtests', 'JestAssertionError'].includes(type);
  const callers = frames.slice(1, 5).map((frame) => shownFrame(frame, root));
  return {
    ...(isError ? { error: type } : {}),
    // The rest of such a message draws the two sides once more.
    message: hasSides ? firstLine(message) : message.split('\n').slice(0, 8).join('\n').slice(0, 700),
    ...(diff !== undefined
      ? { diff: diff.split('\n').slice(0, 24).join('\n') }
      : hasSides
        ? { expected: String(expected).slice(0, 300), actual: String(actual).slice(0, 300) }
        : {}),
    ...(place === undefined
      ? {}
      : {
          failedAt: shownFrame(place, root),
          ...(place.text === undefined || place.text === '' ? {} : { code: place.text.slice(0, 160) }),
        }),
    ...(callers.length === 0 || place?.file === test.file ? {} : { calledFrom: callers }),
  };
}

function shownFrame({ file, line, function: name }: TestFrame, root: string): string {
  return `${displayPath(root, file)}:${line}${name === undefined ? '' : ` in ${name}`}`;
}

function skippedReasons(results: readonly TestResult[], { names }: Detail): NonNullable<RunData['skippedWhy']> {
  const groups = new Map<string, string[]>();
  for (const test of results) {
    if (test.status !== 'skipped') continue;
    const reason = firstLine(test.reason ?? '');
    groups.set(reason, [...(groups.get(reason) ?? []), testName(test)]);
  }
  return [...groups]
    .toSorted((a, b) => b[1].length - a[1].length)
    .slice(0, Math.min(8, names))
    .map(([reason, tests]) => ({
      reason,
      count: tests.length,
      ...(names > 20 ? { tests: tests.slice(0, 3) } : {}),
    }));
}

function notRunData(
  reason: NotRun,
  problems: readonly RunProblem[],
  root: string,
  { names }: Detail,
): NonNullable<RunData['notRunWhy']>[number] {
  const { tests, files } = reason;
  const problem = problems.find((each) => isReason(reason, each));
  const at = problem === undefined ? undefined : problemData(problem, root).at;
  const shownFiles = files?.slice(0, names).map((file) => displayPath(root, file));
  return {
    reason: reason.reason,
    why: reason.why,
    count: reason.count,
    ...(at === undefined || shownFiles?.includes(at) === true ? {} : { at }),
    ...(tests.length === 0 ? {} : { tests: tests.slice(0, Math.min(6, names)).map(testName) }),
    ...(shownFiles === undefined ? {} : { files: shownFiles }),
  };
}

/** Whether tests were not run because of a problem, which then needs no line of its own. */
function isReason({ why }: NotRun, { message, output }: RunProblem): boolean {
  return output === undefined && why === message.split('\n').slice(0, 3).join(' ').slice(0, 300);
}

function problemData({ kind, file, line, message, output, frames }: RunProblem, root: string) {
  const [frame] = frames ?? [];
  const place = file ?? frame?.file;
  const at =
    place === undefined
      ? undefined
      : displayPath(root, place) + atLine(line ?? (frame?.file === place ? frame?.line : undefined));
  return {
    kind,
    ...(at === undefined ? {} : { at }),
    message: message.split('\n').slice(0, 6).join('\n').slice(0, 600),
    ...(output === undefined ? {} : { output: output.slice(-1200) }),
  };
}

function atLine(line: number | undefined): string {
  return line === undefined ? '' : `:${line}`;
}

/** So many of the names, and how many more there are. */
export function someOf(names: readonly string[], count: number): string[] {
  return names.length <= count ? [...names] : [...names.slice(0, count), `+${names.length - count}`];
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 300) ?? '';
}

/** A run in a line, for lists. */
export function displayRun(run: TestRun, root: string): { runId: string; startedAt: string; summary: string } {
  const { counts, runner, folder, selected, state, repeated, flaky = [] } = run;
  const parts = [
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    `${counts.passed} passed`,
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(counts.notRun > 0 ? [`${counts.notRun} not run`] : []),
    ...(state === 'ended' ? [] : [state]),
    ...(repeated === undefined ? [] : [`${repeated} times`]),
    ...(flaky.length === 0 ? [] : [`${flaky.length} flaky`]),
  ];
  const where = displayPath(root, folder);
  const what = selected === undefined ? '' : ` (${selected})`;
  return {
    runId: run.id,
    startedAt: run.startedAt,
    summary: `${runner}${where === '' || where === '.' ? '' : ` in ${where}`}: ${parts.join(', ')}${what}`,
  };
}

export function renderEarlier(earlier: readonly { runId: string; startedAt: string; summary: string }[]): string[] {
  return [
    'Earlier:',
    ...earlier.map(({ runId, startedAt, summary }) => `  ${runId} ${startedAt.slice(0, 19)} ${summary}`),
  ];
}
