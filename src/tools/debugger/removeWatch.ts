import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { sessionId } from './shapes/shapes.ts';

export const removeWatch = defineTool({
  name: 'remove_watch',
  title: 'Remove watch',
  description: 'Removes a watch by its id.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  requires: ['session'],
  input: z.object({ watch_id: z.string(), session_id: sessionId }),
  output: z.object({ status: z.string(), watchId: z.string(), message: z.string() }),
  run: (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    const gone = session.inspection.watches.remove(args.watch_id);
    return Promise.resolve({ status: 'removed', watchId: gone.id, message: `Watch removed: ${gone.expression}` });
  },
  deed: (_args, data) => data.message.replace('Watch removed:', 'removed the watch'),
  render: (data) => `${data.message}.`,
});
