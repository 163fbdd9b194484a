import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { renderProgress } from './renderProgress.ts';
import { progressMessage, runAndReport } from './runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes.ts';

export const stepOver = defineTool({
  name: 'step_over',
  title: 'Step over',
  description: 'Steps to the next line and returns the stop.',
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
    const progress = await runAndReport(engines, args, call, (session) => session.step('over'));
    return { status: 'stepped', action: 'step_over', message: progressMessage(progress, 'Stepped over'), ...progress };
  },
  render: (data) => renderProgress(data),
});
