import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { sessionId } from './shapes/shapes.ts';

export const replaceCode = defineTool({
  name: 'replace_code',
  title: 'Replace code',
  description:
    'Compiles the edited sources and puts their code into the running program, which keeps its state. Bodies of methods only. Java.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  requires: ['session'],
  input: z.object({ session_id: sessionId }),
  output: z.object({
    status: z.string(),
    replaced: z.array(z.string()),
    notLoadedYet: z.array(z.string()),
    outdatedFrames: z.array(z.object({ thread: z.string(), frameIndex: z.int(), className: z.string() })),
  }),
  run: async (engines, args, call) => {
    const { replaced, later, outdated } = await engines.debugger.replaceCode(call.project, args.session_id, {
      id: call.client.id,
      signal: call.signal,
    });
    return {
      status: replaced.length + later.length === 0 ? 'unchanged' : 'replaced',
      replaced: [...replaced],
      notLoadedYet: [...later],
      outdatedFrames: outdated.map(({ threadName, frameIndex, name }) => ({
        thread: threadName,
        frameIndex,
        className: name,
      })),
    };
  },
  render: ({ replaced, notLoadedYet, outdatedFrames }) => {
    if (replaced.length + notLoadedYet.length === 0) return 'No class is other than the program has it.';
    const frames = outdatedFrames.map(({ thread, frameIndex, className }) => `${frameIndex} (${className}, ${thread})`);
    return [
      ...(replaced.length === 0 ? [] : [`Replaced: ${replaced.join(', ')}.`]),
      ...(notLoadedYet.length === 0 ? [] : [`Not loaded yet, so new from the start: ${notLoadedYet.join(', ')}.`]),
      ...(frames.length === 0
        ? []
        : [`Frames that are still in the old code: ${frames.join(', ')}. restart_frame begins one again in the new.`]),
    ].join('\n');
  },
});
