import { Emitter } from '../../../../base/emitter.ts';
import { ToolError } from '../../../../base/errors.ts';
import type { CdpSession } from '../../../../protocol/cdp/cdpSession.ts';
import type { CdpEvent, Protocol } from '../../../../protocol/cdp/types.ts';
import type {
  BreakpointBinding,
  ExceptionBreakpointSpec,
  StackSlice,
  StepKind,
  StopEvent,
  StopReason,
} from '../../model.ts';
import { type ConditionCounters, logBinding, readCounters } from './conditions.ts';
import { ExceptionFilter } from './exceptionFilter.ts';
import { buildFrames } from './frames.ts';
import { BreakpointBinder } from './lineBreakpoints.ts';
import { Script, urlRegexOfPath } from './scripts.ts';
import { StepPolicy } from './stepPolicy.ts';
import { Values } from './values.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

export interface Handle {
  object: Protocol.Runtime.RemoteObject;
  evaluateName: string | undefined;
  /** A scope's object holds variables, not properties. */
  isScope: boolean;
  /** Values that belong to a function's scope without being in it: `this`, the value being returned. */
  extras?: readonly { name: string; object: Protocol.Runtime.RemoteObject }[];
}

export interface IsolateOptions {
  threadId: string;
  processId: string;
  name: string;
  session: CdpSession;
  /** Names of handles are unique in the whole target, so that they are short and cannot be mixed up. */
  nextHandleId: () => string;
  toLocalPath: (path: string) => string;
  toRemotePath: (path: string) => string;
}

export type IsolateEvent =
  | { type: 'stopped'; stop: StopEvent }
  | { type: 'binding'; binding: BreakpointBinding }
  | { type: 'log'; breakpointId: string; text: string }
  | { type: 'worker'; worker: CdpEvent<'NodeWorker.attachedToWorker'> };

/** Exceptions looked at in vain before only V8's own idea of "uncaught" counts: a program that throws all day must not crawl. */
const maxIgnoredExceptions = 500;
const libraryPatterns = ['^node:', '/node_modules/', '/sightline-debug-[^/]+/preload\\.cjs$'];
const entryId = '#entry';

/** One V8 isolate under the debugger: the main thread of a process, or a worker. */
export class Isolate {
  readonly threadId: string;
  readonly processId: string;
  readonly name: string;
  readonly session: CdpSession;
  readonly events = new Emitter<IsolateEvent>();
  readonly scripts = new Map<string, Script>();
  readonly binder: BreakpointBinder;
  readonly values: Values;
  readonly handles = new Map<string, Handle>();
  readonly toRemotePath: (path: string) => string;
  readonly #options: IsolateOptions;
  readonly #filter: ExceptionFilter;
  readonly #sources = new Map<string, Promise<string | undefined>>();
  readonly #contexts = new Set<number>();
  #exceptionSpecs: readonly ExceptionBreakpointSpec[] = [];
  #ignoredExceptions = 0;
  #paused: PausedEvent | undefined;
  #pauseNumber = 0;
  #step: StepPolicy | undefined;
  #pauseWanted = false;
  #entryBreakpoint: string | undefined;
  #counters: Record<string, ConditionCounters> = {};

