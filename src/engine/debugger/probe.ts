import { withTimeout } from '../../base/cancellation.ts';
import { errorMessage, ToolError } from '../../base/errors.ts';
import { defaultValueLimits } from './model.ts';
import type { SessionReport } from './report.ts';
import { type ReportOptions, stopReportOptions } from './report.ts';
import type { Session } from './session/session.ts';

export interface ProbePoint {
  file: string;
  line: number;
  condition?: string | undefined;
  expressions?: readonly string[] | undefined;
}

export interface ProbeOptions {
  breakpoints: readonly ProbePoint[];
  maxHits: number;
  waitMs: number;
  ownerId: string | undefined;
  signal: AbortSignal;
  /** How much each stop tells; the usual when absent. */
  reportOptions?: ReportOptions;
}

export interface ProbeHit {
  report: SessionReport;
  expressions: Record<string, string>;
}

export interface ProbeOutcome {
  hits: ProbeHit[];
  /** Why the program was ended before its own end, if it was. */
  stoppedEarly?: string;
  end: SessionReport;
}

/** After the hits wanted, the program may finish by itself within this time; a failing test shows its exit code that way. */
const finishMs = 3000;
const pauseMs = 3000;
/** How long a stopped program may take to tell its frames and values. */
const answerMs = 10_000;
/** What was asked for may take more room than what just stands there. */
const expressionLimits = { ...defaultValueLimits, maxValueChars: 800, maxStringChars: 600, maxItems: 20, depth: 4 };

/** Runs a started session to its end, noting each stop on the way. */
export async function followProbe(
  session: Session,
  options: ProbeOptions,
  expressionsFor: (breakpointId: string) => readonly string[],
): Promise<Omit<ProbeOutcome, 'end'>> {
  const hits: ProbeHit[] = [];
  const deadline = Date.now() + options.waitMs;
  for (;;) {
    const state = await session.settle(Math.max(deadline - Date.now(), 0), options.signal);
    if (state === 'stopped') return { hits };
    if (state !== 'paused') {
      const where = await whereItRuns(session);
      if (where !== undefined) hits.push(where);
      const deaf = where === undefined ? ' It did not answer a pause: busy in native code, or out of memory.' : '';
      return {
        hits,
        stoppedEarly: `The program was still running after ${(options.waitMs / 1000).toFixed(1)} s and was ended.${deaf}`,
      };
    }
    const hit = await withTimeout(hitAt(session, options, expressionsFor), answerMs).catch((error: unknown) => {
      if (error instanceof ToolError && error.code === 'timeout') return undefined;
      throw error;
    });
    if (hit === undefined) {
      return { hits, stoppedEarly: 'The program stopped but did not tell its state (out of memory?), and was ended.' };
    }
    hits.push(hit);
    const { report } = hit;
    // Nobody has asked for a pause: it is an endless loop.
    if (report.stop?.reason === 'pause')
      return { hits, stoppedEarly: 'The program would never have ended and was ended.' };
    const isFailure = report.stop?.reason === 'exception';
    if (isFailure || hits.length >= options.maxHits) {
      if (isFailure && (await endsByItself(session, Math.min(finishMs, Math.max(deadline - Date.now(), 0)))))
        return { hits };
      return {
        hits,
        stoppedEarly: isFailure
          ? 'The program was ended after the failure.'
          : `Ended after ${hits.length === 1 ? 'one hit' : `${hits.length} hits`}: max_hits is ${options.maxHits}.`,
      };
    }
    await session.resume();
  }
}

async function endsByItself(session: Session, waitMs: number): Promise<boolean> {
  const run = async () => {
    await session.resume();
    return (await session.settle(waitMs)) === 'stopped';
  };
  return withTimeout(run(), waitMs + 500).catch(() => false);
}

/** A program that hangs is paused once, to see where. One that eats all memory may not even answer that. */
async function whereItRuns(session: Session): Promise<ProbeHit | undefined> {
  try {
    return await withTimeout(pausedReport(session), pauseMs);
  } catch {
    return undefined;
  }
}

async function pausedReport(session: Session): Promise<ProbeHit | undefined> {
  await session.pause();
  if ((await session.settle(pauseMs)) !== 'paused') return undefined;
  return { report: await session.report({ ...stopReportOptions, maxFrames: 4 }), expressions: {} };
}

async function hitAt(
  session: Session,
  { reportOptions = stopReportOptions }: ProbeOptions,
  expressionsFor: (breakpointId: string) => readonly string[],
): Promise<ProbeHit> {
  const report = await session.report({ ...reportOptions, maxFrames: Math.max(reportOptions.maxFrames, 4) });
  return { report, expressions: await evaluateAll(session, report, expressionsFor) };
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
