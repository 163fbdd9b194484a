import { z } from 'zod';
import { delay, untilCancelled } from '../../base/cancellation.ts';
import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import type { TestRun } from '../../engine/workspace/tests/model.ts';
import { selectAgain, selectTests, type SelectedPackage } from '../../engine/workspace/tests/selection.ts';
import type { BatchRequest, TestBatch } from '../../engine/workspace/tests/testEngine.ts';
import type { TestWatch } from '../../engine/workspace/tests/testWatch.ts';
import { nearestNames, writtenName } from '../../engine/workspace/testRunners/names.ts';
import { readText } from '../../engine/workspace/testRunners/packages.ts';
import { originOf } from '../changeSchema.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { type DebuggedTest, debuggedShape, debugTest, firstFailed, renderDebugged } from './debugTest.ts';
import { batchData, type BatchData, batchShape, renderBatch } from './batchShape.ts';
import { affectedPackages } from './affectedPackages.ts';
import { startWatch } from './watchTests.ts';

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run tests',
  description:
    'Runs tests and returns data: counts with what was not run and why, each failure with its difference, line and calls. All tests, or those of files (also file::test), a name, a pattern, a line, failed (of the last run), changed_since a commit.',
  faces: ['workspace', 'default'],
  toolset: 'tests',
  effect: 'execute',
  requires: ['trustedProject'],
  paths: { files: 'test', 'breakpoints[].file': 'readable' },
  input: z.object({
    files: z.array(z.string()).optional(),
    name: z.string().optional(),
    pattern: z.string().optional(),
    line: z.int().min(1).optional(),
    failed: z.boolean().optional(),
    changed_since: z.string().optional(),
    repeat: z.int().min(1).max(100).optional(),
    until_fails: z.boolean().optional(),
    coverage: z.boolean().optional(),
    debug: z.boolean().optional().describe('the first failure under the debugger'),
    breakpoints: z.array(z.looseObject({})).optional().describe('{file, line, expressions?}'),
    watch: z.boolean().optional().describe('again with every change, as a job'),
    run_id: z.string().optional().describe('go on waiting'),
    wait_ms: z.int().min(0).max(40_000).optional(),
  }),
  output: z.object({
    ...batchShape,
    debugged: debuggedShape.optional(),
    /** The job that watches; `runs` counts how often it has run tests. */
    watch: z.object({ jobId: z.string(), runs: z.int() }).optional(),
  }),
  run: async (engines, args, call) => {
    const isDebugged = args.debug === true || args.breakpoints !== undefined;
    const single = isDebugged && args.run_id === undefined ? await singleTest(engines, args, call) : undefined;
    if (single !== undefined) {
      const debugged = await debugTest(engines, single, args.breakpoints, call);
      return { verdict: debugged.exitCode === 0 ? ('passed' as const) : ('failed' as const), runs: [], debugged };
    }
    const waitMs = Math.min(args.wait_ms ?? 40_000, call.patienceMs - 2000);
    const watch = await watchMeant(engines, args, call);
    if (watch !== undefined) return tellWatch(engines, watch, waitMs, call);
    const batch = args.run_id === undefined ? await started(engines, args, call) : known(engines, args.run_id, call);
    await batch.wait(waitMs, call.signal, () => tellProgress(batch, call));
    if (batch.hasEnded) demandTests(await batch.looks(), args);
    const data = await tellBatch(engines, batch, call);
    const failed = isDebugged && batch.hasEnded ? firstFailed(await batch.looks()) : undefined;
    if (failed === undefined) return data;
    return { ...data, debugged: await debugTest(engines, failed, args.breakpoints, call) };
  },
  render: (data, budget, root) =>
    [
      ...(data.runs.length === 0 ? [] : [renderBatch(data)]),
      ...(data.debugged === undefined ? [] : [renderDebugged(data.debugged, budget, root)]),
    ].join('\n'),
});

