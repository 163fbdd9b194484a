import { homedir } from 'node:os';
import { join } from 'node:path';
import { appDirs, type AppDirs } from '../base/appDirs.ts';
import { DisposableStore } from '../base/disposable.ts';
import { ToolError } from '../base/errors.ts';
import { Logger, type LogSink } from '../base/logger.ts';
import { Redactor } from '../base/text/redact.ts';
import { adapters } from '../engine/debugger/adapters/index.ts';
import { DebugEngine } from '../engine/debugger/debugEngine.ts';
import { Provision } from '../engine/provision/provision.ts';
import { bundledLibraries, LibraryRoots } from '../engine/workspace/libraryRoots.ts';
import { protectOwnFolders } from '../engine/workspace/ownFolders.ts';
import { LogFile } from '../engine/workspace/logFile.ts';
import { NotificationStore } from '../engine/workspace/notifications.ts';
import { CodeEngine } from '../engine/code/codeEngine.ts';
import { RefactorEngine } from '../engine/code/refactor/refactorEngine.ts';
import { refactorersByExtension } from '../engine/code/refactor/refactorers.ts';
import { ProjectStore } from '../engine/workspace/projectStore.ts';
import type { Settings } from '../engine/workspace/settings/settings.ts';
import type { SettingsSources } from '../engine/workspace/settings/loader.ts';
import { SettingsStore } from '../engine/workspace/settings/store.ts';
import { TrustStore } from '../engine/workspace/trust.ts';
import { Approvals, type Policy } from '../server/approvals.ts';
import { Backend } from '../server/backend.ts';
import { EditApplier } from '../engine/workspace/edits/applier.ts';
import { PlanStore } from '../engine/workspace/edits/planStore.ts';
import { JobStore } from '../engine/workspace/jobs/jobStore.ts';
import { WorkingTree } from '../engine/workspace/localHistory/workingTree.ts';
import { LocalHistory } from '../engine/workspace/localHistory/localHistory.ts';
import { CommandHistory } from '../server/history.ts';
import { ClientProjects } from '../server/clientProjects.ts';
import { PathMap } from '../server/pathMap.ts';
import { Resources } from '../server/resources.ts';
import { resolvePathParameter } from '../server/resolvePathParameter.ts';
import { ToolRunner, type RunnerParts } from '../server/toolRunner.ts';
import type { ToolCall } from '../tools/defineTool.ts';
import { SymbolResources } from '../server/symbolResources.ts';
import { WorkspaceResources } from '../server/workspaceResources.ts';
import type { Engines } from '../tools/engines.ts';
import { findTool } from '../tools/registry.ts';
import { allSinks } from './logSinks.ts';

/** Everything that one Sightline process consists of. Disposing ends all of it, children included. */
export interface Sightline {
  readonly dirs: AppDirs;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly settings: SettingsStore;
  readonly projects: ProjectStore;
  readonly trust: TrustStore;
  readonly history: CommandHistory;
  readonly notifications: NotificationStore;
  readonly provision: Provision;
  readonly engines: Engines;
  readonly resources: Resources;
  readonly backend: Backend;
  /** What keeps the process besides its clients: debug sessions and jobs, each in a few words. */
  work(): string[];
  dispose(): Promise<void>;
}

export interface ComposeOptions {
  env: NodeJS.ProcessEnv;
  /** Settings given on the command line. */
  flags?: SettingsSources['flags'];
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
  const redactor = new Redactor();
  owned.addFunction(protectOwnFolders([dirs.config, dirs.state, dirs.cache, dirs.runtime]));
  const notifications = new NotificationStore();
  const problems: string[] = [];
  const notify = (source: string, message: string, project?: string) => {
    problems.push(message);
    notifications.add({ level: 'warning', source, message, project });
  };
  const settings = await SettingsStore.load(
    { configDir: dirs.config, env: options.env, flags: options.flags },
    (text, project) => notify('settings', text, project),
  );
  const log = owned.add(
    new LogFile({
      path: join(dirs.state, 'logs', 'sightline.log'),
      level: settings.person['log.level'],
      maxBytes: settings.person['log.maxFileBytes'],
      files: settings.person['log.files'],
      redactor,
    }),
  );
  const logger = new Logger(allSinks(log.sink, options.logSink));
  for (const problem of problems) logger.warn(problem);
  notifications.onDidAdd.on((added) => logger.tagged(added.source).warn(added.message));

  const trust = await TrustStore.load(
    dirs.state,
    (problem) =>
      notify('trust', `${problem.path} was damaged (${problem.reason}) and set aside as ${problem.setAsideAs}.`),
    settings.person['projects.trusted'],
  );
  const projects = owned.add(
    new ProjectStore({
      stateDir: dirs.state,
      trust,
      home: options.env['HOME'] ?? homedir(),
      mayOpen: () => settings.person['projects.openByCall'],
    }),
  );
  projects.onDidClose.on((project) => settings.forget(project));
  const provision = new Provision({
    cacheDir: dirs.cache,
    env: options.env,
    logger,
    configuredPath: (engineId) => settings.person['engines.paths'][engineId],
  });
  const history = owned.add(
    new CommandHistory({
      stateDir: dirs.state,
      maxEntries: settings.person['history.maxEntries'],
      redactor,
      onProblem: (message) => notify('history', message),
    }),
  );

