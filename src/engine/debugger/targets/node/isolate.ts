import { Emitter } from '../../../../base/emitter.ts';
import { ToolError } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/logger.ts';
import type { CdpSession } from '../../../../protocol/cdp/cdpSession.ts';
import type { CdpEvent, Protocol } from '../../../../protocol/cdp/types.ts';
import type {
  BreakpointBinding,
  ExceptionBreakpointSpec,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
  StackSlice,
  StepKind,
  StopEvent,
  StopReason,
} from '../../model.ts';
import { ConditionCounts } from './conditionCounts.ts';
import type { ConditionCounters } from './conditions.ts';
import { ownScriptUrl } from './drawing.ts';
import { EntryStop } from './entryStop.ts';
import { ExceptionFilter } from './exceptionFilter.ts';
import { Frames } from './frames.ts';
import type { Handle } from './handles.ts';
import { BreakpointBinder } from './lineBreakpoints.ts';
import { maxParsedChars, OriginalNames } from './originalNames.ts';
import { isPreload, Script } from './scripts.ts';
import { StepPolicy } from './stepPolicy.ts';
import { Values } from './values.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

export interface IsolateOptions {
  threadId: string;
  processId: string;
  name: string;
  session: CdpSession;
  isWorker: boolean;
  logger: Logger;
  /** Names of handles are unique in the whole target, so that they are short and cannot be mixed up. */
  nextHandleId: () => string;
  toLocalPath: (path: string) => string;
  toRemotePath: (path: string) => string;
}

export type IsolateEvent =
  | { type: 'stopped'; stop: StopEvent }
  | { type: 'held' }
  | { type: 'released' }
  | { type: 'binding'; binding: BreakpointBinding }
  | { type: 'log'; breakpointId: string; text: string }
  | { type: 'worker'; worker: CdpEvent<'NodeWorker.attachedToWorker'> };

/** Exceptions looked at in vain before only V8's own idea of "uncaught" counts: a program that throws all day must not crawl. */
const maxIgnoredExceptions = 500;

/** The preload is not among them: V8 passes over `debugger` statements in hidden code. */
const libraryPatterns = ['^node:', '/node_modules/'];

/** Where an idle program is made to stop: it runs no code of its own. */
export const idleUrl = 'node:idle';
const idleStatement = `0\n//# sourceURL=${idleUrl}`;

/** One V8 isolate under the debugger: the main thread of a process, or a worker. */
export class Isolate {
  readonly threadId: string;
  readonly processId: string;
  readonly name: string;
  readonly isWorker: boolean;
  readonly session: CdpSession;
  readonly events = new Emitter<IsolateEvent>();
  readonly scripts = new Map<string, Script>();
  readonly binder: BreakpointBinder;
  readonly values: Values;
  readonly handles = new Map<string, Handle>();
  readonly undrawableRealms = new Set<string>();
  readonly toRemotePath: (path: string) => string;
  readonly #options: IsolateOptions;
  readonly #filter: ExceptionFilter;
  readonly #sources = new Map<string, Promise<string | undefined>>();
  readonly #names = new Map<string, Promise<OriginalNames | undefined>>();
  readonly #counts: ConditionCounts;
  readonly #entry: EntryStop;
  #exceptionSpecs: readonly ExceptionBreakpointSpec[] = [];
  #ignoredExceptions = 0;
  #paused: PausedEvent | undefined;
  #pauseNumber = 0;
  #frames: Frames | undefined;
  #step: StepPolicy | undefined;
  #pauseWanted = false;
  #leavingLoopHead = false;
  #hasBegun = false;
  /** Whether it is to stand still because another thread has stopped. */
  #hold: 'wanted' | 'standing' | 'given up' | undefined;