/** The one test that the arguments name: it is debugged at once, without a run before. */
async function singleTest(engines: Engines, args: Wish, call: ToolCall): Promise<DebuggedTest | undefined> {
  if (args.failed === true) {
    const { runs, tests } = await engines.tests.failedTests(call.project, args.files);
    return firstFailed(runs.map((run) => ({ ...run, results: run.results.filter((test) => tests.includes(test)) })));
  }
  const [selected, ...others] = await selectTests(call.project, args, call.signal);
  const [file, ...files] = selected?.selection.files ?? [];
  const name = selected?.selection.name;
  if (selected === undefined || file === undefined || name === undefined || others.length > 0 || files.length > 0)
    return undefined;
  const whole = writtenName(file, readText(file) ?? '', name);
  return whole === undefined ? undefined : { file, name: whole, folder: selected.package.folder };
}

async function started(engines: Engines, args: Wish, call: ToolCall): Promise<TestBatch> {
  // Both wait for other programs that list files. The index may take long to choose: what changes meanwhile is not the tests' doing.
  const early = args.changed_since === undefined ? lookBefore(engines, call) : undefined;
  const chosen = await selected(engines, args, call);
  return startBatch(engines, args, call, chosen, await (early ?? lookBefore(engines, call)));
}

/** Looks at the files; what it answers records how the tests have changed them. */
function lookBefore(engines: Engines, call: ToolCall): ReturnType<Engines['workingTree']['begin']> {
  return engines.workingTree.begin(call.project, originOf(call, 'run_tests', 'ran tests'));
}

function startBatch(
  engines: Engines,
  args: Wish,
  call: ToolCall,
  { packages, selectedText }: Pick<BatchRequest, 'packages' | 'selectedText'>,
  record: () => Promise<unknown>,
): TestBatch {
  const batch = engines.tests.start({
    project: call.project,
    clientId: call.client.id,
    packages,
    ...(selectedText === undefined ? {} : { selectedText }),
    repeat: args.repeat ?? (args.until_fails === true ? maxUntilFails : 1),
    untilFails: args.until_fails === true,
    coverage: args.coverage === true,
  });
  void batch.ended.then(record);
  return batch;
}

/** The watch that is to begin, or that the id of its job names. */
async function watchMeant(
  engines: Engines,
  args: Wish & { watch?: boolean | undefined; run_id?: string | undefined },
  call: ToolCall,
) {
  if (args.run_id !== undefined) return engines.tests.watchOf(call.project, args.run_id);
  if (args.watch !== true) return undefined;
  const first = await selected(engines, args, call);
  return startWatch(engines, call, args, first, async (each) =>
    startBatch(engines, { ...args, repeat: 1 }, call, each, await lookBefore(engines, call)),
  );
}

/** The next run of a watch that was not told yet. */
async function tellWatch(engines: Engines, watch: TestWatch, waitMs: number, call: ToolCall) {
  const deadline = Date.now() + waitMs;
  const next = await watch.next(waitMs, call.signal);
  const batch = next ?? watch.latest;
  if (batch === undefined)
    throw new ToolError('launch_failed', 'The watch ended before it ran anything.', {
      data: { output: watch.job.output.headAndTail(1000) },
    });
  if (next === undefined) call.note('Nothing that the watched tests need has changed since this run.');
  // The watch goes on when nobody waits any more.
  await untilCancelled(Promise.race([batch.ended, delay(Math.max(deadline - Date.now(), 0))]), call.signal);
  const data = await tellBatch(engines, batch, call);
  watch.markTold(batch);
  const { id: jobId } = watch.job;
  const state =
    watch.job.state === 'running'
      ? `run_tests {"run_id": "${jobId}"} waits for the next run. stop_job {"job_id": "${jobId}"} ends the watch.`
      : 'The watch has ended.';
  return { ...data, watch: { jobId, runs: watch.runs }, next: call.hint(state) };
}

