import { z } from 'zod';
import type { JobView } from '../../engine/workspace/jobs/jobView.ts';
import { searchOutput } from '../../engine/workspace/jobs/outputSearch.ts';
import { readOutput } from '../../engine/workspace/jobs/readOutput.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import { jobData, jobShape, outputShare, renderJob, type JobData } from './jobShapes.ts';

const maxMatches = 100;

export const readRunOutput = defineTool({
  name: 'read_run_output',
  title: 'Read run output',
  description:
    'What a job printed: its end, from cursor on (0: beginning), or the lines that match pattern (regex) in all of it. Without job_id the latest job.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'read',
  input: z.object({
    job_id: z.string().optional(),
    cursor: z.int().optional(),
    pattern: z.string().optional(),
  }),
  output: z.object({
    ...jobShape,
    /** Lines that match, each with the cursor it begins at. */
    matches: z.array(z.object({ cursor: z.int(), text: z.string() })).optional(),
    /** There are more matches after the last one given. */
    isMore: z.boolean().optional(),
    /** Other jobs of the project. */
    jobs: z.array(z.object({ jobId: z.string(), name: z.string(), state: z.string() })).optional(),
  }),
  run: async (engines, args, call) => {
    const job = await engines.jobs.find(call.project, args.job_id);
    if (args.pattern !== undefined) return matching(job, args.pattern, args.cursor ?? 0, call);
    const maxBytes = outputShare(call.budget.maxChars);
    const page = args.cursor === undefined ? job.output.last(maxBytes) : await readOutput(job, args.cursor, maxBytes);
    const others = (await engines.jobs.all(call.project))
      .filter((each) => each.id !== job.id)
      .slice(0, 10)
      .map((each) => ({ jobId: each.id, name: each.name, state: each.state }));
    return {
      ...jobData(job, page.text, page.next, page.droppedBytes),
      jobs: args.job_id === undefined && others.length > 0 ? others : undefined,
    };
  },
  render: (data) => {
    if (data.matches !== undefined) return renderMatches(data, data.matches, data.isMore === true);
    const more = data.cursor < data.totalBytes ? `\n(goes on at cursor ${data.cursor})` : '';
    const others = (data.jobs ?? []).map((job) => `\nalso: ${job.jobId} ${job.name} (${job.state})`).join('');
    return `${renderJob(data)}${more}${others}`;
  },
});

async function matching(job: JobView, pattern: string, from: number, call: ToolCall) {
  const { env } = call.project;
  const { matches, isMore } = await searchOutput(job.log, { pattern, from, maxMatches, env, signal: call.signal });
  const { keptBytes, problem } = job.log;
  const missing = job.output.totalBytes - keptBytes;
  if (missing > 0)
    call.note(
      `${missing} bytes of the output are not on disk${problem === undefined ? '' : ` (${problem})`} and were not searched`,
    );
  const last = matches.at(-1);
  // Behind the end of that line, as far as it is shown.
  const nextCursor = last === undefined ? job.output.totalBytes : last.cursor + Buffer.byteLength(last.text) + 1;
  return { ...jobData(job, '', nextCursor), matches, ...(isMore ? { isMore } : {}) };
}

function renderMatches(
  { jobId, totalBytes }: JobData,
  matches: readonly { cursor: number; text: string }[],
  isMore: boolean,
): string {
  if (matches.length === 0) return `No line matches in the ${totalBytes} bytes of output of ${jobId}.`;
  const lines = matches.map(({ cursor, text }) => `${cursor}: ${text}`);
  return [...lines, ...(isMore ? ['(more; go on with cursor)'] : [])].join('\n');
}
