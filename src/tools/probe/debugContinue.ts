import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { renderProgress } from '../debugger/shapes/renderProgress.ts';
import { runAndReport } from '../debugger/shapes/runControl.ts';
import { progressShape, waitMs } from '../debugger/shapes/shapes.ts';

export const debugContinue = defineTool({
  name: 'debug_continue',
  title: 'Continue',
  description: 'Runs on to the next breakpoint, failure or the end. If it is running already, waits on.',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'execute',
  input: z.object({ wait_ms: waitMs }),
  output: z.object({ sessionId: z.string(), ...progressShape }),
  run: (engines, args, call) =>
    runAndReport(engines, args, call, async (session) => {
      if (session.state !== 'running') await session.resume();
    }),
  render: (data) => renderProgress(data),
});
