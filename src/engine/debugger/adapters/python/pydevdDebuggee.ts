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
  StopReason,
  ThreadInfo,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import { defaultValueLimits } from '../../model.ts';
import type { TargetCapabilities } from '../../target.ts';
import type { Debuggee, DebuggeeEvent } from '../../targets/dap/debuggee.ts';
import { toException, toFrame, toVariable } from './wire.ts';
import type {
  WireBinding,
  WireException,
  WireFrame,
  WireStatistics,
  WireStop,
  WireThread,
  WireVariable,
} from './wire.ts';

export const pydevdCapabilities: TargetCapabilities = {
  conditions: true,
  hitConditions: true,
  logMessages: true,
  functionBreakpoints: true,
  exceptionBreakpoints: true,
  exceptionClasses: true,
  columnBreakpoints: false,
  setVariable: true,
  readOnlyEvaluation: true,
  detach: true,
};

export interface PydevdStart {
  command: 'launch' | 'attach';
  /** Arguments of pydevd's own `launch` or `attach`. */
  arguments: Record<string, unknown>;
  justMyCode: boolean;
  /** Through debugpy's adapter the session has begun already; this settles when it is complete. */
  attached?: Promise<unknown>;
}

/** Where a paused thread stands: told with the stop, so that the usual questions need no further message. */
interface PausedThread {
  /** The name pydevd has for the thread. */
  engineThread: string;
  stop: WireStop;
}

/**
 * One Python process, spoken to directly: pydevd inside it is the server, there is no adapter process in between. Our part
 * inside the program answers the requests named `sightline…`; running, stepping and pausing are pydevd's own.
 */
export class PydevdDebuggee implements Debuggee {
  readonly process: ProcessNode;
  readonly capabilities = pydevdCapabilities;
  readonly events: Emitter<DebuggeeEvent>;
  readonly #connection: DapConnection;
  readonly #start: PydevdStart;
  readonly #paused = new Map<string, PausedThread>();
  readonly #engineThreads = new Map<string, string>();
  readonly #statistics = new Map<string, WireStatistics>();
  readonly #files = new Map<string, string>();
  readonly #loaded = new Set<string>();

