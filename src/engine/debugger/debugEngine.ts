import { extname, resolve } from 'node:path';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { ToolError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { LineIndex } from '../../base/positions.ts';
import type { StateFileProblem } from '../../base/stateFile.ts';
import type { Project } from '../workspace/project.ts';
import { readFileText } from '../workspace/readFile.ts';
import { runBefore } from '../workspace/jobs/beforeSteps.ts';
import type { JobStore } from '../workspace/jobs/jobStore.ts';
import type { LaunchPlan, RunConfiguration } from '../workspace/runConfigs/model.ts';
import { findAnchor } from './anchors.ts';
import { type Breakpoint, BreakpointStore, type NewBreakpoint } from './breakpointStore.ts';
import { checkExpression, type EvaluationRules } from './evaluationPolicy.ts';
import { parseLogMessage } from './logMessage.ts';
import type { AttachSpec, BreakpointBinding, LaunchSpec, PathMapping } from './model.ts';
import { followProbe, type ProbeOptions, type ProbeOutcome } from './probe.ts';
import { Session } from './session.ts';
import { rememberedLaunch, rememberLaunch } from './singleSession.ts';
import { type SourceContext, sourceContext, SourceTexts } from './sourceText.ts';
import type { AdapterDescription } from './target.ts';

export interface DebugEngineParts {
  adapters: readonly AdapterDescription[];
  logger: Logger;
  rules: (project: Project) => EvaluationRules;
  onStateProblem: (problem: StateFileProblem) => void;
  /** Runs what comes before a launch. */
  jobs: JobStore;
}

/** An ad hoc start: exactly one of program, test, pid and port. */
export interface StartRequest {
  program?: string;
  test?: string;
  language?: string;
  args?: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  stopOnEntry?: boolean;
  pid?: number;
  host?: string;
  port?: number;
  pathMappings?: readonly PathMapping[];
}

/** A build before a launch may take this long within one call; after that it goes on as a job. */
const beforeStepMs = 30_000;

/** Ended sessions are remembered for their last words, but not for ever. */
const keptEndedSessions = 10;

/** All debugging of the process: sessions, the current one of each project, and the breakpoints of each project. */
export class DebugEngine implements AsyncDisposer {
  readonly sources = new SourceTexts();
  /** Fires when a session appears or changes its state. */
  readonly changes = new Emitter<Session>();
  readonly #parts: DebugEngineParts;
  readonly #sessions = new Map<string, Session>();
  readonly #current = new Map<string, string>();
  readonly #stores = new Map<string, Promise<BreakpointStore>>();

  constructor(parts: DebugEngineParts) {
    this.#parts = parts;
  }

  breakpoints(project: Project): Promise<BreakpointStore> {
    let store = this.#stores.get(project.id);
    if (store === undefined) {
      store = BreakpointStore.load(project, this.sources, this.#parts.onStateProblem);
      this.#stores.set(project.id, store);
    }
    return store;
  }

  adapterFor(language: string | undefined, file: string | undefined): AdapterDescription {
    const known = this.#parts.adapters;
    if (language !== undefined) {
      const wanted = language.toLowerCase();
      const found = known.find((adapter) => adapter.language === wanted || adapter.aliases.includes(wanted));
      if (found !== undefined) return found;
      throw new ToolError('unsupported', `No debugger is known for the language "${language}".`, {
        hint: `Known: ${known.map((adapter) => adapter.language).join(', ')}.`,
      });
    }
    const extension = extname(file ?? '').toLowerCase();
    const found = known.find((adapter) => adapter.fileExtensions.includes(extension));
    if (found !== undefined) return found;
    throw new ToolError('unsupported', `The language of ${file ?? 'the program'} cannot be told from its name.`, {
      hint: `Pass language: ${known.map((adapter) => adapter.language).join(', ')}.`,
    });
  }

  /** Starts or attaches. The new session is the project's current one. */
  async start(
    project: Project,
    request: StartRequest,
    ownerId: string | undefined,
    signal?: AbortSignal,
  ): Promise<Session> {
    if (request.pid !== undefined || request.port !== undefined) return this.#attach(project, request, ownerId, signal);
    return this.launch(project, await this.resolveLaunch(project, request), ownerId, signal);
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
      request.program === undefined ? await rememberedLaunch(project, this.#parts.onStateProblem) : undefined;
    const wanted = lost === undefined ? request : { ...lost, stopOnEntry: true };
    const before = this.#sessions.get(this.#current.get(project.id) ?? '');
    if (before !== undefined && before.ownerId === ownerId) await this.discard(before);
    const session = await this.start(project, wanted, ownerId, signal);
    if (wanted.program !== undefined) {
      const { program, language, args, cwd, env } = wanted;
      await rememberLaunch(project, {
        program,
        ...(language === undefined ? {} : { language }),
        ...(args === undefined ? {} : { args }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
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
  async stopSingle(session: Session): Promise<void> {
    const store = await this.breakpoints(session.project);
    await this.stop(session);
    for (const item of store.list()) if (item.ofSingleSession === true) await store.remove(item.id);
    await rememberLaunch(session.project, undefined);
  }

  async resolveLaunch(project: Project, request: StartRequest): Promise<LaunchSpec> {
    const common = {
      project,
      args: request.args ?? [],
      env: request.env ?? {},
      ...(request.cwd === undefined ? {} : { cwd: resolve(project.root, request.cwd) }),
    };
    if (request.test !== undefined) {
      const adapter = this.adapterFor(request.language, request.test.split(/::|:\d+$| > /)[0]);
      return adapter.resolveTest({ ...common, test: request.test });
    }
    if (request.program === undefined)
      throw new ToolError('invalid_arguments', 'There is nothing to start.', {
        hint: 'Pass program, a configuration name, pid, or host and port.',
      });
    const adapter = this.adapterFor(request.language, request.program);
    return adapter.resolveProgram({ ...common, program: request.program, stopOnEntry: request.stopOnEntry ?? false });
  }

  async launch(
    project: Project,
    spec: LaunchSpec,
    ownerId: string | undefined,
    signal?: AbortSignal,
  ): Promise<Session> {
    requireTrust(project);
    const adapter = this.adapterFor(spec.language, spec.program);
    const session = await this.#newSession(project, adapter, ownerId);
    await this.#begin(session, () => session.launch(spec, signal));
    return session;
  }

  /** Runs a program once under breakpoints of its own, which are gone afterwards like everything it started. */
  async probe(project: Project, request: StartRequest, options: ProbeOptions): Promise<ProbeOutcome> {
    requireTrust(project);
    const spec = await this.resolveLaunch(project, request);
    const adapter = this.adapterFor(spec.language, spec.program);
    const store = BreakpointStore.passing(project, this.sources);
    const expressions = new Map<string, readonly string[]>();
    for (const point of options.breakpoints) {
      const { wanted } = await this.#place({
        type: 'line',
        file: point.file,
        line: point.line,
        enabled: true,
        temporary: false,
        suspendPolicy: 'all',
        ...(point.condition === undefined ? {} : { condition: point.condition }),
      });
      this.#checkExpressions(project, wanted);
      expressions.set((await store.put(wanted)).id, point.expressions ?? []);
    }
    const session = this.#makeSession(project, adapter, store, options.ownerId);
    this.#sessions.set(session.id, session);
    try {
      await session.launch(spec, options.signal);
      const followed = await followProbe(session, options, (id) => expressions.get(id) ?? []);
      await session.stop();
      return { ...followed, end: await session.report() };
    } finally {
      await this.discard(session);
    }
  }

  sessions(project?: Project): Session[] {
    return [...this.#sessions.values()].filter((session) => project === undefined || session.project.id === project.id);
  }

  isCurrent(session: Session): boolean {
    return this.#current.get(session.project.id) === session.id;
  }

  /** The named session, or the project's current one. */
  session(project: Project, id?: string): Session {
    if (id !== undefined) {
      const found = this.#sessions.get(id);
      if (found !== undefined) return found;
      const open = this.sessions(project).map((each) => ({ id: each.id, name: each.name, state: each.state }));
      throw new ToolError('session_not_found', `There is no debug session ${id}.`, {
        hint: open.length === 0 ? 'Start one: start_debug_session.' : 'list_debug_sessions shows the ids.',
        data: { sessions: open },
      });
    }
    const current = this.#sessions.get(this.#current.get(project.id) ?? '');
    if (current !== undefined) return current;
    throw new ToolError('no_session', 'There is no debug session in this project.', {
      hint: 'Start one: start_debug_session {program}, or debug_probe.',
    });
  }

  async stop(session: Session): Promise<void> {
    await session.stop();
    if (this.isCurrent(session)) this.#chooseCurrent(session.project);
  }

  /** Forgets an ended session at once: for one-shot runs, which leave nothing behind. */
  async discard(session: Session): Promise<void> {
    await session.dispose();
    this.#sessions.delete(session.id);
    if (this.isCurrent(session)) this.#chooseCurrent(session.project);
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
    if (request.file === undefined) {
      const session = this.session(project, request.sessionId);
      const source = await session.source(request.contextLines);
      if (source !== undefined) return source;
      throw new ToolError('file_not_found', 'The place where the program stands has no source.');
    }
    const archived = splitMember(request.file);
    const index =
      archived === undefined
        ? await this.sources.lines(request.file)
        : new LineIndex(
            (await readFileText(project.root, { path: request.file, maxChars: 2_000_000, maxBytes: 20_000_000 }))
              .content,
          );
    if (index === undefined) throw new ToolError('file_not_found', `${request.file} is not a file that can be read.`);
    const line = request.line ?? 1;
    if (line > index.lineCount)
      throw new ToolError('invalid_arguments', `Line ${line} does not exist: the file has ${index.lineCount} lines.`);
    const items = (await this.breakpoints(project)).list();
    const lines = items.flatMap((item) => (item.file === request.file && item.line !== undefined ? [item.line] : []));
    return sourceContext(request.file, index, line, request.contextLines, lines);
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
            await this.#specOf(project, configuration.name, plan),
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
  ): Promise<{ breakpoint: Breakpoint; bindings: BreakpointBinding[]; movedFrom?: number }> {
    const placed = wanted.type === 'line' ? await this.#place(wanted, anchor) : { wanted };
    this.#checkExpressions(project, placed.wanted);
    const store = await this.breakpoints(project);
    const breakpoint = await store.put(placed.wanted);
    const bindings = await this.#apply(project, breakpoint);
    const moved = wanted.line !== undefined && wanted.line !== breakpoint.line;
    return { breakpoint, bindings, ...(moved ? { movedFrom: wanted.line } : {}) };
  }

  async removeBreakpoint(project: Project, id: string): Promise<Breakpoint> {
    const store = await this.breakpoints(project);
    const gone = await store.remove(id);
    await this.#apply(project, gone);
    return gone;
  }

  async dispose(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.dispose()));
  }

  async #attach(
    project: Project,
    request: StartRequest,
    ownerId: string | undefined,
    signal?: AbortSignal,
  ): Promise<Session> {
    requireTrust(project);
    const adapter = this.adapterFor(request.language ?? 'node', undefined);
    const where =
      request.pid === undefined ? `${request.host ?? '127.0.0.1'}:${request.port ?? 0}` : `pid ${request.pid}`;
    const spec: AttachSpec = {
      language: adapter.language,
      name: where,
      pathMappings: request.pathMappings ?? [],
      cwd: project.root,
      ...(request.pid === undefined ? {} : { pid: request.pid }),
      ...(request.host === undefined ? {} : { host: request.host }),
      ...(request.port === undefined ? {} : { port: request.port }),
    };
    const session = await this.#newSession(project, adapter, ownerId);
    await this.#begin(session, () => session.attach(spec, signal));
    return session;
  }

  async #specOf(project: Project, name: string, plan: LaunchPlan): Promise<LaunchSpec> {
    const { kind: _kind, form, before: _before, ...rest } = plan;
    const spec: LaunchSpec = { ...rest, name, kind: form };
    if (form !== 'program' || plan.program === undefined) return spec;
    const adapter = this.adapterFor(plan.language, plan.program);
    const resolved = await adapter.resolveProgram({
      project,
      program: plan.program,
      args: plan.args,
      cwd: plan.cwd,
      env: plan.env,
      stopOnEntry: plan.stopOnEntry,
    });
    const runtimeArgs = [...(plan.runtimeArgs ?? []), ...(resolved.runtimeArgs ?? [])];
    return {
      ...resolved,
      ...spec,
      ...(resolved.program === undefined ? {} : { program: resolved.program }),
      runtimeArgs,
    };
  }

  async #newSession(project: Project, adapter: AdapterDescription, ownerId: string | undefined): Promise<Session> {
    const breakpoints = await this.breakpoints(project);
    await breakpoints.followEdits();
    return this.#makeSession(project, adapter, breakpoints, ownerId);
  }

  #makeSession(
    project: Project,
    adapter: AdapterDescription,
    breakpoints: BreakpointStore,
    ownerId: string | undefined,
  ): Session {
    const session = new Session({
      project,
      adapter,
      breakpoints,
      sources: this.sources,
      logger: this.#parts.logger.tagged('debugger'),
      rules: () => this.#parts.rules(project),
    });
    session.ownerId = ownerId;
    session.changes.on(() => this.changes.fire(session));
    return session;
  }

  async #begin(session: Session, start: () => Promise<void>): Promise<void> {
    this.#forgetOldest(session.project);
    this.#sessions.set(session.id, session);
    try {
      await start();
    } catch (error) {
      this.#sessions.delete(session.id);
      await session.dispose();
      throw error;
    }
    this.#current.set(session.project.id, session.id);
    this.changes.fire(session);
  }

  #forgetOldest(project: Project): void {
    const ended = this.sessions(project).filter((session) => session.state === 'stopped');
    for (const session of ended.slice(0, Math.max(ended.length - keptEndedSessions + 1, 0)))
      this.#sessions.delete(session.id);
  }

  #chooseCurrent(project: Project): void {
    const next = this.sessions(project).findLast((session) => session.state !== 'stopped');
    if (next === undefined) this.#current.delete(project.id);
    else this.#current.set(project.id, next.id);
  }

  /** Finds the line that is meant and refuses what cannot be one, naming the nearest that can. */
  async #place(wanted: NewBreakpoint, anchor?: string): Promise<{ wanted: NewBreakpoint }> {
    const { file, line } = wanted;
    if (file === undefined || line === undefined)
      throw new ToolError('breakpoint_error', 'A line breakpoint needs a file and a line.');
    const index = await this.sources.lines(file);
    if (index === undefined) throw new ToolError('file_not_found', `${file} is not a file that can be read.`);
    const lastLine = index.lineText(index.lineCount) === '' ? index.lineCount - 1 : index.lineCount;
    let at = line;
    if (anchor !== undefined) {
      const found = findAnchor(index, anchor, line);
      if (found === undefined)
        throw new ToolError('breakpoint_error', `No line near ${line} contains the text "${anchor}".`, {
          hint: `Line ${line} reads: ${index.lineText(line)?.trim() ?? '(past the end of the file)'}`,
        });
      at = found;
    }
    if (at < 1 || at > lastLine)
      throw new ToolError('breakpoint_error', `Line ${at} does not exist: the file has ${lastLine} lines.`, {
        hint: `Use a line from 1 to ${lastLine}.`,
        data: { lastLine },
      });
    const text = index.lineText(at) ?? '';
    return { wanted: { ...wanted, line: at, ...(text.trim() === '' ? {} : { lineText: text.trim() }) } };
  }

  #checkExpressions(project: Project, wanted: NewBreakpoint): void {
    const expressions = [
      ...(wanted.condition === undefined ? [] : [wanted.condition]),
      ...parseLogMessage(wanted.logMessage ?? '').flatMap((piece) =>
        typeof piece === 'string' ? [] : [piece.expression],
      ),
    ];
    if (expressions.length === 0) return;
    const adapters =
      wanted.file === undefined
        ? []
        : this.#parts.adapters.filter((each) => each.fileExtensions.includes(extname(wanted.file ?? '')));
    for (const adapter of adapters)
      for (const expression of expressions) {
        const problem = adapter.expressionProblem?.(expression);
        if (problem !== undefined)
          throw new ToolError('breakpoint_error', `The expression \`${expression}\` does not parse: ${problem}`, {
            hint: "It must be an expression of the program's language; nothing was set.",
          });
        checkExpression(expression, this.#parts.rules(project), adapter, false);
      }
  }

  async #apply(project: Project, breakpoint: Breakpoint): Promise<BreakpointBinding[]> {
    const live = this.sessions(project).filter((session) => session.state !== 'stopped');
    await Promise.all(live.map((session) => session.applyBreakpoints(breakpoint.file)));
    return live.flatMap((session) => session.bindingOf(breakpoint.id) ?? []);
  }
}

/** `lib.jar!/a/B.java`: the member of an archive. */
function splitMember(path: string): string | undefined {
  return /!\/(.+)$/.exec(path)?.[1];
}

function requireTrust(project: Project): void {
  if (project.trusted) return;
  throw new ToolError('project_not_trusted', `${project.root} is not trusted, so nothing in it may be executed.`, {
    hint: `A person can trust it: sightline trust ${project.root}`,
  });
}
