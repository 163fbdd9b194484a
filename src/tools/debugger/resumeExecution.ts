import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { runDeed } from './shapes/deeds.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressMessage, runAndReport } from './shapes/runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes/shapes.ts';

export const resumeExecution = defineTool({
  name: 'resume_execution',
  title: 'Resume',
  description:
    'Resumes, waits up to wait_ms (default 20000; 0 = return at once) for the next stop or the end, and returns it: location, source, changed variables, output; at the end the exit code and why breakpoints were not hit.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  input: z.object({ session_id: sessionId, wait_ms: waitMs }),
  output: z.object({
    status: z.string(),
    sessionId: z.string(),
    message: z.string(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    const progress = await runAndReport(engines, args, call, (session) => session.resume());
    return { status: 'resumed', message: progressMessage(progress, 'Execution resumed'), ...progress };
  },
  deed: (_args, data, root) => runDeed('resumed', data, root),
  render: (data) => renderProgress(data),
});