  constructor(connection: DapConnection, process: ProcessNode, start: PydevdStart, logger: Logger) {
    this.#connection = connection;
    this.process = process;
    this.#start = start;
    this.events = new Emitter<DebuggeeEvent>((error) => logger.error('A listener of a Python process failed.', error));
    connection.events.on((event) => this.#hear(event));
    void connection.closed.then((reason) => {
      this.#paused.clear();
      this.events.fire({ type: 'closed', exit: { reason: reason.message } });
    });
  }

  async start(setup: BreakpointSetup): Promise<void> {
    const { attached, command, justMyCode } = this.#start;
    const handshake: Promise<unknown>[] =
      attached === undefined
        ? [
            this.#connection.request('initialize', { adapterID: 'sightline', pathFormat: 'path' }),
            this.#connection.request(command, this.#start.arguments),
          ]
        : [attached];
    handshake.push(this.#connection.requestCustom('sightlineOptions', { justMyCode }));
    const bound = [
      ...[...setup.lines].map(([file, specs]) => this.setLineBreakpoints(file, specs)),
      this.setFunctionBreakpoints(setup.functions),
      this.setExceptionBreakpoints(setup.exceptions),
    ].map(async (bindings) => {
      for (const binding of await bindings) this.events.fire({ type: 'breakpoint', binding });
    });
    const run = this.#connection.request('configurationDone', {});
    await Promise.all([...handshake, ...bound, run]);
  }

  async setLineBreakpoints(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    for (const spec of specs) this.#files.set(spec.id, file);
    const breakpoints = specs.map((spec) => ({
      id: spec.id,
      line: spec.line,
      condition: spec.condition,
      hitCondition: spec.hitCondition,
      logMessage: spec.logMessage,
      suspend: spec.suspendPolicy,
    }));
    const answer = await this.#ask<{ bindings: WireBinding[] }>('sightlineLines', { file, breakpoints });
    return answer.bindings.map((wire) => ({
      breakpointId: wire.id,
      verified: wire.verified,
      ...(wire.line === undefined ? {} : { location: { file, line: wire.line } }),
      ...(wire.message === undefined ? {} : { message: wire.message }),
      ...(wire.nearestLines === undefined ? {} : { nearestLines: wire.nearestLines }),
    }));
  }

  async setFunctionBreakpoints(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    const breakpoints = specs.map((spec) => ({ ...spec, suspend: spec.suspendPolicy }));
    return toBindings(await this.#ask('sightlineFunctions', { breakpoints }));
  }

  async setExceptionBreakpoints(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return toBindings(await this.#ask('sightlineExceptions', { breakpoints: specs }));
  }

  async statistics(): Promise<BreakpointStatistics[]> {
    if (!this.#connection.isClosed) {
      try {
        this.#takeStatistics(await this.#ask('sightlineStatistics', {}, 2000));
      } catch (error) {
        // A process that is just ending has told its last counts already.
        if (!this.#connection.isClosed && !(error instanceof ToolError)) throw error;
      }
    }
    return [...this.#statistics.values()].map((wire) => ({
      breakpointId: wire.id,
      hits: wire.hits,
      conditionFalse: wire.conditionFalse,
      conditionErrors: wire.conditionErrors,
      ...(wire.lastConditionError === null ? {} : { lastConditionError: wire.lastConditionError }),
      fileLoaded: wire.hits + wire.conditionFalse + wire.conditionErrors > 0 || this.#isLoaded(wire.id),
    }));
  }

  async resume(threadId: string): Promise<void> {
    this.#forgetStops();
    await this.#connection.request('continue', { threadId: Number(threadId) });
  }

  async step(threadId: string, kind: StepKind): Promise<void> {
    this.#forgetStops();
    const args = { threadId: Number(threadId) };
    if (kind === 'over') await this.#connection.request('next', args);
    else if (kind === 'into') await this.#connection.request('stepIn', args);
    else await this.#connection.request('stepOut', args);
  }

  async pause(threadId?: string): Promise<void> {
    // pydevd takes '*' for all threads, which the protocol's number cannot say.
    await this.#connection.requestCustom('pause', { threadId: threadId === undefined ? '*' : Number(threadId) });
  }

  async threads(): Promise<ThreadInfo[]> {
    // While it stands still, the threads are those that the stop told of.
    const [paused] = this.#paused.values();
    const told = paused?.stop.threads ?? (await this.#ask<{ threads: WireThread[] }>('sightlineThreads', {})).threads;
    return told.map(({ id, thread, name, state }) => {
      this.#engineThreads.set(String(id), thread);
      return {
        id: String(id),
        name,
        state: state === 'paused' || state === 'waiting' ? state : 'running',
        processId: this.process.id,
      };
    });
  }

  async stack(threadId: string, start: number, count: number): Promise<StackSlice> {
    const stop = this.#paused.get(threadId)?.stop;
    const isKnown = stop !== undefined && (start + count <= stop.frames.length || stop.frames.length === stop.total);
    const answer: { frames: WireFrame[]; total: number } = isKnown
      ? { frames: stop.frames.slice(start, start + count), total: stop.total }
      : await this.#ask('sightlineStack', { of: await this.#engineThread(threadId), start, count });
    return {
      frames: answer.frames.map((frame, offset) => toFrame(frame, threadId, start + offset)),
      totalFrames: answer.total,
    };
  }

  async scopes(frameId: string): Promise<Scope[]> {
    await this.#engineThread(parseFrame(frameId).threadId);
    return [
      { name: 'Locals', kind: 'locals', reference: `locals/${frameId}`, expensive: false },
      { name: 'Module', kind: 'module', reference: `globals/${frameId}`, expensive: false },
    ];
  }

  async variables(reference: string, range: VariableRange, limits: ValueLimits): Promise<VariablePage> {
    const [kind = '', threadId = '', last = ''] = reference.split('/');
    const known = this.#knownLocals(reference, range, limits);
    if (known !== undefined) return known;
    const thread = await this.#engineThread(threadId);
    const what = kind === 'value' ? { ref: Number(last) } : { scope: kind, frame: Number(last) };
    const answer = await this.#ask<{ variables: WireVariable[]; total: number }>('sightlineVariables', {
      thread,
      ...what,
      ...range,
      limits,
    });
    return { variables: answer.variables.map((each) => toVariable(each, threadId)), total: answer.total };
  }

  async evaluate(request: EvaluateRequest): Promise<Variable> {
    const { threadId, index } =
      request.frameId === undefined ? { threadId: request.threadId, index: 0 } : parseFrame(request.frameId);
    const thread = await this.#engineThread(threadId);
    const { expression, timeoutMs, readOnly, limits } = request;
    const args = { thread, frame: index, expression, timeoutMs, readOnly, limits };
    const answer = await this.#askToEvaluate<WireVariable>('sightlineEvaluate', args, timeoutMs, request.signal);
    return toVariable(answer, threadId);
  }

  async setVariable(request: SetVariableRequest): Promise<Variable> {
    const { threadId, index } = parseFrame(request.frameId);
    const thread = await this.#engineThread(threadId);
    const { path, valueExpression, timeoutMs, limits } = request;
    const args = { thread, frame: index, path, value: valueExpression, timeoutMs, limits };
    const answer = await this.#askToEvaluate<WireVariable>('sightlineSetVariable', args, timeoutMs);
    // What the stop told of the locals is no longer true.
    const stop = this.#paused.get(threadId)?.stop;
    if (stop !== undefined) stop.locals = undefined;
    return toVariable(answer, threadId);
  }

  async exceptionInfo(threadId: string): Promise<ExceptionInfo | undefined> {
    const paused = this.#paused.get(threadId);
    if (paused === undefined) return undefined;
    const wire: WireException | null | undefined = paused.stop.exception;
    return wire === undefined || wire === null ? undefined : toException(wire, threadId);
  }

  async sourceText(sourceReference: string): Promise<string> {
    const answer = await this.#connection.request('source', { sourceReference: Number(sourceReference) });
    return answer.content;
  }

  async detach(): Promise<void> {
    try {
      await this.#connection.request('disconnect', { terminateDebuggee: false }, { timeoutMs: 3000 });
    } catch (error) {
      // Its farewell may close the connection before the answer comes.
      if (!this.#connection.isClosed) throw error;
    }
    this.dispose();
  }

  dispose(): void {
    this.#connection.dispose();
  }

  #hear(event: DebugProtocol.Event): void {
    const body: unknown = event.body;
    switch (event.event) {
      case 'stopped':
        this.#hearStop(
          body as DebugProtocol.StoppedEvent['body'] & { sightline?: WireStop; sightlineProblem?: string },
        );
        break;
      case 'continued':
        this.#hearContinued(body as DebugProtocol.ContinuedEvent['body']);
        break;
      case 'output': {
        const { output, category } = body as DebugProtocol.OutputEvent['body'];
        if (category === 'stdout' || category === 'stderr')
          this.events.fire({ type: 'output', chunk: { category, text: output } });
        break;
      }
      case 'sightlineLog': {
        const { id, text } = body as { id: string; text: string };
        this.events.fire({ type: 'output', chunk: { category: 'log', text, breakpointId: id } });
        break;
      }
      case 'sightlineStatistics':
        this.#takeStatistics(body as { breakpoints: WireStatistics[]; loaded?: string[] });
        break;
      case 'terminated':
        // pydevd waits for our end of the connection before it lets the program go.
        this.#connection.dispose();
        break;
      default:
    }
  }

  #hearStop(body: DebugProtocol.StoppedEvent['body'] & { sightline?: WireStop; sightlineProblem?: string }): void {
    const threadId = String(body.threadId ?? 0);
    const wire = body.sightline;
    if (wire !== undefined) {
      this.#paused.set(threadId, { engineThread: wire.thread, stop: wire });
      this.#engineThreads.set(threadId, wire.thread);
      this.#takeStatistics({ breakpoints: wire.statistics });
    }
    const { exception } = wire ?? {};
    this.events.fire({
      type: 'stopped',
      stop: {
        threadId,
        processId: this.process.id,
        reason: stopReason(body.reason),
        breakpointIds: wire?.breakpoints ?? [],
        allThreadsStopped: body.allThreadsStopped ?? false,
        ...(exception === undefined || exception === null ? {} : { exception: toException(exception, threadId) }),
        ...(body.sightlineProblem === undefined ? {} : { description: body.sightlineProblem }),
      },
    });
  }