  constructor(options: IsolateOptions) {
    this.#options = options;
    this.threadId = options.threadId;
    this.processId = options.processId;
    this.name = options.name;
    this.session = options.session;
    this.toRemotePath = options.toRemotePath;
    this.values = new Values(options.session, {
      add: (object, evaluateName) => this.addHandle({ object, evaluateName, isScope: false }),
    });
    this.binder = new BreakpointBinder({
      session: options.session,
      scripts: this.scripts,
      toRemotePath: options.toRemotePath,
      sourceOf: (scriptId) => this.sourceOf(scriptId),
      onBinding: (binding) => this.events.fire({ type: 'binding', binding }),
    });
    this.#filter = new ExceptionFilter({
      script: (id) => this.scripts.get(id),
      sourceOf: (id) => this.sourceOf(id),
    });
  }

  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  get paused(): PausedEvent {
    if (this.#paused === undefined)
      throw new ToolError('not_paused', `${this.name} is running.`, { hint: 'Pause it, or wait for a stop.' });
    return this.#paused;
  }

  /** Everything up to the moment where the program may run. Each command is awaited: sent in one go, V8 now and then never starts. */
  async prepare(onWaitingForDisconnect: () => void): Promise<void> {
    const { session } = this;
    session.on('Debugger.scriptParsed', (event) => this.#onScript(event));
    session.on('Debugger.paused', (event) => void this.#onPaused(event).catch(() => this.#letRun()));
    session.on('Debugger.resumed', () => this.#forgetPause());
    session.on('Debugger.breakpointResolved', (event) => void this.binder.resolved(event).catch(() => undefined));
    session.on('Runtime.executionContextCreated', (event) => void this.#contexts.add(event.context.id));
    session.on('Runtime.executionContextDestroyed', (event) => void this.#contexts.delete(event.executionContextId));
    session.on('Runtime.bindingCalled', (event) => this.#onBindingCalled(event));
    session.on('NodeRuntime.waitingForDisconnect', onWaitingForDisconnect);
    session.on('NodeWorker.attachedToWorker', (worker) => this.events.fire({ type: 'worker', worker }));
    await session.send('Runtime.enable');
    await session.send('Debugger.enable', {});
    await Promise.all([
      session.send('Debugger.setAsyncCallStackDepth', { maxDepth: 8 }),
      session.send('Debugger.setBlackboxPatterns', { patterns: libraryPatterns }),
      session.send('Runtime.addBinding', { name: logBinding }),
      // Workers of workers are attached through their own parent; old Node versions do not know this for workers.
      session.send('NodeWorker.enable', { waitForDebuggerOnStart: true }).catch(() => undefined),
      session.send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true }).catch(() => undefined),
    ]);
  }

  async run(): Promise<void> {
    await this.session.send('Runtime.runIfWaitingForDebugger');
  }

  /** Stops at the first statement of this file. */
  async stopAtEntryOf(path: string): Promise<void> {
    const answer = await this.session.send('Debugger.setBreakpointByUrl', {
      urlRegex: urlRegexOfPath(path),
      lineNumber: 0,
      columnNumber: 0,
    });
    this.#entryBreakpoint = answer.breakpointId;
  }

  async setExceptionSpecs(specs: readonly ExceptionBreakpointSpec[]): Promise<void> {
    this.#exceptionSpecs = specs;
    this.#ignoredExceptions = 0;
    const wantsAll = specs.some((spec) => spec.caught || spec.userUnhandled);
    const state = wantsAll ? 'all' : specs.some((spec) => spec.uncaught) ? 'uncaught' : 'none';
    await Promise.all([this.session.send('Debugger.setPauseOnExceptions', { state }), this.#setBlackboxed(!wantsAll)]);
  }

  async resume(): Promise<void> {
    this.#step = undefined;
    this.#letRun();
    await this.session.send('Debugger.resume', {});
  }

  async step(kind: StepKind): Promise<void> {
    const event = this.paused;
    this.#step = new StepPolicy(kind, event, (frame) => this.#locate(frame));
    this.#forgetPause();
    if (this.#exceptionSpecs.some((spec) => spec.caught || spec.userUnhandled)) void this.#setBlackboxed(true);
    await this.#sendStep(kind);
  }

  /** Idle programs run no code in which they could stop: after a moment, one empty statement is run for that purpose. */
  async pause(): Promise<void> {
    this.#pauseWanted = true;
    await this.session.send('Debugger.pause');
    const nudge = setTimeout(() => {
      if (this.#pauseWanted && !this.isPaused && !this.session.isClosed)
        this.session.send('Runtime.evaluate', { expression: '0\n//# sourceURL=node:idle' }).catch(() => undefined);
    }, 80);
    nudge.unref();
  }

  async stack(start: number, count: number): Promise<StackSlice> {
    return buildFrames(this.paused, start, count, {
      prefix: this.#framePrefix(),
      script: (id) => this.scripts.get(id),
      scriptByUrl: (url) => [...this.scripts.values()].find((script) => script.url === url),
    });
  }

  /** The call frame of a frame id given out at this pause. */
  callFrame(frameId: string): Protocol.Debugger.CallFrame {
    const prefix = this.#framePrefix();
    const index = frameId.startsWith(prefix) ? Number(frameId.slice(prefix.length)) : Number.NaN;
    const frame = this.paused.callFrames[index];
    if (frame === undefined)
      throw new ToolError(
        'not_paused',
        'This stack frame is gone: the program has run on since, or it is an asynchronous caller without variables.',
        {
          hint: 'Get the stack again and use one of its frames.',
        },
      );
    return frame;
  }

  addHandle(handle: Handle): string {
    const id = this.#options.nextHandleId();
    this.handles.set(id, handle);
    return id;
  }

  sourceOf(scriptId: string): Promise<string | undefined> {
    let source = this.#sources.get(scriptId);
    if (source === undefined) {
      source = this.session.send('Debugger.getScriptSource', { scriptId }).then(
        (answer) => answer.scriptSource,
        () => undefined,
      );
      this.#sources.set(scriptId, source);
    }
    return source;
  }

  /** Counters of conditions, summed over the isolate's contexts. Answers what was last known once the isolate is gone. */
  async counters(): Promise<Record<string, ConditionCounters>> {
    if (this.session.isClosed) return this.#counters;
    const sums: Record<string, ConditionCounters> = {};
    for (const contextId of this.#contexts) {
      try {
        const answer = await this.session.send('Runtime.evaluate', {
          expression: readCounters,
          contextId,
          returnByValue: true,
          silent: true,
        });
        const text: unknown = answer.result.value;
        // Written by our own code in the program, see conditions.ts.
        const counts = typeof text === 'string' ? (JSON.parse(text) as Record<string, ConditionCounters> | null) : null;
        for (const [id, count] of Object.entries(counts ?? {})) addCounters(sums, id, count);
      } catch {
        return this.#counters;
      }
    }
    this.#counters = sums;
    return sums;
  }

  #onScript(event: Protocol.Debugger.ScriptParsedEvent): void {
    const script = new Script(event, this.#options.toLocalPath);
    this.scripts.set(script.id, script);
    this.binder.scriptLoaded(script);
    // Maps of the user's own scripts are needed sooner or later; reading ahead keeps them out of the first stop.
    if (!script.isLibrary) void script.map();
  }

  async #onPaused(event: PausedEvent): Promise<void> {
    const hit = event.hitBreakpoints ?? [];
    if (event.reason === 'instrumentation' || hit.some((id) => this.binder.isInstrumentation(id))) {
      // The protocol leaves `data` untyped; for this reason it names the script.
      const scriptId = (event.data as { scriptId?: string } | undefined)?.scriptId;
      const script = scriptId === undefined ? undefined : this.scripts.get(scriptId);
      if (script !== undefined) await this.binder.beforeScript(script);
      await this.session.send('Debugger.resume', {});
      return;
    }
    const isEntry = this.#entryBreakpoint !== undefined && hit.includes(this.#entryBreakpoint);
    const breakpointIds = isEntry ? [] : [...new Set(hit.flatMap((id) => this.binder.ownerOf(id) ?? []))];
    if (event.reason === 'exception' || event.reason === 'promiseRejection') {
      const ids = await this.#filter.match(event, this.#exceptionSpecs);
      if (ids.length === 0) return this.#ignoreException();
      return this.#stop(event, 'exception', ids);
    }
    await this.#loadMaps(event);
    if (isEntry) return this.#stopAtEntry(event);
    if (breakpointIds.length > 0) return this.#stop(event, 'breakpoint', breakpointIds);
    if (this.#step !== undefined) {
      const again = this.#step.again(event, (frame) => this.scripts.get(frame.location.scriptId));
      if (again !== undefined) return this.#sendStep(again);
      return this.#stop(event, 'step', []);
    }
    if (this.#pauseWanted) return this.#stop(event, 'pause', []);
    if (hit.length > 0) return this.session.send('Debugger.resume', {});
    return this.#stop(event, 'debugger statement', []);
  }

  async #stopAtEntry(event: PausedEvent): Promise<void> {
    const breakpointId = this.#entryBreakpoint ?? entryId;
    this.#entryBreakpoint = undefined;
    await this.session.send('Debugger.removeBreakpoint', { breakpointId });
    this.#stop(event, 'entry', []);
  }

  /** Positions are mapped without waiting afterwards, so the maps of what stands on the stack are read now. */
  async #loadMaps(event: PausedEvent): Promise<void> {
    const scripts = new Set(event.callFrames.slice(0, 20).map((frame) => this.scripts.get(frame.location.scriptId)));
    await Promise.all([...scripts].map(async (script) => script?.map()));
  }

  #stop(event: PausedEvent, reason: StopReason, breakpointIds: readonly string[]): void {
    this.#paused = event;
    this.#pauseNumber++;
    this.#step = undefined;
    this.#pauseWanted = false;
    if (this.#exceptionSpecs.some((spec) => spec.caught || spec.userUnhandled)) void this.#setBlackboxed(false);
    this.events.fire({
      type: 'stopped',
      stop: { threadId: this.threadId, processId: this.processId, reason, breakpointIds, allThreadsStopped: false },
    });
  }

  async #ignoreException(): Promise<void> {
    const wantsCaught = this.#exceptionSpecs.some((spec) => spec.caught);
    if (!wantsCaught && ++this.#ignoredExceptions === maxIgnoredExceptions)
      void this.session.send('Debugger.setPauseOnExceptions', { state: 'uncaught' });
    if (this.#step === undefined) await this.session.send('Debugger.resume', {});
    else await this.#sendStep(this.#step.kind);
  }

  async #sendStep(kind: StepKind): Promise<void> {
    if (kind === 'over') await this.session.send('Debugger.stepOver', {});
    else if (kind === 'into') await this.session.send('Debugger.stepInto', {});
    else await this.session.send('Debugger.stepOut');
  }

  /** Library code hides from steps; but V8 also hides what it throws, so it is only hidden while stepping when throws matter. */
  async #setBlackboxed(hidden: boolean): Promise<void> {
    await this.session
      .send('Debugger.setBlackboxPatterns', { patterns: hidden ? libraryPatterns : [] })
      .catch(() => undefined);
  }

  #onBindingCalled(event: Protocol.Runtime.BindingCalledEvent): void {
    if (event.name !== logBinding) return;
    // Written by our own code in the program, see conditions.ts.
    const said = JSON.parse(event.payload) as { id: string; text: string };
    this.events.fire({ type: 'log', breakpointId: said.id, text: said.text });
  }

  #locate(frame: Protocol.Debugger.CallFrame) {
    const { scriptId, lineNumber, columnNumber } = frame.location;
    return this.scripts.get(scriptId)?.locate(lineNumber, columnNumber ?? 0);
  }

  #letRun(): void {
    this.#forgetPause();
  }

  #forgetPause(): void {
    if (this.#paused === undefined) return;
    this.#paused = undefined;
    this.handles.clear();
  }

  #framePrefix(): string {
    return `${this.threadId}.${this.#pauseNumber}.`;
  }
}

function addCounters(sums: Record<string, ConditionCounters>, id: string, count: ConditionCounters): void {
  const sum = (sums[id] ??= { hits: 0, conditionFalse: 0, conditionErrors: 0 });
  sum.hits += count.hits;
  sum.conditionFalse += count.conditionFalse;
  sum.conditionErrors += count.conditionErrors;
  if (count.lastError !== undefined) sum.lastError = count.lastError;
}
