import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetPath } from '../../../base/assets.ts';
import { advise, step } from '../../../base/text/advice.ts';
import { untilCancelled } from '../../../base/cancellation.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { isInside } from '../../../base/paths.ts';
import type { Logger } from '../../../base/logger.ts';
import type { JobStore } from '../jobs/jobStore.ts';
import type { Project } from '../project.ts';
import { ActiveRun } from './activeRun.ts';
import { collectTests, type Collected } from './collectTests.ts';
import { flakyTests, grouped } from './comparison.ts';
import { ctrfReport } from './formats/ctrf.ts';
import { importRun } from './formats/importRun.ts';
import { junitReport } from './formats/junitReport.ts';
import type { TestRef, TestRun } from './model.ts';
import { RunHistory } from './runHistory.ts';
import type { SelectedPackage } from './selection.ts';
import { TestWatch, type WatchWork } from './testWatch.ts';

interface TestEngineOptions {
  jobs: JobStore;
  /** Finds a program of a language, for a project; throws where it has none. */
  locate: (engineId: string, project: Project) => Promise<string>;
  logger: Logger;
}

export interface BatchRequest {
  project: Project;
  clientId: string;
  packages: readonly SelectedPackage[];
  selectedText?: string;
  /** How often each is run. */
  repeat?: number;
  untilFails?: boolean;
  coverage?: boolean;
}

/** What one call runs: packages one after the other, each as often as it was asked for. Goes on when the call does not wait. */
export class TestBatch {
  readonly id = randomId('batch');
  readonly runs: ActiveRun[] = [];
  readonly ended: Promise<void>;
  /** What could not even be started. */
  failure: unknown;
  hasEnded = false;
  #stopped = false;

  constructor(work: (batch: TestBatch) => Promise<void>) {
    this.ended = work(this)
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.hasEnded = true;
      });
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  get current(): ActiveRun | undefined {
    return this.runs.at(-1);
  }

  /** Waits for the end, at most so long; `onLook` is called now and then. When the signal comes, everything ends. */
  async wait(timeoutMs: number, signal: AbortSignal, onLook: () => void = () => undefined): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    try {
      while (!this.hasEnded && Date.now() < deadline) {
        const pause = Math.min(lookMs, deadline - Date.now());
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, pause);
        });
        await untilCancelled(Promise.race([this.ended, late]), signal).finally(() => clearTimeout(timer));
        if (!this.hasEnded) onLook();
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (this.failure !== undefined) throw this.failure;
    return this.hasEnded;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.runs.map((run) => run.job.stop()));
    await this.ended;
  }

  looks(): Promise<TestRun[]> {
    return Promise.all(this.runs.map((run) => run.look()));
  }
}

const lookMs = 500;
const maxBatches = 20;

/** Runs tests as jobs, keeps what they told. */
export class TestEngine {
  /** Tests began to run, or are over. */
  readonly onDidChange = new Emitter<{ project: Project; batch: TestBatch }>();
  readonly #options: TestEngineOptions;
  readonly #batches: { project: string; batch: TestBatch }[] = [];
  readonly #watches: { project: string; watch: TestWatch }[] = [];

  constructor(options: TestEngineOptions) {
    this.#options = options;
  }

