import { appDirs, type AppDirs } from '../base/appDirs.ts';
import { DisposableStore } from '../base/disposable.ts';
import { ToolError } from '../base/errors.ts';
import { Logger, type LogSink } from '../base/logger.ts';
import { resolveProjectPath } from '../engine/workspace/paths.ts';
import type { Project } from '../engine/workspace/project.ts';
import { ProjectStore } from '../engine/workspace/projectStore.ts';
import { TrustStore } from '../engine/workspace/trust.ts';
import { Approvals, defaultPolicy } from '../server/approvals.ts';
import { Backend } from '../server/backend.ts';
import type { Client } from '../server/clients.ts';
import { ToolRunner, type RunnerParts } from '../server/toolRunner.ts';
import type { PathKind } from '../tools/defineTool.ts';
import type { Engines } from '../tools/engines.ts';
import { findTool } from '../tools/registry.ts';
import { notifyingSink } from './logSinks.ts';

/** Everything that one Sightline process consists of. Disposing ends all of it, children included. */
export interface Sightline {
  readonly dirs: AppDirs;
  readonly logger: Logger;
  readonly projects: ProjectStore;
  readonly trust: TrustStore;
  readonly engines: Engines;
  readonly backend: Backend;
  dispose(): Promise<void>;
}

export interface ComposeOptions {
  env: NodeJS.ProcessEnv;
  /** Where log records go besides the log file, e.g. stderr of a process in the foreground. */
  logSink?: LogSink;
}

/** The only place that constructs everything. What is added to the store last is disposed first. */
export async function compose(options: ComposeOptions): Promise<Sightline> {
  const owned = new DisposableStore();
  try {
    return await construct(options, owned);
  } catch (error) {
    await owned.dispose();
    throw error;
  }
}

async function construct(options: ComposeOptions, owned: DisposableStore): Promise<Sightline> {
  const dirs = appDirs(options.env);
  const logger = new Logger(notifyingSink(options.logSink));

  const trust = await TrustStore.load(dirs.state, (problem) =>
    logger.warn(`${problem.path} was set aside as ${problem.setAsideAs}: ${problem.reason}`),
  );
  const projects = owned.add(new ProjectStore({ stateDir: dirs.state, trust, home: options.env['HOME'] }));

  const engines: Engines = { dirs };

  const approvals = new Approvals();
  const runner = new ToolRunner({
    findTool,
    engines,
    approvals,
    logger: logger.tagged('runner'),
    recorder: { begin: () => undefined, end: () => undefined },
    policyFor: () => defaultPolicy,
    resolveProject: (projectPath, client) => resolveProject(projects, projectPath, client),
    resolvePath,
    preconditions,
  });
  const backend = owned.add(new Backend(runner, approvals, logger.tagged('backend')));

  return { dirs, logger, projects, trust, engines, backend, dispose: () => owned.dispose() };
}

/** A client that came with a working directory means that project, and its own directory needs no further trust. */
async function resolveProject(
  projects: ProjectStore,
  projectPath: string | undefined,
  client: Client,
): Promise<Project> {
  const env = client.env ?? {};
  const ownProjects =
    client.cwd === undefined ? [] : [await projects.open(client.cwd, { env, trustedByStart: isLocal(client) })];
  return projects.resolve(projectPath, { ownProjects, env });
}

/** Only a process that the person or the agent itself started on this machine can say what its working directory is. */
function isLocal(client: Client): boolean {
  return client.transport === 'stdio' || client.transport === 'embedded' || client.transport === 'cli';
}

async function resolvePath(project: Project, path: string, kind: PathKind): Promise<string> {
  const resolved = await resolveProjectPath(project.root, path, { expect: kind === 'new' ? 'any' : 'existing' });
  if (kind === 'file' && resolved.kind !== 'file')
    throw new ToolError('not_a_regular_file', `${resolved.shown} is not a file (${resolved.kind}).`);
  if (kind === 'directory' && resolved.kind !== 'directory')
    throw new ToolError('invalid_arguments', `${resolved.shown} is not a directory (${resolved.kind}).`);
  return resolved.member === undefined ? resolved.path : `${resolved.path}!/${resolved.member}`;
}

const preconditions: RunnerParts['preconditions'] = {
  session: () => {
    throw noSession();
  },
  pausedSession: () => {
    throw noSession();
  },
  trustedProject: (_engines, _args, call) => {
    if (call.project.trusted) return;
    throw new ToolError(
      'project_not_trusted',
      `${call.project.root} is not trusted, so nothing in it may be executed.`,
      {
        hint: `A person can trust it: sightline trust ${call.project.root}`,
      },
    );
  },
};

function noSession(): ToolError {
  return new ToolError('no_session', 'There is no debug session.', { hint: 'Start one: start_debug_session.' });
}
