import { withTimeout, untilCancelled } from '../../../base/cancellation.ts';
import { joinArguments } from '../../../base/commandLine.ts';
import type { AsyncDisposer } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { ManagedProcess, childEnvironment, type ProcessExit } from '../../../base/processes.ts';
import { clip } from '../../../base/text/textBudget.ts';
import type { RecordedRun } from '../localHistory/workingTree.ts';
import type { Project } from '../project.ts';
import { JobOutput } from './jobOutput.ts';

/** A program that runs beside the calls: started by one, looked at and ended by others. */
export interface JobSpec {
  project: Project;
  /** Who asked for it: it ends when that client is gone. */
  clientId: string;
  name: string;
  command: readonly string[];
  cwd: string;
  /** Additions to the project's environment. */
  env?: Readonly<Record<string, string>>;
}

export type JobState = 'running' | 'exited' | 'stopped';

export class Job {
  readonly id = randomId('job');
  readonly spec: JobSpec;
  readonly output = new JobOutput();
  readonly startedAt = new Date();
  readonly ended: Promise<ProcessExit>;
  endedAt: Date | undefined;
  exit: ProcessExit | undefined;
  /** What it changed in the project, known some time after its end; absent where nobody looks. */
  recorded: Promise<RecordedRun> | undefined;
  readonly #process: ManagedProcess;
  #stopped = false;

  private constructor(spec: JobSpec, child: ManagedProcess) {
    this.spec = spec;
    this.#process = child;
    child.stdin.end();
    const streams = (['stdout', 'stderr'] as const).map((name) => {
      child[name].on('data', (chunk: Buffer) => this.output.append(name, chunk));
      return new Promise<void>((resolve) => child[name].once('close', resolve));
    });
    this.ended = child.exited.then(async (exit) => {
      // A child that was left running may hold the pipes open; what the program itself printed has arrived by then.
      await withTimeout(Promise.all(streams), drainMs).catch(() => undefined);
      this.output.end();
      this.exit = exit;
      this.endedAt = new Date();
      return exit;
    });
  }

  static async start(spec: JobSpec): Promise<Job> {
    const [command = '', ...args] = spec.command;
    const child = await ManagedProcess.start({
      name: spec.name,
      command,
      args,
      cwd: spec.cwd,
      env: childEnvironment(spec.project.env, spec.env),
    });
    return new Job(spec, child);
  }

  get state(): JobState {
    if (this.exit === undefined) return 'running';
    return this.#stopped ? 'stopped' : 'exited';
  }

  /** The command line as one would type it, cut when it is long. */
  get shownCommand(): string {
    return clip(joinArguments(this.spec.command), 300);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get durationMs(): number {
    return (this.endedAt ?? new Date()).getTime() - this.startedAt.getTime();
  }

  /** Waits until it has ended, at most so long. Whether it has. */
  async wait(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.exit !== undefined) return true;
    if (timeoutMs <= 0) return false;
    const inTime = this.ended.then(() => true);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    try {
      return await untilCancelled(Promise.race([inTime, late]), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same; but when the signal comes, it ends. For calls that own what they started. */
  async waitOrStop(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    try {
      return await this.wait(timeoutMs, signal);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Ends it with everything it started. */
  async stop(): Promise<void> {
    if (this.exit === undefined) this.#stopped = true;
    await this.#process.kill();
    await this.ended;
  }
}

const drainMs = 500;

export interface JobStoreOptions {
  /** Ended jobs that are remembered; the oldest are forgotten first. */
  maxEnded?: number;
  maxRunning?: number;
}

/** The jobs of the process. Those of a client end with it; all of them end with the process. */
export class JobStore implements AsyncDisposer {
  readonly onDidEnd = new Emitter<Job>();
  readonly #jobs = new Map<string, Job>();
  readonly #maxEnded: number;
  readonly #maxRunning: number;
  #disposed = false;

  constructor({ maxEnded = 50, maxRunning = 32 }: JobStoreOptions = {}) {
    this.#maxEnded = maxEnded;
    this.#maxRunning = maxRunning;
  }

  get running(): Job[] {
    return [...this.#jobs.values()].filter((job) => job.state === 'running');
  }

  /** Newest first. */
  of(project: Project): Job[] {
    return [...this.#jobs.values()].filter((job) => job.spec.project.root === project.root).reverse();
  }

  async start(spec: JobSpec): Promise<Job> {
    if (this.#disposed) throw new ToolError('tool_not_available', 'Sightline is shutting down.');
    if (this.running.length >= this.#maxRunning) {
      throw new ToolError('too_large', `${this.#maxRunning} jobs are running; no more are started.`, {
        hint: 'stop_job ends one; wait_job waits for one.',
      });
    }
    const job = await Job.start(spec);
    this.#jobs.set(job.id, job);
    void job.ended.then(() => {
      this.#forgetOldest();
      this.onDidEnd.fire(job);
    });
    return job;
  }

  /** The job of that id, or the latest of the project when none is named. */
  get(project: Project, id: string | undefined): Job {
    const jobs = this.of(project);
    const job = id === undefined ? jobs[0] : jobs.find((each) => each.id === id);
    if (job !== undefined) return job;
    const known = jobs.slice(0, 5).map((each) => `${each.id} (${each.spec.name}, ${each.state})`);
    throw new ToolError(
      'job_not_found',
      id === undefined ? 'Nothing was run in this project yet.' : `There is no job ${id}.`,
      {
        hint: known.length === 0 ? 'run_configuration starts one.' : `Jobs: ${known.join(', ')}.`,
      },
    );
  }

  /** Ends the jobs of a client that is gone. */
  async endOfClient(clientId: string): Promise<void> {
    await Promise.all(this.running.filter((job) => job.spec.clientId === clientId).map((job) => job.stop()));
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all(this.running.map((job) => job.stop()));
    this.onDidEnd.dispose();
  }

  #forgetOldest(): void {
    const ended = [...this.#jobs.values()].filter((job) => job.state !== 'running');
    for (const job of ended.slice(0, Math.max(0, ended.length - this.#maxEnded))) this.#jobs.delete(job.id);
  }
}
