import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { sessionId } from './shapes/shapes.ts';

export const listThreads = defineTool({
  name: 'list_threads',
  title: 'List threads',
  description: 'Lists the threads of all processes and workers of the session with their states.',
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
      }),
    ),
    count: z.int(),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const processes = session.target.processes();
    const threads = (await session.inspection.threads()).map((thread) => {
      const process = processes.find((node) => node.id === thread.processId);
      return {
        id: thread.id,
        name: thread.name,
        state: thread.state,
        isCurrent: thread.isCurrent,
        group: thread.group ?? (process === undefined || processes.length === 1 ? null : process.title),
      };
    });
    return { threads, count: threads.length };
  },
  render: (data) =>
    data.threads
      .map(
        (thread) =>
          `${thread.isCurrent ? '>' : ' '} ${thread.id} ${thread.name}: ${thread.state}${thread.group === null ? '' : ` (${thread.group})`}`,
      )
      .join('\n'),
});
