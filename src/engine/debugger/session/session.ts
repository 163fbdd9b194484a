import { rm } from 'node:fs/promises';
import { advise, step } from '../../../base/text/advice.ts';
import { withTimeout } from '../../../base/cancellation.ts';
import { PeerError, ToolError, TransportError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import type { Logger } from '../../../base/logger.ts';
import { cpuTimeMs } from '../../../base/processIdentity.ts';
import type { Project } from '../../workspace/project.ts';
import type { BreakpointStore, NewBreakpoint } from '../breakpoints/breakpointStore.ts';
import type { EvaluationRules } from '../evaluationPolicy.ts';
import { whyNotBound } from '../breakpoints/checks.ts';
import { foretold } from '../breakpoints/predictedBinding.ts';
import { ActivityWatch, lookMs } from '../activity/watch.ts';
import { type ActivityView, activityView } from '../activity/view.ts';
import { Inspection } from '../inspection.ts';
import type { AttachSpec, CodeUnit, ExitInfo, LaunchSpec, ReplacedCode, SessionState, StepKind } from '../model.ts';
import { OutputBuffer } from './outputBuffer.ts';
import { type FrameView, type ReportOptions, type SessionReport, stopReportOptions, type StopView } from '../report.ts';
import { Filmstrip } from './filmstrip.ts';
import { testNotRun } from '../testNotRun.ts';
import { SessionBreakpoints } from './sessionBreakpoints.ts';
import type { SourceTexts } from '../sourceText.ts';
import { Standing } from './sessionState.ts';
import type { AdapterDescription, Target, TargetEvent } from '../target.ts';

interface SessionParts {
  project: Project;
  adapter: AdapterDescription;
  breakpoints: BreakpointStore;
  /** Whether a breakpoint in that file can be meant for this session: not when its language is another one's. */
  concerns: (file: string) => boolean;
  sources: SourceTexts;
  logger: Logger;
  rules: () => EvaluationRules;
  /** How many of its stops are remembered; none when absent. */
  rememberedStops?: number;
}

const maxReportedOutput = 2000;
const endWaitMs = 2000;
/** A pause that a program with time-outs may notice. */
const toldPauseMs = 100;
/** As runners and libraries report one; the word alone may be the name of a test. */
const timeOutErrors =
  /\btimed out (?:in|after|waiting)\b|\btimeout of \d|exceeded (?:the )?time-?out|time-?out (?:of \d+ ?ms )?exceeded|\bTimeout(?:Error|Expired|Exception)\b|ETIMEDOUT|deadline exceeded/i;
/** How long a program may take to notice that it is to pause before that is left to it. */
const pauseRequestMs = 1000;
/** How long an engine may take to tell what a stop shows, where nobody's wait is shorter. */
const answerMs = 10_000;
/** Counts of breakpoints are worth no longer wait at the end. */
const statisticsMs = 300;

/** A program that was asked to pause and did not. */
export interface Unanswered {
  waitedMs: number;
  /** Whether its process used the processor meanwhile, where that can be told. */
  isComputing?: boolean;
  /** Where it stood when it was last shown. */
  lastSeen?: FrameView;
}

/** One debugged program with all its processes: how it is started, run on, reported and ended. */
export class Session {
  readonly id = randomId('session');
  readonly project: Project;
  readonly language: string;
  readonly target: Target;
  readonly output = new OutputBuffer();
  readonly standing = new Standing();
  readonly breakpoints: SessionBreakpoints;
  readonly inspection: Inspection;
  /** Settled when the thread that was let go last runs. */
  #leaving: Promise<void> = Promise.resolve();
  readonly filmstrip: Filmstrip;
  readonly startedAt = Date.now();
  /** Runs of its language can be recorded. */
  readonly recordsWrites: boolean;
  name = '';
  configurationName: string | undefined;
  /** Whom it belongs to: when that client vanishes, so does the session. */
  ownerId: string | undefined;
  #reportedOutput = 0;
  #exit: ExitInfo | undefined;
  readonly #explainEnd: ((output: string) => string | undefined) | undefined;
  readonly #missingTest: AdapterDescription['missingTest'];
  #spec: LaunchSpec | undefined;
  #isAttached = false;
  #outFiles: readonly string[] | undefined;
  #lastSeen: FrameView | undefined;
  #activity: ActivityView | undefined;
  readonly #sources: SourceTexts;

  constructor(parts: SessionParts) {
    const { project, adapter, logger } = parts;
    this.project = project;
    this.language = adapter.language;
    this.recordsWrites = adapter.recorder !== undefined;
    this.#explainEnd = adapter.explainEnd;
    this.#sources = parts.sources;
    this.#missingTest = adapter.missingTest;
    this.target = adapter.createTarget({ project, logger });
    this.breakpoints = new SessionBreakpoints(
      {
        ...parts,
        whyNotBound: (breakpoint) => whyNotBound(breakpoint, adapter, parts.rules()),
        isReadOnly: () => parts.rules().mode === 'read_only',
      },
      this.target,
      this.standing,
      (breakpoint) => foretold([adapter], project, breakpoint, this.#outFiles),
    );
    this.inspection = new Inspection({
      target: this.target,
      adapter,
      standing: this.standing,
      breakpoints: this.breakpoints,
      sources: parts.sources,
      rules: parts.rules,
      requirePaused: () => this.#requirePaused(),
      requireAlive: () => this.#requireAlive(),
    });
    this.filmstrip = new Filmstrip({
      target: this.target,
      sources: parts.sources,
      standing: this.standing,
      breakpoints: () => this.breakpoints.list(),
      outputAt: () => this.output.position,
      maxStops: parts.rememberedStops ?? 0,
    });
    this.target.events.on((event) => this.#onEvent(event));
  }

  get state(): SessionState {
    return this.standing.state;
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

  /** Where the launch says that compiled files are. */
  get outFiles(): readonly string[] | undefined {
    return this.#outFiles;
  }

  async launch(spec: LaunchSpec, signal?: AbortSignal): Promise<void> {
    this.name = spec.name;
    this.#spec = spec;
    this.#outFiles = spec.outFiles;
    await this.#start(() => this.target.launch(spec, this.breakpoints.setup(), signal));
  }

  async attach(spec: AttachSpec, signal?: AbortSignal): Promise<void> {
    this.name = spec.name;
    this.#isAttached = true;
    await this.#start(() => this.target.attach(spec, this.breakpoints.setup(), signal));
  }

  /** Waits for a stop or the end. When neither comes, what the program does was looked at, and stands in the next report. */
  async settle(waitMs: number, signal?: AbortSignal): Promise<SessionState> {
    const watch = new ActivityWatch(waitMs, () => this.look());
    if (waitMs > 0) this.#activity = undefined;
    try {
      await this.standing.settle(waitMs, signal);
      if (this.state === 'running') this.#activity = (await watch.result()) ?? this.#activity;
      else this.#activity = undefined;
      return this.state;
    } finally {
      watch.dispose();
    }
  }

  async resume(): Promise<void> {
    const threadId = this.#requirePaused();
    await this.#leave(threadId, () => this.target.resume(threadId));
  }

  async step(kind: StepKind): Promise<void> {
    const threadId = this.#requirePaused();
    await this.#leave(threadId, () => this.target.step(threadId, kind), true);
  }

  /** Begins the call of a frame anew. */
  async restartFrame(frameIndex?: number): Promise<void> {
    const { threadId, frameId, isLive } = await this.inspection.stopContext(frameIndex);
    const { target } = this;
    if (target.restartFrame === undefined || target.canRestartFrame?.() === false)
      throw new ToolError('unsupported', `The debugger of ${this.language} cannot restart a frame.`, {
        hint:
          target.jump === undefined || target.canJump?.() === false
            ? ''
            : advise`${step('jumpToLine')} to the first line of the function runs it again.`,
      });
    if (!isLive) throw new ToolError('not_paused', 'That frame is an asynchronous caller, which is over.');
    const restart = target.restartFrame.bind(target);
    await this.#leave(threadId, () => asRefusal(restart(threadId, frameId), 'The frame was not restarted'), true);
  }

  get launched(): LaunchSpec | undefined {
    return this.#spec;
  }

  get canReplaceCode(): boolean {
    return this.target.replaceCode !== undefined && this.target.canReplaceCode?.() !== false;
  }

  async replaceCode(units: readonly CodeUnit[]): Promise<ReplacedCode> {
    if (this.state === 'ended') throw new ToolError('not_running', 'The program has ended.');
    if (this.target.replaceCode === undefined) return { replaced: [], later: [], outdated: [] };
    return asRefusal(this.target.replaceCode(units), 'Nothing was replaced');
  }

  /** Makes a line of the top frame's function the next one to run. */
  async jump(file: string, line: number): Promise<void> {
    const threadId = this.#requirePaused();
    const { target } = this;
    if (target.jump === undefined || target.canJump?.() === false)
      throw new ToolError('unsupported', `The debugger of ${this.language} cannot jump to a line.`, {
        hint:
          target.restartFrame === undefined || target.canRestartFrame?.() === false
            ? ''
            : advise`${step('restartFrame')} begins the function again.`,
      });
    const jump = target.jump.bind(target);
    await this.#leave(threadId, () => asRefusal(jump(threadId, file, line), 'There was no jump'), true);
  }

  /** Stops when the value of an expression, as the frame that is looked at means it, changes. */
  async watchData(wanted: NewBreakpoint) {
    this.#requirePaused();
    if (this.target.watchData === undefined || this.target.capabilities.dataBreakpoints !== true)
      throw new ToolError('unsupported', `The debugger of ${this.language} cannot stop when a value changes.`, {
        hint: this.recordsWrites ? advise`${step('debugWhoChanged')} runs the program and tells every change.` : '',
      });
    this.inspection.requireAllowed(wanted.expression ?? '');
    const { frameId } = await this.inspection.stopContext();
    return this.breakpoints.watch({ ...wanted, sessionId: this.id }, frameId);
  }

  /** A program inside a native call takes notice only when that returns; its pause is asked for all the same. */
  async pause(patienceMs = pauseRequestMs): Promise<void> {
    if (this.state === 'paused') return;
    this.#requireAlive();
    const askedAt = Date.now();
    // Whoever does not wait for a resume may ask for the pause while the thread still stands.
    await withTimeout(this.#leaving, patienceMs).catch(() => undefined);
    const leftMs = Math.max(patienceMs - (Date.now() - askedAt), 1);
    await withTimeout(this.target.pause(), leftMs).catch((error: unknown) => {
      if (!(error instanceof ToolError) || error.code !== 'timeout') throw error;
    });
  }

  /** Pauses and waits for the stop. When none comes, it says what can be known of a program that does not answer. */
  async pauseWithin(waitMs: number, signal?: AbortSignal): Promise<Unanswered | undefined> {
    const { pid } = this;
    const cpuMs = () => (pid === undefined ? undefined : cpuTimeMs(pid));
    const [askedAt, before] = [Date.now(), cpuMs()];
    await this.pause(Math.min(pauseRequestMs, waitMs + 300));
    if ((await this.settle(Math.max(waitMs - (Date.now() - askedAt), 0), signal)) !== 'running') return undefined;
    const waitedMs = Date.now() - askedAt;
    const after = cpuMs();
    return {
      waitedMs,
      ...(before === undefined || after === undefined ? {} : { isComputing: after - before > waitedMs / 4 }),
      ...(this.#lastSeen === undefined ? {} : { lastSeen: this.#lastSeen }),
    };
  }

  /** Runs until that line is reached, or anything else stops the program first. */
  async runToLine(file: string, line: number): Promise<void> {
    const threadId = this.#requirePaused();
    const binding = await this.breakpoints.runTo(file, line);
    if (binding?.verified === false && binding.nearestLines !== undefined) {
      await this.breakpoints.forgetRunTo();
      throw new ToolError('breakpoint_error', `Line ${line} cannot be run to: ${binding.message ?? 'no code there'}.`, {
        hint: `Lines with code nearby: ${binding.nearestLines.join(', ')}. The program stands where it stood.`,
      });
    }
    await this.#leave(threadId, () => this.target.resume(threadId));
  }

  /** What is to be told now. Output is told once: the next report goes on where this one ended. */
  async report(options: ReportOptions = stopReportOptions, answerWithinMs = answerMs): Promise<SessionReport> {
    await this.output.quiet();
    const output = this.output.since(this.#reportedOutput, maxReportedOutput);
    if (options.isProvisional !== true && options.isAside !== true) this.#reportedOutput = this.output.cursor;
    const base = { sessionId: this.id, name: this.name, language: this.language, state: this.state, output };
    if (base.state === 'ended') return { ...base, ...this.#ending() };
    if (base.state !== 'paused') {
      const activity = this.#activity === undefined ? {} : { activity: this.#activity };
      return { ...base, runningForMs: this.standing.runningForMs, ...activity };
    }
    try {
      const stop = await this.#stopViewWithin(options, answerWithinMs);
      this.#lastSeen = stop.location;
      if (options.isProvisional !== true) this.filmstrip.look();
      return { ...base, stop };
    } catch (error) {
      // The program may have died under our hands; then its end is the answer.
      if (!(error instanceof TransportError) || !(await this.standing.endsWithin(endWaitMs))) throw error;
      return { ...base, state: 'ended', ...this.#ending() };
    }
  }

  outputIsTold(cursor: number): void {
    this.#reportedOutput = Math.max(this.#reportedOutput, cursor);
  }

  /** Time-outs of the program go on while it stands still. */
  #timeStoodStill(): string | undefined {
    const { pausedMs } = this.standing;
    if (pausedMs < toldPauseMs || !timeOutErrors.test(this.output.tail(4000))) return undefined;
    const seconds = (pausedMs / 1000).toFixed(1);
    return `it speaks of a time-out, and it stood still for ${seconds} s in the debugger, which its clock counts`;
  }

  /** Fails when the test that was to be run is not there: an empty run is no success. */
  requireTest(): void {
    const missing = this.state === 'ended' ? this.#noTest() : undefined;
    if (missing !== undefined) throw missing;
  }

  #noTest(): ToolError | undefined {
    const nearest =
      this.#spec === undefined ? undefined : this.#missingTest?.(this.#spec, this.output.tail(Number.MAX_SAFE_INTEGER));
    if (nearest === undefined) return undefined;
    return testNotRun(this.#spec?.test ?? {}, nearest);
  }

  sendInput(text: string): Promise<void> {
    this.#requireAlive();
    return this.target.writeInput(text);
  }

  /** Ends the program (or lets go of one that was attached to). Answers when everything it started is gone. */
  async end(): Promise<void> {
    if (this.state === 'ended') return;
    await this.breakpoints.readStatistics(statisticsMs);
    if (this.#isAttached) await this.target.detach();
    else await this.target.terminate();
    this.standing.ended();
  }

  async dispose(): Promise<void> {
    await this.end();
    await this.target.dispose();
    await this.#removeBuilt();
  }

  async #removeBuilt(): Promise<void> {
    const { scratch } = this.#spec?.build ?? {};
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }

  async #start(begin: () => Promise<void>): Promise<void> {
    try {
      await begin();
    } catch (error) {
      this.standing.ended();
      throw error;
    }
    this.standing.begun();
  }

  #onEvent(event: TargetEvent): void {
    if (event.type === 'output') this.output.append(event.chunk);
    else if (event.type === 'paused')
      this.standing.paused(event.stop.isHeld === true ? event.stop : this.breakpoints.onPaused(event.stop));
    else if (event.type === 'continued') this.standing.continued(event.threadId);
    else if (event.type === 'breakpoint') this.breakpoints.bound(event.binding);
    else if (event.type === 'processExited') this.standing.processGone(event.process.id);
    else if (event.type === 'ended') void this.#onEnded(event.exit);
  }

  async #onEnded(exit: ExitInfo): Promise<void> {
    this.#exit = exit;
    await this.breakpoints.readStatistics(statisticsMs);
    await this.breakpoints.forgetWatched(this.id);
    const reason =
      (exit.code === 0 ? undefined : this.#explainEnd?.(this.output.tail(4000))) ??
      this.#noTest()?.message ??
      (exit.code === 0 ? undefined : this.#timeStoodStill());
    this.#exit = { ...exit, ...(exit.reason === undefined && reason !== undefined ? { reason } : {}) };
    await this.#removeBuilt();
    this.standing.ended();
  }

  /** Lets a thread go. Another one that stands still is next, except in a step, which is about this one. */
  #leave(threadId: string, go: () => Promise<void>, isStep = false): Promise<void> {
    const leaving = this.#letGo(threadId, go, isStep);
    this.#leaving = leaving.catch(() => undefined);
    return leaving;
  }

  async #letGo(threadId: string, go: () => Promise<void>, isStep: boolean): Promise<void> {
    await this.filmstrip.settled();
    const stop = this.standing.leave(threadId, isStep);
    try {
      await this.breakpoints.settled();
      await go();
    } catch (error) {
      // The program may have ended on the way; that is an answer, not a failure. Anything else leaves it where it was.
      if (this.state === 'ended' || stop === undefined) return;
      const threads = await this.target.threads().catch(() => []);
      if (!threads.some((thread) => thread.id === threadId)) return;
      this.standing.takeUpAgain(stop);
      throw error;
    }
    if (!isStep && this.state === 'running') this.standing.enterNext();
  }

  /** What the threads of a program that runs do at the moment; undefined when it stands still or its engine cannot tell. */
  async look(): Promise<ActivityView | undefined> {
    if (this.state !== 'running' || this.target.activity === undefined) return undefined;
    return activityView(await this.target.activity(lookMs), this.target.processes(), this.#sources);
  }

  /** An engine that is silent keeps nobody waiting: then only the reason of the stop is known. */
  async #stopViewWithin(options: ReportOptions, withinMs: number): Promise<StopView> {
    try {
      return await withTimeout(this.inspection.stopView(options), withinMs);
    } catch (error) {
      const { threadId } = this.standing;
      const stop = threadId === undefined ? undefined : this.standing.stopOf(threadId);
      if (!(error instanceof ToolError) || error.code !== 'timeout' || stop === undefined) throw error;
      return {
        reason: stop.reason,
        description: `the program has not told where it stands within ${(withinMs / 1000).toFixed(1)} s`,
        thread: { id: stop.threadId, name: stop.threadId },
        breakpoints: stop.breakpointIds.map((id) => ({ id, type: 'line' })),
        frames: [],
        moreFrames: 0,
        variables: [],
        moreVariables: 0,
        watches: [],
        threadCount: 1,
      };
    }
  }

  #ending(): Pick<SessionReport, 'exit' | 'neverHit'> {
    return { exit: this.#exit, neverHit: this.breakpoints.neverHit() };
  }

  #requirePaused(): string {
    this.#requireAlive();
    const { threadId } = this.standing;
    if (threadId === undefined)
      throw new ToolError('not_paused', `${this.name} is running.`, {
        hint: advise`Wait for a stop with ${step('getDebugSessionStatus', ['waitMs'])}, or ${step('pauseExecution')}.`,
      });
    return threadId;
  }

  #requireAlive(): void {
    if (this.state === 'ended')
      throw new ToolError('no_session', `The session of ${this.name} has ended${exitText(this.#exit)}.`, {
        hint: advise`Start a new one: ${step('startDebugSession')}.`,
      });
  }
}

function exitText(exit: ExitInfo | undefined): string {
  if (exit === undefined) return '';
  if (exit.code !== undefined) return ` with exit code ${exit.code}`;
  if (exit.signal !== undefined) return ` by signal ${exit.signal}`;
  return exit.reason === undefined ? '' : ` (${exit.reason})`;
}

/** What the engine refuses, in its own words; the program stands where it stood. */
async function asRefusal<T>(order: Promise<T>, what: string): Promise<T> {
  try {
    return await order;
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    throw new ToolError('unsupported', `${what}: ${error.message}`, { hint: 'The program stands where it stood.' });
  }
}