function known(engines: Engines, id: string, call: ToolCall): TestBatch {
  const batch = engines.tests.batch(call.project, id);
  if (batch !== undefined) return batch;
  throw new ToolError('job_not_found', `No run ${id} is under way.`, {
    hint: advise`${step('getTestResults')} shows the runs that are kept.`,
  });
}

const maxUntilFails = 100;

interface Wish {
  files?: string[] | undefined;
  name?: string | undefined;
  pattern?: string | undefined;
  line?: number | undefined;
  failed?: boolean | undefined;
  coverage?: boolean | undefined;
  changed_since?: string | undefined;
  repeat?: number | undefined;
  until_fails?: boolean | undefined;
}

async function selected(
  engines: Engines,
  wish: Wish,
  call: ToolCall,
): Promise<{ packages: SelectedPackage[]; selectedText?: string }> {
  if (wish.failed === true) {
    const { runs, tests } = await engines.tests.failedTests(call.project, wish.files);
    if (tests.length === 0)
      throw new ToolError('test_not_found', 'Nothing failed in the last run.', {
        hint: advise`${step('runTests', {})} runs all tests.`,
      });
    return { packages: selectAgain(call.project, runs, tests), selectedText: 'those that failed' };
  }
  if (wish.changed_since !== undefined) return affectedPackages(engines, wish, wish.changed_since, call);
  const packages = await selectTests(call.project, wish, call.signal);
  const parts = [
    wish.name,
    wish.pattern === undefined ? undefined : `/${wish.pattern}/`,
    ...(wish.files ?? []).map((file) => displayPath(call.project.root, file)),
  ];
  const text = parts.filter((part) => part !== undefined).join(', ');
  return { packages, ...(text === '' ? {} : { selectedText: text.slice(0, 200) }) };
}

/** Zero tests are no success: nobody would see that a filter matched nothing. */
function demandTests(runs: readonly TestRun[], wish: Wish): void {
  if (runs.some(({ counts, problems }) => counts.expected > 0 || problems.length > 0)) return;
  const known = runs.flatMap(({ available = [] }) => available);
  const wanted = wish.name ?? wish.pattern;
  const near = wanted === undefined ? [] : nearestNames(wanted, known);
  const runners = runs.map(({ runner, command }) => `${runner} (${command})`).join('; ');
  throw new ToolError(
    'test_not_found',
    wanted === undefined ? `No test was found: ${runners}` : `No test matches "${wanted}". Nothing was run.`,
    {
      hint: near.length > 0 ? `Nearest: ${near.join('; ')}` : 'list_tests shows the tests there are.',
      data: { nearest: near, ...(wanted === undefined ? {} : { commands: runs.map(({ command }) => command) }) },
    },
  );
}

function tellProgress(batch: TestBatch, call: ToolCall): void {
  const counts = batch.current?.log.counts;
  if (counts === undefined) return;
  const done = counts.expected - counts.notRun;
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : '';
  call.progress(
    `${done} of ${counts.expected} tests${failed}`,
    counts.expected === 0 ? undefined : done / counts.expected,
  );
}

/** What is told about a batch now, with how to go on when it has not ended. */
export async function tellBatch(engines: Engines, batch: TestBatch, call: ToolCall): Promise<BatchData> {
  const runs = await batch.looks();
  const history = batch.hasEnded ? await engines.tests.history(call.project).latest(comparedRuns) : [];
  const id = batch.current?.id ?? batch.id;
  const jobId = batch.current?.job.id;
  const next = batch.hasEnded
    ? undefined
    : advise`Still running: ${step('runTests', { runId: id })} goes on waiting.${jobId === undefined ? '' : advise` ${step('stopJob', { jobId })} ends it.`}`;
  return batchData(
    { hasEnded: batch.hasEnded, runs, history, ...(next === undefined ? {} : { next: call.hint(next) }) },
    call,
  );
}

const comparedRuns = 20;
