import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { variableData } from './shapes/progress.ts';
import { renderVariable } from './shapes/renderProgress.ts';
import { frameIndex, sessionId, variableShape } from './shapes/shapes.ts';

export const getVariables = defineTool({
  name: 'get_variables',
  title: 'Get variables',
  description:
    'Variables of a frame; scope all adds closures and module level. Large values are cut; expand_variable opens them by id.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  requires: ['pausedSession'],
  input: z.object({
    session_id: sessionId,
    frame_index: frameIndex,
    scope: z.enum(['local', 'all']).optional(),
    depth: z.int().min(0).max(6).optional(),
    start: z.int().min(0).optional(),
    count: z.int().min(1).max(500).optional(),
    filter: z.string().optional(),
  }),
  output: z.object({
    sessionId: z.string(),
    frameIndex: z.int(),
    variables: z.array(variableShape),
    total: z.int().optional(),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const found = await session.inspection.variables({
      frameIndex: args.frame_index,
      depth: args.depth,
      filter: args.filter,
      allScopes: args.scope === 'all',
      start: args.start ?? 0,
      count: args.count ?? 50,
    });
    return {
      sessionId: session.id,
      frameIndex: found.frameIndex,
      variables: found.variables.map(variableData),
      ...(found.total > found.variables.length ? { total: found.total } : {}),
    };
  },
  render: (data) =>
    data.variables.length === 0
      ? 'No variables.'
      : [
          ...data.variables.map((variable) => renderVariable(variable)),
          ...(data.total === undefined ? [] : [`  (${data.variables.length} of ${data.total})`]),
        ].join('\n'),
});
