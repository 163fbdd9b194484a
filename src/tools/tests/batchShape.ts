import { z } from 'zod';
import { counted } from '../../base/text/counted.ts';
import {
  compareRuns,
  flakyTests,
  grouped,
  runBefore,
  type Comparison,
} from '../../engine/workspace/tests/comparison.ts';
import type { TestRef, TestRun } from '../../engine/workspace/tests/model.ts';
import type { ToolCall } from '../defineTool.ts';
import { renderRun } from './renderRuns.ts';
import { type Detail, details, runData, runShape, someOf, testName } from './runShapes.ts';

const comparisonShape = z.object({
  folder: z.string().optional(),
  /** The earlier run. */
  before: z.string(),
  newlyFailing: z.array(z.string()).optional(),
  fixed: z.array(z.string()).optional(),
  stillFailing: z.array(z.string()).optional(),
  vanished: z.array(z.string()).optional(),
  added: z.int().optional(),
});

/** What one call ran, as every tool of tests tells it. */
export const batchShape = {
  verdict: z.enum(['passed', 'failed', 'incomplete', 'running']),
  runs: z.array(runShape),
  /** Of repeated runs only one is told in full. */
  repeated: z
    .object({
      times: z.int(),
      failed: z.int(),
      flaky: z.array(z.object({ test: z.string(), failed: z.int(), of: z.int() })),
    })
    .optional(),
  compared: z.array(comparisonShape).optional(),
  next: z.string().optional(),
};
const batchObject = z.object(batchShape);
export type BatchData = z.output<typeof batchObject>;

interface BatchFacts {
  hasEnded: boolean;
  runs: readonly TestRun[];
  /** Earlier runs of the project, newest first. */
  history: readonly TestRun[];
  next?: string | undefined;
}

export function batchData({ hasEnded, runs: all, history, next }: BatchFacts, call: ToolCall): BatchData {
  const runs = all.filter(
    ({ counts, problems, state }) => counts.expected > 0 || problems.length > 0 || state === 'running',
  );
  const isRepeated = runs.some(({ attempt = 1 }) => attempt > 1);
  const told = isRepeated ? representatives(runs) : runs;
  const root = call.project.root;
  const comparisons = hasEnded ? told.flatMap((run) => comparisonOf(run, history) ?? []) : [];
  return fitting(
    (detail) => ({
      verdict: hasEnded ? verdictOf(runs) : 'running',
      runs: told.map((run) => runData(run, root, detail)),
      ...(isRepeated ? { repeated: repetitions(runs) } : {}),
      ...(comparisons.length === 0
        ? {}
        : { compared: comparisons.map(([run, each]) => comparisonData(run, each, detail, told.length > 1)) }),
      ...(next === undefined ? {} : { next }),
    }),
    call,
    renderBatch,
  );
}

/** The most detailed form that fits the answer: a run that is left out would take its counts along. */
function fitting(at: (detail: Detail) => BatchData, call: ToolCall, render: (data: BatchData) => string): BatchData {
  const isText = call.client.output === 'text';
  const sizes = details.map((detail) => () => at(detail));
  const last = sizes.at(-1) ?? (() => at({ failures: 0, names: 0, printedChars: 0 }));
  for (const size of sizes) {
    const data = size();
    if ((isText ? render(data) : JSON.stringify(data)).length <= call.budget.maxChars) return data;
  }
  return last();
}

function verdictOf(runs: readonly TestRun[]): 'passed' | 'failed' | 'incomplete' {
  if (runs.some(({ counts }) => counts.failed > 0)) return 'failed';
  const isWhole = runs.every(
    ({ counts, problems, state }) => counts.notRun === 0 && problems.length === 0 && state === 'ended',
  );
  return isWhole ? 'passed' : 'incomplete';
}

/** Of each package the first repetition that went wrong, else the last. */
function representatives(runs: readonly TestRun[]): TestRun[] {
  const packages = grouped(runs, ({ runner, folder }) => `${runner} ${folder}`);
  return [...packages.values()].flatMap(
    (each) => each.find((run) => verdictOf([run]) !== 'passed') ?? each.at(-1) ?? [],
  );
}

function repetitions(runs: readonly TestRun[]): NonNullable<BatchData['repeated']> {
  const attempts = grouped(runs, ({ attempt = 1 }) => attempt);
  const failed = [...attempts.values()].filter((each) => verdictOf(each) !== 'passed').length;
  const flaky = flakyTests(runs).slice(0, 20);
  return {
    times: attempts.size,
    failed,
    flaky: flaky.map(({ test, ...rates }) => ({ test: testName(test), ...rates })),
  };
}

function comparisonOf(run: TestRun, history: readonly TestRun[]): [TestRun, Comparison][] | undefined {
  const before = runBefore(run, history);
  return before === undefined ? undefined : [[run, compareRuns(run, before)]];
}

function comparisonData(run: TestRun, comparison: Comparison, { names }: Detail, withFolder: boolean) {
  const list = (tests: readonly TestRef[]) => (tests.length === 0 ? undefined : someOf(tests.map(testName), names));
  return {
    ...(withFolder ? { folder: run.folder } : {}),
    before: comparison.before,
    newlyFailing: list(comparison.newlyFailing),
    fixed: list(comparison.fixed),
    stillFailing: list(comparison.stillFailing),
    vanished: list(comparison.vanished),
    ...(comparison.added.length === 0 ? {} : { added: comparison.added.length }),
  };
}

export function renderBatch(data: BatchData): string {
  const lines = data.runs.flatMap(renderRun);
  const { repeated } = data;
  if (repeated !== undefined) {
    const flaky = repeated.flaky.map(({ test, failed, of }) => `${test} failed ${failed} of ${of}`);
    lines.push(
      `Run ${counted(repeated.times, 'time')}: ${repeated.failed} of them failed${flaky.length === 0 ? '' : `; flaky: ${flaky.join('; ')}`}`,
    );
  }
  lines.push(...(data.compared ?? []).flatMap(renderComparison));
  if (data.next !== undefined) lines.push(data.next);
  return lines.join('\n');
}

/** Only what changed: that the same tests fail as before is said by a number. */
function renderComparison(each: z.output<typeof comparisonShape>): string[] {
  const parts = [
    ...(each.newlyFailing === undefined ? [] : [newlyFailing(each.newlyFailing, each.stillFailing)]),
    ...(each.fixed === undefined ? [] : [`fixed: ${each.fixed.join('; ')}`]),
    ...(each.vanished === undefined ? [] : [`no longer there: ${each.vanished.join('; ')}`]),
    ...(each.stillFailing === undefined ? [] : [`${each.stillFailing.length} failing as before`]),
  ];
  return parts.length === 0 ? [] : [`Since the run before: ${parts.join('. ')}.`];
}

/** The failures themselves stand above; names are needed only to tell new ones from old ones. */
function newlyFailing(names: readonly string[], old: readonly string[] | undefined): string {
  if (old !== undefined) return `newly failing: ${names.join('; ')}`;
  return names.length === 1 ? 'newly failing' : 'all of them newly failing';
}
