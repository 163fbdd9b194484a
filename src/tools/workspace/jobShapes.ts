import { z } from 'zod';
import { withTimeout } from '../../base/cancellation.ts';
import { displayPath } from '../../base/paths.ts';
import type { Job } from '../../engine/workspace/jobs/jobStore.ts';
import { describeRest } from '../../engine/workspace/localHistory/listChanges.ts';
import type { RecordedRun } from '../../engine/workspace/localHistory/workingTree.ts';
import { renderRest, restShape } from '../changeSchema.ts';

/** What every tool says about a job. */
export const jobShape = {
  jobId: z.string(),
  name: z.string(),
  command: z.string(),
  state: z.enum(['running', 'exited', 'stopped']),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  durationMs: z.int(),
  output: z.string(),
  /** Where read_run_output goes on. */
  cursor: z.int(),
  totalBytes: z.int(),
  /** Bytes that were printed before the output given and are no longer kept. */
  droppedBytes: z.int().optional(),
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

export function jobData(job: Job, output: string, cursor: number, droppedBytes = 0): JobData {
  const { exit } = job;
  return {
    jobId: job.id,
    name: job.spec.name,
    command: job.shownCommand,
    state: job.state,
    ...(exit === undefined || exit.code === null ? {} : { exitCode: exit.code }),
    ...(exit === undefined || exit.signal === null ? {} : { signal: exit.signal }),
    durationMs: job.durationMs,
    output,
    cursor,
    totalBytes: job.output.totalBytes,
    ...(droppedBytes === 0 ? {} : { droppedBytes }),
  };
}

/** The whole output when it is short, else its beginning and end. */
export function jobSummary(job: Job, maxChars: number): JobData {
  const output = job.output.headAndTail(outputShare(maxChars));
  return jobData(job, output, job.output.totalBytes);
}

/** What an ended job changed, as far as that is known soon. */
export async function changedBy(job: Job, root: string): Promise<z.output<typeof changedShape> | undefined> {
  if (job.exit === undefined || job.recorded === undefined) return undefined;
  const late = { problem: 'What it changed is still being recorded; list_changes shows it.' };
  const { change, problem } = await withTimeout(job.recorded, maxRecordingMs).catch((): RecordedRun => late);
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
  const seconds = `${(data.durationMs / 1000).toFixed(1)} s`;
  const how =
    data.state === 'running'
      ? `running for ${seconds}`
      : data.signal !== undefined
        ? `${data.state} (${data.signal}) after ${seconds}`
        : `${data.state} with code ${data.exitCode} after ${seconds}`;
  const dropped =
    data.droppedBytes === undefined ? '' : `\n(${data.droppedBytes} bytes before this are no longer kept)`;
  const output = data.output === '' ? '(no output)' : data.output;
  return `${data.name} (${data.jobId}): ${how}; ${data.totalBytes} bytes of output${dropped}\n${output}`;
}
