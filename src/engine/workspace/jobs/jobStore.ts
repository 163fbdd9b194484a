import { advise, step } from '../../../base/text/advice.ts';
import type { AsyncDisposer } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import type { Project } from '../project.ts';
import { Job, type JobSpec } from './job.ts';
import { PastJob, pastJobs, writeRecord } from './jobRecords.ts';
import type { JobView } from './jobView.ts';

export { Job } from './job.ts';

interface JobStoreOptions {
  /** Ended jobs of a project that are remembered; the oldest are forgotten first. */
  maxEnded?: number;
  maxRunning?: number;
  /** What the output of a project's ended jobs may take on disk. */
  maxKeptBytes?: number;
  logger?: Logger;
  /** Takes secrets out of what is written down. */
  redacted?: (text: string) => string;
}

/** The jobs of the process. Those of a client end with it; all of them end with the process, and stay known as records. */
export class JobStore implements AsyncDisposer {
  readonly onDidStart = new Emitter<Job>();
  readonly onDidEnd = new Emitter<Job>();
  readonly #jobs = new Map<string, Job>();
  /** Jobs of earlier processes, by the root of their project; read when first asked for. */
  readonly #past = new Map<string, Promise<PastJob[]>>();
  readonly #records = new Map<string, Promise<void>>();
  readonly #options: Required<JobStoreOptions>;
  #disposed = false;

  constructor(options: JobStoreOptions = {}) {
    this.#options = {
      maxEnded: 50,
      maxRunning: 32,
      maxKeptBytes: 1024 ** 3,
      logger: silentLogger,
      redacted: (text) => text,
      ...options,
    };
  }

  get running(): Job[] {
    return [...this.#jobs.values()].filter((job) => job.state === 'running');
  }

  /** Those of this process, newest first. */
  of(project: Project): Job[] {
    return [...this.#jobs.values()].filter((job) => job.spec.project.root === project.root).reverse();
  }

  /** Those of earlier processes too, newest first. */
  async all(project: Project): Promise<JobView[]> {
    return [...this.of(project), ...(await this.#pastOf(project)).toReversed()];
  }

  async start(spec: JobSpec): Promise<Job> {
    if (this.#disposed) throw new ToolError('tool_not_available', 'Sightline is shutting down.');
    const { maxRunning } = this.#options;
    if (this.running.length >= maxRunning) {
      throw new ToolError('too_large', `${maxRunning} jobs are running; no more are started.`, {
        hint: advise`${step('stopJob')} ends one; ${step('waitJob')} waits for one.`,
      });
    }
    const job = await Job.start(spec);
    this.#jobs.set(job.id, job);
    this.#record(job);
    this.onDidStart.fire(job);
    void job.ended.then(async () => {
      this.#record(job);
      this.onDidEnd.fire(job);
      await this.#forgetOldest(spec.project);
    });
    return job;
  }

  /** The job of that id, or the latest of the project when none is named. */
  get(project: Project, id: string | undefined): Job {
    const jobs = this.of(project);
    const job = id === undefined ? jobs[0] : jobs.find((each) => each.id === id);
    if (job !== undefined) return job;
    throw notFound(id, jobs);
  }

  /** The same, also among the jobs of earlier processes. */
  async find(project: Project, id: string | undefined): Promise<JobView> {
    const jobs = await this.all(project);
    const job = id === undefined ? jobs[0] : jobs.find((each) => each.id === id);
    if (job === undefined) throw notFound(id, jobs);
    return job instanceof PastJob ? job.withOutput() : job;
  }

  /** Ends the jobs of a client that is gone, and what they left running. */
  async endOfClient(clientId: string): Promise<void> {
    const own = [...this.#jobs.values()].filter((job) => job.spec.clientId === clientId);
    await Promise.all(
      own.filter((job) => job.state === 'running' || job.leftBehind.length > 0).map((job) => job.stop()),
    );
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const alive = [...this.#jobs.values()].filter((job) => job.state === 'running' || job.leftBehind.length > 0);
    await Promise.all(alive.map((job) => job.stop('lost')));
    await Promise.all([...this.#records.values()]);
    await Promise.all([...this.#jobs.values()].map((job) => job.log.close()));
    this.onDidEnd.dispose();
  }

  #pastOf(project: Project): Promise<PastJob[]> {
    const known = this.#past.get(project.root) ?? pastJobs(project, new Set(this.#jobs.keys()));
    this.#past.set(project.root, known);
    return known;
  }

  /** In order, and without making anybody wait; only the end of the process does. */
  #record(job: Job): void {
    const write = () =>
      this.#jobs.has(job.id)
        ? writeRecord(job, this.#options.redacted).catch((error: unknown) =>
            this.#options.logger.warn('A job could not be written down.', error),
          )
        : Promise.resolve();
    this.#records.set(job.id, (this.#records.get(job.id) ?? Promise.resolve()).then(write));
  }

  async #forgetOldest(project: Project): Promise<void> {
    const { maxEnded, maxKeptBytes } = this.#options;
    const past = await this.#pastOf(project);
    const ended = [
      ...this.of(project).filter((job) => job.state !== 'running' && job.leftBehind.length === 0),
      ...past.toReversed(),
    ];
    let bytes = 0;
    for (const [index, job] of ended.entries()) {
      bytes += job.log.keptBytes;
      if (index < maxEnded && bytes <= maxKeptBytes) continue;
      this.#jobs.delete(job.id);
      await this.#records.get(job.id);
      this.#records.delete(job.id);
      if (!(job instanceof Job)) past.splice(past.indexOf(job), 1);
      await job.forget().catch((error: unknown) => this.#options.logger.warn('A job could not be forgotten.', error));
    }
  }
}

function notFound(id: string | undefined, jobs: readonly JobView[]): ToolError {
  const known = jobs.slice(0, 5).map((each) => `${each.id} (${each.name}, ${each.state})`);
  return new ToolError(
    'job_not_found',
    id === undefined ? 'Nothing was run in this project yet.' : `There is no job ${id}.`,
    {
      hint:
        known.length === 0
          ? advise`${step('runCommand')} or ${step('runConfiguration')} starts one.`
          : `Jobs: ${known.join(', ')}.`,
    },
  );
}
