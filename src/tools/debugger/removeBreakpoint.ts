import { z } from 'zod';
import { defineTool } from '../defineTool.ts';

export const removeBreakpoint = defineTool({
  name: 'remove_breakpoint',
  title: 'Remove breakpoint',
  description: 'Removes a breakpoint by its id.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  input: z.object({ breakpoint_id: z.string() }),
  output: z.object({ status: z.string(), breakpointId: z.string(), message: z.string() }),
  run: async (engines, args, call) => {
    const gone = await engines.debugger.removeBreakpoint(call.project, args.breakpoint_id);
    const store = await engines.debugger.breakpoints(call.project);
    return { status: 'removed', breakpointId: gone.id, message: `Breakpoint removed: ${store.describe(gone)}` };
  },
  deed: (_args, data) => data.message.replace('Breakpoint removed:', 'removed the breakpoint'),
  render: (data) => `${data.message}.`,
});
