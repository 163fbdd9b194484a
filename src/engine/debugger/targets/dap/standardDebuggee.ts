import type { DebugProtocol } from '@vscode/debugprotocol';
import { withTimeout } from '../../../../base/cancellation.ts';
import { Emitter } from '../../../../base/emitter.ts';
import { PeerError, ToolError } from '../../../../base/errors.ts';
import { clip } from '../../../../base/text/textBudget.ts';
import type { Logger } from '../../../../base/logger.ts';
import type { DapConnection } from '../../../../protocol/dap/connection.ts';
import type {
  BreakpointBinding,
  BreakpointSetup,
  BreakpointStatistics,
  DataBreakpointSpec,
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
import { lookAround } from '../../activity/lookAround.ts';
import type { ThreadActivity } from '../../activity/model.ts';
import { defaultValueLimits } from '../../model.ts';
import type { TargetCapabilities } from '../../target.ts';
import { nativeWait } from './nativeWaits.ts';
import type { DapAdapter, FailureFunction } from './dapAdapter.ts';
import type { Debuggee, DebuggeeEvent } from './debuggee.ts';
import { StandardBreakpoints, type CountedPoint } from './standardBreakpoints.ts';
import { fromCapabilities, fromFrame, fromScope, fromStopReason, fromVariable } from './standardModel.ts';

/** How the session begins: the request and its arguments. */
export interface StandardStart {
  command: 'launch' | 'attach';
  arguments: Record<string, unknown>;
  failures?: readonly FailureFunction[];
  /** The first stop is the adapter's own habit. */
  passesEntry?: boolean;
  /** There is the memory of a process that died, and nothing that could run. */
  isCore?: boolean;
}

const announceTimeoutMs = 20_000;
/** What a failing program printed of its failure comes by another way than the stop. */
const messageMs = 300;
const keptOutputChars = 8000;
const leaveMs = 1000;
const holdMs = 3000;
/** A value that is longer is cut anyway. */
const maxLoadedChars = 4000;

/**
 * A program behind any debug adapter, by the protocol alone. What the adapter has not announced is never sent: some close the
 * connection over an unknown request. What it cannot do is answered with what it is.
 */
export class StandardDebuggee implements Debuggee {
  readonly process: ProcessNode;
  readonly events: Emitter<DebuggeeEvent>;
  /** Where code of ours in the adapter can do it. */
  readonly jump?: (threadId: string, file: string, line: number) => Promise<void>;
  readonly #connection: DapConnection;
  readonly #adapter: DapAdapter;
  readonly #start: StandardStart;
  readonly #logger: Logger;
  readonly #breakpoints: StandardBreakpoints;
  readonly #paused = new Set<string>();
  readonly #failures = new Map<string, FailureFunction>();
  #allPaused = false;
  #heldThread = 1;
  #looking: Promise<unknown> | undefined;
  #standsAtNewOnes = false;
  #passesEntry: boolean;
  #onLeft: (() => void) | undefined;
  /** Set while the program is made to stand still for a look at it, which is no stop that anybody is told of. */
  #onHeld: ((isHeld: boolean) => void) | undefined;
  /** What the program printed since it last ran on. */
  #printed = '';

  constructor(
    connection: DapConnection,
    process: ProcessNode,
    adapter: DapAdapter,
    start: StandardStart,
    logger: Logger,
  ) {
    this.#connection = connection;
    this.#breakpoints = new StandardBreakpoints(connection, adapter, start.failures ?? []);
    this.process = process;
    this.#adapter = adapter;
    this.#start = start;
    this.#logger = logger;
    this.#passesEntry = start.passesEntry ?? false;
    this.events = new Emitter<DebuggeeEvent>((error) => logger.error('A listener of a debuggee failed.', error));
    if (adapter.quirks?.hasOurCode === true) this.jump = (...place) => this.#jump(...place);
    connection.events.on((event) => this.#hear(event));
    void connection.closed.then((reason) => this.events.fire({ type: 'closed', exit: { reason: reason.message } }));
  }

  get capabilities(): TargetCapabilities {
    const announced = fromCapabilities(this.#announced);
    return {
      ...announced,
      dataBreakpoints: announced.dataBreakpoints === true && this.#adapter.quirks?.watchesWrongly !== true,
      readOnlyEvaluation: this.#adapter.expression !== undefined,
    };
  }

  get #announced(): DebugProtocol.Capabilities {
    return this.#breakpoints.announced;
  }

  async start(setup: BreakpointSetup): Promise<void> {
    // Some adapters send it together with their first answer.
    const initialized = this.#once('initialized');
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

  watchData(spec: DataBreakpointSpec, frameId: string): Promise<BreakpointBinding> {
    return this.#breakpoints.watch(spec, Number(frameId));
  }

  unwatchData(id: string): Promise<void> {
    return this.#breakpoints.unwatch(id);
  }

  statistics(): Promise<BreakpointStatistics[]> {
    return Promise.resolve(this.#breakpoints.statistics());
  }

  async resume(threadId: string): Promise<void> {
    this.#requireLiving();
    await this.#leavePlace(threadId);
    this.#forgetStops();
    await this.#connection.request('continue', { threadId: Number(threadId) });
  }

  async step(threadId: string, kind: StepKind): Promise<void> {
    this.#requireLiving();
    await this.#leavePlace(threadId);
    this.#forgetStops();
    const command = kind === 'over' ? 'next' : kind === 'into' ? 'stepIn' : 'stepOut';
    await this.#connection.request(command, { threadId: Number(threadId) });
  }

  async #jump(threadId: string, file: string, line: number): Promise<void> {
    this.#requireLiving();
    await this.#connection.request('sightlineJump', { threadId: Number(threadId), file, line });
  }

  #requireLiving(): void {
    if (this.#start.isCore === true)
      throw new ToolError('unsupported', 'This is the memory of a process that died: it is looked at, not run.');
  }

  async pause(threadId?: string): Promise<void> {
    await this.#looking;
    await this.#pause(threadId);
  }

  async #pause(threadId?: string): Promise<void> {
    const id = threadId ?? (await this.threads())[0]?.id;
    await this.#connection.request('pause', { threadId: Number(id ?? 1) });
  }

  async activity(spanMs: number): Promise<ThreadActivity[]> {
    if (this.#adapter.quirks?.canBeHeld !== true || this.#paused.size > 0 || this.#looking !== undefined) return [];
    const looking = this.#look(spanMs);
    this.#looking = looking.catch(() => undefined).then(() => (this.#looking = undefined));
    return looking;
  }

  #look(spanMs: number): Promise<ThreadActivity[]> {
    const limits = { ...defaultValueLimits, depth: 1, maxValueChars: 80 };
    const locals = async (frameId: string) => {
      const [scope] = (await this.scopes(frameId)).filter(({ kind, expensive }) => kind === 'locals' && !expensive);
      const range = { start: 0, count: 20 };
      return scope === undefined ? [] : (await this.variables(scope.reference, range, limits)).variables;
    };
    return lookAround(
      {
        logger: this.#logger,
        processId: this.process.id,
        hold: () => this.#hold(),
        release: () => this.#letGo(),
        threads: () => this.threads(),
        frames: async (threadId) => {
          const { frames, totalFrames } = await this.stack(threadId, 0, 60);
          return { frames, totalFrames: totalFrames ?? frames.length };
        },
        locals,
        waitOf: (_thread, frames) => nativeWait(frames),
      },
      spanMs,
    );
  }

  async #hold(): Promise<void> {
    const held = new Promise<boolean>((resolve) => (this.#onHeld = resolve));
    await this.#pause();
    const isHeld = await withTimeout(held, holdMs).catch(() => false);
    this.#onHeld = undefined;
    if (!isHeld) throw new ToolError('not_running', 'The program stopped by itself, or does not stand still.');
  }

  async #letGo(): Promise<void> {
    this.#forgetStops();
    await this.#connection.request('continue', { threadId: this.#heldThread });
  }

  async threads(): Promise<ThreadInfo[]> {
    const answer = await this.#connection.request('threads', {});
    return (answer?.threads ?? []).map(({ id, name }) => {
      const { state, ...told } = this.#adapter.thread?.(name) ?? { name };
      const isPaused = this.#paused.has(String(id)) || this.#allPaused;
      return { id: String(id), ...told, state: state ?? (isPaused ? 'paused' : 'running'), processId: this.process.id };
    });
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
      ...this.#ours({ limits }),
    });
    const variables = answer?.variables ?? [];
    const wanted = range.filter?.toLowerCase();
    const matching =
      wanted === undefined ? variables : variables.filter(({ name }) => name.toLowerCase().includes(wanted));
    // An adapter without paging answers with everything, whatever part was asked for.
    const isPage = wanted === undefined && variables.length <= range.count;
    const part = isPage ? matching : matching.slice(range.start, range.start + range.count);
    const shown = (await Promise.all(part.map((each) => this.#shown(each, limits)))).filter(
      (each) => each !== undefined,
    );
    const hidden = part.length - shown.length;
    return { variables: shown, ...(isPage && range.start > 0 ? {} : { total: matching.length - hidden }) };
  }

  async evaluate(request: EvaluateRequest): Promise<Variable> {
    const wanted = this.#adapter.expression?.(request.expression, request.readOnly) ?? request.expression;
    try {
      return await this.#evaluate(wanted, request);
    } catch (error) {
      const other =
        error instanceof PeerError && !request.readOnly ? this.#adapter.rephrased?.(wanted, error.message) : undefined;
      if (other === undefined) throw asEvaluationError(error, request.timeoutMs);
      return this.#evaluate(other, request).catch((again: unknown) => {
        throw asEvaluationError(again, request.timeoutMs);
      });
    }
  }

  #evaluate(expression: string, request: EvaluateRequest): Promise<Variable> {
    const ask = () => this.#ask(expression, request);
    // A breakpoint in what is called would leave the program standing there, in the middle of the evaluation.
    if (this.#adapter.callsProgram?.(expression) !== true) return ask();
    this.#standsAtNewOnes = true;
    return this.#breakpoints.without(ask);
  }

  /** A breakpoint that was set where the program stands would stop it there once more: it leaves the place by one instruction. */
  async #leavePlace(threadId: string): Promise<void> {
    if (!this.#standsAtNewOnes || this.#announced.supportsSteppingGranularity !== true) return;
    this.#standsAtNewOnes = false;
    const left = new Promise<void>((resolve) => (this.#onLeft = resolve));
    await this.#connection.request('next', { threadId: Number(threadId), granularity: 'instruction' });
    await withTimeout(left, leaveMs).catch(() => (this.#onLeft = undefined));
  }

  async #ask(expression: string, request: EvaluateRequest): Promise<Variable> {
    const { frameId, purpose, timeoutMs, signal, limits, readOnly } = request;
    const context = purpose === 'repl' && this.#adapter.quirks?.replTakesCommands === true ? 'watch' : purpose;
    const args = {
      expression,
      context,
      ...(frameId === undefined ? {} : { frameId: Number(frameId) }),
      ...this.#ours({ limits, readOnly, timeoutMs }),
    };
    const { result: value, ...rest } = await this.#connection.request('evaluate', args, { timeoutMs, signal });
    return this.#variable({ ...rest, name: request.expression, value }, limits);
  }

  /** What code of ours in the adapter is told beyond the protocol. */
  #ours(more: Record<string, unknown>): Record<string, unknown> {
    return this.#adapter.quirks?.hasOurCode === true ? { sightline: more } : {};
  }

  /** Undefined for what nobody has written. */
  async #shown(told: DebugProtocol.Variable, limits: ValueLimits): Promise<Variable | undefined> {
    const value = await this.#loaded(told.value, limits);
    const variable = fromVariable({ ...told, value }, { ...limits, maxValueChars: Number.MAX_SAFE_INTEGER });
    const written = this.#adapter.variable === undefined ? variable : this.#adapter.variable(variable);
    return written && { ...written, value: clip(written.value, limits.maxValueChars) };
  }

  async #variable(told: DebugProtocol.Variable, limits: ValueLimits): Promise<Variable> {
    return (await this.#shown(told, limits)) ?? fromVariable(told, limits);
  }

  /** A value with the parts that the adapter leaves out of it, as far as the limits go. */
  async #loaded(told: string, { depth, maxItems }: ValueLimits): Promise<string> {
    let value = told;
    for (let level = 2; level < depth && value.length < maxLoadedChars; level++) {
      const missing = (this.#adapter.unloaded?.(value) ?? []).slice(0, maxItems);
      if (missing.length === 0) return value;
      const parts = await Promise.all(
        missing.map(({ expression }) =>
          this.#connection.request('evaluate', { expression, context: 'watch' }).catch(() => undefined),
        ),
      );
      for (const [index, { text }] of missing.entries()) {
        const part = parts[index]?.result;
        if (part !== undefined) value = value.replaceAll(text, () => part);
      }
    }
    return value;
  }

  async setVariable(request: SetVariableRequest): Promise<Variable> {
    const { path, valueExpression: value, frameId, timeoutMs, limits } = request;
    try {
      if (this.#announced.supportsSetExpression === true) {
        const args = { expression: path, value, frameId: Number(frameId), ...this.#ours({ limits }) };
        const answer = await this.#connection.request('setExpression', args, { timeoutMs });
        return this.#variable({ ...answer, name: path, variablesReference: answer.variablesReference ?? 0 }, limits);
      }
      if (this.#announced.supportsSetVariable !== true)
        throw new ToolError('unsupported', `${this.#adapter.name} cannot change variables.`);
      return await this.#setByName(path, value, frameId, limits);
    } catch (error) {
      throw asEvaluationError(error, timeoutMs);
    }
  }

  async exceptionInfo(threadId: string): Promise<ExceptionInfo | undefined> {
    const failure = this.#failures.get(threadId);
    if (failure !== undefined) {
      const printed = await this.#printedMessage(failure);
      return { type: failure.type, message: failure.said?.(printed) ?? printed, uncaught: true, details: [], printed };
    }
    if (this.#announced.supportsExceptionInfoRequest !== true) return undefined;
    const answer: DebugProtocol.ExceptionInfoResponse['body'] & OurFailure = await this.#connection.request(
      'exceptionInfo',
      { threadId: Number(threadId) },
    );
    const { details, exceptionId: id, description = '' } = answer;
    const own = this.#adapter.exception?.({
      id,
      description: description === '' ? await this.#exceptionMessage(threadId) : description,
    });
    return {
      ...(own ?? { type: details?.typeName ?? id, message: details?.message ?? description }),
      ...(answer.breakMode === 'always' ? {} : { uncaught: true }),
      details: (answer.sightlineCalls ?? []).map(({ name, value }) => ({ name, value, type: '' })),
      ...(typeof answer.sightlinePrinted === 'string' ? { printed: answer.sightlinePrinted } : {}),
      ...(details?.stackTrace === undefined ? {} : { stackText: details.stackTrace }),
    };
  }

  async #exceptionMessage(threadId: string): Promise<string> {
    const expression = this.#adapter.exceptionMessage;
    const frameId = expression === undefined ? undefined : (await this.stack(threadId, 0, 1)).frames[0]?.id;
    if (expression === undefined || frameId === undefined) return '';
    const args = { expression, context: 'watch', frameId: Number(frameId) };
    return this.#connection.request('evaluate', args).then(
      ({ result }) => result,
      () => '',
    );
  }

  async #printedMessage({ message }: FailureFunction): Promise<string> {
    const find = () => [...this.#printed.matchAll(new RegExp(message.source, 'gm'))].at(-1)?.[1]?.trim();
    const deadline = Date.now() + messageMs;
    for (let found = find(); ; found = find()) {
      if (found !== undefined || Date.now() >= deadline) return found ?? '';
      await this.#nextOutput(deadline - Date.now());
    }
  }

  async #nextOutput(withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, withinMs);
      const subscription = this.#connection.events.on((event) => {
        if (event.event === 'output') done();
      });
      function done(): void {
        clearTimeout(timer);
        void subscription.dispose();
        resolve();
      }
    });
  }

  async sourceText(sourceReference: string): Promise<string> {
    return (await this.#connection.request('source', { sourceReference: Number(sourceReference) })).content;
  }

  async detach(): Promise<void> {
    const args = this.#announced.supportTerminateDebuggee === true ? { terminateDebuggee: false } : {};
    if (this.#adapter.quirks?.detachesPaused === true && this.#paused.size === 0) {
      const paused = this.#once('stopped');
      await this.pause().catch(() => undefined);
      await withTimeout(paused, 2000).catch(() => undefined);
    }
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
    } else if (event.event === 'process') {
      const { systemProcessId } = body as DebugProtocol.ProcessEvent['body'];
      if (systemProcessId !== undefined) this.process.pid ??= systemProcessId;
    } else if (event.event === 'sightlineStatistics')
      this.#breakpoints.counted((body as { points: CountedPoint[] }).points);
    else if (event.event === 'terminated') this.dispose();
  }

  #hearStop(body: DebugProtocol.StoppedEvent['body']): void {
    if (this.#onHeld !== undefined) {
      const isHeld = body.reason === 'pause';
      this.#heldThread = body.threadId ?? 1;
      this.#onHeld(isHeld);
      if (isHeld) return;
    }
    const onLeft = this.#onLeft;
    this.#onLeft = undefined;
    if (onLeft !== undefined) return onLeft();
    this.#standsAtNewOnes = false;
    const isEntry = this.#passesEntry && (body.hitBreakpointIds ?? []).length === 0 && body.reason !== 'breakpoint';
    this.#passesEntry = false;
    if (isEntry)
      return void this.#connection.request('continue', { threadId: body.threadId ?? 1 }).catch(() => undefined);
    const threadId = String(body.threadId ?? 1);
    this.#paused.add(threadId);
    this.#allPaused = body.allThreadsStopped ?? false;
    const failure = this.#breakpoints.failure(body.hitBreakpointIds ?? []);
    const stop: StopEvent = {
      threadId,
      processId: this.process.id,
      reason: failure === undefined ? fromStopReason(body.reason) : 'exception',
      breakpointIds: this.#breakpoints.hit(body.hitBreakpointIds ?? []),
      allThreadsPaused: this.#allPaused,
      // What an exception says is told by itself.
      ...(body.reason === 'exception' ? {} : { description: body.description }),
    };
    if (failure === undefined) this.events.fire({ type: 'paused', stop });
    else void this.#hearFailure(stop, failure);
  }

  async #hearFailure(stop: StopEvent, failure: FailureFunction): Promise<void> {
    const { frames } = await this.stack(stop.threadId, 0, 2).catch((): StackSlice => ({ frames: [] }));
    if (stop.breakpointIds.length === 0 && failure.unlessFrom?.test(frames[1]?.name ?? '') === true)
      return this.resume(stop.threadId).catch(() => undefined);
    this.#failures.set(stop.threadId, failure);
    this.events.fire({ type: 'paused', stop });
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
    this.#failures.clear();
    this.#printed = '';
    this.#allPaused = false;
  }

  #hearOutput(body: DebugProtocol.OutputEvent['body'] & { sightlinePoint?: number }): void {
    const { output, category, source, line, sightlinePoint } = body;
    if (category === 'telemetry') return;
    const logPoint =
      sightlinePoint !== undefined
        ? this.#breakpoints.idOf(sightlinePoint)
        : source?.path === undefined
          ? undefined
          : this.#breakpoints.logged(source.path, line ?? 0);
    if (logPoint !== undefined) {
      const text = this.#adapter.logMessage?.(output) ?? output;
      this.events.fire({ type: 'output', chunk: { category: 'log', text, breakpointId: logPoint } });
      return;
    }
    const kind = category === 'stdout' || category === 'stderr' ? category : 'console';
    if (kind === 'console' && this.#adapter.quirks?.consoleIsChatter === true) return;
    this.#printed = (this.#printed + output).slice(-keptOutputChars);
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
      return this.#variable(
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

/** What our code in an adapter tells of a failure besides. */
interface OurFailure {
  /** The calls that the failed assertion made, and what they returned. */
  sightlineCalls?: { name: string; value: string }[];
  sightlinePrinted?: string | null;
}

function asEvaluationError(error: unknown, timeoutMs: number): unknown {
  if (error instanceof PeerError) return new ToolError('evaluation_error', error.message, { cause: error });
  if (error instanceof ToolError && error.code === 'timeout')
    return new ToolError('evaluation_error', `The evaluation did not end within ${timeoutMs} ms.`, { cause: error });
  return error;
}
