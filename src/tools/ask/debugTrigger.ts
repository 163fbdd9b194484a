import { z } from 'zod';
import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import type { Session } from '../../engine/debugger/session/session.ts';
import { renderProgress } from '../debugger/shapes/renderProgress.ts';
import { settleAndReport } from '../debugger/shapes/runControl.ts';
import { progressShape, sessionId, waitMs } from '../debugger/shapes/shapes.ts';
import { shownState } from '../debugger/shapes/shownState.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import { anything } from '../terminals/annotations.ts';
import { triggerOf, triggerShape } from './trigger.ts';

const defaultWaitMs = 20_000;
/** What was set off may stop the program a moment after it was answered. */
const afterwardsMs = 500;

export const debugTrigger = defineTool({
  name: 'debug_trigger',
  title: 'Set off a stop',
  description:
    'Sends a request, runs a command, or types input (stdin of the program; with terminal_id a terminal) and waits for the running session to stop. Returns both results.',
  faces: ['probe'],
  toolset: 'ask',
  effect: 'execute',
  annotations: anything,
  requires: ['trustedProject'],
  rare: ['terminal_id', 'wait_ms'],
  input: z.object({ ...triggerShape, session_id: sessionId, wait_ms: waitMs }),
  output: z.object({
    /** What came of the request, command or input itself. */
    trigger: z.string(),
    sessionId: z.string(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    const begin = triggerOf(args);
    const session = engines.debugger.session(call.project, args.session_id);
    requireRunning(session, call);
    const endsAt = Date.now() + Math.min(args.wait_ms ?? defaultWaitMs, call.patienceMs - 2000);
    const trigger = await begin(engines, call);
    try {
      await untilStop(session, trigger.done, endsAt, call.signal);
    } catch (error) {
      await trigger.giveUp();
      throw error;
    }
    const progress = await settleAndReport(session, 0, call);
    return { trigger: await trigger.result(), ...progress };
  },
  render: ({ trigger, ...progress }) => [renderProgress(progress), '', trigger].join('\n'),
});

function requireRunning(session: Session, call: ToolCall): void {
  if (session.state === 'running') return;
  throw new ToolError(
    'not_running',
    `Nothing was sent: the program of ${session.id} is ${shownState(session.state)}.`,
    {
      hint:
        session.state === 'paused'
          ? (call.hint(advise`${step('debugContinue')} lets it go on; then call this again.`) ?? '')
          : (call.hint(advise`${step('debugLaunch')} starts a program.`) ?? ''),
    },
  );
}

/** Until the program stands still or has ended; not much longer than what was set off, and not beyond `endsAt`. */
async function untilStop(session: Session, done: Promise<void>, endsAt: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const left = () => Math.max(endsAt - Date.now(), 0);
  const stop = session.settle(left(), either);
  const afterwards = done.then(() => session.settle(Math.min(afterwardsMs, left()), either));
  stop.catch(() => undefined);
  afterwards.catch(() => undefined);
  try {
    await Promise.race([stop, afterwards]);
  } finally {
    over.abort();
  }
}
