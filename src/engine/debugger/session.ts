import { cancellationReason, delay } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import { Emitter } from '../../base/emitter.ts';
import { errorMessage, ToolError, TransportError } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import type { Project } from '../workspace/project.ts';
import type { Breakpoint, BreakpointStore } from './breakpointStore.ts';
import { checkExpression, type EvaluationRules } from './evaluationPolicy.ts';
import type {
  AttachSpec,
  BreakpointBinding,
  BreakpointStatistics,
  ExitInfo,
  LaunchSpec,
  LineBreakpointSpec,
  SessionState,
  StepKind,
  StopEvent,
  ThreadInfo,
  ValueLimits,
  Variable,
  VariablePage,
} from './model.ts';
import { defaultValueLimits } from './model.ts';
import { whyNeverHit } from './neverHit.ts';
import { OutputBuffer } from './outputBuffer.ts';
import {
  type FrameView,
  type ReportOptions,
  type SessionReport,
  type StopView,
  stopReportOptions,
  type VariableView,
} from './report.ts';
import type { SourceContext, SourceTexts } from './sourceText.ts';
import { frameView, StopViews } from './stopView.ts';
import type { AdapterDescription, Target, TargetEvent } from './target.ts';

export interface SessionParts {
  project: Project;
  adapter: AdapterDescription;
  breakpoints: BreakpointStore;
  sources: SourceTexts;
  logger: Logger;
  rules: () => EvaluationRules;
}

export interface VariablesRequest {
  frameIndex?: number;
  depth?: number;
  filter?: string;
  allScopes: boolean;
  start: number;
  count: number;
}

export interface ExpandRequest {
  reference?: string;
  path?: string;
  /** The frame the path is meant in. */
  frameIndex?: number;
  depth?: number;
  filter?: string;
  start: number;
  count: number;
}

export interface Watch {
  id: string;
  expression: string;
}

const evaluationTimeoutMs = 5000;
const maxReportedOutput = 2000;
const runToId = '#run_to';

/** One debugged program with all its processes. It knows where the program stands; how it is told apart from tools and wires. */
export class Session {
  readonly id = randomId('session');
  readonly project: Project;
  readonly language: string;
  readonly target: Target;
  readonly output = new OutputBuffer();
  /** Fires whenever the state changes, for whoever watches. */
  readonly changes = new Emitter<SessionState>();
  readonly watches: Watch[] = [];
  readonly startedAt = Date.now();
  name = '';
  configurationName: string | undefined;
  /** Whom it belongs to: when that client vanishes, so does the session. */
  ownerId: string | undefined;
  readonly #parts: SessionParts;
  readonly #views: StopViews;
  readonly #stops = new Map<string, StopEvent>();
  readonly #bindings = new Map<string, BreakpointBinding>();
  readonly #stopsOf = new Map<string, number>();
  /** Temporary breakpoints that have done their work. */
  readonly #spent: Breakpoint[] = [];
  #statistics: BreakpointStatistics[] = [];
  #state: SessionState = 'starting';
  #change = new Deferred<void>();
  #currentThread: string | undefined;
  #selectedFrame: number | undefined;
  #runningSince = Date.now();
  #reportedOutput = 0;
  #exit: ExitInfo | undefined;
  #isAttached = false;
  #nextWatch = 1;
  #runTo: LineBreakpointSpec | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.project = parts.project;
    this.language = parts.adapter.language;
    this.target = parts.adapter.createTarget({ project: parts.project, logger: parts.logger });
    this.#views = new StopViews(this.target, parts.sources);
    this.target.events.on((event) => this.#onEvent(event));
  }

  get state(): SessionState {
    return this.#state;
  }

  get exit(): ExitInfo | undefined {
    return this.#exit;
  }

  get isAttached(): boolean {
    return this.#isAttached;
  }

  get pid(): number | undefined {
    return this.target.processes().find((node) => node.pid !== undefined)?.pid;
  }

  get currentThreadId(): string | undefined {
    return this.#currentThread;
  }

  get selectedFrameIndex(): number | undefined {
    return this.#selectedFrame;
  }

  bindingOf(breakpointId: string): BreakpointBinding | undefined {
    return this.#bindings.get(breakpointId);
  }

  async launch(spec: LaunchSpec, signal?: AbortSignal): Promise<void> {
    this.name = spec.name;
    await this.#start(() => this.target.launch(spec, this.#parts.breakpoints.setup(), signal));
  }

  async attach(spec: AttachSpec, signal?: AbortSignal): Promise<void> {
    this.name = spec.name;
    this.#isAttached = true;
    await this.#start(() => this.target.attach(spec, this.#parts.breakpoints.setup(), signal));
  }

