import { withTimeout } from '../../base/cancellation.ts';
import { errorMessage, ToolError } from '../../base/errors.ts';
import type { Breakpoint, NewBreakpoint } from './breakpoints/breakpointStore.ts';
import { defaultValueLimits } from './model.ts';
import type { SessionReport } from './report.ts';
import { type ReportOptions, stopReportOptions } from './report.ts';
import { failuresAmong } from './probeFailures.ts';
import type { Session } from './session/session.ts';

/** At a line or on a function, with all that a breakpoint may have. */
export interface ProbePoint {
  wanted: NewBreakpoint;
  /** An excerpt that the line must contain. */
  anchor?: string | undefined;
  expressions?: readonly string[] | undefined;
}

export interface ProbeOptions {
  breakpoints: readonly ProbePoint[];
  maxHits: number;
  /** Whether a test runner decides what is a failure. */
  isTest?: boolean;
  /** Whether that runner has printed its result. */
  isOver?: (output: string) => boolean;
  waitMs: number;
  ownerId: string | undefined;
  signal: AbortSignal;
  /** How much each stop tells; the usual when absent. */
  reportOptions?: ReportOptions;
  /** What is done at each stop at a breakpoint, after it was noted; its failure ends the run. */
  atBreakpoint?: (session: Session) => Promise<void>;
}

export interface ProbeHit {
  report: SessionReport;
  /** How far the output goes that the report tells. */
  outputCursor: number;
  expressions: Record<string, string>;
}

export interface ProbeOutcome {
  hits: ProbeHit[];
  /** How often each log point has spoken. */
  logged: { breakpoint: Breakpoint; count: number }[];
  /** Failures after the first one, which is among the hits. */
  alsoFailed: ProbeHit[];
  /** Those of them that only the runner told, in its words. */
  listedFailures?: string[];
  /** Why the program was ended before its own end, if it was. */
  stoppedEarly?: string;
  /** What it did when the wait for it was over. */
  stillRunning?: SessionReport;
  end: SessionReport;
}

/** After the hits wanted, the program may finish by itself within this time; a failing test shows its exit code that way. */
const finishMs = 3000;
/** How long a stopped program may take to tell its frames and values. */
const answerMs = 10_000;
/** What was asked for may take more room than what just stands there. */
const expressionLimits = { ...defaultValueLimits, maxValueChars: 800, maxStringChars: 600, maxItems: 20, depth: 4 };

/** Exceptions that may be handled are looked at this often; a program that throws all day is then just run. */
const maxOpen = 100;

const unknownFate = 'printed by the program, which was ended before it showed whether that is a failure';

type Followed = Omit<ProbeOutcome, 'end' | 'logged'>;

/** Runs a started session to its end, noting each stop on the way. */
export function followProbe(
  session: Session,
  options: ProbeOptions,
  expressionsFor: (breakpointId: string) => readonly string[],
): Promise<Followed> {
  return new ProbeRun(session, options, expressionsFor).follow();
}

class ProbeRun {
  readonly #session: Session;
  readonly #options: ProbeOptions;
  readonly #expressionsFor: (breakpointId: string) => readonly string[];
  readonly #deadline: number;
  /** In the order they came; of those that may be handled, the end shows which were failures. */
  readonly #hits: ProbeHit[] = [];

  constructor(session: Session, options: ProbeOptions, expressionsFor: (breakpointId: string) => readonly string[]) {
    this.#session = session;
    this.#options = options;
    this.#expressionsFor = expressionsFor;
    this.#deadline = Date.now() + options.waitMs;
  }

  async follow(): Promise<Followed> {
    for (;;) {
      const state = await this.#settle();
      if (state === 'ended') return this.#outcome();
      if (state === 'failed') return this.#outcome('The program was ended after the failure.');
      if (state !== 'paused') return this.#stillRunning();
      const ended = await this.#atStop();
      if (ended !== undefined) return ended;
      await this.#session.resume();
    }
  }

  /** `failed`: the tests are over with a failure, but something keeps the process from ending. */
  async #settle(): Promise<'ended' | 'paused' | 'running' | 'failed'> {
    for (;;) {
      const left = Math.max(this.#deadline - Date.now(), 0);
      const open = this.#open();
      const { position } = this.#session.output;
      const state = await this.#session.settle(
        open.length === 0 ? left : Math.min(left, finishMs),
        this.#options.signal,
      );
      if (state === 'ended' || state === 'paused') return state;
      if (left <= finishMs || open.length === 0) return 'running';
      if (position === this.#session.output.position && this.#isOver() && this.#failures().length > 0) return 'failed';
    }
  }

