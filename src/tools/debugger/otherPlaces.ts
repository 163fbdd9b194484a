import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { defineTool } from '../defineTool.ts';
import { runDeed } from './shapes/deeds.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressMessage, runAndReport } from './shapes/runControl.ts';
import { frameIndex, progressShape, sessionId } from './shapes/shapes.ts';

export const jumpToLine = defineTool({
  name: 'jump_to_line',
  title: 'Jump to line',
  description: 'Makes a line of the current function the next to run; what is between is not run. Python.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  requires: ['pausedSession'],
  paths: { file_path: 'readable' },
  input: z.object({ file_path: z.string(), line: z.int().min(1), session_id: sessionId }),
  output: z.object({ status: z.string(), sessionId: z.string(), message: z.string(), ...progressShape }),
  run: async (engines, args, call) => {
    const progress = await runAndReport(engines, args, call, (session) => session.jump(args.file_path, args.line));
    const place = `${displayPath(call.project.root, args.file_path)}:${args.line}`;
    return { status: 'jumped', message: progressMessage(progress, `Jumped to ${place}`), ...progress };
  },
  deed: (args, data, root) => runDeed(`jumped to line ${args.line}`, data, root),
  render: (data) => renderProgress(data),
});

export const restartFrame = defineTool({
  name: 'restart_frame',
  title: 'Restart frame',
  description: 'Begins the call of a frame again, with its arguments as they are now; side effects stay. Node.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  requires: ['pausedSession'],
  input: z.object({ frame_index: frameIndex, session_id: sessionId }),
  output: z.object({ status: z.string(), sessionId: z.string(), message: z.string(), ...progressShape }),
  run: async (engines, args, call) => {
    const progress = await runAndReport(engines, args, call, (session) => session.restartFrame(args.frame_index));
    return { status: 'restarted', message: progressMessage(progress, 'Restarted the frame'), ...progress };
  },
  deed: (_args, data, root) => runDeed('restarted a frame', data, root),
  render: (data) => renderProgress(data),
});

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
