import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { untilCancelled, withTimeout } from '../../../base/cancellation.ts';
import { joinArguments } from '../../../base/commandLine.ts';
import { randomId } from '../../../base/ids.ts';
import { ManagedProcess, childEnvironment, processesWithToken, type ProcessExit } from '../../../base/processes.ts';
import { platform } from '../../../base/platform/here.ts';
import { descendantsOf } from '../../../base/processIdentity.ts';
import { clip } from '../../../base/text/textBudget.ts';
import type { RecordedRun } from '../localHistory/workingTree.ts';
import type { Project } from '../project.ts';
import { JobOutput } from './jobOutput.ts';
import type { JobState, JobView } from './jobView.ts';
import { OutputLog } from './outputLog.ts';

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
  /** What it reads; nothing when absent. */
  stdin?: string;
  /** Its name is its command line, which need not be told twice. */
  isNamedByCommand?: boolean;
  /** It is ended after so long. */
  timeoutMs?: number;
}

const drainMs = 500;

export class Job implements JobView {
  readonly id = randomId('job');
  readonly spec: JobSpec;
  readonly output = new JobOutput();
  readonly log: OutputLog;
  readonly startedAt = new Date();
  readonly ended: Promise<ProcessExit>;
  endedAt: Date | undefined;
  exit: ProcessExit | undefined;
  timedOut = false;
  leftBehind: readonly number[] = [];
  recorded: Promise<RecordedRun> | undefined;
  readonly #process: ManagedProcess;
  #endState: JobState = 'exited';

  private constructor(spec: JobSpec, child: ManagedProcess) {
    this.spec = spec;
    this.#process = child;
    this.log = new OutputLog(join(jobsFolder(spec.project), this.id));
    this.output.onDidAppend.on((bytes) => this.log.append(bytes));
    child.stdin.end(spec.stdin ?? '');
    const streams = (['stdout', 'stderr'] as const).map((name) => {
      const stream = child[name];
      stream.on('data', (chunk: Buffer) => {
        this.output.append(name, chunk);
        const { congestion } = this.log;
        if (congestion === undefined) return;
        stream.pause();
        void congestion.then(() => stream.resume());
      });
      return new Promise<void>((resolve) => stream.once('close', resolve));
    });
    const timer = spec.timeoutMs === undefined ? undefined : setTimeout(() => this.#timeOut(), spec.timeoutMs);
    this.ended = child.exited.then(async (exit) => {
      clearTimeout(timer);
      // A child that was left running may hold the pipes open; what the program itself printed has arrived by then.
      await withTimeout(Promise.all(streams), drainMs).catch(() => undefined);
      this.output.end();
      this.leftBehind = processesWithToken(child.runToken);
      // What lives on may print more.
      await (this.leftBehind.length === 0 ? this.log.close() : this.log.flush());
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

  get name(): string {
    return this.spec.name;
  }

  get state(): JobState {
    return this.exit === undefined ? 'running' : this.#endState;
  }

  get isNamedByCommand(): boolean {
    return this.spec.isNamedByCommand === true;
  }

  get shownCommand(): string {
    return clip(joinArguments(this.spec.command), 300);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get durationMs(): number {
    return (this.endedAt ?? new Date()).getTime() - this.startedAt.getTime();
  }

  /** Whether one of its processes listens at a port of this machine; undefined where the system does not tell. */
  listensAt(port: number): boolean | undefined {
    const pids = new Set([
      this.pid,
      ...processesWithToken(this.#process.runToken),
      ...descendantsOf([this.pid]).map(({ pid }) => pid),
    ]);
    return platform.processes.listensAt(pids, port);
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

  /** Ends it with everything it started, also what outlived it. */
  async stop(as: 'stopped' | 'lost' = 'stopped'): Promise<void> {
    if (this.exit === undefined) this.#endState = as;
    await this.#process.kill();
    await this.ended;
    this.leftBehind = [];
    await this.log.close();
  }

  #timeOut(): void {
    this.timedOut = true;
    void this.stop();
  }

  async forget(): Promise<void> {
    await this.log.remove();
    await rm(join(jobsFolder(this.spec.project), `${this.id}.json`), { force: true });
  }
}

/** Where records and output of a project's jobs lie. */
export function jobsFolder(project: Project): string {
  return join(project.stateDir, 'jobs');
}
