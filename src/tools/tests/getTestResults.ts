import { z } from 'zod';
import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import { counted } from '../../base/text/counted.ts';
import type { TestResult, TestRun } from '../../engine/workspace/tests/model.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { batchData, batchShape, renderBatch } from './batchShape.ts';
import { displayRun, named, renderEarlier, testName } from './runShapes.ts';
import { tellBatch } from './runTests.ts';

export const getTestResults = defineTool({
  name: 'get_test_results',
  title: 'Test results',
  description:
    'Results of the last run of tests, or of run_id: compared with the run before (newly failing, fixed, vanished), earlier runs, one test in full with its output (test). Exports CTRF or JUnit XML; imports JUnit XML.',
  faces: ['workspace'],
  toolset: 'tests',
  effect: 'read',
  paths: { import: 'file' },
  input: z.object({
    run_id: z.string().optional(),
    test: z.string().optional().describe('part of its name'),
    export: z.enum(['ctrf', 'junit']).optional().describe('writes a report file'),
    import: z.string().optional().describe('a JUnit XML file'),
    wait_ms: z.int().min(0).max(40_000).optional(),
  }),
  output: z.object({
    ...batchShape,
    tests: z
      .array(
        z.object({
          test: z.string(),
          at: z.string().optional(),
          status: z.string(),
          durationMs: z.number().optional(),
          reason: z.string().optional(),
          message: z.string().optional(),
          expected: z.string().optional(),
          actual: z.string().optional(),
          frames: z.array(z.string()).optional(),
          output: z.string().optional(),
          /** The last runs that had it, newest first. */
          history: z.array(z.string()).optional(),
        }),
      )
      .optional(),
    exported: z.object({ file: z.string(), tests: z.int() }).optional(),
    earlier: z.array(z.object({ runId: z.string(), startedAt: z.string(), summary: z.string() })).optional(),
  }),
  run: async (engines, args, call) => {
    const imported = args.import === undefined ? undefined : await engines.tests.import(call.project, args.import);
    const history = await engines.tests.history(call.project).latest(maxHistory);
    const wanted = imported?.id ?? args.run_id;
    const { batch, runs } = await runsMeant(engines, wanted, args.wait_ms ?? 0, call, history);
    const earlier = history.filter(({ id }) => !runs.some((run) => run.id === id)).slice(0, maxEarlier);
    const isActive = batch !== undefined && !batch.hasEnded;
    const data = isActive ? await tellBatch(engines, batch, call) : batchData({ hasEnded: true, runs, history }, call);
    return {
      ...data,
      ...(args.export === undefined ? {} : { exported: await engines.tests.export(call.project, runs, args.export) }),
      ...(args.test === undefined ? {} : { tests: testsNamed(args.test, runs, history, call.project.root) }),
      ...(args.run_id !== undefined || earlier.length === 0
        ? {}
        : { earlier: earlier.map((run) => displayRun(run, call.project.root)) }),
    };
  },
  render: (data) =>
    [
      ...(data.tests === undefined ? [renderBatch(data)] : data.tests.map(renderTest)),
      ...(data.exported === undefined
        ? []
        : [`Written: ${data.exported.file} (${counted(data.exported.tests, 'test')})`]),
      ...(data.earlier === undefined || data.tests !== undefined ? [] : renderEarlier(data.earlier)),
    ].join('\n'),
});

const maxHistory = 60;
const maxEarlier = 8;

