import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { threadActivities } from './shapes/activity.ts';
import { sessionId } from './shapes/shapes.ts';

export const listThreads = defineTool({
  name: 'list_threads',
  title: 'List threads',
  description:
    'Lists the threads of all processes and workers of the session with their states; of a running program what each does or waits for, and its stack.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  requires: ['session'],
  input: z.object({ session_id: sessionId }),
  output: z.object({
    threads: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        state: z.string(),
        isCurrent: z.boolean(),
        group: z.string().nullable(),
        doing: z.string().optional(),
        stack: z.array(z.string()).optional(),
      }),
    ),
    count: z.int(),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const processes = session.target.processes();
    // A look that an engine does not answer takes nothing away from the list.
    const view = await session.look().catch(() => undefined);
    const activities = view === undefined ? undefined : threadActivities(view, call.project.root);
    const threads = (await session.inspection.threads()).map((thread) => {
      const process = processes.find((node) => node.id === thread.processId);
      const { doing, at, stack } = activities?.get(thread.id) ?? {};
      const frames = stack ?? (at === undefined ? undefined : [at]);
      return {
        id: thread.id,
        name: thread.name,
        state: thread.state,
        isCurrent: thread.isCurrent,
        group: thread.group ?? (process === undefined || processes.length === 1 ? null : process.title),
        ...(doing === undefined ? {} : { doing }),
        ...(frames === undefined ? {} : { stack: frames }),
      };
    });
    return { threads, count: threads.length };
  },
  render: (data) =>
    data.threads
      .map((thread) => {
        const group = thread.group === null ? '' : ` (${thread.group})`;
        const doing = thread.doing === undefined ? '' : `, ${thread.doing}`;
        const stack = thread.stack === undefined ? '' : `\n    ${thread.stack.join(' < ')}`;
        return `${thread.isCurrent ? '>' : ' '} ${thread.id} ${thread.name}: ${thread.state}${group}${doing}${stack}`;
      })
      .join('\n'),
});
