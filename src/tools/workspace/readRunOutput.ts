import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { jobData, jobShape, outputShare, renderJob } from './jobShapes.ts';

export const readRunOutput = defineTool({
  name: 'read_run_output',
  title: 'Read output of a run',
  description:
    'Reads what a job printed: its end, or from a cursor on. Without job_id the latest job. Huge output keeps its beginning (cursor 0) and its end.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'read',
  input: z.object({
    job_id: z.string().optional(),
    cursor: z.int().min(0).optional(),
  }),
  output: z.object({
    ...jobShape,
    /** Other jobs of the project. */
    jobs: z.array(z.object({ jobId: z.string(), name: z.string(), state: z.string() })).optional(),
  }),
  run: async (engines, args, call) => {
    const job = engines.jobs.get(call.project, args.job_id);
    const maxBytes = outputShare(call.budget.maxChars);
    const page = args.cursor === undefined ? job.output.last(maxBytes) : job.output.read(args.cursor, maxBytes);
    const others = engines.jobs
      .of(call.project)
      .filter((each) => each !== job)
      .slice(0, 10)
      .map((each) => ({ jobId: each.id, name: each.spec.name, state: each.state }));
    return {
      ...jobData(job, page.text, page.next, page.droppedBytes),
      jobs: args.job_id === undefined && others.length > 0 ? others : undefined,
    };
  },
  render: (data) => {
    const more = data.cursor < data.totalBytes ? `\n(goes on at cursor ${data.cursor})` : '';
    const others = (data.jobs ?? []).map((job) => `\nalso: ${job.jobId} ${job.name} (${job.state})`).join('');
    return `${renderJob(data)}${more}${others}`;
  },
});
