import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { jobObject, jobSummary, renderJob } from './jobShapes.ts';

export const stopJob = defineTool({
  name: 'stop_job',
  title: 'Stop a job',
  description: 'Ends a job and every process it started; returns its last output.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'execute',
  input: z.object({ job_id: z.string().optional() }),
  output: jobObject,
  run: async (engines, args, call) => {
    const job = engines.jobs.get(call.project, args.job_id);
    await job.stop();
    return jobSummary(job, call.budget.maxChars);
  },
  render: renderJob,
});
