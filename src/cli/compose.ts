import { homedir } from 'node:os';
import { join } from 'node:path';
import { advise, step } from '../base/text/advice.ts';
import { appDirs, type AppDirs } from '../base/appDirs.ts';
import { DisposableStore } from '../base/disposable.ts';
import { ToolError } from '../base/errors.ts';
import { Logger, type LogSink } from '../base/logger.ts';
import { Redactor } from '../base/text/redact.ts';
import { AgentHost } from '../engine/agents/agentHost.ts';
import { configuredLanguages } from './configuredLanguages.ts';
import type { ServerDefinition } from '../engine/code/servers/definition.ts';
import { adapters } from '../engine/debugger/adapters/index.ts';
import type { AdapterDescription } from '../engine/debugger/target.ts';
import { realInterpreter } from '../engine/debugger/adapters/python/interpreter.ts';
import { DebugEngine } from '../engine/debugger/debugEngine.ts';
import { EnginesOnNeed } from '../engine/provision/enginesOnNeed.ts';
import { InstallOnNeed } from '../engine/provision/installOnNeed.ts';
import { Provision } from '../engine/provision/provision.ts';
import { bundledLibraries, LibraryRoots } from '../engine/workspace/libraryRoots.ts';
import { openForReaders, protectOwnFolders } from '../engine/workspace/ownFolders.ts';
import { SourceStore } from '../engine/workspace/sources/sourceStore.ts';
import { toolRunner } from '../engine/provision/runTool.ts';
import { LogFile } from '../engine/workspace/logFile.ts';
import { NotificationStore } from '../engine/workspace/notifications.ts';
import { CodeEngine } from '../engine/code/codeEngine.ts';
import { RefactorEngine } from '../engine/code/refactor/refactorEngine.ts';
import { refactorersByExtension } from '../engine/code/refactor/refactorers.ts';
import type { Project } from '../engine/workspace/project.ts';
import { ProjectStore } from '../engine/workspace/projectStore.ts';
import type { Settings } from '../engine/workspace/settings/settings.ts';
import type { SettingsSources } from '../engine/workspace/settings/loader.ts';
import { SettingsStore } from '../engine/workspace/settings/store.ts';
import { TestEngine } from '../engine/workspace/tests/testEngine.ts';
import { TrustStore } from '../engine/workspace/trust.ts';
import { Dashboard } from '../dashboard/dashboard.ts';
import { IdeServers } from '../server/ide/ideServers.ts';
import { AgentDesk } from '../server/agents/agentDesk.ts';
import { Approvals, type Policy } from '../server/approvals.ts';
import { Backend } from '../server/backend.ts';
import { BufferStore } from '../engine/workspace/buffers/bufferStore.ts';
import { showBuffers } from '../engine/workspace/buffers/unsaved.ts';
import { EditApplier } from '../engine/workspace/edits/applier.ts';
import { PlanStore } from '../engine/workspace/edits/planStore.ts';
import { JobStore } from '../engine/workspace/jobs/jobStore.ts';
import { HttpRequests } from '../engine/workspace/http/httpRequests.ts';
import { TerminalStore } from '../engine/workspace/terminals/terminalStore.ts';
import { WorkingTree } from '../engine/workspace/localHistory/workingTree.ts';
import { LocalHistory } from '../engine/workspace/localHistory/localHistory.ts';
import { CommandHistory } from '../server/history.ts';
import { ClientProjects } from '../server/clientProjects.ts';
import { PersonNotes } from '../server/personNotes.ts';
import { Reviews } from '../server/reviews.ts';
import { PathMap } from '../server/pathMap.ts';
import { Resources } from '../server/resources.ts';
import { resolvePathParameter } from '../server/resolvePathParameter.ts';
import { ToolRunner, type RunnerParts } from '../server/toolRunner.ts';
import type { Effect, ToolCall } from '../tools/defineTool.ts';
import { SymbolResources } from '../server/symbolResources.ts';
import { WorkspaceResources } from '../server/workspaceResources.ts';
import type { Engines } from '../tools/engines.ts';
import { findTool } from '../tools/registry.ts';
import { installPlace } from './installPlace.ts';
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
  /** What people did, for the agents that share their projects. */
  readonly personNotes: PersonNotes;
  readonly reviews: Reviews;
  /** The window for people. */
  readonly dashboard: Dashboard;
  readonly agentHost: AgentHost;
  readonly agents: AgentDesk;
  readonly ide: IdeServers;
  /** What keeps the process besides its clients: debug sessions and jobs, each in a few words. */
  work(): string[];
  dispose(): Promise<void>;
}

