import { Emitter } from '../../../../../base/emitter.ts';
import type { Logger } from '../../../../../base/logger.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { CdpEvent, Protocol } from '../../../../../protocol/cdp/types.ts';
import type {
  BreakpointBinding,
  ExceptionBreakpointSpec,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
  StepKind,
  StopEvent,
  StopReason,
} from '../../../model.ts';
import { ConditionCounts } from '../breakpoints/conditionCounts.ts';
import { GuardedBreakpoints } from '../breakpoints/guardedBreakpoints.ts';
import { withoutAmbiguity } from './pauseReason.ts';
import type { ConditionCounters } from '../breakpoints/conditions.ts';
import { EntryStop } from './entryStop.ts';
import { ExceptionFilter } from '../exceptions/filter.ts';
import { Rejections } from '../exceptions/rejections.ts';
import { ExceptionStops, libraryPatterns } from '../exceptions/stops.ts';
import { Glance } from './glance.ts';
import { BreakpointBinder } from '../breakpoints/breakpointBinder.ts';
import { LoadedScripts } from '../scripts/loadedScripts.ts';
import { PauseView } from '../values/pauseView.ts';
import { isPreload, type Script } from '../scripts/scripts.ts';
import { StepPolicy } from './stepPolicy.ts';
import { isAtDebuggerStatement, isAtLoopHead } from './stopPlace.ts';
import { Values } from '../values/values.ts';

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
  | { type: 'paused'; stop: StopEvent }
  | { type: 'held' }
  | { type: 'released' }
  | { type: 'binding'; binding: BreakpointBinding }
  | { type: 'log'; breakpointId: string; text: string }
  | { type: 'worker'; worker: CdpEvent<'NodeWorker.attachedToWorker'> };

/** Where an idle program is made to stop: it runs no code of its own. */
export const idleUrl = 'node:idle';
/** A thread that takes no notice for this long is inside a native call. */
const glanceMs = 400;
const idleStatement = `0\n//# sourceURL=${idleUrl}`;

/** One V8 isolate under the debugger: the main thread of a process, or a worker. */
export class Isolate {
  readonly threadId: string;
  readonly processId: string;
  readonly name: string;
  readonly isWorker: boolean;
  readonly session: CdpSession;
  readonly events = new Emitter<IsolateEvent>();
  readonly scripts: LoadedScripts;
  readonly view: PauseView;
  readonly binder: BreakpointBinder;
  readonly values: Values;
  readonly toRemotePath: (path: string) => string;
  readonly #options: IsolateOptions;
  readonly #exceptions: ExceptionStops;
  readonly #rejections: Rejections;
  readonly #counts: ConditionCounts;
  readonly #guarded: GuardedBreakpoints;
  readonly #entry: EntryStop;
  #isBeforeScript = false;
  #step: StepPolicy | undefined;
  #pauseWanted = false;
  #leavingLoopHead = false;
  #hasBegun = false;
  /** Whether it is to stand still because another thread has stopped. */
  #hold: 'wanted' | 'standing' | 'given up' | undefined;
  #glance: Glance | undefined;

