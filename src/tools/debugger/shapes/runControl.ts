import { withTimeout } from '../../../base/cancellation.ts';
import { ToolError } from '../../../base/errors.ts';
import type { Session } from '../../../engine/debugger/session/session.ts';
import type { ToolCall } from '../../defineTool.ts';
import type { Engines } from '../../engines.ts';
import { recordedDebugging } from '../../recordedPrograms.ts';
import { configurationToStart, type StartOptions } from '../../runConfigurations.ts';
import { progressOf } from './progress.ts';
import { readerOf } from './reader.ts';
import { reportOptionsFor } from './reportOptions.ts';
import { defaultWaitMs, type Progress } from './shapes.ts';

/** No answer comes later than this after the wait it was asked for, whatever the engine does. */
export const answerGraceMs = 800;
/** An engine that has not taken an order within this time is silent. */
const orderMs = 500;

/** Does something that lets the program run, waits for what comes of it, and says it. */
export async function runAndReport(
  engines: Engines,
  args: { session_id?: string | undefined; wait_ms?: number | undefined },
  call: ToolCall,
  action: (session: Session) => Promise<void>,
): Promise<Progress & { sessionId: string }> {
  const session = engines.debugger.session(call.project, args.session_id);
  const wait = Math.min(args.wait_ms ?? defaultWaitMs, call.patienceMs);
  const endsAt = Date.now() + wait;
  const done = action(session);
  const isAnswered = await inTime(done, Math.min(wait / 2, orderMs));
  // An engine that is silent has the order to run; what comes of it is seen later. Before that it stands where it stood.
  if (!isAnswered && session.state === 'paused') await inTime(done, endsAt - Date.now() + answerGraceMs / 2);
  return settleAndReport(session, Math.max(endsAt - Date.now(), 0), call, endsAt);
}

async function inTime(done: Promise<void>, timeoutMs: number): Promise<boolean> {
  try {
    await withTimeout(done, timeoutMs);
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'timeout') return false;
    throw error;
  }
}

export async function settleAndReport(
  session: Session,
  waitMs: number | undefined,
  call: ToolCall,
  endsAt = Date.now() + Math.min(waitMs ?? defaultWaitMs, call.patienceMs),
): Promise<Progress & { sessionId: string }> {
  await session.settle(Math.min(waitMs ?? defaultWaitMs, call.patienceMs), call.signal);
  session.requireTest();
  const answerWithinMs = Math.max(endsAt + answerGraceMs - Date.now(), 100);
  const report = await session.report(
    { ...reportOptionsFor(call.budget), isAside: call.client.isPerson },
    answerWithinMs,
  );
  return { sessionId: session.id, ...progressOf(report, readerOf(call)) };
}

export async function startConfigured(engines: Engines, options: StartOptions, call: ToolCall): Promise<Session[]> {
  const { configuration, find } = await configurationToStart(engines, options, call);
  const start = () =>
    engines.debugger.startConfiguration(call.project, configuration, find, {
      ownerId: call.client.id,
      signal: call.signal,
    });
  return recordedDebugging(engines, call, start, (sessions) => sessions);
}

/** One sentence for the `message` of an answer. */
export function progressMessage(progress: Progress, done: string): string {
  // Where and why it stopped stands in the stop itself.
  if (progress.stop !== undefined) return done;
  if (progress.state === 'stopped')
    return `${done}; the program ended${progress.exitCode === undefined ? '' : ` with exit code ${progress.exitCode}`}`;
  return `${done}; running`;
}
