import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { renderProgress } from './renderProgress.ts';
import { progressMessage, runAndReport } from './runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes.ts';

export const pauseExecution = defineTool({
  name: 'pause_execution',
  title: 'Pause',
  description: 'Pauses a running program where it is and returns the stop.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  input: z.object({ session_id: sessionId, wait_ms: waitMs }),
  output: z.object({ status: z.string(), sessionId: z.string(), message: z.string(), ...progressShape }),
  run: async (engines, args, call) => {
    const progress = await runAndReport(engines, { wait_ms: 5000, ...args }, call, (session) => session.pause());
    const isPaused = progress.state === 'paused';
    return {
      status: isPaused ? 'paused' : progress.state === 'stopped' ? 'stopped' : 'pausing',
      message: progressMessage(progress, isPaused ? 'Execution paused' : 'Pause requested'),
      ...progress,
    };
  },
  render: (data) => renderProgress(data),
});
