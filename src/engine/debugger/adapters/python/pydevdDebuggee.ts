import type { DebugProtocol } from '@vscode/debugprotocol';
import { advise, step } from '../../../../base/text/advice.ts';
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
import type { ThreadActivity } from '../../activity/model.ts';
import type { TargetCapabilities } from '../../target.ts';
import type { Debuggee, DebuggeeEvent } from '../../targets/dap/debuggee.ts';
import { PausedThreads } from './pausedThreads.ts';
import { PythonBreakpoints } from './pythonBreakpoints.ts';
import { handledLine, toException, toFrame, toVariable } from './wire.ts';
import { dumpedThreads, silentThread, type StackDumps } from './stackDump.ts';
import type { WireFrame, WireHandled, WireStatistics, WireStop, WireThread, WireVariable } from './wire.ts';
import { toActivity, type WireActivity } from './wireActivity.ts';

/** A program whose interpreter is free answers at once; one that does not is inside a native call that keeps it. */
const silenceMs = 300;
const detachMs = 800;

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
  /** Whether a test runner decides what is a failure. */
  isTest?: boolean | undefined;
  /** Through debugpy's adapter the session has begun already; this settles when it is complete. */
  attached?: Promise<unknown>;
  /** How a process of this machine shows its stacks when it does not answer. */
  dumps?: StackDumps | undefined;
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
  readonly #breakpoints: PythonBreakpoints;
  readonly #paused = new PausedThreads();

  constructor(connection: DapConnection, process: ProcessNode, start: PydevdStart, logger: Logger) {
    this.#connection = connection;
    this.#breakpoints = new PythonBreakpoints(connection);
    this.process = process;
    this.#start = start;
    this.events = new Emitter<DebuggeeEvent>((error) => logger.error('A listener of a Python process failed.', error));
    connection.events.on((event) => this.#hear(event));
    void connection.closed.then((reason) => {
      this.#paused.forget();
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
    return this.#breakpoints.statistics();
  }

  async resume(threadId: string): Promise<void> {
    this.#paused.forget();
    await this.#connection.request('continue', { threadId: Number(threadId) });
  }

  async step(threadId: string, kind: StepKind): Promise<void> {
    this.#paused.forget();
    const args = { threadId: Number(threadId) };
    if (kind === 'over') await this.#connection.request('next', args);
    else if (kind === 'into') await this.#connection.request('stepIn', args);
    else await this.#connection.request('stepOut', args);
  }

  async jump(threadId: string, file: string, line: number): Promise<void> {
    const { targets } = await this.#connection.request('gotoTargets', { source: { path: file }, line });
    const [target] = targets;
    if (target === undefined) throw new ToolError('unsupported', 'pydevd knows no way to that line.');
    await this.#connection.request('goto', { threadId: Number(threadId), targetId: target.id });
  }

  async pause(threadId?: string): Promise<void> {
    // pydevd takes '*' for all threads, which the protocol's number cannot say.
    await this.#connection.requestCustom('pause', { threadId: threadId === undefined ? '*' : Number(threadId) });
  }

  async activity(spanMs: number): Promise<ThreadActivity[]> {
    const { id, pid } = this.process;
    try {
      const args = { seconds: spanMs / 1000 };
      const found = await this.#ask<WireActivity>('sightlineActivity', args, spanMs + silenceMs);
      return found.threads.map((thread) => toActivity(thread, found.machine, id));
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'timeout' || pid === undefined) throw error;
      const { dumps } = this.#start;
      const dumped = dumps === undefined ? [] : await dumpedThreads(pid, dumps, id);
      return dumped.length > 0 ? dumped : [silentThread(pid, id)];
    }
  }

  async threads(): Promise<ThreadInfo[]> {
    const told = this.#paused.threads() ?? (await this.#ask<{ threads: WireThread[] }>('sightlineThreads', {})).threads;
    this.#paused.named(told);
    return told.map(({ id, name, state }) => ({
      id: String(id),
      name,
      state: state === 'paused' || state === 'waiting' ? state : 'running',
      processId: this.process.id,
    }));
  }

  async stack(threadId: string, start: number, count: number): Promise<StackSlice> {
    const answer =
      this.#paused.frames(threadId, start, count) ??
      (await this.#ask<{ frames: WireFrame[]; total: number }>('sightlineStack', {
        of: await this.#engineThread(threadId),
        start,
        count,
      }));
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
    const known = this.#paused.locals(reference, range, limits);
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
    this.#paused.localsChanged(threadId);
    return toVariable(answer, threadId);
  }

  exceptionInfo(threadId: string): Promise<ExceptionInfo | undefined> {
    return Promise.resolve(this.#paused.exception(threadId));
  }

  async sourceText(sourceReference: string): Promise<string> {
    const answer = await this.#connection.request('source', { sourceReference: Number(sourceReference) });
    return answer.content;
  }

  async detach(): Promise<void> {
    try {
      await this.#connection.request('disconnect', { terminateDebuggee: false }, { timeoutMs: detachMs });
    } catch (error) {
      // Its farewell may close the connection before the answer comes, and a silent program is let go by closing it.
      const isSilent = error instanceof ToolError && error.code === 'timeout';
      if (!this.#connection.isClosed && !isSilent) throw error;
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
        const { id, text, printed } = body as { id: string; text: string; printed: number | null };
        const place = printed === null ? {} : { afterBytes: printed };
        this.events.fire({ type: 'output', chunk: { category: 'log', text, breakpointId: id, ...place } });
        break;
      }
      case 'sightlineHandled':
        this.events.fire({ type: 'output', chunk: { category: 'handled', text: handledLine(body as WireHandled) } });
        break;
      case 'sightlineStatistics':
        this.#breakpoints.told(body as { breakpoints: WireStatistics[]; loaded?: string[] });
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
      this.#paused.paused(threadId, wire);
      this.#breakpoints.told({ breakpoints: wire.statistics });
    }
    const { exception } = wire ?? {};
    const reason = stopReason(body.reason);
    const description = body.sightlineProblem ?? wire?.remark ?? undefined;
    this.events.fire({
      type: 'paused',
      stop: {
        threadId,
        processId: this.process.id,
        reason,
        breakpointIds: wire?.breakpoints ?? [],
        allThreadsPaused: body.allThreadsStopped ?? false,
        ...(exception === undefined || exception === null ? {} : { exception: toException(exception, threadId) }),
        ...(description === undefined ? {} : { description }),
        ...(this.#start.isTest === true && exception?.uncaught === true && !exception.byRunner
          ? { mayBeHandled: true }
          : {}),
      },
    });
  }

  #hearContinued(body: DebugProtocol.ContinuedEvent['body']): void {
    const threadId = String(body.threadId);
    // Our own steps and resumes have forgotten the stop already; then this is no news.
    if (!this.#paused.has(threadId)) return;
    this.#paused.forget();
    this.events.fire({ type: 'continued', threadId });
  }

  async #engineThread(threadId: string): Promise<string> {
    const known = this.#paused.engineName(threadId);
    if (known !== undefined) return known;
    await this.threads();
    const found = this.#paused.engineName(threadId);
    if (found !== undefined) return found;
    throw new ToolError('not_paused', 'That thread has ended.', {
      hint: advise`Ask ${step('listThreads')} which threads there are.`,
    });
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
            hint: advise`The session is kept; the thread answers again when the native call returns. ${step('stopDebugSession')} ends it.`,
            cause: error,
          },
        );
      throw error;
    }
  }
}

function stopReason(reason: string): StopReason {
  switch (reason) {
    case 'breakpoint':
    case 'step':
    case 'exception':
    case 'entry':
    case 'function breakpoint':
      return reason;
    case 'goto':
      return 'step';
    default:
      return 'pause';
  }
}

function parseFrame(frameId: string): { threadId: string; index: number } {
  const [threadId = '', index = '0'] = frameId.split('/');
  return { threadId, index: Number(index) };
}