  async #atStop(): Promise<Followed | undefined> {
    const { maxHits } = this.#options;
    const hit = await withTimeout(hitAt(this.#session, this.#options, this.#expressionsFor), answerMs).catch(
      (error: unknown) => {
        if (error instanceof ToolError && error.code === 'timeout') return undefined;
        throw error;
      },
    );
    if (hit === undefined)
      return this.#outcome('The program stopped but did not tell its state (out of memory?), and was ended.');
    this.#hits.push(hit);
    const { stop } = hit.report;
    if (stop?.mayBeHandled === true) {
      if (this.#open().length === maxOpen) await this.#session.breakpoints.ignoreExceptions();
      return undefined;
    }
    if (stop?.reason === 'exception') {
      // A test goes on after it has failed; its further failures are the runner's to tell.
      if (this.#options.isTest === true) await this.#session.breakpoints.ignoreExceptions();
      const left = Math.min(finishMs, Math.max(this.#deadline - Date.now(), 0));
      return this.#outcome(
        (await endsByItself(this.#session, left)) ? undefined : 'The program was ended after the failure.',
      );
    }
    await this.#options.atBreakpoint?.(this.#session);
    const count = this.#hits.length - this.#open().length;
    if (count < maxHits) return undefined;
    return this.#outcome(`Ended after ${count === 1 ? 'one hit' : `${count} hits`}: max_hits is ${maxHits}.`);
  }

  async #stillRunning(): Promise<Followed> {
    const stillRunning = await this.#session.report();
    const seconds = (this.#options.waitMs / 1000).toFixed(1);
    return { ...this.#outcome(`The program was still running after ${seconds} s and was ended.`), stillRunning };
  }

  #open(): ProbeHit[] {
    return this.#hits.filter((hit) => hit.report.stop?.mayBeHandled === true);
  }

  #isOver(): boolean {
    return this.#options.isOver?.(this.#session.output.tail(Number.MAX_SAFE_INTEGER)) === true;
  }

  #failures(): ProbeHit[] {
    const { exit, output, state } = this.#session;
    return failuresAmong(this.#open(), {
      exit: state === 'ended' ? (exit ?? {}) : undefined,
      output: output.tail(Number.MAX_SAFE_INTEGER),
      isTest: this.#options.isTest === true,
    });
  }

  #outcome(stoppedEarly?: string): Followed {
    const open = this.#open();
    const [first, ...alsoFailed] = this.#failures();
    const isKnown = this.#session.state === 'ended' || this.#isOver();
    if (!isKnown && first?.report.stop !== undefined) first.report.stop.description = unknownFate;
    const hits = this.#hits.filter((hit) => hit === first || !open.includes(hit));
    if (first !== undefined) this.#session.outputIsTold(first.outputCursor);
    return { hits, alsoFailed, ...(stoppedEarly === undefined ? {} : { stoppedEarly }) };
  }
}

async function endsByItself(session: Session, waitMs: number): Promise<boolean> {
  const run = async () => {
    await session.resume();
    return (await session.settle(waitMs)) === 'ended';
  };
  return withTimeout(run(), waitMs + 500).catch(() => false);
}

async function hitAt(
  session: Session,
  { reportOptions = stopReportOptions }: ProbeOptions,
  expressionsFor: (breakpointId: string) => readonly string[],
): Promise<ProbeHit> {
  const isProvisional = session.standing.stop?.mayBeHandled === true;
  const maxFrames = Math.max(reportOptions.maxFrames, 4);
  const report = await session.report({ ...reportOptions, maxFrames, isProvisional });
  const outputCursor = session.output.cursor;
  return { report, outputCursor, expressions: await evaluateAll(session, report, expressionsFor) };
}

async function evaluateAll(
  session: Session,
  report: SessionReport,
  expressionsFor: (breakpointId: string) => readonly string[],
): Promise<Record<string, string>> {
  const wanted = new Set((report.stop?.breakpoints ?? []).flatMap((hit) => expressionsFor(hit.id)));
  const values: Record<string, string> = {};
  for (const expression of wanted) {
    try {
      values[expression] = (await session.inspection.evaluate(expression, { limits: expressionLimits })).value;
    } catch (error) {
      values[expression] = `<${errorMessage(error)}>`;
    }
  }
  return values;
}
