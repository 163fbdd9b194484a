import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { defineTool } from '../defineTool.ts';

export const listBreakpoints = defineTool({
  name: 'list_breakpoints',
  title: 'List breakpoints',
  description:
    'Lists the breakpoints of the project with ids, hit counts and whether a running session has bound them.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  paths: { file_path: 'readable' },
  input: z.object({
    file_path: z.string().optional(),
    type: z.enum(['line', 'function', 'exception', 'data']).optional(),
    enabled: z.boolean().optional(),
  }),
  output: z.object({
    breakpoints: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        file: z.string().nullable(),
        line: z.int().nullable(),
        lineContent: z.string().optional(),
        function: z.string().optional(),
        variable: z.string().optional(),
        enabled: z.boolean(),
        condition: z.string().nullable(),
        hitCondition: z.string().optional(),
        logMessage: z.string().nullable(),
        suspendPolicy: z.string(),
        hitCount: z.int(),
        temporary: z.boolean(),
        verified: z.boolean().optional(),
        message: z.string().optional(),
        exceptionClass: z.string().nullable().optional(),
        caught: z.boolean().optional(),
        uncaught: z.boolean().optional(),
      }),
    ),
    count: z.int(),
  }),
  run: async (engines, args, call) => {
    const store = await engines.debugger.breakpoints(call.project);
    await store.followEdits();
    const live = engines.debugger.sessions(call.project).filter((session) => session.state !== 'ended');
    const wanted = store
      .list()
      .filter(
        (item) =>
          (args.file_path === undefined || item.file === args.file_path) &&
          (args.type === undefined || item.type === args.type) &&
          (args.enabled === undefined || item.enabled === args.enabled),
      );
    const breakpoints = await Promise.all(
      wanted.map(async (item) => {
        const binding = await engines.debugger.bindingOf(call.project, item);
        return {
          id: item.id,
          type: item.type,
          file: item.file ?? null,
          line: binding?.location?.line ?? item.line ?? null,
          lineContent: item.lineText,
          function: item.functionName,
          variable: item.expression,
          enabled: item.enabled,
          condition: item.condition ?? null,
          hitCondition: item.hitCondition,
          logMessage: item.logMessage ?? null,
          suspendPolicy: item.suspendPolicy,
          hitCount: item.hitCount,
          temporary: item.temporary,
          ...(live.length === 0 ? {} : { verified: binding?.verified ?? false }),
          ...(binding?.message === undefined ? {} : { message: binding.message }),
          ...(item.type === 'exception'
            ? {
                exceptionClass: item.exceptionClass ?? null,
                caught: item.caught ?? false,
                uncaught: item.uncaught ?? true,
              }
            : {}),
        };
      }),
    );
    return { breakpoints, count: breakpoints.length };
  },
  render: (data, _budget, root) =>
    data.count === 0
      ? 'No breakpoints.'
      : data.breakpoints
          .map((item) => {
            const place =
              item.type === 'line'
                ? `${displayPath(root, item.file ?? '')}:${item.line ?? 0}`
                : item.type === 'function'
                  ? `${item.function ?? ''}()`
                  : item.type === 'data'
                    ? `changes of ${item.variable ?? ''}`
                    : `exceptions ${item.exceptionClass ?? '(any)'}${item.caught === true ? ' caught' : ''}${item.uncaught === true ? ' uncaught' : ''}`;
            const notes = [
              ...(item.enabled ? [] : ['disabled']),
              ...(item.verified === undefined ? [] : [item.verified ? 'verified' : 'unverified']),
              ...(item.message === undefined ? [] : [item.message]),
              ...(item.condition === null ? [] : [`if ${item.condition}`]),
              ...(item.hitCondition === undefined ? [] : [`hit ${item.hitCondition}`]),
              ...(item.logMessage === null ? [] : [`log "${item.logMessage}"`]),
              ...(item.temporary ? ['temporary'] : []),
              ...(item.hitCount === 0 ? [] : [`hit ${item.hitCount}x`]),
            ];
            return `${item.id} ${place}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
          })
          .join('\n'),
});
