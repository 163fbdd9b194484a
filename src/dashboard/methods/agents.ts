import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { permissionModes } from '../../engine/agents/model.ts';
import type { DeskCaller } from '../../server/agents/agentDesk.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';

const thread = { id: z.string() };
const mode = z.enum(permissionModes);

/** Conversations with agents, for a person at the page. */
export function agentMethods({ parts }: MethodContext): AnyMethod[] {
  const { agents, agentHost, projects, env } = parts;
  // A thread of the page outlives the request that started it.
  const caller = (): DeskCaller => ({
    cwd: projects.list()[0]?.root ?? '',
    env: projects.list()[0]?.env ?? env,
    signal: new AbortController().signal,
  });
  return [
    method('agents.list', z.object({}), () => agents.request('list', {}, caller())),
    method(
      'agents.start',
      z.object({
        agent: z.string().optional(),
        cwd: z.string().optional(),
        fromNpm: z.boolean().optional(),
        permissions: mode.optional(),
        sessionId: z.string().optional(),
        threadId: z.string().optional(),
      }),
      (params) => {
        const { cwd = caller().cwd } = params;
        if (params.threadId === undefined && !projects.list().some(({ root }) => root === cwd))
          throw new ToolError('project_not_found', 'An agent is started in a project that is open here.');
        return agents.request('start', params, { ...caller(), env: projects.containing(cwd)?.env ?? env });
      },
    ),
    method('agents.items', z.object(thread), ({ id }) => {
      const { view, items } = agentHost.get(id);
      return { thread: view, items };
    }),
    method('agents.prompt', z.object({ ...thread, text: z.string().max(200_000) }), (params) =>
      agents.request('prompt', params, caller()),
    ),
    method('agents.unqueue', z.object({ ...thread, promptId: z.string() }), (params) =>
      agents.request('unqueue', params, caller()),
    ),
    method('agents.cancel', z.object(thread), (params) => agents.request('cancel', params, caller())),
    method(
      'agents.answer',
      z.object({
        ...thread,
        questionId: z.string(),
        optionId: z.string().optional(),
        allow: z.boolean().optional(),
        content: z.record(z.string(), z.unknown()).optional(),
      }),
      (params) => agents.request('answer', params, caller()),
    ),
    method(
      'agents.setOption',
      z.object({ ...thread, option: z.string(), value: z.union([z.string(), z.boolean()]) }),
      (params) => agents.request('setOption', params, caller()),
    ),
    method('agents.setPermissions', z.object({ ...thread, mode }), (params) =>
      agents.request('setPermissions', params, caller()),
    ),
    method('agents.signIn', z.object({ ...thread, methodId: z.string() }), (params) =>
      agents.request('signIn', params, caller()),
    ),
    method('agents.sessions', z.object(thread), (params) => agents.request('sessions', params, caller())),
    method('agents.revert', z.object({ ...thread, turn: z.number(), historyId: z.string().optional() }), (params) =>
      agents.request('revert', params, caller()),
    ),
    method('agents.restart', z.object(thread), (params) => agents.request('restart', params, caller())),
    method('agents.close', z.object({ ...thread, forget: z.boolean().optional() }), (params) =>
      agents.request('close', params, caller()),
    ),
    method('agents.log', z.object({ ...thread, after: z.number().optional() }), (params) =>
      agents.request('log', params, caller()),
    ),
  ];
}
