import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { variableData } from './shapes/progress.ts';
import { renderVariable, typedValue } from './shapes/renderProgress.ts';
import { sessionId, variableShape } from './shapes/shapes.ts';

export const expandVariable = defineTool({
  name: 'expand_variable',
  title: 'Expand variable',
  description:
    'Children of a value by its id, or by a path such as order.items[2]; start and count page through large ones.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  requires: ['pausedSession'],
  input: z.object({
    id: z.string().optional(),
    path: z.string().optional(),
    session_id: sessionId,
    depth: z.int().min(0).max(6).optional(),
    start: z.int().min(0).optional(),
    count: z.int().min(1).max(500).optional(),
    filter: z.string().optional(),
  }),
  output: z.object({
    sessionId: z.string(),
    id: z.string().optional(),
    value: z.string().optional(),
    type: z.string().optional(),
    variables: z.array(variableShape),
    start: z.int(),
    total: z.int().optional(),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const start = args.start ?? 0;
    const found = await session.inspection.expand({
      reference: args.id,
      path: args.path,
      depth: args.depth,
      filter: args.filter,
      start,
      count: args.count ?? 50,
    });
    return {
      sessionId: session.id,
      id: found.reference,
      ...(found.value === undefined ? {} : { value: found.value.value, type: found.value.type }),
      variables: found.variables.map(variableData),
      start,
      ...(found.total === undefined ? {} : { total: found.total }),
    };
  },
  render: (data) => {
    const shown = data.start + data.variables.length;
    return [
      ...(data.value === undefined ? [] : [typedValue(data.type ?? '', data.value)]),
      ...data.variables.map((variable) => renderVariable(variable)),
      ...(data.total !== undefined && data.total > shown
        ? [`  (${data.start}-${shown - 1} of ${data.total}; start: ${shown} goes on)`]
        : []),
      ...(data.variables.length === 0 ? ['No children.'] : []),
    ].join('\n');
  },
});