  const localHistory = owned.add(new LocalHistory({ logger: logger.tagged('localHistory') }));
  const edits = new EditApplier(localHistory, { logger: logger.tagged('edits') });
  const plans = new PlanStore(edits);
  const workingTree = owned.add(new WorkingTree(localHistory, { logger: logger.tagged('localHistory') }));
  projects.onDidOpen.on((project) => {
    // What a killed process left half written is settled before anybody reads it; a failure is met again by the first change.
    edits.recover(project).catch((error: unknown) => logger.warn('Recovery of interrupted changes failed.', error));
  });

  const code = owned.add(new CodeEngine({ logger, provision }));
  projects.onDidClose.on((project) => void code.close(project));
  const jobs = owned.add(new JobStore());
  const refactor = owned.add(
    new RefactorEngine({
      applier: edits,
      history: localHistory,
      plans,
      logger,
      refactorers: refactorersByExtension(provision, code),
    }),
  );
  projects.onDidClose.on((project) => void refactor.close(project));
  edits.onApplied.on(({ project, plan }) => {
    const paths = plan.transitions.map((one) => one.path);
    code
      .filesChanged(project, paths)
      .catch((error: unknown) => logger.warn('Language servers could not be told of a change.', error));
  });
  const debugEngine = owned.add(
    new DebugEngine({
      adapters: adapters(provision),
      jobs,
      logger,
      rules: (project) => {
        const own = settings.of(project);
        return { mode: own['evaluation.mode'], blockedPatterns: own['evaluation.blockedPatterns'] };
      },
      onStateProblem: (problem) =>
        notify('debugger', `${problem.path} was damaged (${problem.reason}) and set aside as ${problem.setAsideAs}.`),
    }),
  );
  const engines: Engines = {
    dirs,
    projects,
    settings,
    log,
    notifications,
    provision,
    edits,
    localHistory,
    workingTree,
    plans,
    code,
    refactor,
    debugger: debugEngine,
    jobs,
  };

  const libraries = new LibraryRoots(bundledLibraries());
  projects.onDidClose.on((project) => libraries.forget(project));
  const approvals = new Approvals();
  const pathMap = new PathMap(settings.person['paths.map']);
  const clientProjects = new ClientProjects(projects, pathMap, options.env);
  const runner = new ToolRunner({
    findTool,
    engines,
    approvals,
    logger: logger.tagged('runner'),
    recorder: history,
    policyFor: (project) => policyOf(settings.of(project)),
    maxCharsFor: (project) => settings.of(project)['output.maxChars'],
    resolveProject: async (projectPath, client, mentioned) => {
      const project = await clientProjects.resolve(projectPath, client, mentioned);
      await settings.refresh(project);
      return project;
    },
    pathMap,
    resolvePath: async (project, path, kind) =>
      resolvePathParameter(project, path, kind, kind === 'readable' ? await libraries.of(project) : []),
    preconditions,
    withoutTokens: (text) => redactor.withoutTokens(text),
  });
  const backend = owned.add(new Backend(runner, approvals, logger.tagged('backend')));
  backend.clientLeft.on((client) => {
    debugEngine
      .releaseClient(client.id)
      .catch((error: unknown) => logger.warn('A session of a client that left stays.', error));
    jobs.endOfClient(client.id).catch((error: unknown) => logger.warn('A job of a client that left stays.', error));
  });

  const workspaceResources = new WorkspaceResources({
    backend,
    projectOf: (client) => clientProjects.resolve(undefined, client),
    openProjects: () => projects.list(),
    indexState: (project) => {
      const workspace = code.workspace(project);
      return JSON.stringify(workspace.definitions.map((definition) => workspace.stateOf(definition)));
    },
  });

  const symbolResources = new SymbolResources(backend, async (client) => {
    const workspace = code.workspace(await clientProjects.resolve(undefined, client));
    await workspace.sync();
    return workspace.generation;
  });

  return {
    dirs,
    redactor,
    logger,
    settings,
    projects,
    trust,
    history,
    notifications,
    provision,
    engines,
    resources: new Resources([workspaceResources, symbolResources]),
    backend,
    work: () => [
      ...debugEngine
        .sessions()
        .filter((session) => session.state !== 'stopped')
        .map((session) => `debug session ${session.name} (${session.state})`),
      ...jobs.running.map((job) => `job ${job.spec.name}`),
    ],
    dispose: () => owned.dispose(),
  };
}

function policyOf(settings: Settings): Policy {
  return {
    read: settings['policy.read'],
    edit: settings['policy.edit'],
    execute: settings['policy.execute'],
    destructive: settings['policy.destructive'],
  };
}

const preconditions: RunnerParts['preconditions'] = {
  session: (engines, args, call) => void sessionOf(engines, args, call),
  pausedSession: (engines, args, call) => {
    const session = sessionOf(engines, args, call);
    if (session.state !== 'paused')
      throw new ToolError('not_paused', `${session.name} is ${session.state}.`, {
        hint:
          session.state === 'stopped'
            ? 'Start a new session: start_debug_session.'
            : 'Wait for a stop with get_debug_session_status {wait_ms}, or pause_execution.',
      });
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

function sessionOf(engines: Engines, args: Record<string, unknown>, call: ToolCall) {
  const id = args['session_id'];
  return engines.debugger.session(call.project, typeof id === 'string' ? id : undefined);
}
