import { z } from 'zod';
import { BugError } from '../../base/errors.ts';
import { defineTool } from '../defineTool.ts';
import { runConfigured, waitOrStop } from '../runConfigurations.ts';
import { jobShape, jobSummary, renderJob } from './jobShapes.ts';

export const runConfigurationTool = defineTool({
  name: 'run_configuration',
  title: 'Run configuration',
  description:
    'Runs a run configuration by name as a job and waits up to wait_ms for its end: exit code and output (beginning and end). wait_job and read_run_output go on from there.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'execute',
  requires: ['trustedProject'],
  input: z.object({
    name: z.string(),
    wait_ms: z.int().min(0).max(40_000).default(20_000),
  }),
  output: z.object({
    status: z.string(),
    configurationName: z.string(),
    mode: z.string(),
    message: z.string(),
    ...jobShape,
    /** The other jobs of a compound. */
    otherJobs: z.array(z.object({ jobId: z.string(), name: z.string() })).optional(),
  }),
  run: async (engines, args, call) => {
    const jobs = await runConfigured(engines, args.name, call);
    const [first, ...others] = jobs;
    if (first === undefined) throw new BugError(`${args.name} started nothing`);
    const ended = await waitOrStop(jobs, args.wait_ms, call);
    const otherJobs = others.map((job) => ({ jobId: job.id, name: job.spec.name }));
    return {
      status: ended ? 'ended' : 'started',
      configurationName: args.name,
      mode: 'run',
      message: `Started '${args.name}' in run mode`,
      ...jobSummary(first, call.budget.maxChars),
      otherJobs: otherJobs.length === 0 ? undefined : otherJobs,
    };
  },
  render: (data) => {
    const others = (data.otherJobs ?? []).map((job) => `\nalso started: ${job.name} (${job.jobId})`);
    return `${renderJob(data)}${others.join('')}`;
  },
});
