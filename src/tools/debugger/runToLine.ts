import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { defineTool } from '../defineTool.ts';
import { runDeed } from './shapes/deeds.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressMessage, runAndReport } from './shapes/runControl.ts';
import { progressShape, sessionId, waitMs } from './shapes/shapes.ts';

export const runToLine = defineTool({
  name: 'run_to_line',
  title: 'Run to line',
  description: 'Resumes until a line is reached, or a breakpoint before it, and returns the stop.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  paths: { file_path: 'readable' },
  input: z.object({ file_path: z.string(), line: z.int().min(1), session_id: sessionId, wait_ms: waitMs }),
  output: z.object({
    status: z.string(),
    sessionId: z.string(),
    targetFile: z.string(),
    targetLine: z.int(),
    message: z.string(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    const progress = await runAndReport(engines, args, call, (session) =>
      engines.debugger.runToLine(session, args.file_path, args.line),
    );
    const location = progress.stop?.location;
    const isThere = location?.file === args.file_path && location.line === args.line;
    return {
      status: isThere
        ? 'reached'
        : progress.stop === undefined && progress.state === 'running'
          ? 'running_to_line'
          : 'not_reached',
      targetFile: args.file_path,
      targetLine: args.line,
      message: progressMessage(progress, `Running to ${displayPath(call.project.root, args.file_path)}:${args.line}`),
      ...progress,
    };
  },
  deed: (args, data, root) => runDeed(`ran towards line ${args.line}`, data, root),
  render: (data, _budget, root) => {
    const isOver = data.status === 'not_reached' && data.stop === undefined;
    const note = isOver ? `${displayPath(root, data.targetFile)}:${data.targetLine} was not reached.\n` : '';
    return note + renderProgress(data);
  },
});
