import { z } from 'zod';
import { endedByUs, progressOf } from '../debugger/shapes/progress.ts';
import { readerOf } from '../debugger/shapes/reader.ts';
import { renderProgress } from '../debugger/shapes/renderProgress.ts';
import { progressShape } from '../debugger/shapes/shapes.ts';
import { defineTool } from '../defineTool.ts';

export const debugStop = defineTool({
  name: 'debug_stop',
  title: 'End the debug session',
  description: 'Ends the session, the program and everything it started, and forgets its breakpoints.',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'execute',
  requires: ['session'],
  input: z.object({}),
  output: z.object({ sessionId: z.string(), ...progressShape }),
  run: async (engines, _args, call) => {
    const session = engines.debugger.session(call.project);
    const wasAlive = session.state !== 'ended';
    await engines.debugger.endSingle(session);
    const progress = progressOf(await session.report(), readerOf(call));
    return { sessionId: session.id, ...endedByUs(wasAlive, progress) };
  },
  render: (data) => `Debug session ended.\n${renderProgress(data)}`,
});