export interface ComposeOptions {
  env: NodeJS.ProcessEnv;
  /** Settings given on the command line. */
  flags?: SettingsSources['flags'];
  /** The file that was started, for agents to start it too. */
  entry?: string;
  /** Language servers and debug adapters besides the program's own. */
  servers?: readonly ServerDefinition[];
  adapters?: readonly AdapterDescription[];
  /** Where log records go besides the log file, e.g. stderr of a process in the foreground. */
  logSink?: LogSink;
  /** How an agent starts this Sightline's server; one that is hosted is given it. */
  serverCommand?: readonly string[];
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
  const settingsSources = { configDir: dirs.config, env: options.env, flags: options.flags };
  const settings = await SettingsStore.load(settingsSources, (text, project) => notify('settings', text, project));
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

  const buffers = new BufferStore();
  owned.addFunction(showBuffers(buffers));
  const localHistory = owned.add(new LocalHistory({ logger: logger.tagged('localHistory') }));
  const edits = new EditApplier(localHistory, { logger: logger.tagged('edits') });
  const plans = new PlanStore(edits);
  const workingTree = owned.add(new WorkingTree(localHistory, { logger: logger.tagged('localHistory') }));
  projects.onDidOpen.on((project) => {
    // What a killed process left half written is settled before anybody reads it; a failure is met again by the first change.
    edits.recover(project).catch((error: unknown) => logger.warn('Recovery of interrupted changes failed.', error));
  });

  const configured = configuredLanguages((project) => settings.of(project));
  const code = owned.add(
    new CodeEngine({
      logger,
      provision,
      configured: (project) => [...configured(project).servers, ...(options.servers ?? [])],
    }),
  );
  projects.onDidClose.on((project) => void code.close(project));
  const jobs = owned.add(new JobStore({ logger: logger.tagged('jobs'), redacted: (text) => redactor.text(text) }));
  const terminals = owned.add(new TerminalStore(dirs.state));
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
      adapters: adapters(new EnginesOnNeed(provision)),
      configured: (project) => [...configured(project).adapters, ...(options.adapters ?? [])],
      jobs,
      logger,
      rules: (project) => {
        const own = settings.of(project);
        return { mode: own['evaluation.mode'], blockedPatterns: own['evaluation.blockedPatterns'] };
      },
      rememberedStops: () => settings.person['debugger.rememberedStops'],
      onStateProblem: (problem) =>
        notify('debugger', `${problem.path} was damaged (${problem.reason}) and set aside as ${problem.setAsideAs}.`),
    }),
  );
  const sources = new SourceStore({
    folder: join(dirs.cache, 'sources'),
    run: (project, command, cwd, signal) => toolRunner(project.env)(command, { cwd, signal, timeoutMs: downloadMs }),
  });
  owned.addFunction(openForReaders(sources.folder));
  const engines: Engines = {
    dirs,
    sources,
    projects,
    settings,
    log,
    notifications,
    provision,
    buffers,
    edits,
    localHistory,
    workingTree,
    plans,
    code,
    refactor,
    debugger: debugEngine,
    jobs,
    terminals,
    tests: new TestEngine({ jobs, locate: testPrograms(provision), logger }),
    http: owned.add(new HttpRequests()),
  };

  const libraries = new LibraryRoots([...bundledLibraries(), sources.folder]);
  // A folder of sources may have come into being with them.
  sources.onDidGet.on((project) => libraries.forget(project));
  projects.onDidClose.on((project) => libraries.forget(project));
  const approvals = new Approvals();
  const pathMap = new PathMap(settings.person['paths.map']);
  const clientProjects = new ClientProjects(projects, pathMap, options.env);
  const personNotes = new PersonNotes();
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
    personNotes,
    resolvePath: async (project, path, kind) =>
      resolvePathParameter(
        project,
        path,
        kind,
        kind === 'readable' || kind === 'searchable' ? await libraries.of(project) : [],
      ),
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

  const agentHost = owned.add(
    new AgentHost({
      stateDir: dirs.state,
      logger: logger.tagged('agents'),
      checkpoints: { edits, localHistory, workingTree },
      terminals,
      serverCommand: options.serverCommand ?? ['sightline', 'stdio'],
      serverEnv: placesOf(options.env),
      custom: () => settings.person['agents.custom'],
      decision: (project, effect) => policyOf(settings.of(project))[effect],
      ownEffect,
      onStateProblem: (message) => notify('agents', message),
    }),
  );
  const agents = owned.add(
    new AgentDesk({
      host: agentHost,
      backend,
      openProject: async (path, env) => {
        const project = await projects.open(path, { env, trustedByStart: true });
        await settings.refresh(project);
        return projects.forClient(project, env);
      },
      defaults: () => ({
        agent: settings.person['agents.default'] || undefined,
        permissions: settings.person['agents.permissions'],
      }),
    }),
  );

  const ide = owned.add(
    new IdeServers({
      backend,
      workingTree,
      projects,
      env: options.env,
      home: options.env['HOME'] ?? homedir(),
      runtimeDir: dirs.runtime,
      logger: logger.tagged('ide'),
      policyFor: (project) => policyOf(settings.of(project)),
      protocols: () => settings.person['ide.protocols'],
    }),
  );

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

  const reviews = new Reviews(personNotes);
  const dashboard = owned.add(
    new Dashboard({
      backend,
      history,
      projects,
      trust,
      engines,
      personNotes,
      reviews,
      ide,
      agentHost,
      agents,
      redactor,
      logger: logger.tagged('dashboard'),
      env: options.env,
      installPlace: installPlace({
        env: options.env,
        cwd: homedir(),
        entry: options.entry ?? process.argv[1] ?? 'sightline',
      }),
    }),
  );

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
    personNotes,
    reviews,
    dashboard,
    agentHost,
    agents,
    ide,
    work: () => [
      ...debugEngine
        .sessions()
        .filter((session) => session.state !== 'ended')
        .map((session) => `debug session ${session.name} (${session.state})`),
      ...agentHost.atWork.map(({ view }) => `agent ${view.agentTitle} (${view.state})`),
      ...jobs.running.map((job) => `job ${job.spec.name}`),
      ...terminals.busy.map((terminal) => `terminal ${terminal.spec.name}`),
    ],
    dispose: () => owned.dispose(),
  };
}

