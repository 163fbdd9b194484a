import { keptSource } from '../../../workspace/sources/keptSource.ts';
import { rejectionWatchForAttached } from './launch/preload.ts';
import { basename } from 'node:path';
import { untilCancelled, withTimeout } from '../../../../base/cancellation.ts';
import { Deferred } from '../../../../base/deferred.ts';
import { Emitter } from '../../../../base/emitter.ts';
import { ToolError } from '../../../../base/errors.ts';
import type { ManagedProcess } from '../../../../base/processes.ts';
import { CdpSession } from '../../../../protocol/cdp/cdpSession.ts';
import type { CdpEvent } from '../../../../protocol/cdp/types.ts';
import type {
  AttachSpec,
  BreakpointBinding,
  BreakpointSetup,
  BreakpointStatistics,
  EvaluateRequest,
  ExceptionBreakpointSpec,
  ExceptionInfo,
  ExitInfo,
  FunctionBreakpointSpec,
  LaunchSpec,
  LineBreakpointSpec,
  PathMapping,
  ProcessNode,
  Scope,
  SetVariableRequest,
  StackSlice,
  StepKind,
  StopEvent,
  SuspendPolicy,
  ThreadInfo,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import type { ThreadActivity } from '../../activity/model.ts';
import type { Target, TargetCapabilities, TargetContext, TargetEvent } from '../../target.ts';
import { type Announcement, Announcements } from './launch/announcements.ts';
import { inspectorOf, releaseInspector, wakeInspector } from './launch/attaching.ts';
import { BreakpointRecord } from './breakpoints/breakpointRecord.ts';
import { exceptionOf } from './exceptions/details.ts';
import { Holding } from './pause/suspendAll.ts';
import { evaluateIn, setVariableIn } from './values/evaluation.ts';
import { Isolate, type IsolateEvent } from './pause/isolate.ts';
import { activityOf } from './pause/isolateActivity.ts';
import { startProgram, untilDebugged } from './launch/programStart.ts';
import { staleness } from './scripts/staleness.ts';
import { mapPath } from './scripts/pathMapping.ts';
import { Peers } from './pause/isolates.ts';
import { ProcessList } from './launch/processList.ts';
import { followOutput } from './launch/programOutput.ts';
import { scopesOf, variablesOf } from './values/scopeVariables.ts';

/** A program that is let go has this long to take notice. */
const detachMs = 800;

/** Node programs over the inspector protocol: one session, every process and worker it starts. */
export class NodeTarget implements Target {
  readonly language = 'node';
  readonly events = new Emitter<TargetEvent>();
  readonly capabilities: TargetCapabilities = {
    conditions: true,
    hitConditions: true,
    logMessages: true,
    functionBreakpoints: true,
    exceptionBreakpoints: true,
    exceptionClasses: true,
    columnBreakpoints: true,
    setVariable: true,
    readOnlyEvaluation: true,
    quietParts: true,
    detach: true,
  };
  readonly #context: TargetContext;
  readonly #peers = new Peers();
  readonly #holding = new Holding(this.#peers);
  readonly #processes = new ProcessList();
  readonly #lines = new Map<string, readonly LineBreakpointSpec[]>();
  readonly #record = new BreakpointRecord();
  readonly #firstReady = new Deferred<void>();
  #functions: readonly FunctionBreakpointSpec[] = [];
  #exceptions: readonly ExceptionBreakpointSpec[] = [];
  #announcements: Announcements | undefined;
  #process: ManagedProcess | undefined;
  #entryWanted = false;
  #mappings: readonly PathMapping[] = [];
  #attachedPid: number | undefined;
  #rootExit: ExitInfo | undefined;
  #ended = false;
  #handleCount = 0;
  #threadCount = 0;

  constructor(context: TargetContext) {
    this.#context = context;
  }

  async launch(spec: LaunchSpec, setup: BreakpointSetup, signal?: AbortSignal): Promise<void> {
    this.#adopt(setup);
    this.#entryWanted = spec.stopOnEntry;
    this.#announcements = await Announcements.open((announcement) => void this.#onAnnounced(announcement));
    const runsBreakpoint = [...setup.lines.keys()].some((file) => spec.starterRuns?.(file) === true);
    const program = runsBreakpoint ? { ...spec, starterRuns: undefined } : spec;
    this.#process = await startProgram(program, this.#announcements, this.#context);
    // What a command line starts first is a shell or a package manager; then it shows that the program is another process.
    if (spec.kind !== 'program') this.#processes.add(this.#process.pid, undefined, spec.name);
    void this.#follow(this.#process);
    try {
      await untilDebugged(spec, this.#process, this.#firstReady.promise, signal);
    } catch (error) {
      await this.terminate();
      throw error;
    }
  }

  async attach(spec: AttachSpec, setup: BreakpointSetup, signal?: AbortSignal): Promise<void> {
    this.#adopt(setup);
    this.#mappings = spec.pathMappings;
    const endpoint =
      spec.pid === undefined
        ? await inspectorOf(spec.host ?? '127.0.0.1', spec.port ?? 9229)
        : await wakeInspector(spec.pid);
    this.#attachedPid = endpoint.wokenPid;
    const node = this.#processes.add(spec.pid, undefined, endpoint.title);
    const session = await untilCancelled(CdpSession.connect(endpoint.url, `Node (${endpoint.title})`), signal);
    // Busy in a native call, it takes it later.
    session.send('Runtime.evaluate', { expression: rejectionWatchForAttached, silent: true }).catch(() => undefined);
    await this.#adoptIsolate(session, node, endpoint.title, false);
  }

  async setLineBreakpoints(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    this.#lines.set(file, specs);
    await this.#peers.each((isolate) => isolate.setLines(file, specs));
    return specs.map((spec) => this.#record.binding(spec.id));
  }

  async setFunctionBreakpoints(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    this.#functions = specs;
    await this.#peers.each((isolate) => isolate.setFunctions(specs));
    return specs.map((spec) => this.#record.binding(spec.id));
  }

  async setExceptionBreakpoints(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    this.#exceptions = specs;
    await this.#peers.each((isolate) => isolate.setExceptionSpecs(specs));
    return specs.map((spec) => ({ breakpointId: spec.id, verified: true }));
  }

  async breakpointStatistics(): Promise<BreakpointStatistics[]> {
    for (const isolate of this.#peers.isolates()) await this.#record.collect(isolate, this.#lines);
    return this.#record.statistics();
  }

  async resume(threadId: string): Promise<void> {
    await this.#holding.resume(this.#peers.ofThread(threadId));
  }

  async step(threadId: string, kind: StepKind): Promise<void> {
    const isolate = this.#peers.ofThread(threadId);
    await this.#holding.stepping(isolate);
    await isolate.step(kind);
  }

  async restartFrame(threadId: string, frameId: string): Promise<void> {
    const isolate = this.#peers.ofThread(threadId);
    const { callFrameId } = isolate.view.callFrame(frameId);
    await this.#holding.stepping(isolate);
    await isolate.restartFrame(callFrameId);
  }

  async pause(threadId?: string): Promise<void> {
    const isolates = threadId === undefined ? this.#peers.isolates() : [this.#peers.ofThread(threadId)];
    const running = isolates.filter((isolate) => !isolate.isPaused);
    if (running.length === 0) throw new ToolError('not_running', 'There is no running thread to pause.');
    // Whoever runs code stops first; the others, which idle or wait, are held from then on.
    const asked = await Promise.allSettled(running.map((isolate) => isolate.pause()));
    const [first] = asked;
    if (first?.status === 'rejected' && asked.every(({ status }) => status === 'rejected')) throw first.reason;
  }

  async activity(spanMs: number): Promise<ThreadActivity[]> {
    const running = this.#peers.isolates().filter((isolate) => !isolate.isPaused);
    const found = await Promise.all(
      running.map(async (isolate) => ({
        isolate,
        told: await activityOf(isolate, spanMs, this.#systemThread(isolate)),
      })),
    );
    const isSilent = (processId: string) =>
      found.some(({ isolate, told }) => isolate.processId === processId && told.doing === 'silent');
    return found.flatMap(({ isolate, told }) => {
      if (!isolate.isWorker) return [told];
      // What is said to a worker passes through its process; while that is silent nothing is known of it.
      return told.doing === 'silent' && isSilent(isolate.processId.split('.')[0] ?? '') ? [] : [told];
    });
  }

  /** The main thread of a process on this machine has the number of the process; those of workers are not known. */
  #systemThread({ processId, isWorker }: Isolate): ThreadActivity['systemThread'] {
    const pid = isWorker ? undefined : this.#processes.all().find(({ id }) => id === processId)?.pid;
    const isHere = this.#process !== undefined || this.#attachedPid !== undefined;
    return pid === undefined || !isHere ? undefined : { pid, tid: pid };
  }

  processes(): ProcessNode[] {
    return this.#processes.all();
  }

  threads(): Promise<ThreadInfo[]> {
    return Promise.resolve(
      this.#peers.isolates().map((isolate) => ({
        id: isolate.threadId,
        name: isolate.name,
        state: isolate.isPaused ? ('paused' as const) : ('running' as const),
        processId: isolate.processId,
      })),
    );
  }

  stack(threadId: string, start: number, count: number): Promise<StackSlice> {
    return this.#peers.ofThread(threadId).view.stack(start, count);
  }

  scopes(frameId: string): Promise<Scope[]> {
    return scopesOf(this.#peers.ofFrame(frameId), frameId);
  }

  variables(reference: string, range: VariableRange, limits: ValueLimits): Promise<VariablePage> {
    const isolate = this.#peers.isolates().find((each) => each.view.handles.has(reference));
    const handle = isolate?.view.handles.get(reference);
    if (isolate === undefined || handle === undefined)
      throw new ToolError('not_paused', `The value ${reference} is gone: the program has run on since it was shown.`, {
        hint: 'Get the variables again; ids hold until the program runs on.',
      });
    return variablesOf(isolate, handle, range, limits);
  }

  evaluate(request: EvaluateRequest): Promise<Variable> {
    return evaluateIn(this.#peers.ofThread(request.threadId), request);
  }

  setVariable(request: SetVariableRequest): Promise<Variable> {
    return setVariableIn(this.#peers.ofThread(request.threadId), request);
  }

  async doubtsAbout(frameId: string): Promise<string | undefined> {
    const isolate = this.#peers.ofFrame(frameId);
    const { location } = isolate.view.callFrame(frameId);
    const script = isolate.scripts.get(location.scriptId);
    const map = await script?.map();
    const at = script?.locate(location.lineNumber, location.columnNumber ?? 0);
    if (map === undefined || script?.path === undefined || at?.file === undefined || at.file === script.path)
      return undefined;
    return staleness({ file: at.file, line: at.line }, { path: script.path, map }, (path) => basename(path));
  }

  exceptionInfo(threadId: string, limits: ValueLimits): Promise<ExceptionInfo | undefined> {
    return exceptionOf(this.#peers.ofThread(threadId), limits);
  }

  async sourceText(sourceReference: string): Promise<string> {
    const [threadId = '', scriptId = ''] = (sourceReference.split(':')[0] ?? '').split('.');
    const isolate = this.#peers.isolates().find((each) => each.threadId === threadId);
    const text = await isolate?.scripts.sourceOf(scriptId);
    if (text !== undefined) return text;
    throw new ToolError('file_not_found', `There is no source ${sourceReference} in this session.`);
  }

  async writeInput(text: string): Promise<void> {
    const input = this.#process?.stdin;
    if (input === undefined)
      throw new ToolError('unsupported', 'Input can only be sent to a program that this session started.');
    await new Promise<void>((resolve, reject) => {
      input.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  async terminate(): Promise<void> {
    if (this.#process === undefined) return this.detach();
    await this.#process.kill(this.#rootExit === undefined ? 300 : 0);
    this.#peers.close();
    await this.#announcements?.dispose();
    await this.#end();
  }

  async detach(): Promise<void> {
    // A program that is silent is let go by the end of the connection.
    await withTimeout(this.#letGo(), detachMs).catch(() => undefined);
    this.#peers.close();
    await this.#announcements?.dispose();
    this.#rootExit ??= { reason: 'detached' };
    await this.#end();
  }

  async #letGo(): Promise<void> {
    await this.#peers.each(async (isolate) => {
      await isolate.session.send('Debugger.disable').catch(() => undefined);
    });
    const isolate = this.#peers.isolates()[0];
    if (this.#attachedPid !== undefined && isolate !== undefined) await releaseInspector(isolate.session);
  }

  async dispose(): Promise<void> {
    if (this.#process !== undefined) await this.terminate();
    else if (!this.#ended) await this.detach();
  }

  async #onAnnounced(announcement: Announcement): Promise<void> {
    try {
      const title =
        announcement.argv
          .slice(1)
          .map((part) => basename(part))
          .join(' ') || 'node';
      const node = this.#processes.add(announcement.pid, this.#processes.ofPid(announcement.parentPid)?.id, title);
      const session = await CdpSession.connect(announcement.url, `Node ${title} (pid ${announcement.pid})`);
      const entry = announcement.argv[1];
      const isFirst = this.#peers.size === 0;
      await this.#adoptIsolate(
        session,
        node,
        `main (pid ${announcement.pid})`,
        isFirst && this.#entryWanted ? (entry ?? false) : false,
        announcement.isWaiting,
      );
    } catch (error) {
      this.#context.logger.warn(`a process of the session could not be attached to (pid ${announcement.pid})`, error);
    }
  }

  /** Puts a new isolate under all breakpoints and lets it go. */
  async #adoptIsolate(
    session: CdpSession,
    node: ProcessNode,
    name: string,
    entry: string | false,
    isWaiting: () => boolean = () => false,
  ): Promise<void> {
    const isolate = new Isolate({
      threadId: `t${++this.#threadCount}`,
      processId: node.id,
      name,
      session,
      isWorker: node.kind === 'worker',
      logger: this.#context.logger,
      nextHandleId: () => `v${++this.#handleCount}`,
      toLocalPath: (path) => keptSource(mapPath(path, this.#mappings, 'remoteRoot', 'localRoot')),
      toRemotePath: (path) => mapPath(path, this.#mappings, 'localRoot', 'remoteRoot'),
    });
    isolate.events.on((event) => this.#onIsolateEvent(isolate, node, event));
    void session.closed.then(() => this.#onGone(isolate, node));
    const ready = this.#prepare(isolate, entry, isWaiting);
    this.#peers.add(isolate, ready);
    this.events.fire({ type: 'processStarted', process: { ...node } });
    await ready;
    this.#firstReady.resolve();
  }

  async #prepare(isolate: Isolate, entry: string | false, isWaiting: () => boolean): Promise<void> {
    await isolate.prepare(() => void this.#letEnd(isolate));
    if (entry !== false) await isolate.chooseEntry(entry);
    await Promise.all([
      ...[...this.#lines].map(([file, specs]) => isolate.setLines(file, specs)),
      isolate.setFunctions(this.#functions),
      isolate.setExceptionSpecs(this.#exceptions),
    ]);
    if (entry !== false) await isolate.stopAtEntry();
    await isolate.run(isWaiting);
    this.#holding.joined(isolate);
  }

  /** What the breakpoints that were hit ask for; undefined after a step, which changes nothing about that. */
  #policyOf(stop: StopEvent): SuspendPolicy | undefined {
    if (stop.reason === 'step') return undefined;
    const specs = [...[...this.#lines.values()].flat(), ...this.#functions];
    const policies = stop.breakpointIds.map((id) => specs.find((spec) => spec.id === id)?.suspendPolicy);
    return policies.length > 0 && policies.every((policy) => policy === 'thread') ? 'thread' : 'all';
  }

  #onIsolateEvent(isolate: Isolate, node: ProcessNode, event: IsolateEvent): void {
    if (event.type === 'paused') {
      for (const id of event.stop.breakpointIds) this.#record.hit(id);
      this.#holding.paused(isolate, this.#policyOf(event.stop));
      this.events.fire({ type: 'paused', stop: event.stop });
    } else if (event.type === 'held') {
      const stop = { threadId: isolate.threadId, processId: isolate.processId, reason: 'pause' as const };
      this.events.fire({
        type: 'paused',
        stop: { ...stop, breakpointIds: [], allThreadsPaused: true, isHeld: true },
      });
    } else if (event.type === 'released') {
      this.events.fire({ type: 'continued', threadId: isolate.threadId });
    } else if (event.type === 'binding') {
      if (this.#record.bound(event.binding)) this.events.fire({ type: 'breakpoint', binding: event.binding });
    } else if (event.type === 'log') {
      this.events.fire({
        type: 'output',
        chunk: {
          category: 'log',
          text: `${event.text}\n`,
          breakpointId: event.breakpointId,
          // Other processes print into pipes of their own, or into the same one.
          ...(event.printed === undefined || this.#processes.all().length > 1 ? {} : { afterBytes: event.printed }),
        },
      });
    } else {
      void this.#adoptWorker(isolate, node, event.worker);
    }
  }

  async #adoptWorker(
    parent: Isolate,
    process: ProcessNode,
    worker: CdpEvent<'NodeWorker.attachedToWorker'>,
  ): Promise<void> {
    const node = this.#processes.addWorker(process, worker.workerInfo);
    const name = node.title;
    try {
      await this.#adoptIsolate(parent.session.worker(worker.sessionId, name), node, name, false);
    } catch (error) {
      this.#context.logger.warn(`${name} could not be attached to`, error);
    }
  }

  /** The program is over and waits for us to let go; the counters of conditions are read while they can be. */
  async #letEnd(isolate: Isolate): Promise<void> {
    await isolate.binder.settled();
    await this.#record.collect(isolate, this.#lines);
    isolate.session.close();
  }

  #onGone(isolate: Isolate, node: ProcessNode): void {
    this.#peers.remove(isolate);
    this.#holding.gone(isolate);
    node.exit ??= {};
    this.events.fire({ type: 'processExited', process: { ...node } });
    if (this.#process === undefined) this.#rootExit ??= { reason: 'the connection was closed by the program' };
    if (this.#rootExit !== undefined && this.#peers.size === 0) void this.#end();
  }

  /** The exit of the program itself; the session is over when nothing it started is left either. */
  async #follow(child: ManagedProcess): Promise<void> {
    const exit = await followOutput(child, (chunk) => this.events.fire({ type: 'output', chunk }));
    this.#rootExit = {
      ...(exit.code === null ? {} : { code: exit.code }),
      ...(exit.signal === null ? {} : { signal: exit.signal }),
    };
    const root = this.#processes.ofPid(child.pid);
    if (root !== undefined) root.exit = this.#rootExit;
    if (this.#peers.size === 0) await this.#end();
  }

  async #end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#firstReady.resolve();
    await this.#announcements?.dispose();
    this.events.fire({ type: 'ended', exit: this.#rootExit ?? { reason: 'stopped' } });
  }

  #adopt(setup: BreakpointSetup): void {
    for (const [file, specs] of setup.lines) this.#lines.set(file, specs);
    this.#functions = setup.functions;
    this.#exceptions = setup.exceptions;
  }
}