  constructor(options: IsolateOptions) {
    this.#options = options;
    this.threadId = options.threadId;
    this.processId = options.processId;
    this.name = options.name;
    this.isWorker = options.isWorker;
    this.session = options.session;
    this.toRemotePath = options.toRemotePath;
    this.values = new Values(options.session, {
      add: (value, evaluateName) => this.addHandle({ value, evaluateName }),
    });
    this.#entry = new EntryStop(options.session);
    this.#counts = new ConditionCounts(options.session, options.isWorker, (breakpointId, text) =>
      this.events.fire({ type: 'log', breakpointId, text }),
    );
    this.binder = new BreakpointBinder({
      session: options.session,
      scripts: this.scripts,
      toRemotePath: options.toRemotePath,
      toLocalPath: options.toLocalPath,
      wishForLoads: (wish) => this.#entry.wishForLoads(wish),
      pauseBefore: (kind) => this.#entry.pauseBefore(kind),
      sourceOf: (scriptId) => this.sourceOf(scriptId),
      namesOf: (scriptId) => this.namesOf(scriptId),
      onBinding: (binding) => this.events.fire({ type: 'binding', binding }),
    });
    this.#filter = new ExceptionFilter({
      session: options.session,
      script: (id) => this.scripts.get(id),
      sourceOf: (id) => this.sourceOf(id),
      compiled: async (text, at) => (await this.namesOf(at.scriptId))?.compiled(text, at) ?? text,
      onConditionFailed: (breakpointId, why) =>
        this.events.fire({ type: 'log', breakpointId, text: `the condition of ${breakpointId} failed: ${why}` }),
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
    session.on('Debugger.paused', (event) => void this.#onPaused(event).catch((error: unknown) => this.#runOn(error)));
    session.on('Debugger.resumed', () => this.#forgetPause());
    session.on('Debugger.breakpointResolved', (event) => void this.binder.resolved(event).catch(() => undefined));
    session.on('NodeRuntime.waitingForDisconnect', onWaitingForDisconnect);
    session.on('NodeWorker.attachedToWorker', (worker) => this.events.fire({ type: 'worker', worker }));
    await session.send('Debugger.enable', {});
    await Promise.all([
      session.send('Debugger.setAsyncCallStackDepth', { maxDepth: 8 }),
      session.send('Debugger.setBlackboxPatterns', { patterns: libraryPatterns }),
      // Workers of workers are attached through their own parent; old Node versions do not know this for workers.
      session.send('NodeWorker.enable', { waitForDebuggerOnStart: true }).catch(() => undefined),
      // A worker that waited for us at its end would wait for ever: its messages pass through the thread that joins it.
      this.#options.isWorker
        ? undefined
        : session.send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true }).catch(() => undefined),
    ]);
  }

  /**
   * Lets the program go. A process that has announced itself but does not wait yet misses the message and would wait for ever,
   * so it is sent again until the process is known to run.
   */
  async run(isWaiting: () => boolean): Promise<void> {
    await this.session.send('Runtime.runIfWaitingForDebugger');
    const again = setInterval(() => {
      if (this.session.isClosed || !isWaiting()) {
        clearInterval(again);
        this.#begun();
      } else this.session.send('Runtime.runIfWaitingForDebugger').catch(() => clearInterval(again));
    }, 60);
    again.unref();
    if (!isWaiting()) this.#begun();
  }

  /** A thread that still waits for us cannot be stopped: V8 would say that it stands and let it go at once. */
  #begun(): void {
    this.#hasBegun = true;
    if (this.#pauseWanted || this.#hold === 'wanted') this.#breakSoon().catch(() => undefined);
  }

  /** Names the file at whose first statement `stopAtEntry` is to stop; comes before the breakpoints. */
  chooseEntry(path: string): Promise<void> {
    return this.#entry.choose(path);
  }

  stopAtEntry(): Promise<void> {
    return this.#entry.pauseBefore('beforeScriptExecution');
  }

  async setLines(file: string, specs: readonly LineBreakpointSpec[]): Promise<void> {
    await this.#counts.follow(specs);
    await this.binder.setFile(file, specs);
  }

  async setFunctions(specs: readonly FunctionBreakpointSpec[]): Promise<void> {
    await this.#counts.follow(specs);
    await this.binder.setFunctions(specs);
  }

  /** How often conditions held and failed. */
  counters(): Promise<Record<string, ConditionCounters>> {
    return this.binder.hasConditions ? this.#counts.read() : Promise.resolve(this.#counts.last);
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
    this.#forgetPause();
    await this.session.send('Debugger.resume', {});
  }

  async step(kind: StepKind): Promise<void> {
    const event = this.paused;
    this.#step = new StepPolicy(kind, event, (frame) => this.#locate(frame));
    this.#forgetPause();
    await this.#sendStep(kind);
  }

  get isHeld(): boolean {
    return this.#hold === 'standing';
  }

  /** Stands still until it is released, without being a stop of its own. */
  async hold(): Promise<void> {
    if (this.isPaused || this.#hold === 'wanted') return;
    const isOnTheWay = this.#pauseWanted || this.#hold === 'given up';
    this.#pauseWanted = false;
    this.#hold = 'wanted';
    if (!isOnTheWay) await this.#breakSoon();
  }

  /** What was a stop is done with; the thread goes on together with the others. */
  stayHeld(): void {
    this.#hold = 'standing';
    this.events.fire({ type: 'held' });
  }

  async release(): Promise<void> {
    if (this.isPaused) {
      if (this.isHeld) this.events.fire({ type: 'released' });
      await this.resume();
    } else if (this.#hold === 'wanted') {
      this.#hold = 'given up';
      await this.#forgetWantedPause();
    }
  }

  /** V8 cannot be asked to forget a pause; it is spent on an empty statement while pauses are passed over. */
  async #forgetWantedPause(): Promise<void> {
    await Promise.all([
      this.session.send('Debugger.setSkipAllPauses', { skip: true }),
      this.session.send('Runtime.evaluate', { expression: idleStatement }),
      this.session.send('Debugger.setSkipAllPauses', { skip: false }),
    ]);
    if (this.#hold === 'given up') this.#hold = undefined;
  }

  /** Idle programs run no code in which they could stop: after a moment, one empty statement is run for that purpose. */
  async pause(): Promise<void> {
    this.#pauseWanted = true;
    await this.#breakSoon();
  }

  async #breakSoon(): Promise<void> {
    if (!this.#hasBegun) return;
    await this.session.send('Debugger.pause');
    const nudge = setTimeout(() => {
      if ((this.#pauseWanted || this.#hold === 'wanted') && !this.isPaused && !this.session.isClosed)
        this.session.send('Runtime.evaluate', { expression: idleStatement }).catch(() => undefined);
    }, 80);
    nudge.unref();
  }

  async stack(start: number, count: number): Promise<StackSlice> {
    this.#frames ??= new Frames(this.paused, {
      prefix: this.#framePrefix(),
      script: (id) => this.scripts.get(id),
      names: (id) => this.namesOf(id),
    });
    return this.#frames.slice(start, count);
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

  /** What the variables of a script were called before it was compiled; undefined when they are called so still. */
  namesOf(scriptId: string): Promise<OriginalNames | undefined> {
    let names = this.#names.get(scriptId);
    if (names === undefined) {
      names = this.#readNames(scriptId);
      this.#names.set(scriptId, names);
    }
    return names;
  }

  async #readNames(scriptId: string): Promise<OriginalNames | undefined> {
    const script = this.scripts.get(scriptId);
    const map = await script?.map();
    if (map?.hasNames !== true || (script?.length ?? 0) > maxParsedChars) return undefined;
    const source = await this.sourceOf(scriptId);
    return source === undefined ? undefined : OriginalNames.of(source, map);
  }

  #onScript(event: Protocol.Debugger.ScriptParsedEvent): void {
    if (event.url === ownScriptUrl) return;
    const script = new Script(event, this.#options.toLocalPath);
    this.scripts.set(script.id, script);
    this.binder.scriptLoaded(script);
    // Maps of the user's own scripts are needed sooner or later; reading ahead keeps them out of the first stop.
    if (!script.isLibrary) void script.map();
  }

  async #onPaused(event: PausedEvent): Promise<void> {
    const hit = event.hitBreakpoints ?? [];
    const top = this.scripts.get(event.callFrames[0]?.location.scriptId ?? '');
    const isEntryScript = event.reason === 'instrumentation' && this.#entry.isIn(top?.path);
    if (event.reason === 'instrumentation') {
      if (top !== undefined) await this.binder.beforeScript(top);
      if (!isEntryScript) return this.#leaveScriptStart(event);
    } else if (this.#isBeforeModule(event)) {
      return this.#onBeforeModule(event);
    }
    const isEntry = isEntryScript || this.#entry.isHit(hit);
    if (event.reason === 'exception' || event.reason === 'promiseRejection') {
      const ids = await this.#filter.match(event, this.#exceptionSpecs);
      if (ids.length === 0) return this.#ignoreException(event);
      return this.#stop(event, 'exception', ids);
    }
    await this.#loadMaps(event);
    const breakpointIds = await this.binder.hits(hit, event.callFrames[0]?.location);
    if (isEntry) return this.#stopAtEntry(event, breakpointIds);
    if (breakpointIds.length > 0) {
      const isFunction = breakpointIds.every((id) => this.binder.isOnFunction(id));
      return this.#stop(event, isFunction ? 'function breakpoint' : 'breakpoint', breakpointIds);
    }
    if (this.#step !== undefined) {
      const again = this.#step.again(event, (frame) => this.scripts.get(frame.location.scriptId));
      if (again === 'run') return this.session.send('Debugger.resume', {});
      if (again !== undefined) return this.#sendStep(again);
      return this.#stop(event, 'step', []);
    }
    if (this.#pauseWanted) {
      const isAgain = this.#leavingLoopHead;
      this.#leavingLoopHead = !isAgain && (await this.#isAtLoopHead(event));
      return this.#leavingLoopHead ? this.#sendStep('into') : this.#stop(event, 'pause', []);
    }
    if (event.reason === 'assert' || event.reason === 'OOM') return this.#stop(event, 'exception', []);
    // A worker that waited for us stops once more before its first statement; nobody asked for that.
    if (event.reason.startsWith('Break on start') || hit.length > 0) return this.#goOn(event);
    if (await this.#isDebuggerStatement(event)) return this.#stop(event, 'debugger statement', []);
    await this.#goOn(event);
  }

  /** Leaves a pause that is no stop, unless the thread was to stand still anyway: V8 forgets that with every pause. */
  async #goOn(event: PausedEvent): Promise<void> {
    if (this.#pauseWanted) return this.#stop(event, 'pause', []);
    if (this.#hold !== 'wanted') {
      this.#hold = undefined;
      await this.session.send('Debugger.resume', {});
      return;
    }
    this.#standAt(event);
    this.stayHeld();
  }

  #isBeforeModule(event: PausedEvent): boolean {
    const top = event.callFrames[0];
    if (top?.functionName !== 'beforeLoad') return false;
    return isPreload(this.scripts.get(top.location.scriptId)?.path);
  }

  /** A module is about to be compiled; see the preload. */
  async #onBeforeModule(event: PausedEvent): Promise<void> {
    const callFrameId = event.callFrames[0]?.callFrameId ?? '';
    const read = async (expression: string) => {
      const answer = await this.session.send('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true });
      const value: unknown = answer.result.value;
      return typeof value === 'string' ? value : '';
    };
    const [filename, content] = await Promise.all([read('filename'), read('content')]);
    await this.binder.beforeModule(this.#options.toLocalPath(filename), content);
    if (this.#entry.isIn(filename)) await this.#entry.breakAtFirstStatement(content);
    if (this.#step === undefined) await this.#goOn(event);
    else await this.#sendStep('out');
  }

  /** A step that led into a module on the way goes on behind it. */
  async #leaveScriptStart(event: PausedEvent): Promise<void> {
    if (this.#step === undefined) await this.#goOn(event);
    else if (this.#step.kind === 'into') await this.#loadMaps(event).then(() => this.#stop(event, 'step', []));
    else await this.#sendStep('out');
  }

  async #stopAtEntry(event: PausedEvent, breakpointIds: readonly string[]): Promise<void> {
    await this.#entry.disarm();
    this.#stop(event, breakpointIds.length > 0 ? 'breakpoint' : 'entry', breakpointIds);
  }

  /** Positions are mapped without waiting afterwards, so the maps of what stands on the stack are read now. */
  async #loadMaps(event: PausedEvent): Promise<void> {
    const scripts = new Set(event.callFrames.slice(0, 20).map((frame) => this.scripts.get(frame.location.scriptId)));
    await Promise.all([...scripts].map(async (script) => script?.map()));
  }

  #standAt(event: PausedEvent): void {
    this.#paused = event;
    this.#frames = undefined;
    this.#pauseNumber++;
  }

  #stop(event: PausedEvent, reason: StopReason, breakpointIds: readonly string[]): void {
    this.#standAt(event);
    this.#step = undefined;
    this.#pauseWanted = false;
    this.#leavingLoopHead = false;
    this.#hold = undefined;
    const top = this.scripts.get(event.callFrames[0]?.location.scriptId ?? '');
    this.events.fire({
      type: 'stopped',
      stop: {
        threadId: this.threadId,
        processId: this.processId,
        reason,
        breakpointIds,
        allThreadsStopped: false,
        ...(top?.url === idleUrl ? { description: 'idle, waiting for something to happen' } : {}),
      },
    });
  }

  async #ignoreException(event: PausedEvent): Promise<void> {
    const wantsCaught = this.#exceptionSpecs.some((spec) => spec.caught);
    if (!wantsCaught && ++this.#ignoredExceptions === maxIgnoredExceptions)
      void this.session.send('Debugger.setPauseOnExceptions', { state: 'uncaught' });
    if (this.#step === undefined) await this.#goOn(event);
    else await this.#sendStep(this.#step.kind);
  }

  async #sendStep(kind: StepKind): Promise<void> {
    if (kind === 'over') await this.session.send('Debugger.stepOver', {});
    else if (kind === 'into') await this.session.send('Debugger.stepInto', {});
    else await this.session.send('Debugger.stepOut');
  }

  /** Library code hides from steps; but V8 hides what it throws along with it, so not when that matters. */
  async #setBlackboxed(hidden: boolean): Promise<void> {
    await this.session.send('Debugger.setBlackboxPatterns', { patterns: hidden ? libraryPatterns : [] });
  }

  #locate(frame: Protocol.Debugger.CallFrame) {
    const { scriptId, lineNumber, columnNumber } = frame.location;
    return this.scripts.get(scriptId)?.locate(lineNumber, columnNumber ?? 0);
  }

  /** A pause that could not be dealt with must not stand for ever. */
  #runOn(error: unknown): void {
    this.#options.logger.debug('a pause was passed over', error);
    this.session.send('Debugger.resume', {}).catch(() => undefined);
  }

  async #isDebuggerStatement(event: PausedEvent): Promise<boolean> {
    const { scriptId, lineNumber, columnNumber } = event.callFrames[0]?.location ?? { scriptId: '', lineNumber: 0 };
    const source = await this.sourceOf(scriptId);
    return (
      source
        ?.split('\n')
        [lineNumber]?.slice(columnNumber ?? 0)
        .startsWith('debugger') === true
    );
  }

  /** A loop is paused between two turns, where V8 does not tell the variables of the loop itself. */
  async #isAtLoopHead(event: PausedEvent): Promise<boolean> {
    const { scriptId, lineNumber } = event.callFrames[0]?.location ?? { scriptId: '', lineNumber: 0 };
    if (this.scripts.get(scriptId)?.isLibrary !== false) return false;
    return /\bfor\s*\(\s*(let|const)\b/.test((await this.sourceOf(scriptId))?.split('\n')[lineNumber] ?? '');
  }

  #forgetPause(): void {
    if (this.isHeld) this.#hold = undefined;
    if (this.#paused === undefined) return;
    this.#paused = undefined;
    this.#frames = undefined;
    this.handles.clear();
  }

  #framePrefix(): string {
    return `${this.threadId}.${this.#pauseNumber}.`;
  }
}
