import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import type { Unanswered } from '../../engine/debugger/session/session.ts';
import { frameText } from './shapes/frameText.ts';
import { runDeed } from './shapes/deeds.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressMessage, settleAndReport } from './shapes/runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes/shapes.ts';

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
    const session = engines.debugger.session(call.project, args.session_id);
    const unanswered = await session.pauseWithin(Math.min(args.wait_ms ?? pauseWaitMs, call.patienceMs), call.signal);
    const progress = await settleAndReport(session, 0, call);
    const { state } = progress;
    const done = state === 'paused' ? 'Execution paused' : 'Pause requested';
    return {
      status: state === 'paused' || state === 'stopped' ? state : 'pausing',
      message:
        unanswered === undefined || state !== 'running'
          ? progressMessage(progress, done)
          : unansweredText(unanswered, call.project.root),
      ...progress,
    };
  },
  deed: (_args, data, root) => runDeed('paused', data, root),
  render: (data) => (data.status === 'pausing' ? data.message : renderProgress(data)),
});

const pauseWaitMs = 5000;

/** What is known, and that the rest is not. */
function unansweredText({ waitedMs, isComputing, lastSeen }: Unanswered, root: string): string {
  const doing =
    isComputing === undefined
      ? 'It is busy or blocked inside a native call'
      : isComputing
        ? 'It computes inside a native call (a long regular expression, sorting, compression)'
        : 'It is blocked inside a native call (a synchronous child process, Atomics.wait, reading)';
  const seen = lastSeen === undefined ? '' : ` It was last seen at ${frameText(lastSeen, root)}.`;
  return `Pause requested, but the program has not answered for ${(waitedMs / 1000).toFixed(1)} s. ${doing}, and stops as soon as that returns.${seen}`;
}
