import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { treeLines } from './traceText.ts';

export const debugTraceNode = defineTool({
  name: 'debug_trace_node',
  title: 'Expand a call',
  description: 'The calls below one call of the last recording, in full: `id` as the trace shows it (n12).',
  faces: ['probe'],
  toolset: 'ask',
  effect: 'read',
  input: z.object({ id: z.string() }),
  output: z.object({ callers: z.array(z.string()).optional(), calls: z.array(z.string()) }),
  run: async (engines, { id }, call) => {
    const node = engines.debugger.ask.node(call.project, id);
    const callers: string[] = [];
    for (let each = node.parent; each !== undefined; each = each.parent)
      callers.unshift(`${each.fn.name} (${each.id})`);
    return {
      ...(callers.length === 0 ? {} : { callers }),
      calls: treeLines([node], call.project.root, Math.floor(call.budget.maxChars * 0.8)),
    };
  },
  render: ({ callers, calls }) =>
    [...(callers === undefined ? [] : [`in ${callers.join(' > ')}`]), ...calls].join('\n'),
});
