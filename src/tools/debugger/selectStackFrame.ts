import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { locationData, sourceLines, variableData } from './shapes/progress.ts';
import { renderVariable } from './shapes/renderProgress.ts';
import { locationShape, sessionId, variableShape } from './shapes/shapes.ts';

export const selectStackFrame = defineTool({
  name: 'select_stack_frame',
  title: 'Select stack frame',
  description:
    'Makes a frame (0 = top) the one that variables and expressions mean, and shows its source and variables.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  requires: ['pausedSession'],
  input: z.object({ frame_index: z.int().min(0), session_id: sessionId }),
  output: z.object({
    status: z.string(),
    frameIndex: z.int(),
    location: locationShape,
    message: z.string(),
    source: z.array(z.string()),
    variables: z.array(variableShape),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    await session.inspection.selectFrame(args.frame_index);
    const { stop } = await session.report();
    const location = stop?.location;
    const shown = location === undefined ? { file: null, line: null, methodName: null } : locationData(location);
    return {
      status: 'selected',
      frameIndex: args.frame_index,
      location: shown,
      message: `Selected frame ${args.frame_index}: ${location?.name ?? 'unknown'}()`,
      source: sourceLines(stop?.source),
      variables: (stop?.variables ?? []).map(variableData),
    };
  },
  render: (data) =>
    [data.message, ...data.source, ...data.variables.map((variable) => renderVariable(variable))].join('\n'),
});
