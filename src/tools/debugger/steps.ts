import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { runDeed } from './shapes/deeds.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressMessage, runAndReport } from './shapes/runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes/shapes.ts';

export const stepOver = stepTool('over', 'Steps to the next line and returns the stop.');
export const stepInto = stepTool(
  'into',
  'Steps into the call on the current line and returns the stop. Library code is stepped over.',
);
export const stepOut = stepTool('out', 'Runs to the caller of the current function and returns the stop.');

function stepTool(kind: 'over' | 'into' | 'out', description: string) {
  const name = `step_${kind}`;
  return defineTool({
    name,
    title: `Step ${kind}`,
    description,
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
      const progress = await runAndReport(engines, args, call, (session) => session.step(kind));
      return { status: 'stepped', action: name, message: progressMessage(progress, `Stepped ${kind}`), ...progress };
    },
    deed: (_args, data, root) => runDeed(`stepped ${kind}`, data, root),
    render: (data) => renderProgress(data),
  });
}
