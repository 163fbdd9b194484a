import type { DebugProtocol } from '@vscode/debugprotocol';
import { Emitter } from '../../../../base/emitter.ts';
import { PeerError, ToolError } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/logger.ts';
import type { DapConnection } from '../../../../protocol/dap/connection.ts';
import type {
  BreakpointBinding,
  BreakpointSetup,
  BreakpointStatistics,
  EvaluateRequest,
  ExceptionBreakpointSpec,
  ExceptionInfo,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
  ProcessNode,
  Scope,
  SetVariableRequest,
  StackSlice,
  StepKind,
  StopEvent,
  ThreadInfo,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import type { TargetCapabilities } from '../../target.ts';
import type { DapAdapter } from './dapAdapter.ts';
import type { Debuggee, DebuggeeEvent } from './debuggee.ts';
import { StandardBreakpoints } from './standardBreakpoints.ts';
import { fromCapabilities, fromFrame, fromScope, fromStopReason, fromVariable } from './standardModel.ts';

/** How the session begins: the request and its arguments. */
export interface StandardStart {
  command: 'launch' | 'attach';
  arguments: Record<string, unknown>;
}

const announceTimeoutMs = 20_000;

/**
 * A program behind any debug adapter, by the protocol alone. What the adapter has not announced is never sent: some close the
 * connection over an unknown request. What it cannot do is answered with what it is.
 */
export class StandardDebuggee implements Debuggee {
  readonly process: ProcessNode;
  readonly events: Emitter<DebuggeeEvent>;
  readonly #connection: DapConnection;
  readonly #adapter: DapAdapter;
  readonly #start: StandardStart;
  readonly #breakpoints: StandardBreakpoints;
  readonly #stopped = new Set<string>();
  #allStopped = false;

  constructor(
    connection: DapConnection,
    process: ProcessNode,
    adapter: DapAdapter,
    start: StandardStart,
    logger: Logger,
  ) {
    this.#connection = connection;
    this.#breakpoints = new StandardBreakpoints(connection, adapter);
    this.process = process;
    this.#adapter = adapter;
    this.#start = start;
    this.events = new Emitter<DebuggeeEvent>((error) => logger.error('A listener of a debuggee failed.', error));
    connection.events.on((event) => this.#hear(event));
    void connection.closed.then((reason) => this.events.fire({ type: 'closed', exit: { reason: reason.message } }));
  }

  get capabilities(): TargetCapabilities {
    return fromCapabilities(this.#announced);
  }

  get #announced(): DebugProtocol.Capabilities {
    return this.#breakpoints.announced;
  }

  async start(setup: BreakpointSetup): Promise<void> {
    this.#breakpoints.announced =
      (await this.#connection.request('initialize', {
        clientID: 'sightline',
        adapterID: this.#adapter.adapterId,
        pathFormat: 'path',
        linesStartAt1: true,
        columnsStartAt1: true,
        supportsRunInTerminalRequest: true,
        supportsVariableType: true,
        supportsVariablePaging: true,
      })) ?? {};
    this.#connection.cancelSupported = this.#announced.supportsCancelRequest ?? false;
    const initialized = this.#once('initialized');
    const begun = this.#connection.request(this.#start.command, this.#start.arguments, {
      timeoutMs: announceTimeoutMs,
    });
    begun.catch(() => undefined);
    // When the launch fails, `initialized` never comes: whichever is first decides.
    await Promise.race([initialized, begun.then(() => initialized)]);
    const bindings = await Promise.all([
      ...[...setup.lines].map(([file, specs]) => this.setLineBreakpoints(file, specs)),
      this.setFunctionBreakpoints(setup.functions),
      this.setExceptionBreakpoints(setup.exceptions),
    ]);
    for (const binding of bindings.flat()) this.events.fire({ type: 'breakpoint', binding });
    if (this.#announced.supportsConfigurationDoneRequest) await this.#connection.request('configurationDone', {});
    await begun;
  }

  setLineBreakpoints(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#breakpoints.setLines(file, specs);
  }

  setFunctionBreakpoints(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#breakpoints.setFunctions(specs);
  }

  setExceptionBreakpoints(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#breakpoints.setExceptions(specs);
  }

  statistics(): Promise<BreakpointStatistics[]> {
    return Promise.resolve(this.#breakpoints.statistics());
  }

  async resume(threadId: string): Promise<void> {
    this.#forgetStops();
    await this.#connection.request('continue', { threadId: Number(threadId) });
  }

  async step(threadId: string, kind: StepKind): Promise<void> {
    this.#forgetStops();
    const command = kind === 'over' ? 'next' : kind === 'into' ? 'stepIn' : 'stepOut';
    await this.#connection.request(command, { threadId: Number(threadId) });
  }

  async pause(threadId?: string): Promise<void> {
    const id = threadId ?? (await this.threads())[0]?.id;
    await this.#connection.request('pause', { threadId: Number(id ?? 1) });
  }

  async threads(): Promise<ThreadInfo[]> {
    const answer = await this.#connection.request('threads', {});
    return (answer?.threads ?? []).map(({ id, name }) => ({
      id: String(id),
      name,
      state: this.#stopped.has(String(id)) || this.#allStopped ? 'paused' : 'running',
      processId: this.process.id,
    }));
  }

  async stack(threadId: string, start: number, count: number): Promise<StackSlice> {
    const answer = await this.#connection.request('stackTrace', {
      threadId: Number(threadId),
      startFrame: start,
      levels: count,
    });
    // Adapters without delayed loading answer with the whole stack, whatever was asked for.
    const told = answer?.stackFrames ?? [];
    const isWhole = told.length > count;
    const frames = isWhole ? told.slice(start, start + count) : told;
    return {
      frames: frames.map((frame, offset) => fromFrame(frame, start + offset, this.#adapter)),
      totalFrames: answer?.totalFrames ?? (isWhole ? told.length : undefined),
    };
  }

  async scopes(frameId: string): Promise<Scope[]> {
    const answer = await this.#connection.request('scopes', { frameId: Number(frameId) });
    return (answer?.scopes ?? []).map(fromScope);
  }

  async variables(reference: string, range: VariableRange, limits: ValueLimits): Promise<VariablePage> {
    const answer = await this.#connection.request('variables', {
      variablesReference: Number(reference),
      ...(range.filter === undefined ? { start: range.start, count: range.count } : {}),
    });
    const variables = answer?.variables ?? [];
    const wanted = range.filter?.toLowerCase();
    const matching =
      wanted === undefined ? variables : variables.filter(({ name }) => name.toLowerCase().includes(wanted));
    // An adapter without paging answers with everything, whatever part was asked for.
    const isPage = wanted === undefined && variables.length <= range.count;
    const part = isPage ? matching : matching.slice(range.start, range.start + range.count);
    return {
      variables: part.map((each) => fromVariable(each, limits)),
      ...(isPage && range.start > 0 ? {} : { total: matching.length }),
    };
  }

  async evaluate(request: EvaluateRequest): Promise<Variable> {
    try {
      const answer = await this.#connection.request(
        'evaluate',
        {
          expression: request.expression,
          context: request.purpose,
          ...(request.frameId === undefined ? {} : { frameId: Number(request.frameId) }),
        },
        { timeoutMs: request.timeoutMs, signal: request.signal },
      );
      const { result: value, ...rest } = answer;
      return fromVariable({ ...rest, name: request.expression, value }, request.limits);
    } catch (error) {
      throw asEvaluationError(error, request.timeoutMs);
    }
  }

  async setVariable(request: SetVariableRequest): Promise<Variable> {
    const { path, valueExpression: value, frameId, timeoutMs, limits } = request;
    try {
      if (this.#announced.supportsSetExpression === true) {
        const args = { expression: path, value, frameId: Number(frameId) };
        const answer = await this.#connection.request('setExpression', args, { timeoutMs });
        return fromVariable({ ...answer, name: path, variablesReference: answer.variablesReference ?? 0 }, limits);
      }
      if (this.#announced.supportsSetVariable !== true)
        throw new ToolError('unsupported', `${this.#adapter.name} cannot change variables.`);
      return await this.#setByName(path, value, frameId, limits);
    } catch (error) {
      throw asEvaluationError(error, timeoutMs);
    }
  }

  async exceptionInfo(threadId: string): Promise<ExceptionInfo | undefined> {
    if (this.#announced.supportsExceptionInfoRequest !== true) return undefined;
    const answer = await this.#connection.request('exceptionInfo', { threadId: Number(threadId) });
    return {
      type: answer.details?.typeName ?? answer.exceptionId,
      message: answer.details?.message ?? answer.description ?? '',
      ...(answer.breakMode === 'always' ? {} : { uncaught: true }),
      details: [],
      ...(answer.details?.stackTrace === undefined ? {} : { stackText: answer.details.stackTrace }),
    };
  }

  async sourceText(sourceReference: string): Promise<string> {
    return (await this.#connection.request('source', { sourceReference: Number(sourceReference) })).content;
  }

  async detach(): Promise<void> {
    const args = this.#announced.supportTerminateDebuggee === true ? { terminateDebuggee: false } : {};
    try {
      await this.#connection.request('disconnect', args, { timeoutMs: 3000 });
    } catch (error) {
      if (!this.#connection.isClosed) throw error;
    }
    this.dispose();
  }

  dispose(): void {
    this.#connection.dispose();
  }

  #hear(event: DebugProtocol.Event): void {
    const body: unknown = event.body;
    if (event.event === 'stopped') this.#hearStop(body as DebugProtocol.StoppedEvent['body']);
    else if (event.event === 'continued') this.#hearContinued(body as DebugProtocol.ContinuedEvent['body']);
    else if (event.event === 'output') this.#hearOutput(body as DebugProtocol.OutputEvent['body']);
    else if (event.event === 'breakpoint') {
      const { breakpoint } = body as DebugProtocol.BreakpointEvent['body'];
      const binding = this.#breakpoints.changed(breakpoint);
      if (binding !== undefined) this.events.fire({ type: 'breakpoint', binding });
    } else if (event.event === 'terminated') this.dispose();
  }

  #hearStop(body: DebugProtocol.StoppedEvent['body']): void {
    const threadId = String(body.threadId ?? 1);
    this.#stopped.add(threadId);
    this.#allStopped = body.allThreadsStopped ?? false;
    const stop: StopEvent = {
      threadId,
      processId: this.process.id,
      reason: fromStopReason(body.reason),
      breakpointIds: this.#breakpoints.hit(body.hitBreakpointIds ?? []),
      allThreadsStopped: this.#allStopped,
      description: body.description,
    };
    this.events.fire({ type: 'stopped', stop });
  }

  #hearContinued(body: DebugProtocol.ContinuedEvent['body']): void {
    const threadId = String(body.threadId);
    // Our own steps and resumes have forgotten the stop already; then this is no news.
    if (!this.#stopped.has(threadId)) return;
    this.#forgetStops();
    this.events.fire({ type: 'continued', threadId });
  }

  #forgetStops(): void {
    this.#stopped.clear();
    this.#allStopped = false;
  }

  #hearOutput({ output, category }: DebugProtocol.OutputEvent['body']): void {
    if (category === 'telemetry') return;
    const kind = category === 'stdout' || category === 'stderr' ? category : 'console';
    this.events.fire({ type: 'output', chunk: { category: kind, text: output } });
  }

  /** Without `setExpression` only a name of the frame's own scopes can be changed. */
  async #setByName(name: string, value: string, frameId: string, limits: ValueLimits): Promise<Variable> {
    for (const scope of await this.scopes(frameId)) {
      if (scope.expensive) continue;
      const held = await this.#connection.request('variables', { variablesReference: Number(scope.reference) });
      if (held?.variables?.some((each) => each.name === name) !== true) continue;
      const args = { variablesReference: Number(scope.reference), name, value };
      const answer: { value?: string; result?: string; type?: string; variablesReference?: number } =
        await this.#connection.request('setVariable', args);
      const told =
        (this.#adapter.quirks?.setVariableAnswersResult === true ? answer.result : answer.value) ??
        answer.result ??
        value;
      return fromVariable(
        { name, value: told, type: answer.type, variablesReference: answer.variablesReference ?? 0 },
        limits,
      );
    }
    throw new ToolError('evaluation_error', `There is no variable '${name}' in this frame.`);
  }

  #once(name: string): Promise<void> {
    return new Promise((resolve) => {
      const subscription = this.#connection.events.on((event) => {
        if (event.event !== name) return;
        void subscription.dispose();
        resolve();
      });
    });
  }
}

function asEvaluationError(error: unknown, timeoutMs: number): unknown {
  if (error instanceof PeerError) return new ToolError('evaluation_error', error.message, { cause: error });
  if (error instanceof ToolError && error.code === 'timeout')
    return new ToolError('evaluation_error', `The evaluation did not end within ${timeoutMs} ms.`, { cause: error });
  return error;
}
