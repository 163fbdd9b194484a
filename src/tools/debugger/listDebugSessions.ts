import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { shownState } from './shapes/shownState.ts';

export const listDebugSessions = defineTool({
  name: 'list_debug_sessions',
  title: 'List debug sessions',
  description: 'Lists debug sessions with their state; the current one is meant when session_id is omitted.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        state: z.string(),
        isCurrent: z.boolean(),
        language: z.string(),
        runConfigurationName: z.string().nullable(),
        processId: z.int().nullable(),
        processes: z.array(z.object({ pid: z.int().optional(), title: z.string() })).optional(),
      }),
    ),
    count: z.int(),
  }),
  run: (engines, _args, call) => {
    const sessions = engines.debugger.sessions(call.project).map((session) => {
      const processes = session.target.processes().filter((node) => node.exit === undefined);
      return {
        id: session.id,
        name: session.name,
        state: session.state === 'starting' ? 'running' : shownState(session.state),
        isCurrent: engines.debugger.isCurrent(session),
        language: session.language,
        runConfigurationName: session.configurationName ?? null,
        processId: session.pid ?? null,
        ...(processes.length > 1 ? { processes: processes.map(({ pid, title }) => ({ pid, title })) } : {}),
      };
    });
    return Promise.resolve({ sessions, count: sessions.length });
  },
  render: (data) => {
    const live = data.sessions.filter((session) => session.state !== 'stopped');
    const ended = data.sessions.length - live.length;
    const rows = live.map((session) => {
      const about = [
        session.language,
        ...(session.processId === null ? [] : [`pid ${session.processId}`]),
        ...(session.processes ?? []).map(({ pid, title }) => `${title}${pid === undefined ? '' : ` pid ${pid}`}`),
      ];
      return `${session.isCurrent ? '>' : ' '} ${session.id} ${session.name}: ${session.state} (${about.join(', ')})`;
    });
    return [
      ...(rows.length === 0 ? ['No running debug session.'] : rows),
      ...(ended === 0 ? [] : [`(${ended} ended)`]),
    ].join('\n');
  },
});
