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
import {
  isPauseAwaited,
  isStanding,
  type IsolateInput,
  type IsolateOrder,
  type IsolateState,
  transition,
  type Wish,
} from './isolateState.ts';
import { BreakpointBinder } from '../breakpoints/breakpointBinder.ts';
import { LoadedScripts } from '../scripts/loadedScripts.ts';
import { PauseView } from '../values/pauseView.ts';
import { isPreload, type Script } from '../scripts/scripts.ts';
import { StepPolicy } from './stepPolicy.ts';
import { isAtDebuggerStatement, isAtLoopHead } from './stopPlace.ts';
import { Values } from '../values/values.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

interface IsolateOptions {
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
  | { type: 'log'; breakpointId: string; text: string; printed?: number }
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
  #state: IsolateState = { at: 'waiting' };
  /** How the step that it is in goes on. */
  #policy: StepPolicy | undefined;
  /** Who waits for the pause of a glance. */
  #glance: Glance | undefined;
  /** Whether V8's pause is the one before a script. */
  #isBeforeScript = false;

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
    this.#counts = new ConditionCounts(options.session, options.isWorker, (breakpointId, text, printed) =>
      this.events.fire({ type: 'log', breakpointId, text, printed }),
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
    return isStanding(this.#state);
  }

  /** Everything up to the moment where the program may run. Each command is awaited: sent in one go, V8 now and then never starts. */
  async prepare(onWaitingForDisconnect: () => void): Promise<void> {
    const { session } = this;
    session.on('Debugger.scriptParsed', (event) => this.#onScript(event));
    session.on('Debugger.paused', (event) => void this.#onPaused(event).catch((error: unknown) => this.#runOn(error)));
    session.on('Debugger.resumed', () => this.#onResumed());
    session.on('Debugger.breakpointResolved', (event) => void this.binder.resolved(event).catch(() => undefined));
    session.on('NodeRuntime.waitingForDisconnect', onWaitingForDisconnect);
    session.on('NodeWorker.attachedToWorker', (worker) => this.events.fire({ type: 'worker', worker }));
    void session.closed.then(() => this.#enter('closed'));
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

  #begun(): void {
    if (this.#enter('begun') === 'break') this.#breakSoon().catch(() => undefined);
  }

  /** The only place where the state changes. */
  #enter(input: IsolateInput): IsolateOrder | undefined {
    const { state, order } = transition(this.#state, input);
    this.#state = state;
    return order;
  }

  /** The policy of the step it is in. */
  get #step(): StepPolicy | undefined {
    return this.#state.at === 'stepping' ? this.#policy : undefined;
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
    await this.#exceptions.hideLibraries(false);
    this.#enter('resume asked');
    this.view.close();
    await this.session.send('Debugger.resume', {});
  }

  async step(kind: StepKind): Promise<void> {
    this.#policy = new StepPolicy(kind, this.view.event, (frame) => this.scripts.locate(frame));
    this.#enter('step asked');
    this.view.close();
    if (kind === 'into') await this.#exceptions.hideLibraries(true);
    await this.#sendStep(kind);
  }

  /** Begins the call of a frame anew; whatever was called from it is dropped. */
  async restartFrame(callFrameId: string): Promise<void> {
    this.#policy = new StepPolicy('over', this.view.event, (frame) => this.scripts.locate(frame));
    const refused = this.isHeld ? 'step refused, was held' : 'step refused, was paused';
    this.#enter('step asked');
    try {
      await this.session.send('Debugger.restartFrame', { callFrameId, mode: 'StepInto' });
    } catch (error) {
      this.#enter(refused);
      throw error;
    }
  }

  get isHeld(): boolean {
    return this.#state.at === 'held';
  }

  /** Stands still until it is released, without being a stop of its own. */
  async hold(): Promise<void> {
    if (this.#enter('hold asked') === 'break') await this.#breakSoon();
  }

  /** What was a stop is done with; the thread goes on together with the others. */
  stayHeld(): void {
    if (this.#enter('kept') === 'hold') this.events.fire({ type: 'held' });
  }

  async release(): Promise<void> {
    if (this.isPaused) {
      if (this.isHeld) this.events.fire({ type: 'released' });
      await this.resume();
    } else if (this.#enter('hold given up') === 'spend pause') await this.#spendPause();
  }

  /** V8 cannot be asked to forget a pause; it is spent on an empty statement while pauses are passed over. */
  async #spendPause(): Promise<void> {
    await Promise.all([
      this.session.send('Debugger.setSkipAllPauses', { skip: true }),
      this.session.send('Runtime.evaluate', { expression: idleStatement }),
      this.session.send('Debugger.setSkipAllPauses', { skip: false }),
    ]);
    if (this.#enter('pause spent') === 'break') await this.#breakSoon();
  }

  /** Idle programs run no code in which they could stop: after a moment, one empty statement is run for that purpose. */
  async pause(): Promise<void> {
    if (this.#enter('pause asked') === 'break') await this.#breakSoon();
  }

  /**
   * Makes the running thread stand still for a moment, in which `look` may read its frames and variables. Undefined when it takes no notice
   * (it is inside a native call), or has another reason to stop, which then counts.
   */
  async glance<T>(look: (event: PausedEvent) => Promise<T>): Promise<T | undefined> {
    if (this.#glance !== undefined || this.#enter('glance asked') !== 'break') return undefined;
    const glance = (this.#glance = new Glance());
    try {
      this.#breakSoon().catch(() => glance.end());
      const event = await glance.paused(glanceMs);
      return event === undefined ? undefined : await look(event);
    } finally {
      this.#glance = undefined;
      await this.#afterLook();
    }
  }

  async #afterLook(): Promise<void> {
    const order = this.#enter('look over');
    if (order === undefined || !this.view.isOpen) return;
    const { event } = this.view;
    this.view.close();
    await this.#obey(order, event);
  }

  async #breakSoon(): Promise<void> {
    const sent = this.session.send('Debugger.pause');
    const nudge = setTimeout(() => {
      if (isPauseAwaited(this.#state))
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
      if (action === 'stop') {
        await this.#rejections.tell(event);
        return this.#stop(event, 'exception', ids, undefined, true);
      }
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
      if (again === 'run') return this.#goOn(event);
      if (again !== undefined) return this.#sendStep(again);
      return this.#stop(event, 'step', []);
    }
    if (this.#isOwnWish() && (await isAtLoopHead(this.scripts, event)) && this.#enter('at loop head') === 'step into')
      return this.#sendStep('into');
    // Meanwhile another thread may have stopped, for which this one is only held.
    if (this.#wish === 'pause') return this.#goOn(event);
    if (event.reason === 'assert' || event.reason === 'OOM') return this.#stop(event, 'exception', []);
    // A worker that waited for us stops once more before its first statement; nobody asked for that.
    const isUnasked = event.reason.startsWith('Break on start') || hit.length > 0;
    if (!isUnasked && (await isAtDebuggerStatement(this.scripts, event)))
      return this.#stop(event, 'debugger statement', []);
    // Only what is no stop in itself is a glance: memory that runs out, or a failed assertion, in the midst of one is not.
    if (this.#wish === 'glance') this.#look(event);
    else await this.#goOn(event);
  }

  get #wish(): Wish | undefined {
    return 'wish' in this.#state ? this.#state.wish : undefined;
  }

  /** Whether what it is paused for is about this thread itself, and it matters where it comes to stand. */
  #isOwnWish(): boolean {
    return this.#wish === 'pause' || this.#wish === 'glance';
  }

  #look(event: PausedEvent): void {
    this.#enter('look');
    this.view.open(event);
    this.#glance?.take(event);
  }

  /** Leaves a pause that is no stop, unless the thread was to stand still anyway: V8 forgets that with every pause. */
  async #goOn(event: PausedEvent): Promise<void> {
    await this.#obey(this.#enter('no stop'), event);
  }

  async #obey(order: IsolateOrder | undefined, event: PausedEvent): Promise<void> {
    if (order === 'stop') this.#stop(event, 'pause', []);
    else if (order === 'resume') await this.session.send('Debugger.resume', {});
    else if (order === 'hold') {
      this.#glance?.end();
      this.view.open(event);
      this.events.fire({ type: 'held' });
    }
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
    this.#enter('stop');
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

  #onResumed(): void {
    this.#enter('resumed');
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
