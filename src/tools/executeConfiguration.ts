import { z } from 'zod';
import { BugError } from '../base/errors.ts';
import type { Session } from '../engine/debugger/session/session.ts';
import { untilPortAnswers } from '../engine/workspace/runConfigs/portReady.ts';
import { renderProgress } from './debugger/shapes/renderProgress.ts';
import { progressMessage, settleAndReport, startConfigured } from './debugger/shapes/runControl.ts';
import { defaultWaitMs, progressShape, waitMs, type Progress } from './debugger/shapes/shapes.ts';
import { defineTool, type Tool, type ToolCall } from './defineTool.ts';
import type { Engines } from './engines.ts';
import type { FaceName } from './faces.ts';
import { runConfigured, waitOrStop, type StartOptions } from './runConfigurations.ts';
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
    input: z.object({
      name: z.string(),
      mode: z.enum(['debug', 'run']).default(variant.defaultMode),
      inputs: z.record(z.string(), z.string()).optional().describe('what it asks for'),
      ready_port: z.int().min(1).max(65_535).optional().describe('answer once this port does'),
      restart: z.boolean().optional(),
      wait_ms: waitMs,
    }),
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
      /** Whether the port that was to be waited for answers. */
      ready: z.boolean().optional(),
      /** In run mode, once it has ended: what it changed in the project. */
      changed: changedShape.optional(),
      ...progressShape,
    }),
    run: async (engines, args, call) => {
      const start = args.mode === 'run' ? startRun : startDebugging;
      const { name, inputs, restart, ready_port: readyPort, wait_ms: wait = defaultWaitMs } = args;
      const { progress, others, ...ids } = await start(engines, { name, inputs, restart, readyPort }, wait, call);
      return {
        status: 'started',
        configurationName: name,
        mode: args.mode,
        message: progressMessage(progress, `Started '${name}' in ${args.mode} mode${portText(ids.ready, readyPort)}`),
        ...ids,
        ...(others.length === 0 ? {} : { others }),
        ...progress,
      };
    },
    render: (data) => {
      const id = data.jobId ?? data.sessionId ?? '';
      const changed = renderChanged(data.changed).map((line) => `\n${line}`);
      const others = data.others === undefined ? '' : `, also ${data.others.join(', ')}`;
      const ready =
        data.ready === undefined ? '' : data.ready ? '; its port answers' : '; its port does not answer yet';
      return `Started '${data.configurationName}' in ${data.mode} mode (${id}${others})${ready}\n${renderProgress(data)}${changed.join('')}`;
    },
  });
}

interface Started {
  sessionId?: string;
  jobId?: string;
  others: string[];
  ready?: boolean;
  changed?: z.output<typeof changedShape>;
  progress: Progress;
}

function portText(ready: boolean | undefined, port: number | undefined): string {
  if (ready === undefined) return '';
  return ready ? `; port ${port} answers` : `; port ${port} does not answer`;
}

async function startDebugging(engines: Engines, options: StartOptions, wait: number, call: ToolCall): Promise<Started> {
  const sessions = await startConfigured(engines, options, call);
  const [current, ...others] = sessions.toReversed();
  if (current === undefined) throw new BugError(`${options.name} started nothing`);
  const endsAt = Date.now() + Math.min(wait, call.patienceMs);
  const ready = await readyOrSettled(current, options.readyPort, wait, call);
  // A port that answers ends the wait for a stop.
  const rest = ready === true ? 0 : Math.max(endsAt - Date.now(), 0);
  const { sessionId, ...progress } = await settleAndReport(current, rest, call);
  return { sessionId, progress, ready, others: others.map((session) => session.id) };
}

async function readyOrSettled(
  session: Session,
  port: number | undefined,
  wait: number,
  call: ToolCall,
): Promise<boolean | undefined> {
  if (port === undefined) return undefined;
  const stop = new AbortController();
  const settled = session.settle(Math.min(wait, call.patienceMs), call.signal).then(() => false);
  try {
    return await Promise.race([settled, untilPortAnswers(port, AbortSignal.any([call.signal, stop.signal]))]);
  } finally {
    stop.abort();
  }
}

async function startRun(engines: Engines, options: StartOptions, wait: number, call: ToolCall): Promise<Started> {
  const jobs = await runConfigured(engines, options, call);
  const [first, ...others] = jobs;
  if (first === undefined) throw new BugError(`${options.name} started nothing`);
  const isReady = await waitOrStop(jobs, wait, call, options.readyPort);
  const { exitCode, signal, output } = jobSummary(first, call.budget.maxChars);
  const progress: Progress = {
    state: first.state === 'running' ? 'running' : 'stopped',
    ...(output === '' ? {} : { output }),
    ...(first.state === 'running' ? { runningForMs: first.durationMs } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { exitSignal: signal }),
  };
  const changed = await changedBy(first, call.project.root);
  const ready = options.readyPort === undefined ? undefined : isReady;
  return { jobId: first.id, changed, progress, ready, others: others.map((job) => job.id) };
}
