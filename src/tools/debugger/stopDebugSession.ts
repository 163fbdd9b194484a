import { z } from 'zod';
import { stopReportOptions } from '../../engine/debugger/report.ts';
import { defineTool } from '../defineTool.ts';
import { endedByUs, progressOf } from './shapes/progress.ts';
import { readerOf } from './shapes/reader.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressShape, sessionId } from './shapes/shapes.ts';

export const stopDebugSession = defineTool({
  name: 'stop_debug_session',
  title: 'Stop debug session',
  description: 'Ends the session, the program and all it started. A program that was attached to is left running.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  input: z.object({ session_id: sessionId }),
  output: z.object({ status: z.string(), sessionId: z.string(), message: z.string(), ...progressShape }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const wasAlive = session.state !== 'ended';
    await engines.debugger.end(session);
    const progress = endedByUs(
      wasAlive,
      progressOf(await session.report({ ...stopReportOptions, isAside: call.client.isPerson }), readerOf(call)),
    );
    return {
      status: 'stopped',
      sessionId: session.id,
      message: session.isAttached ? 'Detached; the program goes on' : 'Debug session stopped',
      ...progress,
    };
  },
  deed: () => 'stopped the debug session',
  render: (data) => `${data.message}.\n${renderProgress(data)}`,
});
