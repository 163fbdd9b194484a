import { z } from 'zod';
import { withTimeout } from '../../base/cancellation.ts';
import { displayPath } from '../../base/paths.ts';
import { commandLineOf } from '../../base/processIdentity.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { JobView } from '../../engine/workspace/jobs/jobView.ts';
import { describeRest } from '../../engine/workspace/localHistory/listChanges.ts';
import type { RecordedRun } from '../../engine/workspace/localHistory/workingTree.ts';
import { renderRest, restShape } from '../changeSchema.ts';

/** What every tool says about a job. */
export const jobShape = {
  jobId: z.string(),
  name: z.string(),
  /** Where the name does not say it. */
  command: z.string().optional(),
  /** lost: it ended together with the Sightline process that had started it. */
  state: z.enum(['running', 'exited', 'stopped', 'lost']),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  durationMs: z.int().optional(),
  timedOut: z.boolean().optional(),
  output: z.string(),
  /** Where read_run_output goes on. */
  cursor: z.int(),
  totalBytes: z.int(),
  /** Bytes that were printed before the output given and are no longer kept. */
  droppedBytes: z.int().optional(),
  /** Processes it started that live on after its end; stop_job ends them. */
  leftRunning: z.array(z.string()).optional(),
};

/** What a program changed in the project. */
export const changedShape = z.object({
  /** Takes it back with `undo`. */
  historyId: z.string().optional(),
  files: z.array(z.string()),
  filesCount: z.int(),
  ...restShape,
});

export const endedJobObject = z.object({ ...jobShape, changed: changedShape.optional() });
export const jobObject = z.object(jobShape);
export type JobData = z.output<typeof jobObject>;

export function jobData(job: JobView, output: string, cursor: number, droppedBytes = 0): JobData {
  const { exit } = job;
  return {
    jobId: job.id,
    name: job.name,
    ...(job.isNamedByCommand ? {} : { command: job.shownCommand }),
    state: job.state,
    ...(exit === undefined || exit.code === null ? {} : { exitCode: exit.code }),
    ...(exit === undefined || exit.signal === null ? {} : { signal: exit.signal }),
    ...(job.durationMs === undefined ? {} : { durationMs: job.durationMs }),
    ...(job.timedOut ? { timedOut: true } : {}),
    output,
    cursor,
    totalBytes: job.output.totalBytes,
    ...(droppedBytes === 0 ? {} : { droppedBytes }),
    ...leftRunning(job),
  };
}

function leftRunning({ leftBehind }: JobView): { leftRunning?: string[] } {
  const alive = leftBehind.flatMap((pid) => {
    const command = commandLineOf(pid);
    return command === '' ? [] : [`${pid} ${clip(command, 80)}`];
  });
  return alive.length === 0 ? {} : { leftRunning: alive.slice(0, 5) };
}

/** The whole output when it is short, else its beginning and end. */
export function jobSummary(job: JobView, maxChars: number): JobData {
  const output = job.output.headAndTail(outputShare(maxChars));
  return jobData(job, output, job.output.totalBytes);
}

/** What an ended job changed, as far as that is known soon. */
export async function changedBy(job: JobView, root: string): Promise<z.output<typeof changedShape> | undefined> {
  return job.exit === undefined || job.recorded === undefined ? undefined : changedIn(job.recorded, root);
}

export async function changedIn(
  recorded: Promise<RecordedRun>,
  root: string,
): Promise<z.output<typeof changedShape> | undefined> {
  const late = { problem: 'What it changed is still being recorded; list_changes shows it.' };
  const { change, problem } = await withTimeout(recorded, maxRecordingMs).catch((): RecordedRun => late);
  if (change === undefined) return problem === undefined ? undefined : { files: [], filesCount: 0, notes: [problem] };
  const files = change.transitions.map(({ path }) => displayPath(root, path));
  return {
    ...(files.length === 0 ? {} : { historyId: change.id }),
    files: files.slice(0, maxFilesShown),
    filesCount: files.length,
    ...describeRest(change),
  };
}

const maxRecordingMs = 4000;
const maxFilesShown = 10;

export function renderChanged(changed: z.output<typeof changedShape> | undefined): string[] {
  if (changed === undefined) return [];
  const more = changed.filesCount > changed.files.length ? ` +${changed.filesCount - changed.files.length}` : '';
  return [
    ...(changed.historyId === undefined
      ? []
      : [`It changed ${changed.files.join(', ')}${more} (history: ${changed.historyId}, undo takes it back)`]),
    ...renderRest(changed),
  ];
}

/** Most of an answer may be output; the rest is for what is said about it. */
export function outputShare(maxChars: number): number {
  return Math.max(Math.floor(maxChars * 0.7), 100);
}

export function renderJob(data: JobData): string {
  const dropped =
    data.droppedBytes === undefined ? '' : `\n(${data.droppedBytes} bytes before this are no longer kept)`;
  const output = data.output === '' ? '(no output)' : data.output;
  const left =
    data.leftRunning === undefined ? '' : `\nIt left running: ${data.leftRunning.join('; ')} (stop_job ends them)`;
  return `${data.name} (${data.jobId}): ${howItStands(data)}; ${data.totalBytes} bytes of output${left}${dropped}\n${output}`;
}

function howItStands({ state, durationMs, exitCode, signal, timedOut }: JobData): string {
  const seconds = durationMs === undefined ? '' : `${(durationMs / 1000).toFixed(1)} s`;
  if (state === 'running') return `running for ${seconds}`;
  const after = seconds === '' ? '' : ` after ${seconds}`;
  if (timedOut === true) return `ended by its time-out${after}`;
  if (signal !== undefined) return `${state} (${signal})${after}`;
  return exitCode === undefined ? `${state}${after}` : `${state} with code ${exitCode}${after}`;
}
