import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomId } from '../../../base/ids.ts';
import { keepCoverage } from '../coverage/keepCoverage.ts';
import type { Job, JobStore } from '../jobs/jobStore.ts';
import type { Project } from '../project.ts';
import { EventTail } from './eventTail.ts';
import type { EventReader, RunPlan, RunProblem, TestRun } from './model.ts';
import { ownEvents } from './ownEvents.ts';
import { RunLog } from './runLog.ts';
import type { SelectedPackage } from './selection.ts';

interface RunOptions {
  project: Project;
  clientId: string;
  jobs: JobStore;
  selected: SelectedPackage;
  /** The selection in a few words. */
  selectedText?: string;
  locate: (engineId: string) => Promise<string>;
  /** Which of several repetitions. */
  attempt?: number;
  batchId: string;
  /** Also measure which lines run. */
  coverage?: boolean;
}

/** One run of one package's runner, from its start to its end. */
export class ActiveRun {
  readonly id = randomId('run');
  readonly job: Job;
  readonly log: RunLog;
  /** Resolves to the run as it was at its end. */
  readonly ended: Promise<TestRun>;
  readonly #options: RunOptions;
  readonly #tail: EventTail;
  readonly #notes: readonly string[];
  #coverage: TestRun['coverage'];

  private constructor(
    options: RunOptions,
    job: Job,
    log: RunLog,
    tail: EventTail,
    reader: EventReader,
    scratch: string,
    { coverage: artifacts, notes = [] }: RunPlan,
  ) {
    this.#options = options;
    this.#notes = notes;
    this.job = job;
    this.log = log;
    this.#tail = tail;
    this.ended = job.ended.then(async ({ code, signal }) => {
      await tail.end();
      for (const event of (await reader.end?.({ code, signal })) ?? []) log.apply(event);
      if (artifacts !== undefined) this.#coverage = await keepCoverage(options, artifacts, log.results);
      await rm(scratch, { recursive: true, force: true });
      const problem = ActiveRun.launchProblem(this.snapshot(), job.output.headAndTail(1500));
      if (problem !== undefined) log.apply({ type: 'problem', problem });
      return this.snapshot();
    });
  }

  static async start(options: RunOptions): Promise<ActiveRun> {
    const { project, selected, clientId, jobs, locate } = options;
    const scratch = await mkdtemp(join(tmpdir(), 'sightline-tests-'));
    try {
      const eventsFile = join(scratch, 'events.jsonl');
      await writeFile(eventsFile, '');
      const { package: owner, selection, runner } = selected;
      const plan = await runner.plan({
        project,
        package: owner,
        selection,
        eventsFile,
        scratch,
        locate,
        coverage: options.coverage,
      });
      const log = new RunLog(project.root, plan.cwd);
      const reader = plan.reader ?? ownEvents;
      const tail = new EventTail(eventsFile, (line) => {
        for (const event of reader.line(line)) log.apply(event);
      });
      const job = await jobs.start({
        project,
        clientId,
        name: `${owner.runner} tests`,
        command:
          plan.stdoutIsEvents === true ? ['sh', '-c', 'exec "$@" >>"$0"', eventsFile, ...plan.command] : plan.command,
        cwd: plan.cwd,
        ...(plan.env === undefined ? {} : { env: plan.env }),
      });
      tail.start();
      return new ActiveRun(options, job, log, tail, reader, scratch, plan);
    } catch (error) {
      await rm(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  /** All that is known now. */
  async look(): Promise<TestRun> {
    if (this.job.exit === undefined) await this.#tail.catchUp();
    return this.job.exit === undefined ? this.snapshot() : this.ended;
  }

  snapshot(): TestRun {
    const { job, log } = this;
    const { selected, selectedText, batchId, attempt } = this.#options;
    const { exit } = job;
    const hasEnded = exit !== undefined;
    const end = { stopped: job.state === 'stopped', code: exit?.code ?? null, signal: exit?.signal ?? null };
    return {
      id: this.id,
      batchId,
      ...(attempt === undefined ? {} : { attempt }),
      runner: log.runner ?? selected.package.runner,
      ...(log.runnerVersion === undefined ? {} : { runnerVersion: log.runnerVersion }),
      folder: selected.package.folder,
      command: job.shownCommand ?? job.name,
      startedAt: job.startedAt.toISOString(),
      durationMs: job.durationMs,
      state: !hasEnded ? 'running' : end.stopped ? 'stopped' : log.isOver ? 'ended' : 'died',
      ...(end.code === null ? {} : { exitCode: end.code }),
      ...(end.signal === null ? {} : { signal: end.signal }),
      jobId: job.id,
      ...(selectedText === undefined ? {} : { selected: selectedText }),
      counts: log.counts,
      results: log.results,
      notRun: hasEnded ? log.notRun(end) : [],
      ...(log.available === undefined ? {} : { available: log.available }),
      problems: [...log.problems],
      running: log.running,
      loading: log.loading,
      ...(this.#coverage === undefined ? {} : { coverage: this.#coverage }),
      ...(this.#notes.length === 0 ? {} : { notes: this.#notes }),
    };
  }

  /** A runner that ended without a word about tests: what it printed is all there is. */
  static launchProblem(run: TestRun, output: string): RunProblem | undefined {
    const { exitCode, signal, problems, counts } = run;
    if (run.state !== 'died' || counts.expected > 0 || problems.length > 0) return undefined;
    const how = signal === undefined ? `ended with code ${exitCode ?? '?'}` : `was ended by ${signal}`;
    return {
      kind: 'configuration',
      message: `${run.runner} ${how} before it told of any test.`,
      output: output.trim(),
    };
  }
}
