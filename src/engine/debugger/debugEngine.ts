import type { AsyncDisposer } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { rm } from 'node:fs/promises';
import { ToolError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { StateFileProblem } from '../../base/stateFile.ts';
import type { Project } from '../workspace/project.ts';
import { runBuild } from './building.ts';
import { replaceCode } from './codeReplacement.ts';
import { runBefore } from '../workspace/jobs/beforeSteps.ts';
import type { JobStore } from '../workspace/jobs/jobStore.ts';
import { entryLine } from '../workspace/testRunners/entryLine.ts';
import type { RunConfiguration } from '../workspace/runConfigs/model.ts';
import type { ActivityView } from './activity/view.ts';
import { AskEngine } from './ask/askEngine.ts';
import { checkExpressionsOf, placeBreakpoint } from './breakpoints/checks.ts';
import { type Breakpoint, BreakpointStore, type NewBreakpoint } from './breakpoints/breakpointStore.ts';
import type { EvaluationRules } from './evaluationPolicy.ts';
import { FallenAdapters } from './fallenAdapters.ts';
import { fileContext } from './fileContext.ts';
import { advise, step } from '../../base/text/advice.ts';
import { foretold } from './breakpoints/predictedBinding.ts';
import { Launching, type StartRequest } from './launching.ts';
import type { BreakpointBinding, LaunchSpec, ReplacedCode } from './model.ts';
import { otherFailures } from './probeFailures.ts';
import { followProbe, type ProbeOptions, type ProbeOutcome } from './probe.ts';
import { Session } from './session/session.ts';
import { SessionStore } from './session/sessionStore.ts';
import { rememberedLaunch, rememberLaunch } from './session/singleSession.ts';
import { type SourceContext, SourceTexts } from './sourceText.ts';
import type { AdapterDescription } from './target.ts';

interface DebugEngineParts {
  adapters: readonly AdapterDescription[];
  /** Adapters that the settings of a project name; the same ones as long as those do not change. */
  configured?: (project: Project) => readonly AdapterDescription[];
  logger: Logger;
  rules: (project: Project) => EvaluationRules;
  onStateProblem: (problem: StateFileProblem) => void;
  /** How many stops a session remembers. */
  rememberedStops?: () => number;
  /** Runs what comes before a launch. */
  jobs: JobStore;
}

/** A build before a launch may take this long within one call; after that it goes on as a job. */
const beforeStepMs = 30_000;

/** All debugging of the process: sessions, the current one of each project, and the breakpoints of each project. */
export class DebugEngine implements AsyncDisposer {
  readonly sources = new SourceTexts();
  /** Fires when a session appears or changes its state. */
  readonly changes = new Emitter<Session>();
  /** Fires when the breakpoints of a project have changed. */
  readonly breakpointChanges = new Emitter<Project>();
  readonly fallen = new FallenAdapters();
  /** Questions to a program that is run for them and recorded. */
  readonly ask: AskEngine;
  readonly #parts: DebugEngineParts;
  readonly #sessions = new SessionStore();
  readonly #stores = new Map<string, Promise<BreakpointStore>>();

  constructor(parts: DebugEngineParts) {
    this.#parts = parts;
    this.ask = new AskEngine({
      launching: (project) => this.#launching(project),
      rules: parts.rules,
      requireTrust,
      sources: this.sources,
      build: (project, spec, signal) => this.#build(project, spec, undefined, signal),
      probe: (project, start, options) => this.probe(project, start, options),
    });
  }

  /** The languages that can be debugged. */
  languages(project: Project): ReadonlySet<string> {
    return new Set(this.#launching(project).adapters.map(({ language }) => language));
  }

  /** What is built in comes first: settings add languages, they do not replace any. */
  #launching(project: Project): Launching {
    return new Launching([...this.#parts.adapters, ...(this.#parts.configured?.(project) ?? [])]);
  }

  /** Whether a recorded run of it tells all that a debugger would see where it fails. */
  records(project: Project, request: StartRequest): boolean {
    const { recorder } = this.#launching(project).adapterOf(request);
    return recorder !== undefined && recorder.isOutside !== true;
  }

  sessions(project?: Project): Session[] {
    return this.#sessions.list(project);
  }

  isCurrent(session: Session): boolean {
    return this.#sessions.isCurrent(session);
  }

  /** The named session, or the project's current one. */
  session(project: Project, id?: string): Session {
    return this.#sessions.get(project, id);
  }

  breakpoints(project: Project): Promise<BreakpointStore> {
    let store = this.#stores.get(project.id);
    if (store === undefined) {
      store = BreakpointStore.load(project, this.sources, this.#parts.onStateProblem).then((loaded) => {
        loaded.onDidChange.on(() => this.breakpointChanges.fire(project));
        return loaded;
      });
      this.#stores.set(project.id, store);
    }
    return store;
  }

  /** Starts or attaches. The new session is the project's current one. */
  async start(
    project: Project,
    request: StartRequest,
    ownerId: string | undefined,
    signal?: AbortSignal,
  ): Promise<Session> {
    if (request.pid !== undefined || request.port !== undefined) return this.#attach(project, request, ownerId, signal);
    const spec = await this.#launching(project).ofRequest(project, request);
    return this.launch(project, spec, ownerId, signal, request.stopOnEntry);
  }

  /**
   * The one session of the plain-text tools: whatever ran before is ended. Without a program, the launch of a session that
   * a crash of ours cut short is taken up again, with its breakpoints.
   */
  async launchSingle(
    project: Project,
    request: StartRequest,
    ownerId: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ session: Session; recovered?: string; breakpoints: string[] }> {
    const lost =
      request.program === undefined && request.test === undefined && request.module === undefined
        ? await rememberedLaunch(project, this.#parts.onStateProblem)
        : undefined;
    const wanted = lost === undefined ? request : { ...lost, stopOnEntry: true };
    const before = this.#sessions.current(project);
    if (before !== undefined && before.ownerId === ownerId) await this.discard(before);
    const session = await this.start(project, wanted, ownerId, signal);
    if (wanted.program !== undefined) {
      const { program, language, args, cwd, env } = wanted;
      await rememberLaunch(project, {
        program,
        language,
        args,
        cwd,
        env,
      });
    }
    const store = await this.breakpoints(project);
    const kept = store.list().filter((item) => item.type !== 'exception');
    return {
      session,
      breakpoints: kept.map((item) => store.describe(item)),
      ...(lost === undefined ? {} : { recovered: 'The session that was cut short was started again.' }),
    };
  }

  /** Ends the one session and forgets it, its breakpoints included. */
  async endSingle(session: Session): Promise<void> {
    const store = await this.breakpoints(session.project);
    await this.end(session);
    for (const item of store.list()) if (item.ofSingleSession === true) await store.remove(item.id);
    await rememberLaunch(session.project, undefined);
  }

  async launch(
    project: Project,
    spec: LaunchSpec,
    ownerId: string | undefined,
    signal?: AbortSignal,
    stopOnEntry?: boolean,
  ): Promise<Session> {
    requireTrust(project);
    const adapter = this.#launching(project).adapterFor(spec.language, spec.program);
    const session = await this.#newSession(project, adapter, ownerId);
    // The entry of a test is not that of its runner.
    if (stopOnEntry === true && spec.test !== undefined)
      session.breakpoints.stopFirstAt(spec.test.file, entryLine(spec.test.file, spec.test.name));
    await this.#begin(session, async () => {
      await this.#build(project, spec, ownerId, signal);
      await session.launch(spec, signal);
    });
    return session;
  }

  /** Compiles what is to be debugged. What could not be started needs no compiled files. */
  async #build(project: Project, spec: LaunchSpec, ownerId: string | undefined, signal?: AbortSignal): Promise<void> {
    const { build } = spec;
    if (build === undefined) return;
    try {
      await runBuild(this.#parts.jobs, { project, clientId: ownerId ?? '', build, signal });
    } catch (error) {
      if (build.scratch !== undefined) await rm(build.scratch, { recursive: true, force: true });
      throw error;
    }
  }

  /** Gives a running program its sources as they are now. */
  async replaceCode(
    project: Project,
    sessionId: string | undefined,
    client: { id: string; signal: AbortSignal },
  ): Promise<ReplacedCode> {
    requireTrust(project);
    const session = this.session(project, sessionId);
    const adapter = this.#launching(project).adapters.find(({ language }) => language === session.language);
    const { id: clientId, signal } = client;
    return replaceCode(this.#parts.jobs, { project, session, adapter, clientId, signal });
  }

  /** Runs a program once under breakpoints of its own, which are gone afterwards like everything it started. */
  async probe(project: Project, request: StartRequest, options: ProbeOptions): Promise<ProbeOutcome> {
    requireTrust(project);
    const spec = await this.#launching(project).ofRequest(project, request);
    const adapter = this.#launching(project).adapterFor(spec.language, spec.program);
    // Who only wants lines printed wants the program's own timing too.
    const logsOnly =
      options.breakpoints.length > 0 && options.breakpoints.every(({ wanted }) => wanted.logMessage !== undefined);
    const store = BreakpointStore.passing(project, this.sources, logsOnly);
    const expressions = new Map<string, readonly string[]>();
    for (const point of options.breakpoints) {
      const wanted =
        point.wanted.type === 'line' ? await placeBreakpoint(this.sources, point.wanted, point.anchor) : point.wanted;
      checkExpressionsOf(wanted, this.#launching(project).adapters, this.#parts.rules(project), [adapter.language]);
      expressions.set((await store.put(wanted)).id, point.expressions ?? []);
    }
    const session = this.#makeSession(project, adapter, store, options.ownerId);
    this.#sessions.add(session);
    try {
      await this.#build(project, spec, options.ownerId, options.signal);
      const lateChildren = spec.isTest === true && options.breakpoints.length === 0;
      await session.launch({ ...spec, lateChildren }, options.signal);
      this.fallen.forget(project.root, session.language);
      const followed = await followProbe(
        session,
        { ...options, isTest: spec.isTest, isOver: (output) => adapter.testsAreOver?.(spec, output) === true },
        (id) => expressions.get(id) ?? [],
      );
      session.requireTest();
      await session.end();
      const listed = adapter.failedTests?.(session.output.tail(Number.MAX_SAFE_INTEGER)) ?? [];
      return {
        ...followed,
        listedFailures: otherFailures(listed, followed.hits),
        logged: session.breakpoints.logged(),
        end: await session.report(),
      };
    } finally {
      await this.discard(session);
    }
  }

  /** Looks at what a process of this machine does, and lets it go on as if nothing had been. */
  async look(project: Project, request: StartRequest, signal: AbortSignal): Promise<ActivityView | undefined> {
    requireTrust(project);
    const spec = this.#launching(project).attachment(project, request);
    const adapter = this.#launching(project).adapterFor(spec.language, undefined);
    const session = this.#makeSession(
      project,
      adapter,
      BreakpointStore.passing(project, this.sources, true),
      undefined,
    );
    try {
      await session.attach(spec, signal);
      return await session.look();
    } finally {
      await session.dispose();
    }
  }

  async end(session: Session): Promise<void> {
    await session.end();
    this.#sessions.ended(session);
  }

  /** Forgets an ended session at once: for one-shot runs, which leave nothing behind. */
  async discard(session: Session): Promise<void> {
    await session.dispose();
    this.#sessions.remove(session);
  }

  /** Ends what belonged to a client that is gone. */
  async releaseClient(clientId: string): Promise<void> {
    await Promise.all(
      this.sessions()
        .filter((session) => session.ownerId === clientId)
        .map((session) => this.discard(session)),
    );
  }

  /** Source around a line: of a file, or where a session stands. */
  async sourceContext(
    project: Project,
    request: { file?: string; line?: number; contextLines: number; sessionId?: string },
  ): Promise<SourceContext> {
    const { file, line = 1, contextLines } = request;
    if (file !== undefined) {
      const breakpoints = (await this.breakpoints(project)).list();
      return fileContext(project, this.sources, { file, line, contextLines }, breakpoints);
    }
    const source = await this.session(project, request.sessionId).inspection.source(contextLines);
    if (source !== undefined) return source;
    throw new ToolError('file_not_found', 'The place where the program stands has no source.');
  }

  /** Starts what a run configuration describes, after the steps it asks for. The sessions come in the order of a compound. */
  async startConfiguration(
    project: Project,
    configuration: RunConfiguration,
    find: (name: string) => RunConfiguration,
    options: { ownerId: string | undefined; signal?: AbortSignal },
  ): Promise<Session[]> {
    requireTrust(project);
    const { plan } = configuration;
    if (plan === undefined || !configuration.canDebug)
      throw new ToolError(
        'launch_failed',
        `"${configuration.name}" cannot be debugged: ${configuration.whyNot ?? 'its kind is not known'}.`,
      );
    await runBefore(this.#parts.jobs, {
      project,
      clientId: options.ownerId ?? '',
      steps: plan.before,
      waitMs: beforeStepMs,
      signal: options.signal,
    });
    if (plan.kind === 'compound') {
      const sessions: Session[] = [];
      for (const member of plan.members)
        sessions.push(...(await this.startConfiguration(project, find(member), find, options)));
      return sessions;
    }
    const session =
      plan.kind === 'attach'
        ? await this.#attach(project, plan, options.ownerId, options.signal)
        : await this.launch(
            project,
            await this.#launching(project).ofPlan(project, configuration.name, plan),
            options.ownerId,
            options.signal,
          );
    session.name = configuration.name;
    session.configurationName = configuration.name;
    return [session];
  }

  /** Checks, keeps and binds a breakpoint. The bindings of every live session come back with it. */
  async setBreakpoint(
    project: Project,
    wanted: NewBreakpoint,
    anchor?: string,
  ): Promise<{ breakpoint: Breakpoint; binding?: BreakpointBinding; movedFrom?: number }> {
    if (wanted.type === 'data') return this.#watchData(project, wanted);
    const placed = wanted.type === 'line' ? await placeBreakpoint(this.sources, wanted, anchor) : wanted;
    const running = this.sessions(project).filter((session) => session.state !== 'ended');
    const languages = running.map((session) => session.language);
    checkExpressionsOf(placed, this.#launching(project).adapters, this.#parts.rules(project), languages);
    const store = await this.breakpoints(project);
    const breakpoint = await store.put(placed);
    await this.#apply(project, breakpoint);
    const binding = await this.bindingOf(project, breakpoint);
    const moved = wanted.line !== undefined && wanted.line !== breakpoint.line;
    return { breakpoint, binding, ...(moved ? { movedFrom: wanted.line } : {}) };
  }

  /** A value is named by where the program stands, so it must stand. */
  async #watchData(project: Project, wanted: NewBreakpoint) {
    const session = this.#sessions.current(project);
    if (session?.state === 'paused') return session.watchData(wanted);
    throw new ToolError('not_paused', 'A value can be watched only while the program stands still where it exists.', {
      hint: advise`Stop it there first: ${step('setBreakpoint', ['line'])}.`,
    });
  }

  /** How the live sessions have bound a breakpoint; where none has, what the files on disk foretell. */
  async bindingOf(project: Project, breakpoint: Breakpoint): Promise<BreakpointBinding | undefined> {
    const live = this.sessions(project).filter((session) => session.state !== 'ended');
    const known = live.flatMap((session) => session.breakpoints.bindingOf(breakpoint.id) ?? []);
    const told = known.find((binding) => binding.verified) ?? known.find((binding) => binding.isPending !== true);
    if (told !== undefined) return told;
    const outFiles = live.find((session) => session.outFiles !== undefined)?.outFiles;
    return (await foretold(this.#launching(project).adapters, project, breakpoint, outFiles)) ?? known[0];
  }

  /** Runs on to a line that exists. */
  async runToLine(session: Session, file: string, line: number): Promise<void> {
    const spot = { type: 'line', file, line, enabled: true, temporary: true, suspendPolicy: 'all' } as const;
    await placeBreakpoint(this.sources, spot);
    await session.runToLine(file, line);
  }

  async removeBreakpoint(project: Project, id: string): Promise<Breakpoint> {
    const store = await this.breakpoints(project);
    const gone = await store.remove(id);
    if (gone.type === 'data') await Promise.all(this.sessions(project).map((each) => each.breakpoints.unwatch(id)));
    else await this.#apply(project, gone);
    return gone;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#sessions.clear().map((session) => session.dispose()));
    for (const adapter of this.#parts.adapters) await adapter.dispose?.();
  }

  async #attach(
    project: Project,
    request: StartRequest,
    ownerId: string | undefined,
    signal?: AbortSignal,
  ): Promise<Session> {
    requireTrust(project);
    const spec = this.#launching(project).attachment(project, request);
    const adapter = this.#launching(project).adapterFor(spec.language, undefined);
    const session = await this.#newSession(project, adapter, ownerId);
    await this.#begin(session, () => session.attach(spec, signal));
    return session;
  }

  async #newSession(project: Project, adapter: AdapterDescription, ownerId: string | undefined): Promise<Session> {
    const breakpoints = await this.breakpoints(project);
    await breakpoints.followEdits();
    return this.#makeSession(project, adapter, breakpoints, ownerId, this.#parts.rememberedStops?.());
  }

  #makeSession(
    project: Project,
    adapter: AdapterDescription,
    breakpoints: BreakpointStore,
    ownerId: string | undefined,
    rememberedStops?: number,
  ): Session {
    const session = new Session({
      project,
      adapter,
      breakpoints,
      concerns: (file) => this.#launching(project).mayRun(adapter, file),
      sources: this.sources,
      logger: this.#parts.logger.tagged('debugger'),
      rules: () => this.#parts.rules(project),
      ...(rememberedStops === undefined ? {} : { rememberedStops }),
    });
    session.ownerId = ownerId;
    session.target.events.on((event) => {
      if (event.type !== 'adapterFell') return;
      const { adapter: name, how, lastWords } = event.fall;
      this.#parts.logger.warn(`${name} ended by itself (${how}) while it debugged ${session.name}.`, lastWords);
      this.fallen.add(session, event.fall);
    });
    session.standing.changes.on(() => this.changes.fire(session));
    session.filmstrip.onRemembered.on(() => this.changes.fire(session));
    return session;
  }

  async #begin(session: Session, start: () => Promise<void>): Promise<void> {
    this.#sessions.add(session);
    try {
      await start();
    } catch (error) {
      this.#sessions.remove(session);
      await session.dispose();
      throw error;
    }
    this.fallen.forget(session.project.root, session.language);
    this.#sessions.makeCurrent(session);
    this.changes.fire(session);
  }

  async #apply(project: Project, breakpoint: Breakpoint): Promise<void> {
    const live = this.sessions(project).filter((session) => session.state !== 'ended');
    await Promise.all(live.map((session) => session.breakpoints.apply(breakpoint.file)));
  }
}

function requireTrust(project: Project): void {
  if (project.trusted) return;
  throw new ToolError('project_not_trusted', `${project.root} is not trusted, so nothing in it may be executed.`, {
    hint: `A person can trust it: sightline trust ${project.root}`,
  });
}
