import { z } from 'zod';
import { anything } from './annotations.ts';
import { BugError } from '../../base/errors.ts';
import { clip } from '../../base/text/textBudget.ts';
import { shellCommand } from '../../engine/workspace/jobs/shell.ts';
import { defineTool } from '../defineTool.ts';
import { recordedJobs } from '../recordedPrograms.ts';
import { waitOrStop } from '../runConfigurations.ts';
import { jobProgress, withProgress } from '../workspace/jobProgress.ts';
import { changedBy, endedJobObject, jobSummary, renderChanged, renderJob } from '../workspace/jobShapes.ts';

const defaultWaitMs = 30_000;
const needsTerminal = /not a (tty|terminal)|terminal is required|requires? a (tty|terminal)|Inappropriate ioctl/i;

export const runCommand = defineTool({
  name: 'run_command',
  title: 'Run a command',
  description:
    'Runs a command line in a shell, or `command` with `args` without one; no TTY. Returns exit code, output (beginning and end) and changed files; after wait_ms (0: at once) it goes on as a job.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'execute',
  annotations: anything,
  requires: ['trustedProject'],
  paths: { cwd: 'directory' },
  input: z.object({
    command: z.string(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    stdin: z.string().optional(),
    timeout_ms: z.int().optional(),
    wait_ms: z.int().optional(),
  }),
  output: endedJobObject,
  run: async (engines, args, call) => {
    const { project } = call;
    const jobs = await recordedJobs(
      engines,
      call,
      `ran ${clip(args.command, 80)}`,
      async () => [
        await engines.jobs.start({
          project,
          clientId: call.client.id,
          name: clip([args.command, ...(args.args ?? [])].join(' ').replaceAll(/\s+/g, ' '), 60),
          command: args.args === undefined ? shellCommand(args.command, project.env) : [args.command, ...args.args],
          isNamedByCommand: true,
          cwd: args.cwd ?? project.root,
          ...(args.env === undefined ? {} : { env: args.env }),
          ...(args.stdin === undefined ? {} : { stdin: args.stdin }),
          ...(args.timeout_ms === undefined ? {} : { timeoutMs: Math.max(args.timeout_ms, 1) }),
        }),
      ],
      'run_command',
    );
    const [job] = jobs;
    if (job === undefined) throw new BugError('a command started nothing');
    await withProgress(call, () => jobProgress(job), waitOrStop(jobs, args.wait_ms ?? defaultWaitMs, call));
    const summary = jobSummary(job, call.budget.maxChars);
    if (job.exit !== undefined && job.exit.code !== 0 && needsTerminal.test(summary.output))
      call.note('It says that it needs a terminal, which run_in_terminal has');
    return { ...summary, changed: await changedBy(job, project.root) };
  },
  render: (data) => [renderJob(data), ...renderChanged(data.changed)].join('\n'),
});
