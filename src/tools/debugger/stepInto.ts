import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { renderProgress } from './renderProgress.ts';
import { progressMessage, runAndReport } from './runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes.ts';

export const stepInto = defineTool({
  name: 'step_into',
  title: 'Step into',
  description: 'Steps into the call on the current line and returns the stop. Library code is stepped over.',
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
    const progress = await runAndReport(engines, args, call, (session) => session.step('into'));
    return { status: 'stepped', action: 'step_into', message: progressMessage(progress, 'Stepped into'), ...progress };
  },
  render: (data) => renderProgress(data),
});
