import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { changedBy, endedJobObject, jobSummary, renderChanged, renderJob } from './jobShapes.ts';

export const waitJob = defineTool({
  name: 'wait_job',
  title: 'Wait for a job',
  description:
    'Waits until a job has ended, at most wait_ms, and returns its exit code and output (beginning and end).',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'read',
  input: z.object({
    job_id: z.string().optional(),
    wait_ms: z.int().min(0).max(40_000).default(20_000),
  }),
  output: endedJobObject,
  run: async (engines, args, call) => {
    const job = engines.jobs.get(call.project, args.job_id);
    await job.wait(Math.min(args.wait_ms, call.patienceMs), call.signal);
    const changed = await changedBy(job, call.project.root);
    return { ...jobSummary(job, call.budget.maxChars), changed };
  },
  render: (data) => [renderJob(data), ...renderChanged(data.changed)].join('\n'),
});
