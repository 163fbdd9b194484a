import { z } from 'zod';
import { variableData } from '../debugger/shapes/progress.ts';
import { variableShape } from '../debugger/shapes/shapes.ts';
import { defineTool } from '../defineTool.ts';

export const debugVariables = defineTool({
  name: 'debug_variables',
  title: 'Variables',
  description: 'Local variables of a frame, or the inside of one value by path (order.items[2]).',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'read',
  requires: ['pausedSession'],
  input: z.object({
    frame: z.int().min(0).optional(),
    path: z.string().optional(),
    depth: z.int().min(0).max(6).optional(),
  }),
  output: z.object({ variables: z.array(variableShape), total: z.int().optional(), value: z.string().optional() }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project);
    const depth = args.depth === undefined ? {} : { depth: args.depth };
    if (args.path !== undefined) {
      const found = await session.inspection.expand({
        path: args.path,
        start: 0,
        count: 50,
        ...depth,
        ...(args.frame === undefined ? {} : { frameIndex: args.frame }),
      });
      return {
        variables: found.variables.map(variableData),
        total: found.total,
        ...(found.value === undefined ? {} : { value: `(${found.value.type}) ${found.value.value}` }),
      };
    }
    const found = await session.inspection.variables({
      allScopes: false,
      start: 0,
      count: 60,
      ...depth,
      ...(args.frame === undefined ? {} : { frameIndex: args.frame }),
    });
    return { variables: found.variables.map(variableData), total: found.total };
  },
  render: (data) => {
    const lines = data.variables.map((variable) => `  ${variable.name}: ${variable.type} = ${variable.value}`);
    const more = data.total !== undefined && data.total > lines.length ? [`  (${lines.length} of ${data.total})`] : [];
    const head = data.value === undefined ? [] : [data.value];
    return lines.length + head.length === 0 ? 'No variables here.' : [...head, ...lines, ...more].join('\n');
  },
});