  /** Waits until the program stops or ends, at most `waitMs`. Never throws for time: the state says what came of it. */
  async settle(waitMs: number, signal?: AbortSignal): Promise<SessionState> {
    const deadline = Date.now() + waitMs;
    while (this.#state === 'running' || this.#state === 'starting') {
      const left = deadline - Date.now();
      if (left <= 0) break;
      if (signal?.aborted === true) throw cancellationReason(signal);
      let timer: NodeJS.Timeout | undefined;
      let onAbort: (() => void) | undefined;
      const elapsed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left);
        onAbort = () => resolve();
        signal?.addEventListener('abort', onAbort, { once: true });
      });
      await Promise.race([this.#change.promise, elapsed]);
      clearTimeout(timer);
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    }
    return this.#state;
  }

  async resume(): Promise<void> {
    const threadId = this.#requirePaused();
    await this.#leave(threadId, () => this.target.resume(threadId));
  }

  async step(kind: StepKind): Promise<void> {
    const threadId = this.#requirePaused();
    await this.#leave(threadId, () => this.target.step(threadId, kind), true);
  }

  async pause(): Promise<void> {
    if (this.#state === 'paused') return;
    this.#requireAlive();
    await this.target.pause();
  }

  /** Runs until that line is reached, or anything else stops the program first. */
  async runToLine(file: string, line: number): Promise<void> {
    const threadId = this.#requirePaused();
    this.#runTo = { id: runToId, file, line, suspendPolicy: 'all' };
    await this.applyBreakpoints(file);
    await this.#leave(threadId, () => this.target.resume(threadId));
  }

  /** Brings the target up to what the store says of one file, or of everything that has no file. */
  async applyBreakpoints(file: string | undefined): Promise<void> {
    if (this.#state === 'stopped') return;
    const { breakpoints } = this.#parts;
    const bindings =
      file === undefined
        ? [
            ...(await this.target.setFunctionBreakpoints(breakpoints.functionSpecs())),
            ...(await this.target.setExceptionBreakpoints(breakpoints.exceptionSpecs())),
          ]
        : await this.target.setLineBreakpoints(file, this.#specsOf(file));
    for (const binding of bindings) this.#bindings.set(binding.breakpointId, binding);
  }

  selectThread(threadId: string): void {
    if (!this.#stops.has(threadId))
      throw new ToolError('not_paused', `Thread ${threadId} is not paused.`, {
        hint: 'list_threads shows the threads.',
      });
    this.#currentThread = threadId;
    this.#selectedFrame = undefined;
  }

  async selectFrame(index: number): Promise<void> {
    await this.stopContext(index);
    this.#selectedFrame = index;
  }

  async stack(maxFrames: number): Promise<{ frames: FrameView[]; totalFrames: number }> {
    const { threadId, frameIndex } = await this.stopContext();
    const { frames, totalFrames } = await this.target.stack(threadId, 0, maxFrames);
    return {
      frames: frames.map((frame) => frameView(frame, frameIndex)),
      totalFrames: totalFrames ?? frames.length,
    };
  }

  async variables(
    request: VariablesRequest,
  ): Promise<{ frameIndex: number; variables: VariableView[]; total: number }> {
    const { threadId, frameIndex } = await this.stopContext(request.frameIndex);
    const frame = (await this.target.stack(threadId, frameIndex, 1)).frames[0];
    if (frame?.isLive !== true)
      throw new ToolError('not_paused', `Frame ${frameIndex} is an asynchronous caller: its variables are gone.`, {
        hint: 'Use one of the live frames of get_stack_trace.',
      });
    const all = await this.#views.allVariables(frame, request);
    return { frameIndex, variables: all.slice(request.start, request.start + request.count), total: all.length };
  }

  async expand(request: ExpandRequest): Promise<VariablePage & { reference?: string; value?: Variable }> {
    this.#requirePaused();
    const limits = limitsFor(request.depth);
    const value =
      request.path === undefined
        ? undefined
        : await this.evaluate(request.path, {
            limits,
            ...(request.frameIndex === undefined ? {} : { frameIndex: request.frameIndex }),
          });
    const reference = request.reference ?? value?.reference;
    if (reference === undefined) {
      if (value !== undefined) return { variables: [], value };
      throw new ToolError('invalid_arguments', 'Pass the id of a value, or a path.');
    }
    const range = {
      start: request.start,
      count: request.count,
      ...(request.filter === undefined ? {} : { filter: request.filter }),
    };
    const page = await this.target.variables(reference, range, limits);
    return { ...page, reference, ...(value === undefined ? {} : { value }) };
  }

  /** The source at the frame that is looked at. */
  async source(contextLines: number): Promise<SourceContext | undefined> {
    const { threadId, frameIndex } = await this.stopContext();
    const frame = (await this.target.stack(threadId, frameIndex, 1)).frames[0];
    return frame === undefined ? undefined : this.#views.source(frame, contextLines, this.#parts.breakpoints.list());
  }

  async threads(): Promise<(ThreadInfo & { isCurrent: boolean })[]> {
    this.#requireAlive();
    const threads = await this.target.threads();
    return threads.map((thread) => ({ ...thread, isCurrent: thread.id === this.#currentThread }));
  }

  /** The current stop, and the frame that calls without a frame mean. */
  async stopContext(
    frameIndex?: number,
  ): Promise<{ stop: StopEvent; threadId: string; frameId: string; frameIndex: number }> {
    const threadId = this.#requirePaused();
    const stop = this.#stops.get(threadId);
    if (stop === undefined) throw new ToolError('not_paused', 'The program runs.');
    const index = frameIndex ?? this.#selectedFrame ?? (await this.#views.defaultFrame(stop));
    const { frames, totalFrames } = await this.target.stack(threadId, index, 1);
    const frame = frames[0];
    if (frame === undefined)
      throw new ToolError(
        'invalid_arguments',
        `There is no frame ${index}; the stack has ${totalFrames ?? 'fewer'} frames.`,
        {
          hint: 'get_stack_trace shows them.',
        },
      );
    return { stop, threadId, frameId: frame.id, frameIndex: index };
  }

  async evaluate(
    expression: string,
    options: {
      frameIndex?: number;
      limits?: ValueLimits;
      timeoutMs?: number;
      purpose?: 'repl' | 'watch';
      signal?: AbortSignal;
    } = {},
  ): Promise<Variable> {
    const readOnly = this.#checkExpression(expression);
    const common = {
      expression,
      purpose: options.purpose ?? ('repl' as const),
      readOnly,
      timeoutMs: options.timeoutMs ?? evaluationTimeoutMs,
      limits: options.limits ?? defaultValueLimits,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    if (this.#state === 'paused') {
      const { threadId, frameId } = await this.stopContext(options.frameIndex);
      return this.target.evaluate({ ...common, threadId, frameId });
    }
    this.#requireAlive();
    const thread = (await this.target.threads())[0];
    if (thread === undefined || this.language !== 'node')
      throw new ToolError(
        'not_paused',
        'The program is running, and this language evaluates only while it is paused.',
        {
          hint: 'pause_execution, or set a breakpoint.',
        },
      );
    return this.target.evaluate({ ...common, threadId: thread.id });
  }

  async setVariable(
    path: string,
    valueExpression: string,
    frameIndex?: number,
  ): Promise<{ old: Variable; now: Variable }> {
    const { mode } = this.#parts.rules();
    if (mode === 'read_only')
      throw new ToolError('evaluation_blocked', 'Variables cannot be set: evaluation is read-only here.', {
        hint: 'A person can change evaluation.mode.',
      });
    this.#checkExpression(path);
    this.#checkExpression(valueExpression);
    const { threadId, frameId } = await this.stopContext(frameIndex);
    const limits = defaultValueLimits;
    const old = await this.target.evaluate({
      expression: path,
      threadId,
      frameId,
      purpose: 'hover',
      readOnly: this.target.capabilities.readOnlyEvaluation,
      timeoutMs: evaluationTimeoutMs,
      limits,
    });
    const now = await this.target.setVariable({
      threadId,
      frameId,
      path,
      valueExpression,
      timeoutMs: evaluationTimeoutMs,
      limits,
    });
    return { old, now };
  }

  addWatch(expression: string): Watch {
    this.#checkExpression(expression);
    const watch = { id: `w${this.#nextWatch++}`, expression };
    this.watches.push(watch);
    return watch;
  }

  removeWatch(id: string): Watch {
    const index = this.watches.findIndex((watch) => watch.id === id);
    const [gone] = index < 0 ? [] : this.watches.splice(index, 1);
    if (gone === undefined)
      throw new ToolError('invalid_arguments', `There is no watch ${id}.`, {
        data: { watches: this.watches },
        hint:
          this.watches.length === 0
            ? 'There are no watches.'
            : `Watches: ${this.watches.map((each) => each.id).join(', ')}.`,
      });
    return gone;
  }

  async evaluateWatch(watch: Watch): Promise<{ value?: string; type?: string; error?: string }> {
    try {
      const { value, type } = await this.evaluate(watch.expression, { purpose: 'watch', timeoutMs: 1000 });
      return { value, type };
    } catch (error) {
      return { error: errorMessage(error) };
    }
  }

  /** What is to be told now. Output is told once: the next report goes on where this one ended. */
  async report(options: ReportOptions = stopReportOptions): Promise<SessionReport> {
    await this.output.quiet();
    const output = this.output.since(this.#reportedOutput, maxReportedOutput);
    this.#reportedOutput = this.output.cursor;
    const base = { sessionId: this.id, name: this.name, language: this.language, state: this.#state, output };
    if (this.#state === 'stopped') return { ...base, ...this.#ending() };
    if (this.#state !== 'paused') return { ...base, runningForMs: Date.now() - this.#runningSince };
    try {
      return { ...base, stop: await this.#stopView(options) };
    } catch (error) {
      // The program may have died under our hands; then its end is the answer.
      if (!(error instanceof TransportError) || !(await this.#endsSoon())) throw error;
      return { ...base, state: 'stopped', ...this.#ending() };
    }
  }

  async #stopView(options: ReportOptions): Promise<StopView> {
    const { stop, frameIndex } = await this.stopContext();
    const items = [...this.#parts.breakpoints.list(), ...this.#spent];
    const view = await this.#views.build(stop, frameIndex, options, items);
    const watches = await Promise.all(
      this.watches.map(async (watch) => ({ ...watch, ...(await this.evaluateWatch(watch)) })),
    );
    return { ...view, watches };
  }

  async #endsSoon(): Promise<boolean> {
    const deadline = Date.now() + 2000;
    while (this.#stateNow() !== 'stopped' && Date.now() < deadline)
      await Promise.race([this.#change.promise, delay(deadline - Date.now())]);
    return this.#stateNow() === 'stopped';
  }

  sendInput(text: string): Promise<void> {
    this.#requireAlive();
    return this.target.writeInput(text);
  }

  /** Ends the program (or lets go of one that was attached to). Answers when everything it started is gone. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    await this.#readStatistics();
    if (this.#isAttached) await this.target.detach();
    else await this.target.terminate();
    this.#setState('stopped');
  }

  async detach(): Promise<void> {
    if (this.#state === 'stopped') return;
    await this.target.detach();
    this.#setState('stopped');
  }

  async dispose(): Promise<void> {
    await this.stop();
    await this.target.dispose();
  }

  async #start(begin: () => Promise<void>): Promise<void> {
    try {
      await begin();
    } catch (error) {
      this.#setState('stopped');
      throw error;
    }
    if (this.#state === 'starting') this.#setState('running');
  }

  #onEvent(event: TargetEvent): void {
    if (event.type === 'output') this.output.append(event.chunk);
    else if (event.type === 'stopped') this.#onStopped(event.stop);
    else if (event.type === 'continued') this.#onContinued(event.threadId);
    else if (event.type === 'breakpoint') this.#bindings.set(event.binding.breakpointId, event.binding);
    else if (event.type === 'processExited') this.#forgetThreadsOf(event.process.id);
    else if (event.type === 'ended') void this.#onEnded(event.exit);
  }

  #onStopped(stop: StopEvent): void {
    const isRunTo = stop.breakpointIds.includes(runToId);
    this.#stops.set(
      stop.threadId,
      isRunTo
        ? { ...stop, breakpointIds: stop.breakpointIds.filter((id) => id !== runToId), description: 'reached the line' }
        : stop,
    );
    if (this.#runTo !== undefined) {
      const { file } = this.#runTo;
      this.#runTo = undefined;
      this.applyBreakpoints(file).catch((error: unknown) =>
        this.#parts.logger.warn('a run-to breakpoint stays', error),
      );
    }
    for (const id of stop.breakpointIds) this.#onHit(id);
    if (this.#currentThread === undefined) this.#enter(stop.threadId);
  }

  #onHit(id: string): void {
    this.#stopsOf.set(id, (this.#stopsOf.get(id) ?? 0) + 1);
    const hit = this.#parts.breakpoints.countHit(id);
    if (hit?.temporary !== true) return;
    this.#spent.push(hit);
    this.#parts.breakpoints
      .remove(id)
      .then(() => this.applyBreakpoints(hit.file))
      .catch((error: unknown) => this.#parts.logger.warn('a temporary breakpoint stays', error));
  }

  #onContinued(threadId: string): void {
    this.#stops.delete(threadId);
    if (this.#currentThread === threadId) this.#enterNext();
  }

  #forgetThreadsOf(processId: string): void {
    for (const stop of this.#stops.values()) if (stop.processId === processId) this.#onContinued(stop.threadId);
  }

  async #onEnded(exit: ExitInfo): Promise<void> {
    this.#exit = exit;
    await this.#readStatistics();
    this.#stops.clear();
    this.#currentThread = undefined;
    this.#setState('stopped');
  }

  #enter(threadId: string): void {
    this.#currentThread = threadId;
    this.#selectedFrame = undefined;
    this.#setState('paused');
  }

  #enterNext(): void {
    this.#currentThread = undefined;
    this.#selectedFrame = undefined;
    const next = this.#stops.keys().next().value;
    if (next !== undefined) this.#enter(next);
    else if (this.#state === 'paused') {
      this.#runningSince = Date.now();
      this.#setState('running');
    }
  }

  /** Lets a thread go. Another one that stands still is next, except in a step, which is about this one. */
  async #leave(threadId: string, go: () => Promise<void>, isStep = false): Promise<void> {
    const stop = this.#stops.get(threadId);
    this.#stops.delete(threadId);
    this.#currentThread = undefined;
    this.#selectedFrame = undefined;
    this.#runningSince = Date.now();
    this.#setState('running');
    try {
      await go();
    } catch (error) {
      // The program may have ended on the way; that is an answer, not a failure. Anything else leaves it where it was.
      if (this.#stateNow() === 'stopped' || stop === undefined) return;
      const threads = await this.target.threads().catch(() => []);
      if (!threads.some((thread) => thread.id === threadId)) return;
      this.#stops.set(threadId, stop);
      this.#enter(threadId);
      throw error;
    }
    if (!isStep && this.#stateNow() === 'running') this.#enterNext();
  }

  /** The state as it is now, which a wait may have changed. */
  #stateNow(): SessionState {
    return this.#state;
  }

  #ending(): Pick<SessionReport, 'exit' | 'neverHit'> {
    const neverHit = this.#parts.breakpoints.list().flatMap(
      (item) =>
        whyNeverHit(
          item,
          this.#stopsOf.get(item.id) ?? 0,
          this.#statistics.find((each) => each.breakpointId === item.id),
          this.#bindings.get(item.id),
        ) ?? [],
    );
    return { ...(this.#exit === undefined ? {} : { exit: this.#exit }), neverHit };
  }

  async #readStatistics(): Promise<void> {
    try {
      this.#statistics = await this.target.breakpointStatistics();
    } catch (error) {
      this.#parts.logger.debug('the counts of breakpoints could not be read', error);
    }
  }

  #specsOf(file: string): LineBreakpointSpec[] {
    const specs = this.#parts.breakpoints.lineSpecs(file);
    const runTo = this.#runTo;
    if (runTo?.file !== file || specs.some((spec) => spec.line === runTo.line && spec.condition === undefined))
      return specs;
    return [...specs.filter((spec) => spec.line !== runTo.line), runTo];
  }

  #checkExpression(expression: string): boolean {
    const rules = this.#parts.rules();
    const enforced = this.target.capabilities.readOnlyEvaluation;
    checkExpression(expression, rules, this.#parts.adapter, enforced);
    return rules.mode === 'read_only' && enforced;
  }

  #requirePaused(): string {
    this.#requireAlive();
    if (this.#currentThread === undefined)
      throw new ToolError('not_paused', `${this.name} is running.`, {
        hint: 'Wait for a stop with get_debug_session_status {wait_ms}, or pause_execution.',
      });
    return this.#currentThread;
  }

  #requireAlive(): void {
    if (this.#state === 'stopped')
      throw new ToolError('no_session', `The session of ${this.name} has ended${exitText(this.#exit)}.`, {
        hint: 'Start a new one: start_debug_session.',
      });
  }

  #setState(state: SessionState): void {
    if (this.#state === 'stopped') return;
    this.#state = state;
    const change = this.#change;
    this.#change = new Deferred();
    change.resolve();
    this.changes.fire(state);
  }
}

/** A deeper look may take more room. */
function limitsFor(depth: number | undefined): ValueLimits {
  if (depth === undefined) return defaultValueLimits;
  return { ...defaultValueLimits, depth, maxValueChars: depth > defaultValueLimits.depth ? 1000 : 240 };
}

export function exitText(exit: ExitInfo | undefined): string {
  if (exit === undefined) return '';
  if (exit.code !== undefined) return ` with exit code ${exit.code}`;
  if (exit.signal !== undefined) return ` by signal ${exit.signal}`;
  return exit.reason === undefined ? '' : ` (${exit.reason})`;
}
