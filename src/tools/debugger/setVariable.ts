import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { quoted } from './shapes/deeds.ts';
import { frameIndex, sessionId } from './shapes/shapes.ts';

export const setVariable = defineTool({
  name: 'set_variable',
  title: 'Set variable',
  description: 'Changes a variable or a part of it (order.items[2].qty) to the value of an expression.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  requires: ['pausedSession'],
  input: z.object({ variable_path: z.string(), value: z.string(), session_id: sessionId, frame_index: frameIndex }),
  output: z.object({
    status: z.string(),
    variable: z.string(),
    oldValue: z.string(),
    newValue: z.string(),
    type: z.string(),
    message: z.string(),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const { old, now } = await session.inspection.setVariable(args.variable_path, args.value, args.frame_index);
    return {
      status: 'set',
      variable: args.variable_path,
      oldValue: old.value,
      newValue: now.value,
      type: now.type,
      message: `Variable '${args.variable_path}' set to ${now.value}`,
    };
  },
  deed: (_args, data) => `set ${quoted(data.variable)} to ${quoted(data.newValue)} (it was ${quoted(data.oldValue)})`,
  render: (data) => `${data.variable}: ${data.oldValue} -> ${data.newValue}`,
});
