import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { renderProgress } from './renderProgress.ts';
import { progressMessage, settleAndReport, startConfigured } from './runControl.ts';
import { progressShape, waitMs } from './shapes.ts';

export const executeRunConfiguration = defineTool({
  name: 'execute_run_configuration',
  title: 'Execute run configuration',
  description:
    'Starts a run configuration by name and waits for the first stop or the end. mode run ignores breakpoints.',
  faces: ['debugger'],
  toolset: 'run',
  effect: 'execute',
  input: z.object({ name: z.string(), mode: z.enum(['debug', 'run']).optional(), wait_ms: waitMs }),
  output: z.object({
    status: z.string(),
    configurationName: z.string(),
    mode: z.string(),
    message: z.string(),
    sessionId: z.string(),
    otherSessions: z.array(z.string()).optional(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    const mode = args.mode ?? 'debug';
    const sessions = await startConfigured(engines, args.name, call, mode === 'run');
    const [first, ...others] = sessions.toReversed();
    if (first === undefined) throw new Error(`${args.name} started nothing`);
    const progress = await settleAndReport(first, args.wait_ms, call);
    return {
      status: 'started',
      configurationName: args.name,
      mode,
      message: progressMessage(progress, `Started '${args.name}' in ${mode} mode`),
      ...(others.length === 0 ? {} : { otherSessions: others.map((session) => session.id) }),
      ...progress,
    };
  },
  render: (data) =>
    `Started '${data.configurationName}' in ${data.mode} mode (${data.sessionId})\n${renderProgress(data)}`,
});
