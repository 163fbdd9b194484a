import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { renderProgress } from './renderProgress.ts';
import { progressMessage, runAndReport } from './runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes.ts';

export const stepOut = defineTool({
  name: 'step_out',
  title: 'Step out',
  description: 'Runs to the caller of the current function and returns the stop.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  input: z.object({ session_id: sessionId, wait_ms: waitMs }),
  output: z.object({
    status: z.string(),
    action: z.string(),
    sessionId: z.string(),
    message: z.string(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    const progress = await runAndReport(engines, args, call, (session) => session.step('out'));
    return { status: 'stepped', action: 'step_out', message: progressMessage(progress, 'Stepped out'), ...progress };
  },
  render: (data) => renderProgress(data),
});
