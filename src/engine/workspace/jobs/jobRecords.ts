import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../../base/processIdentity.ts';
import type { ProcessExit } from '../../../base/processes.ts';
import { readStateFile, writeStateFile } from '../../../base/stateFile.ts';
import type { Project } from '../project.ts';
import { jobsFolder, type Job } from './job.ts';
import { defaultOutputLimits, JobOutput } from './jobOutput.ts';
import type { JobState, JobView } from './jobView.ts';
import { OutputLog } from './outputLog.ts';

/** A job as it is written down, so that it can be told of after a restart. */
interface JobRecord {
  id: string;
  name: string;
  command: string;
  isNamedByCommand?: boolean;
  state: JobState;
  startedAt: string;
  endedAt?: string | undefined;
  exit?: ProcessExit | undefined;
  timedOut?: boolean;
  totalBytes: number;
  /** The process that started it. */
  owner: ProcessIdentity;
}

const version = 1;

/** `redacted` takes secrets out of a text. */
export async function writeRecord(job: Job, redacted: (text: string) => string): Promise<void> {
  const folder = jobsFolder(job.spec.project);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const record: JobRecord = {
    id: job.id,
    name: redacted(job.name),
    command: redacted(job.shownCommand),
    isNamedByCommand: job.isNamedByCommand,
    state: job.state,
    startedAt: job.startedAt.toISOString(),
    endedAt: job.endedAt?.toISOString(),
    exit: job.exit,
    timedOut: job.timedOut,
    totalBytes: job.output.totalBytes,
    owner: ownIdentity(),
  };
  await writeStateFile(join(folder, `${job.id}.json`), version, record);
}

/** A job of a process that has ended. */
export class PastJob implements JobView {
  readonly id: string;
  readonly name: string;
  readonly shownCommand: string;
  readonly isNamedByCommand: boolean;
  readonly state: JobState;
  readonly startedAt: Date;
  readonly durationMs: number | undefined;
  readonly exit: ProcessExit | undefined;
  readonly timedOut: boolean;
  readonly output: JobOutput;
  readonly log: OutputLog;
  readonly leftBehind = [];
  readonly recorded = undefined;
  readonly #record: JobRecord;
  readonly #folder: string;

  private constructor(folder: string, record: JobRecord, log: OutputLog, output: JobOutput) {
    this.#folder = folder;
    this.#record = record;
    this.id = record.id;
    this.name = record.name;
    this.shownCommand = record.command;
    this.isNamedByCommand = record.isNamedByCommand === true;
    this.state = record.state === 'running' ? 'lost' : record.state;
    this.startedAt = new Date(record.startedAt);
    this.durationMs =
      record.endedAt === undefined ? undefined : Date.parse(record.endedAt) - Date.parse(record.startedAt);
    this.exit = record.exit;
    this.timedOut = record.timedOut === true;
    this.log = log;
    this.output = output;
  }

  /** Without its output, which is read when somebody asks for it. */
  static async load(folder: string, record: JobRecord): Promise<PastJob> {
    const log = await OutputLog.existing(join(folder, record.id));
    const total = Math.max(record.totalBytes, log.totalBytes);
    return new PastJob(folder, record, log, JobOutput.restored(Buffer.alloc(0), Buffer.alloc(0), total));
  }

  async withOutput(): Promise<PastJob> {
    const { log } = this;
    const total = this.output.totalBytes;
    const { headBytes, tailBytes } = defaultOutputLimits;
    const head = await log.read(0, headBytes);
    const tail = await log.read(Math.max(total - tailBytes, head.bytes.length), tailBytes);
    return new PastJob(this.#folder, this.#record, log, JobOutput.restored(head.bytes, tail.bytes, total));
  }

  async forget(): Promise<void> {
    await this.log.remove();
    await rm(join(this.#folder, `${this.id}.json`), { force: true });
  }
}

/** The jobs of processes that have ended, oldest first. What cannot be understood is set aside by the reader of state files. */
export async function pastJobs(project: Project, known: ReadonlySet<string>): Promise<PastJob[]> {
  const folder = jobsFolder(project);
  const files = (await readdir(folder).catch(() => [])).filter((name) => /^job_[\w-]+\.json$/.test(name));
  const jobs: PastJob[] = [];
  for (const file of files) {
    const path = join(folder, file);
    const record = await readStateFile<JobRecord | undefined>(path, { version, parse, empty: () => undefined });
    if (record === undefined || known.has(record.id)) continue;
    // Another Sightline, say an embedded one, tells of its own jobs.
    if (record.state === 'running' && isAlive(record.owner)) continue;
    jobs.push(await PastJob.load(folder, record));
  }
  return jobs.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
}

function parse(content: unknown): JobRecord {
  if (typeof content !== 'object' || content === null) throw new Error('it is no record of a job');
  const record: Partial<Record<keyof JobRecord, unknown>> = content;
  const { id, name, command, state, startedAt, totalBytes, owner } = record;
  const isWhole =
    [id, name, command, startedAt].every((value) => typeof value === 'string') &&
    /^job_[\w-]+$/.test(String(id)) &&
    !Number.isNaN(Date.parse(String(startedAt))) &&
    typeof totalBytes === 'number' &&
    ['running', 'exited', 'stopped', 'lost'].includes(String(state)) &&
    typeof owner === 'object' &&
    owner !== null;
  if (!isWhole) throw new Error('it is no record of a job');
  // Every field that is used without a check has just been looked at.
  return content as JobRecord;
}