  #hearContinued(body: DebugProtocol.ContinuedEvent['body']): void {
    const threadId = String(body.threadId);
    // Our own steps and resumes have forgotten the stop already; then this is no news.
    if (!this.#paused.has(threadId)) return;
    this.#forgetStops();
    this.events.fire({ type: 'continued', threadId });
  }

  #forgetStops(): void {
    this.#paused.clear();
  }

  #knownLocals(reference: string, range: VariableRange, limits: ValueLimits): VariablePage | undefined {
    const [kind, threadId = '', index] = reference.split('/');
    const stop = this.#paused.get(threadId)?.stop;
    if (kind !== 'locals' || index !== '0' || stop?.locals === undefined || range.filter !== undefined)
      return undefined;
    const total = stop.localsTotal ?? stop.locals.length;
    const isWhole = stop.locals.length === total || range.start + range.count <= stop.locals.length;
    if (!isWhole || !sameLimits(limits, defaultValueLimits)) return undefined;
    const part = stop.locals.slice(range.start, range.start + range.count);
    return { variables: part.map((each) => toVariable(each, threadId)), total };
  }

  async #engineThread(threadId: string): Promise<string> {
    const known = this.#paused.get(threadId)?.engineThread ?? this.#engineThreads.get(threadId);
    if (known !== undefined) return known;
    await this.threads();
    const found = this.#engineThreads.get(threadId);
    if (found !== undefined) return found;
    throw new ToolError('not_paused', 'That thread has ended.', { hint: 'Ask list_threads which threads there are.' });
  }

  #takeStatistics(said: { breakpoints: WireStatistics[]; loaded?: string[] }): void {
    for (const each of said.breakpoints) this.#statistics.set(each.id, each);
    for (const file of said.loaded ?? []) this.#loaded.add(file);
  }

  #isLoaded(breakpointId: string): boolean {
    const file = this.#files.get(breakpointId);
    return file !== undefined && this.#loaded.has(file);
  }

  #ask<T>(command: string, args: object, timeoutMs?: number): Promise<T> {
    return this.#connection.requestCustom<T>(command, args, { timeoutMs });
  }

  async #askToEvaluate<T>(command: string, args: object, timeoutMs: number, signal?: AbortSignal): Promise<T> {
    try {
      return await this.#connection.requestCustom<T>(command, args, { timeoutMs: timeoutMs + 1500, signal });
    } catch (error) {
      if (error instanceof PeerError) {
        const code = error.message.startsWith('Refused in read-only mode') ? 'evaluation_blocked' : 'evaluation_error';
        throw new ToolError(code, error.message, { cause: error });
      }
      if (error instanceof ToolError && error.code === 'timeout')
        throw new ToolError(
          'evaluation_error',
          `The evaluation did not end within ${timeoutMs} ms and could not be interrupted: it is inside native code.`,
          {
            hint: 'The session is kept; the thread answers again when the native call returns. stop_debug_session ends it.',
            cause: error,
          },
        );
      throw error;
    }
  }
}

function toBindings(answer: { bindings: WireBinding[] }): BreakpointBinding[] {
  return answer.bindings.map(({ id, verified, message }) => ({
    breakpointId: id,
    verified,
    ...(message === undefined ? {} : { message }),
  }));
}

function stopReason(reason: string): StopReason {
  switch (reason) {
    case 'breakpoint':
    case 'step':
    case 'exception':
    case 'entry':
    case 'function breakpoint':
      return reason;
    default:
      return 'pause';
  }
}

function parseFrame(frameId: string): { threadId: string; index: number } {
  const [threadId = '', index = '0'] = frameId.split('/');
  return { threadId, index: Number(index) };
}

function sameLimits(a: ValueLimits, b: ValueLimits): boolean {
  return (
    a.maxValueChars === b.maxValueChars &&
    a.maxStringChars === b.maxStringChars &&
    a.maxItems === b.maxItems &&
    a.depth === b.depth
  );
}
