import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { quoted } from './shapes/deeds.ts';
import { sessionId } from './shapes/shapes.ts';

export const addWatch = defineTool({
  name: 'add_watch',
  title: 'Add watch',
  description: 'Adds an expression that is evaluated at every stop and shown with it.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  requires: ['session'],
  input: z.object({ expression: z.string().min(1), session_id: sessionId }),
  output: z.object({
    status: z.string(),
    watchId: z.string(),
    expression: z.string(),
    value: z.string().nullable(),
    type: z.string().nullable(),
    error: z.string().nullable(),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const watch = session.inspection.addWatch(args.expression);
    const now = session.state === 'paused' ? await session.inspection.evaluateWatch(watch) : {};
    return {
      status: 'added',
      watchId: watch.id,
      expression: watch.expression,
      value: now.value ?? null,
      type: now.type ?? null,
      error: now.error ?? null,
    };
  },
  deed: ({ expression }) => `added the watch ${quoted(expression)}`,
  render: (data) =>
    `Watch ${data.watchId}: ${data.expression}${data.value === null ? (data.error === null ? ' (shown at the next stop)' : `: ${data.error}`) : ` = ${data.value}`}`,
});
