import { z } from 'zod';
import { BugError } from '../base/errors.ts';
import { renderProgress } from './debugger/shapes/renderProgress.ts';
import { progressMessage, settleAndReport, startConfigured } from './debugger/shapes/runControl.ts';
import { defaultWaitMs, progressShape, waitMs, type Progress } from './debugger/shapes/shapes.ts';
import { defineTool, type Tool, type ToolCall } from './defineTool.ts';
import type { Engines } from './engines.ts';
import type { FaceName } from './faces.ts';
import { runConfigured, waitOrStop } from './runConfigurations.ts';
import { changedBy, changedShape, jobSummary, renderChanged } from './workspace/jobShapes.ts';

interface Variant {
  name: string;
  title: string;
  description: string;
  face: FaceName;
  defaultMode: 'run' | 'debug';
}

/** Two faces know the same tool under two names and with two default modes. */
export function executeConfiguration(variant: Variant): Tool {
  return defineTool({
    name: variant.name,
    title: variant.title,
    description: variant.description,
    faces: [variant.face],
    toolset: 'run',
    effect: 'execute',
    requires: ['trustedProject'],
    input: z.object({ name: z.string(), mode: z.enum(['debug', 'run']).default(variant.defaultMode), wait_ms: waitMs }),
    output: z.object({
      status: z.string(),
      configurationName: z.string(),
      mode: z.string(),
      message: z.string(),
      /** In debug mode. */
      sessionId: z.string().optional(),
      /** In run mode: wait_job, read_run_output and stop_job take it. */
      jobId: z.string().optional(),
      /** Ids of the other sessions or jobs of a compound. */
      others: z.array(z.string()).optional(),
      /** In run mode, once it has ended: what it changed in the project. */
      changed: changedShape.optional(),
      ...progressShape,
    }),
    run: async (engines, args, call) => {
      const start = args.mode === 'run' ? startRun : startDebugging;
      const { progress, others, ...ids } = await start(engines, args.name, args.wait_ms ?? defaultWaitMs, call);
      return {
        status: 'started',
        configurationName: args.name,
        mode: args.mode,
        message: progressMessage(progress, `Started '${args.name}' in ${args.mode} mode`),
        ...ids,
        ...(others.length === 0 ? {} : { others }),
        ...progress,
      };
    },
    render: (data) => {
      const id = data.jobId ?? data.sessionId ?? '';
      const changed = renderChanged(data.changed).map((line) => `\n${line}`);
      const others = data.others === undefined ? '' : `, also ${data.others.join(', ')}`;
      return `Started '${data.configurationName}' in ${data.mode} mode (${id}${others})\n${renderProgress(data)}${changed.join('')}`;
    },
  });
}

interface Started {
  sessionId?: string;
  jobId?: string;
  others: string[];
  changed?: z.output<typeof changedShape>;
  progress: Progress;
}

async function startDebugging(engines: Engines, name: string, wait: number, call: ToolCall): Promise<Started> {
  const sessions = await startConfigured(engines, name, call);
  const [current, ...others] = sessions.toReversed();
  if (current === undefined) throw new BugError(`${name} started nothing`);
  const { sessionId, ...progress } = await settleAndReport(current, wait, call);
  return { sessionId, progress, others: others.map((session) => session.id) };
}

async function startRun(engines: Engines, name: string, wait: number, call: ToolCall): Promise<Started> {
  const jobs = await runConfigured(engines, name, call);
  const [first, ...others] = jobs;
  if (first === undefined) throw new BugError(`${name} started nothing`);
  await waitOrStop(jobs, wait, call);
  const { exitCode, signal, durationMs, output } = jobSummary(first, call.budget.maxChars);
  const progress: Progress = {
    state: first.state === 'running' ? 'running' : 'stopped',
    ...(output === '' ? {} : { output }),
    ...(first.state === 'running' ? { runningForMs: durationMs } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { exitSignal: signal }),
  };
  const changed = await changedBy(first, call.project.root);
  return { jobId: first.id, changed, progress, others: others.map((job) => job.id) };
}
