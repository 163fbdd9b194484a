import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { renderProgress } from '../debugger/shapes/renderProgress.ts';
import { runAndReport } from '../debugger/shapes/runControl.ts';
import { progressShape, waitMs } from '../debugger/shapes/shapes.ts';

export const debugStep = defineTool({
  name: 'debug_step',
  title: 'Step',
  description: 'Steps over, into or out of the current line and shows the new stop.',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'execute',
  input: z.object({ kind: z.enum(['over', 'into', 'out']).optional(), wait_ms: waitMs }),
  output: z.object({ sessionId: z.string(), ...progressShape }),
  run: (engines, args, call) => runAndReport(engines, args, call, (session) => session.step(args.kind ?? 'over')),
  render: (data) => renderProgress(data),
});
