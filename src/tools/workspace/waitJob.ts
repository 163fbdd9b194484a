import { z } from 'zod';
import { Job } from '../../engine/workspace/jobs/job.ts';
import { readOutput } from '../../engine/workspace/jobs/readOutput.ts';
import { waitFor, type WaitOutcome } from '../../engine/workspace/jobs/waitFor.ts';
import { defineTool } from '../defineTool.ts';
import { jobProgress, withProgress } from './jobProgress.ts';
import {
  changedBy,
  changedShape,
  jobData,
  jobShape,
  jobSummary,
  outputShare,
  renderChanged,
  renderJob,
} from './jobShapes.ts';

const defaultWaitMs = 20_000;

export const waitJob = defineTool({
  name: 'wait_job',
  title: 'Wait job',
  description:
    'Waits until a job ends, its output matches pattern (regex), it is quiet for quiet_ms or a local port answers; at most wait_ms. Returns exit code and output (from cursor on).',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'read',
  input: z.object({
    job_id: z.string().optional(),
    pattern: z.string().optional(),
    cursor: z.int().optional(),
    quiet_ms: z.int().optional(),
    port: z.int().optional(),
    wait_ms: z.int().optional(),
  }),
  output: z.object({
    ...jobShape,
    changed: changedShape.optional(),
    /** What ended the wait. */
    reason: z.enum(['ended', 'pattern', 'quiet', 'port', 'time']),
    match: z.object({ cursor: z.int(), text: z.string() }).optional(),
  }),
  run: async (engines, args, call) => {
    const job = await engines.jobs.find(call.project, args.job_id);
    const conditions = { pattern: args.pattern, from: args.cursor, quietMs: args.quiet_ms, port: args.port };
    const waitMs = Math.min(args.wait_ms ?? defaultWaitMs, call.patienceMs);
    const outcome: WaitOutcome =
      job instanceof Job
        ? await withProgress(call, () => jobProgress(job), waitFor(job, conditions, waitMs, call.signal))
        : { reason: 'ended' };
    if (outcome.reason === 'port' && job instanceof Job && job.listensAt(args.port ?? 0) === false)
      call.note(`Port ${args.port} is another program's: no process of this job listens there`);
    const changed = await changedBy(job, call.project.root);
    const maxBytes = outputShare(call.budget.maxChars);
    const page = args.cursor === undefined ? undefined : await readOutput(job, args.cursor, maxBytes);
    return {
      ...(page === undefined
        ? jobSummary(job, call.budget.maxChars)
        : jobData(job, page.text, page.next, page.droppedBytes)),
      ...outcome,
      changed,
    };
  },
  render: (data) => {
    const why = data.match === undefined ? reasons[data.reason] : `matched at ${data.match.cursor}: ${data.match.text}`;
    return [...(why === undefined ? [] : [why]), renderJob(data), ...renderChanged(data.changed)].join('\n');
  },
});

const reasons: Readonly<Partial<Record<WaitOutcome['reason'], string>>> = {
  quiet: 'quiet since then',
  port: 'the port answers',
};
