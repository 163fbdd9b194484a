import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { frameData, frameText } from './shapes/progress.ts';
import { frameShape, sessionId } from './shapes/shapes.ts';

export const getStackTrace = defineTool({
  name: 'get_stack_trace',
  title: 'Stack trace',
  description: 'The call stack of the paused thread, asynchronous callers included.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  requires: ['pausedSession'],
  input: z.object({
    session_id: sessionId,
    max_frames: z.int().min(1).max(1000).optional(),
    thread_id: z.string().optional(),
  }),
  output: z.object({ sessionId: z.string(), frames: z.array(frameShape), totalFrames: z.int() }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    if (args.thread_id !== undefined) session.standing.selectThread(args.thread_id);
    const { frames, totalFrames } = await session.inspection.stack(args.max_frames ?? 50);
    return { sessionId: session.id, frames: frames.map(frameData), totalFrames };
  },
  render: (data, _budget, root) =>
    [
      ...data.frames.map(
        (frame) =>
          `${frame.isCurrent ? '>' : ' '} #${frame.index} ${frameText(frame, root)}${frame.isLibrary ? ' [library]' : ''}`,
      ),
      ...(data.totalFrames > data.frames.length ? [`(${data.totalFrames} frames in all)`] : []),
    ].join('\n'),
});
