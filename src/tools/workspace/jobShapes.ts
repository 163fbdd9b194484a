import { z } from 'zod';
import type { Job } from '../../engine/workspace/jobs/jobStore.ts';

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