async function runsMeant(
  engines: Engines,
  id: string | undefined,
  waitMs: number,
  call: ToolCall,
  history: readonly TestRun[],
) {
  const batch = engines.tests.batch(call.project, id);
  if (batch !== undefined) {
    // A run whose process has just ended is still being written down.
    const wait = batch.current?.job.exit === undefined ? waitMs : Math.max(waitMs, 1000);
    if (wait > 0) await batch.wait(Math.min(wait, call.patienceMs - 2000), call.signal).catch(() => undefined);
    const runs = await batch.looks();
    // A call that selected no test was told so; the last run is still the one before it.
    const isEmpty = runs.every(({ counts, problems }) => counts.expected === 0 && problems.length === 0);
    if (id !== undefined || !batch.hasEnded || !isEmpty) return { batch, runs };
  }
  const [newest] = history;
  const chosen =
    id === undefined ? newest : history.find((run) => run.id === id || run.batchId === id || run.jobId === id);
  if (chosen !== undefined) {
    const runs = id === chosen.id ? [chosen] : history.filter(({ batchId }) => batchId === chosen.batchId).toReversed();
    return { batch: undefined, runs };
  }
  throw new ToolError(
    'test_not_found',
    id === undefined ? 'No tests were run in this project yet.' : `There is no run ${id}.`,
    {
      hint:
        newest === undefined
          ? advise`${step('runTests')} runs them.`
          : `Known: ${history
              .slice(0, 5)
              .map((run) => run.id)
              .join(', ')}.`,
    },
  );
}

function testsNamed(wanted: string, runs: readonly TestRun[], history: readonly TestRun[], root: string) {
  const matches = (result: TestResult) =>
    testName(result).includes(wanted) || testName(result).replaceAll(' > ', '::').includes(wanted);
  const found = runs.flatMap(({ results }) => results.filter(matches));
  if (found.length === 0)
    throw new ToolError('test_not_found', `No test of that run has "${wanted}" in its name.`, {
      hint: 'Leave test out for the whole run.',
    });
  return found.slice(0, 10).map((result) => {
    const [failure] = result.failures ?? [];
    const past = history.flatMap(({ results, startedAt }) =>
      results
        .filter((each) => each.file === result.file && testName(each) === testName(result))
        .map((each) => `${each.status} ${startedAt}`),
    );
    return {
      ...named(result, root),
      status: result.status,
      ...(result.durationMs === undefined ? {} : { durationMs: result.durationMs }),
      ...(result.reason === undefined ? {} : { reason: result.reason }),
      ...(failure === undefined
        ? {}
        : {
            message: failure.message,
            ...(failure.expected === undefined ? {} : { expected: failure.expected }),
            ...(failure.actual === undefined ? {} : { actual: failure.actual }),
            frames: failure.frames.map(
              ({ file, line, function: name }) =>
                `${displayPath(root, file)}:${line}${name === undefined ? '' : ` in ${name}`}`,
            ),
          }),
      ...(result.output === undefined ? {} : { output: result.output }),
      ...(past.length === 0 ? {} : { history: past.slice(0, 10) }),
    };
  });
}

interface TestData {
  test: string;
  at?: string | undefined;
  status: string;
  reason?: string | undefined;
  message?: string | undefined;
  expected?: string | undefined;
  actual?: string | undefined;
  frames?: string[] | undefined;
  output?: string | undefined;
  history?: string[] | undefined;
}

function renderTest(data: TestData): string {
  return [
    `${data.status} ${data.test}${data.at === undefined ? '' : ` (${data.at})`}${data.reason === undefined ? '' : `: ${data.reason}`}`,
    ...(data.message === undefined ? [] : [`  ${data.message.replaceAll('\n', '\n  ')}`]),
    ...(data.expected === undefined ? [] : [`  expected ${data.expected.replaceAll('\n', '\n  ')}`]),
    ...(data.actual === undefined ? [] : [`  actual   ${data.actual.replaceAll('\n', '\n  ')}`]),
    ...(data.frames ?? []).map((frame) => `  at ${frame}`),
    ...(data.output === undefined ? [] : [`  printed: ${data.output.trim().replaceAll('\n', '\n    ')}`]),
    ...(data.history === undefined
      ? []
      : [`  runs, newest first: ${data.history.map((each) => each.split(' ')[0]).join(', ')}`]),
  ].join('\n');
}