  start(request: BatchRequest): TestBatch {
    const batch = new TestBatch((self) => this.#work(self, request));
    this.#batches.unshift({ project: request.project.root, batch });
    this.onDidChange.fire({ project: request.project, batch });
    void batch.ended.then(() => this.onDidChange.fire({ project: request.project, batch }));
    // Those that still run are kept, however many.
    for (const old of this.#batches.slice(maxBatches))
      if (old.batch.hasEnded) this.#batches.splice(this.#batches.indexOf(old), 1);
    return batch;
  }

  /** Tests that run again with every change, until the job ends. */
  async watch(project: Project, clientId: string, work: WatchWork): Promise<TestWatch> {
    const { root } = project;
    const command = [process.execPath, assetPath('reporters/watch.mjs'), root];
    const job = await this.#options.jobs.start({ project, clientId, name: 'watch of tests', command, cwd: root });
    const watch = new TestWatch(job, root, work);
    this.#watches.push({ project: root, watch });
    void job.ended.then(() => {
      const index = this.#watches.findIndex((each) => each.watch === watch);
      if (index >= 0) this.#watches.splice(index, 1);
    });
    return watch;
  }

  /** The watch of that job, while it runs. */
  watchOf(project: Project, jobId: string): TestWatch | undefined {
    return this.#watches.find((each) => each.project === project.root && each.watch.job.id === jobId)?.watch;
  }

  history(project: Project): RunHistory {
    return new RunHistory(project);
  }

  locate(engineId: string, project: Project): Promise<string> {
    return this.#options.locate(engineId, project);
  }

  /** Takes in a run that something else has made. */
  async import(project: Project, file: string): Promise<TestRun> {
    const run = await importRun(project, file);
    await this.history(project).add(run);
    return run;
  }

  /** Writes runs in a form that others read, beside what is kept of the project; never into it. */
  async export(
    project: Project,
    runs: readonly TestRun[],
    format: 'ctrf' | 'junit',
  ): Promise<{ file: string; tests: number }> {
    const folder = join(project.stateDir, 'testReports');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, format === 'ctrf' ? 'ctrf-report.json' : 'junit.xml');
    const report = format === 'ctrf' ? ctrfReport : junitReport;
    await writeFile(file, report(runs, project.root), { mode: 0o600 });
    return { file, tests: runs.reduce((sum, { counts }) => sum + counts.expected, 0) };
  }

  /** The tests that a runner itself finds; undefined when it cannot tell. */
  collect(
    project: Project,
    clientId: string,
    selected: SelectedPackage,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Collected | undefined> {
    const locate = (engineId: string) => this.#options.locate(engineId, project);
    return collectTests({ project, clientId, jobs: this.#options.jobs, selected, locate, waitMs, signal });
  }

  /** The batch that a run, a job or nothing (the latest) names, while it is remembered. */
  batch(project: Project, id?: string): TestBatch | undefined {
    const own = this.#batches.filter((each) => each.project === project.root).map(({ batch }) => batch);
    if (id === undefined) return own[0];
    return own.find((batch) => batch.id === id || batch.runs.some((run) => run.id === id || run.job.id === id));
  }

  /** Runs of the latest batch that has ended, as they are kept. */
  async latestRuns(project: Project): Promise<TestRun[]> {
    const [newest, ...others] = await this.history(project).latest(keptRuns);
    if (newest === undefined) return [];
    return [newest, ...others.filter(({ batchId }) => batchId === newest.batchId)].reverse();
  }

  /** The tests that failed, or got no result, in the latest batch. */
  async failedTests(
    project: Project,
    within: readonly string[] | undefined,
  ): Promise<{ runs: TestRun[]; tests: TestRef[] }> {
    const runs = await this.latestRuns(project);
    if (runs.length === 0)
      throw new ToolError('test_not_found', 'No run of tests is remembered for this project.', {
        hint: advise`${step('runTests', {})} runs all of them first.`,
      });
    const tests = runs.flatMap(({ results, notRun }) => [
      ...results.filter(({ status }) => status === 'failed'),
      ...notRun.flatMap((each) => each.tests),
    ]);
    const isMeant = ({ file = '' }: TestRef) => within === undefined || within.some((place) => isInside(place, file));
    return { runs, tests: tests.filter(isMeant) };
  }

  async #work(batch: TestBatch, request: BatchRequest): Promise<void> {
    const { repeat = 1 } = request;
    const runs: TestRun[] = [];
    try {
      await this.#repeat(batch, request, runs);
    } finally {
      if (repeat > 1) await this.#keepRepeated(request.project, runs);
    }
  }

  async #repeat(batch: TestBatch, request: BatchRequest, runs: TestRun[]): Promise<void> {
    const { repeat = 1, untilFails = false } = request;
    for (let attempt = 1; attempt <= repeat; attempt++) {
      let failed = false;
      for (const selected of request.packages) {
        if (batch.isStopped) return;
        const run = await this.#runOne(batch, request, selected, repeat === 1 ? undefined : attempt);
        runs.push(run);
        if (run.state === 'stopped') return;
        failed ||= run.counts.failed > 0 || run.counts.notRun > 0 || run.problems.length > 0;
      }
      if (untilFails && failed) return;
    }
  }

  async #runOne(
    batch: TestBatch,
    { project, clientId, selectedText, coverage }: BatchRequest,
    selected: SelectedPackage,
    attempt: number | undefined,
  ): Promise<TestRun> {
    const active = await ActiveRun.start({
      project,
      clientId,
      jobs: this.#options.jobs,
      selected,
      ...(selectedText === undefined ? {} : { selectedText }),
      ...(attempt === undefined ? {} : { attempt }),
      locate: (engineId) => this.#options.locate(engineId, project),
      batchId: batch.id,
      ...(coverage === true ? { coverage } : {}),
    });
    batch.runs.push(active);
    const run = await active.ended;
    if (attempt === undefined) await this.#keep(project, run);
    return run;
  }

  /** Of repetitions one is kept, with how often which test has failed. */
  async #keepRepeated(project: Project, runs: readonly TestRun[]): Promise<void> {
    const packages = grouped(runs, ({ runner, folder }) => `${runner} ${folder}`);
    for (const each of packages.values()) {
      const run = each.find(({ counts }) => counts.failed > 0) ?? each.at(-1);
      if (run !== undefined) await this.#keep(project, { ...run, flaky: flakyTests(each), repeated: each.length });
    }
  }

  async #keep(project: Project, run: TestRun): Promise<void> {
    if (run.counts.expected === 0 && run.problems.length === 0) return;
    await this.history(project)
      .add(run)
      .catch((error: unknown) => this.#options.logger.warn('A run of tests could not be kept.', error));
  }
}

const keptRuns = 30;