  constructor(options: IsolateOptions) {
    this.#options = options;
    this.threadId = options.threadId;
    this.processId = options.processId;
    this.name = options.name;
    this.isWorker = options.isWorker;
    this.session = options.session;
    this.toRemotePath = options.toRemotePath;
    this.scripts = new LoadedScripts(options.session, options.toLocalPath);
    this.view = new PauseView(
      options.session,
      { id: options.threadId, name: options.name },
      this.scripts,
      options.nextHandleId,
    );
    this.values = new Values(options.session, {
      add: (value, evaluateName) => this.view.addHandle({ value, evaluateName }),
    });
    this.#entry = new EntryStop(options.session);
    this.#counts = new ConditionCounts(options.session, options.isWorker, (breakpointId, text) =>
      this.events.fire({ type: 'log', breakpointId, text }),
    );
    this.binder = new BreakpointBinder({
      session: options.session,
      scripts: this.scripts.byId,
      toRemotePath: options.toRemotePath,
      toLocalPath: options.toLocalPath,
      wishForLoads: (wish) => this.#entry.wishForLoads(wish),
      pauseBefore: (kind) => this.#entry.pauseBefore(kind),
      sourceOf: (scriptId) => this.scripts.sourceOf(scriptId),
      namesOf: (scriptId) => this.scripts.namesOf(scriptId),
      onBinding: (binding) => this.events.fire({ type: 'binding', binding }),
    });
    const compiled = async (text: string, at: Protocol.Debugger.Location) =>
      (await this.scripts.namesOf(at.scriptId))?.compiled(text, at) ?? text;
    this.#guarded = new GuardedBreakpoints({
      session: options.session,
      compiled,
      onLog: (breakpointId, text) => this.events.fire({ type: 'log', breakpointId, text }),
    });
    const filter = new ExceptionFilter({
      session: options.session,
      script: (id) => this.scripts.get(id),
      sourceOf: (id) => this.scripts.sourceOf(id),
      compiled,
      onConditionFailed: (breakpointId, why) =>
        this.events.fire({ type: 'log', breakpointId, text: `the condition of ${breakpointId} failed: ${why}` }),
    });
    this.#exceptions = new ExceptionStops(options.session, filter, (id) => {
      const script = this.scripts.get(id);
      return script?.isLibrary === true ? script.url : undefined;
    });
    this.#rejections = new Rejections(options.session, (id) => this.scripts.get(id)?.isLibrary === false);
  }

  /** Whether it stands still; a moment in which it is only looked at does not count. */
  get isPaused(): boolean {
    return this.view.isOpen && this.#glance === undefined;
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
    this.#guarded.know(specs);
    await this.#counts.follow(specs);
    await this.binder.setFile(file, specs);
  }

  async setFunctions(specs: readonly FunctionBreakpointSpec[]): Promise<void> {
    this.#guarded.know(specs);
    await this.#counts.follow(specs);
    await this.binder.setFunctions(specs);
  }

  /** How often conditions held and failed. */
  async counters(): Promise<Record<string, ConditionCounters>> {
    const counted = this.binder.hasConditions ? await this.#counts.read() : this.#counts.last;
    return { ...counted, ...this.#guarded.counts };
  }

  setExceptionSpecs(specs: readonly ExceptionBreakpointSpec[]): Promise<void> {
    return this.#exceptions.set(specs);
  }

  async resume(): Promise<void> {
    this.#step = undefined;
    await this.#exceptions.hideLibraries(false);
    this.#forgetPause();
    await this.session.send('Debugger.resume', {});
  }

  async step(kind: StepKind): Promise<void> {
    this.#step = new StepPolicy(kind, this.view.event, (frame) => this.scripts.locate(frame));
    this.#forgetPause();
    if (kind === 'into') await this.#exceptions.hideLibraries(true);
    await this.#sendStep(kind);
  }

  /** Begins the call of a frame anew; whatever was called from it is dropped. */
  async restartFrame(callFrameId: string): Promise<void> {
    this.#step = new StepPolicy('over', this.view.event, (frame) => this.scripts.locate(frame));
    try {
      await this.session.send('Debugger.restartFrame', { callFrameId, mode: 'StepInto' });
    } catch (error) {
      this.#step = undefined;
      throw error;
    }
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
    // It was to stand still again before that was done: the pause meant for that is the one that has been spent.
    else if (this.#hold === 'wanted' && !this.isPaused) await this.#breakSoon();
  }

  /** Idle programs run no code in which they could stop: after a moment, one empty statement is run for that purpose. */
  async pause(): Promise<void> {
    this.#pauseWanted = true;
    await this.#breakSoon();
  }

  /**
   * Makes the running thread stand still for a moment, in which `look` may read its frames and variables. Undefined when it takes no notice
   * (it is inside a native call), or has another reason to stop, which then counts.
   */
  async glance<T>(look: (event: PausedEvent) => Promise<T>): Promise<T | undefined> {
    const isBusyOtherwise = this.#pauseWanted || this.#hold !== undefined || this.#step !== undefined;
    if (isBusyOtherwise || !this.#hasBegun || this.view.isOpen || this.#glance !== undefined) return undefined;
    const glance = (this.#glance = new Glance());
    try {
      this.#breakSoon().catch(() => glance.end());
      const event = await glance.paused(glanceMs);
      if (event === undefined) return undefined;
      this.view.open(event);
      try {
        return await look(event);
      } finally {
        this.#glance = undefined;
        if (this.view.isOpen) {
          this.view.close();
          await this.#goOn(event);
        }
      }
    } finally {
      this.#glance = undefined;
    }
  }

  async #breakSoon(): Promise<void> {
    if (!this.#hasBegun) return;
    const sent = this.session.send('Debugger.pause');
    const nudge = setTimeout(() => {
      const isWanted = this.#pauseWanted || this.#hold === 'wanted' || this.#glance?.isAwaited === true;
      if (isWanted && !this.isPaused && !this.session.isClosed)
        this.session.send('Runtime.evaluate', { expression: idleStatement }).catch(() => undefined);
    }, 80);
    nudge.unref();
    await sent;
  }

  #onScript(event: Protocol.Debugger.ScriptParsedEvent): void {
    const script = this.scripts.add(event);
    if (script !== undefined) this.binder.scriptLoaded(script);
  }

  async #onPaused(paused: PausedEvent): Promise<void> {
    const event = withoutAmbiguity(paused);
    this.#isBeforeScript = event.reason === 'instrumentation';
    const hit = event.hitBreakpoints ?? [];
    const top = this.scripts.get(event.callFrames[0]?.location.scriptId ?? '');
    const isEntryScript = event.reason === 'instrumentation' && this.#entry.isIn(top?.path);
    if (event.reason === 'instrumentation') {
      if (top !== undefined) await this.binder.beforeScript(top);
      if (!isEntryScript) return this.#leaveScriptStart(event);
    } else if (this.#entry.isLoad(hit) || this.#isInPreload(event, 'beforeLoad')) {
      return this.#onBeforeModule(event);
    } else if (this.#isInPreload(event, 'unhandled')) {
      return this.#onUnhandled(event);
    }
    const isEntry = isEntryScript || this.#entry.isHit(hit);
    if (event.reason === 'exception' || event.reason === 'promiseRejection') {
      const { action, ids } = await this.#exceptions.match(event);
      if (action === 'stop') return this.#stop(event, 'exception', ids, undefined, true);
      if (action === 'keep') await this.#rejections.keep(event, ids);
      return this.#passOver(event);
    }
    await this.scripts.loadMaps(event);
    const [frame] = event.callFrames;
    const breakpointIds = await this.#guarded.admit(await this.binder.hits(hit, frame?.location), frame);
    if (isEntry) return this.#stopAtEntry(event, breakpointIds);
    if (breakpointIds.length > 0) {
      const isFunction = breakpointIds.every((id) => this.binder.isOnFunction(id));
      return this.#stop(event, isFunction ? 'function breakpoint' : 'breakpoint', breakpointIds);
    }
    if (this.#step !== undefined) {
      const again = this.#step.again(event, (frame) => this.scripts.of(frame));
      if (again === 'run') return this.session.send('Debugger.resume', {});
      if (again !== undefined) return this.#sendStep(again);
      return this.#stop(event, 'step', []);
    }
    if (this.#pauseWanted || this.#glance?.isAwaited === true) {
      const isAgain = this.#leavingLoopHead;
      this.#leavingLoopHead = !isAgain && (await isAtLoopHead(this.scripts, event));
      if (this.#leavingLoopHead) return this.#sendStep('into');
      // Meanwhile another thread may have stopped, for which this one is only held.
      if (this.#pauseWanted) return this.#goOn(event);
    }
    if (event.reason === 'assert' || event.reason === 'OOM') return this.#stop(event, 'exception', []);
    // A worker that waited for us stops once more before its first statement; nobody asked for that.
    const isUnasked = event.reason.startsWith('Break on start') || hit.length > 0;
    if (!isUnasked && (await isAtDebuggerStatement(this.scripts, event)))
      return this.#stop(event, 'debugger statement', []);
    // Only what is no stop in itself is a glance: memory that runs out, or a failed assertion, in the midst of one is not.
    if (this.#glance?.isAwaited === true) this.#glance.take(event);
    else await this.#goOn(event);
  }

  /** Leaves a pause that is no stop, unless the thread was to stand still anyway: V8 forgets that with every pause. */
  async #goOn(event: PausedEvent): Promise<void> {
    if (this.#pauseWanted) return this.#stop(event, 'pause', []);
    this.#leavingLoopHead = false;
    if (this.#hold !== 'wanted') {
      this.#hold = undefined;
      await this.session.send('Debugger.resume', {});
      return;
    }
    this.view.open(event);
    this.stayHeld();
  }

  #isInPreload(event: PausedEvent, functionName: string): boolean {
    const top = event.callFrames[0];
    return top?.functionName === functionName && isPreload(this.scripts.get(top.location.scriptId)?.path);
  }

  /** Node is about to end the program for a rejection that nobody handled; see the preload. */
  async #onUnhandled(event: PausedEvent): Promise<void> {
    const callFrameId = event.callFrames[0]?.callFrameId ?? '';
    const { result } = await this.session.send('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'reason' });
    const found = this.#exceptions.wantsUnhandled ? await this.#rejections.unhandled(result, event) : undefined;
    if (found === undefined) return this.#passOver(event);
    const why = found.hasFrames
      ? 'nobody handled this rejection; the frames are kept from when it was made'
      : 'nobody handled this rejection; where it was made the frames are gone';
    this.#stop(found.event, 'exception', found.breakpointIds, why);
  }

  /** A module is about to be compiled; see the preload. */
  async #onBeforeModule(event: PausedEvent): Promise<void> {
    const callFrameId = event.callFrames[0]?.callFrameId ?? '';
    const read = async (expression: string) => {
      const answer = await this.session.send('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true });
      const value: unknown = answer.result.value;
      return typeof value === 'string' ? value : '';
    };
    const [filename, content] = await Promise.all([read('arguments[1]'), read('arguments[0]')]);
    await this.binder.beforeModule(this.#options.toLocalPath(filename), content);
    if (this.#entry.isIn(filename)) await this.#entry.breakAtFirstStatement(content);
    if (this.#step === undefined) await this.#goOn(event);
    else await this.#sendStep('out');
  }

  /** A step that led into a module on the way goes on behind it. */
  async #leaveScriptStart(event: PausedEvent): Promise<void> {
    if (this.#step === undefined) await this.#goOn(event);
    else if (this.#step.kind === 'into') await this.scripts.loadMaps(event).then(() => this.#stop(event, 'step', []));
    else await this.#sendStep('out');
  }

  async #stopAtEntry(event: PausedEvent, breakpointIds: readonly string[]): Promise<void> {
    await this.#entry.disarm();
    this.#stop(event, breakpointIds.length > 0 ? 'breakpoint' : 'entry', breakpointIds);
  }

  #stop(
    event: PausedEvent,
    reason: StopReason,
    breakpointIds: readonly string[],
    why?: string,
    mayBeHandled = false,
  ): void {
    void this.#exceptions.hideLibraries(false).catch(() => undefined);
    this.view.open(event);
    // Failures and pauses are shown in the user's own frame, which need not be the top one.
    if (reason !== 'exception' && reason !== 'pause') this.view.beginDrawing();
    this.#glance?.end();
    this.#glance = undefined;
    this.#step = undefined;
    this.#pauseWanted = false;
    this.#leavingLoopHead = false;
    this.#hold = undefined;
    const top = this.scripts.get(event.callFrames[0]?.location.scriptId ?? '');
    this.events.fire({
      type: 'paused',
      stop: {
        threadId: this.threadId,
        processId: this.processId,
        reason,
        breakpointIds,
        allThreadsPaused: false,
        ...(top === undefined ? {} : remark(top)),
        ...(why === undefined ? {} : { description: why }),
        ...(mayBeHandled ? { mayBeHandled } : {}),
      },
    });
  }

  /** An exception that is no stop does not end a step either. */
  async #passOver(event: PausedEvent): Promise<void> {
    if (this.#step === undefined) await this.#goOn(event);
    else await this.#sendStep(this.#step.kind);
  }

  async #sendStep(kind: StepKind): Promise<void> {
    const isBeforeScript = this.#isBeforeScript;
    this.#isBeforeScript = false;
    if (kind === 'over') await this.session.send('Debugger.stepOver', {});
    else if (kind === 'into') await this.session.send('Debugger.stepInto', {});
    else await this.session.send('Debugger.stepOut');
    // Before a script V8 only notes the step: that pause ends with nothing but a resume.
    if (isBeforeScript) await this.session.send('Debugger.resume', {});
  }

  /** A pause that could not be dealt with must not stand for ever. */
  #runOn(error: unknown): void {
    this.#options.logger.debug('a pause was passed over', error);
    this.session.send('Debugger.resume', {}).catch(() => undefined);
  }

  #forgetPause(): void {
    if (this.isHeld) this.#hold = undefined;
    this.view.close();
  }
}

/** What must be known of the code to read a stop in it. */
function remark(script: Script): { description?: string } {
  if (script.url === idleUrl) return { description: 'idle, waiting for something to happen' };
  if (!script.keepsCompiledNames) return {};
  const size = `${(script.length / 1e6).toFixed(1)} million characters`;
  return { description: `names of variables are the compiled ones, since the script has ${size}` };
}
