import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { logLevels } from '../../base/logger.ts';
import { survey, type LanguageReport } from '../../engine/provision/survey.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { EngineHealth, LanguageHealth } from '../channel.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { notificationSummary, serverSummaries } from '../summaries.ts';

/** What there is to work with, what runs, and what went wrong. */
export function healthMethods(context: MethodContext): AnyMethod[] {
  const { provision, code, log, notifications, debugger: debug } = context.parts.engines;
  return [
    method('health.survey', z.object({ project: z.string().optional() }), async ({ project }) =>
      (await survey(provision, projectOf(context, project))).map(languageHealth),
    ),
    method('health.install', z.object({ engine: z.string(), project: z.string().optional() }), (params, signal) =>
      installEngine(context, params, signal),
    ),
    method('health.servers', z.object({}), () => serverSummaries(code.pool, true)),
    method('health.restart', z.object({ project: z.string(), server: z.string() }), async ({ project, server }) => {
      const found = projectOf(context, project);
      if (found !== undefined) await code.pool.stop(found, server);
      return {};
    }),
    method('health.forgive', z.object({ project: z.string(), server: z.string() }), ({ project, server }) => {
      const found = projectOf(context, project);
      if (found !== undefined) code.pool.forgive(found, server);
      return {};
    }),
    method('health.forgiveAdapter', z.object({ project: z.string(), language: z.string() }), (fallen) => {
      debug.fallen.forget(fallen.project, fallen.language);
      return {};
    }),
    method(
      'health.log',
      z.object({ level: z.enum(logLevels), text: z.string().max(500).optional(), limit: z.int().min(1).max(2000) }),
      async ({ level, text, limit }) => ({
        file: log.path,
        lines: (await log.read({ level, limit, text: text === '' ? undefined : text })).lines,
      }),
    ),
    method('notifications.list', z.object({}), () => notifications.list().map(notificationSummary)),
    method('notifications.dismiss', z.object({ id: z.string() }), ({ id }) => {
      notifications.dismiss(id);
      return {};
    }),
  ];
}

function projectOf({ parts }: MethodContext, root: string | undefined): Project | undefined {
  return parts.projects.list().find((project) => project.root === root);
}

async function installEngine(
  context: MethodContext,
  { engine, project }: { engine: string; project?: string },
  signal: AbortSignal,
): Promise<{ installed: string }> {
  const { provision } = context.parts.engines;
  const tell = (message: string, state: 'running' | 'done' | 'failed') =>
    context.stream.send('installing', engine, () => ({ engine, message, state }));
  if (!provision.engines.some(({ id }) => id === engine))
    throw new ToolError('invalid_arguments', `There is no engine ${engine}.`);
  const [outcome] = await provision.install([engine], {
    signal,
    project: projectOf(context, project),
    progress: ({ message }) => tell(message, 'running'),
  });
  if (outcome === undefined || outcome.status === 'failed') {
    const reason = outcome?.reason ?? 'It was not installed.';
    tell(reason, 'failed');
    throw new ToolError('engine_missing', reason, {
      hint: outcome?.manualCommand === undefined ? undefined : `By hand: ${outcome.manualCommand}`,
    });
  }
  tell(`${outcome.title} is there.`, 'done');
  return { installed: `${outcome.title} ${outcome.version ?? ''}`.trim() };
}

function languageHealth({ language, title, complete, engines }: LanguageReport): LanguageHealth {
  // A language of which nothing is there has nothing that it would need, and is not complete for that.
  const isComplete = complete && engines.some(({ found }) => found);
  return { language, title, complete: isComplete, engines: engines.map(engineHealth) };
}

function engineHealth(engine: LanguageReport['engines'][number]): EngineHealth {
  const { id, title, role, optional } = engine;
  if (engine.found)
    return {
      id,
      title,
      role,
      optional,
      found: true,
      version: engine.version,
      path: engine.path,
      source: engine.source,
      installable: false,
    };
  return {
    id,
    title,
    role,
    optional,
    found: false,
    problem: [engine.reason, ...engine.problems].join(' '),
    installCommand: engine.installCommand,
    // What only the system's own manager can install is for the person to type.
    installable: engine.installCommand.startsWith('sightline setup'),
  };
}
