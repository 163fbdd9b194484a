import { z } from 'zod';
import { sightlineVersion } from '../../base/version.ts';
import type { Client } from '../../server/clients.ts';
import { allTools } from '../../tools/registry.ts';
import type { Overview, ToolReply } from '../channel.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { ownerName } from '../sources.ts';
import {
  approvalSummary,
  clientSummary,
  fallenAdapterSummary,
  jobSummary,
  notificationSummary,
  projectSummary,
  serverSummaries,
  sessionSummary,
  terminalSummary,
} from '../summaries.ts';

const startedAt = new Date().toISOString();

/** The process itself, its projects, and every tool. */
export function processMethods(context: MethodContext): AnyMethod[] {
  const { parts } = context;
  const { backend, projects, trust } = parts;
  const person = personOf(context);
  return [
    method('process.overview', z.object({}), () => overview(context)),
    method('process.stop', z.object({}), () => {
      // After the answer is out.
      setImmediate(() => context.stop('asked to in the dashboard'));
      return {};
    }),
    method('tool.list', z.object({}), () =>
      allTools.map(({ name, title, description }) => ({ name, title, description })),
    ),
    method(
      'tool.call',
      z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()), project: z.string().optional() }),
      async ({ tool, args, project }, signal): Promise<ToolReply> => {
        const given = project === undefined ? args : { project_path: project, ...args };
        const { callId, text, data, error } = await backend.callTool({ tool, args: given, client: person(), signal });
        return { callId, text, data, ...(error === undefined ? {} : { error }) };
      },
    ),
    method('projects.open', z.object({ path: z.string() }), async ({ path }) =>
      projectSummary(await projects.open(path, { env: parts.env })),
    ),
    method('projects.trust', z.object({ path: z.string(), trusted: z.boolean() }), async ({ path, trusted }) => {
      if (trusted) await trust.trust(path, 'dashboard');
      else await trust.revoke(path);
      return projects.list().map(projectSummary);
    }),
  ];
}

/** All pages are one client, which stays: what a person started does not end because they closed a window. */
function personOf({ parts }: MethodContext): () => Client {
  let client: Client | undefined;
  return () =>
    (client ??= parts.backend.connect({
      id: 'dashboard',
      name: 'dashboard',
      transport: 'dashboard',
      face: 'all',
      output: 'both',
      env: parts.env,
    }));
}

function overview({ parts, stops, prompts, url }: MethodContext): Overview {
  const { backend, engines, projects } = parts;
  return {
    version: sightlineVersion,
    pid: process.pid,
    url: url(),
    startedAt,
    rssMb: Math.round(process.memoryUsage.rss() / 1_048_576),
    projects: projects.list().map(projectSummary),
    clients: backend.clients.map(clientSummary),
    approvals: backend.approvals.list().map(approvalSummary),
    notifications: engines.notifications.list().map(notificationSummary),
    servers: serverSummaries(engines.code.pool, false),
    fallenAdapters: engines.debugger.fallen.list.map(fallenAdapterSummary),
    sessions: engines.debugger
      .sessions()
      .map((session) => sessionSummary(session, stops.of(session), ownerName(parts, session.ownerId))),
    jobs: projects.list().flatMap((project) => engines.jobs.of(project).map(jobSummary)),
    threads: parts.agentHost.threads.map(({ view }) => view),
    terminals: engines.terminals.all.map((terminal) => terminalSummary(terminal, prompts.of(terminal))),
  };
}
