import { z } from 'zod';
import { Job } from '../../engine/workspace/jobs/job.ts';
import type { Terminal } from '../../engine/workspace/terminals/terminal.ts';
import { defineTool } from '../defineTool.ts';
import { jobObject, jobSummary, renderJob, type JobData } from './jobShapes.ts';

export const stopJob = defineTool({
  name: 'stop_job',
  title: 'Stop job',
  description: 'Ends a job or terminal and every process it started; returns its last output.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'execute',
  input: z.object({ job_id: z.string().optional() }),
  output: jobObject,
  run: async (engines, args, call) => {
    if (args.job_id?.startsWith('term_') === true)
      return closeTerminal(engines.terminals.find(call.project, args.job_id));
    const job = await engines.jobs.find(call.project, args.job_id);
    if (job instanceof Job) await job.stop();
    return jobSummary(job, call.budget.maxChars);
  },
  render: renderJob,
});

async function closeTerminal(terminal: Terminal): Promise<JobData> {
  await terminal.kill();
  const output = terminal.screen.last(20);
  const { id: jobId, spec, shell } = terminal;
  return {
    jobId,
    name: spec.name,
    command: shell,
    state: 'stopped',
    output,
    cursor: 0,
    totalBytes: terminal.raw.totalBytes,
  };
}