/** What a package manager may take within one call. */
const downloadMs = 38_000;

/** What runs tests belongs to the project; only what measures them is fetched when it has none. */
function testPrograms(provision: Provision): (engineId: string, project: Project) => Promise<string> {
  const coverageInstall = new InstallOnNeed(provision, 'coverage');
  return async (engineId, project) => {
    if (engineId === coverageInstall.engineId && !(await provision.locate(engineId, project)).found)
      await coverageInstall.ensure(project);
    return programOf(provision, engineId, project);
  };
}

/** The program of a language that a project's tests are run with. */
async function programOf(provision: Provision, engineId: string, project: Project): Promise<string> {
  const located = await provision.locate(engineId, project);
  if (located.found) return engineId === 'python' ? realInterpreter(located.path, project) : located.path;
  throw new ToolError('engine_missing', `${located.title} is needed to run these tests. ${located.reason}`, {
    hint: `Run: ${located.installCommand}`,
  });
}

/** What leads a server that an agent starts, with few variables perhaps, to this process. */
function placesOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        /^(HOME|SIGHTLINE_(HOME|CACHE)|XDG_(RUNTIME_DIR|CONFIG_HOME|STATE_HOME|CACHE_HOME|DATA_HOME))$/.test(
          entry[0],
        ) && entry[1] !== undefined,
    ),
  );
}

/** A tool that may do more by its arguments is judged when it runs; what it usually does is enough to ask a person about. */
function ownEffect(name: string): Effect | undefined {
  try {
    return findTool(name).effect;
  } catch {
    return undefined;
  }
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
      throw new ToolError(
        'not_paused',
        `${session.name} ${session.state === 'ended' ? 'has ended' : `is ${session.state}`}.`,
        {
          hint:
            session.state === 'ended'
              ? advise`Start a new session: ${step('startDebugSession')}.`
              : advise`Wait for a stop with ${step('getDebugSessionStatus', ['waitMs'])}, or ${step('pauseExecution')}.`,
        },
      );
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
