import { z } from 'zod';
import { frameText } from '../debugger/shapes/frameText.ts';
import { defineTool } from '../defineTool.ts';

export const debugStack = defineTool({
  name: 'debug_stack',
  title: 'Stack',
  description: 'The call stack where the program stands.',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'read',
  requires: ['pausedSession'],
  input: z.object({}),
  output: z.object({ frames: z.array(z.string()), total: z.int() }),
  run: async (engines, _args, call) => {
    const session = engines.debugger.session(call.project);
    const { frames, totalFrames } = await session.inspection.stack(40);
    // What called the user's own code last is the runtime starting up: nobody asks for its frames one by one.
    const last = frames.findLastIndex((frame) => !frame.isLibrary);
    const shown = (last < 0 ? frames : frames.slice(0, last + 1)).map(
      (frame) =>
        `${frame.isCurrent ? '>' : ' '} #${frame.index} ${frameText(frame, call.project.root)}${frame.isLibrary ? ' [library]' : ''}`,
    );
    return { frames: shown, total: totalFrames };
  },
  render: (data) =>
    [
      ...data.frames,
      ...(data.total > data.frames.length ? [`(${data.total} frames with those of the runtime and libraries)`] : []),
    ].join('\n'),
});
