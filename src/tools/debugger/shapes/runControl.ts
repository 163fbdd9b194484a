import type { Session } from '../../../engine/debugger/session/session.ts';
import { findRunConfiguration } from '../../../engine/workspace/runConfigs/runConfigurations.ts';
import type { ToolCall } from '../../defineTool.ts';
import type { Engines } from '../../engines.ts';
import { recordedDebugging } from '../../recordedPrograms.ts';
import { configurationsOf } from '../../runConfigurations.ts';
import { progressOf } from './progress.ts';
import { readerOf } from './reader.ts';
import { reportOptionsFor } from './reportOptions.ts';
import { defaultWaitMs, type Progress } from './shapes.ts';

/** Does something that lets the program run, waits for what comes of it, and says it. */
export async function runAndReport(
  engines: Engines,
  args: { session_id?: string | undefined; wait_ms?: number | undefined },
  call: ToolCall,
  action: (session: Session) => Promise<void>,
): Promise<Progress & { sessionId: string }> {
  const session = engines.debugger.session(call.project, args.session_id);
  await action(session);
  return settleAndReport(session, args.wait_ms, call);
}

export async function settleAndReport(
  session: Session,
  waitMs: number | undefined,
  call: ToolCall,
): Promise<Progress & { sessionId: string }> {
  await session.settle(Math.min(waitMs ?? defaultWaitMs, call.patienceMs), call.signal);
  session.requireTest();
  const report = await session.report(reportOptionsFor(call.budget));
  return { sessionId: session.id, ...progressOf(report, readerOf(call)) };
}

export async function startConfigured(engines: Engines, name: string, call: ToolCall): Promise<Session[]> {
  const list = await configurationsOf(call);
  const find = (wanted: string) => findRunConfiguration(list, wanted);
  const start = () =>
    engines.debugger.startConfiguration(call.project, find(name), find, {
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
