import { errorMessage } from '../../base/errors.ts';
import type { SessionReport } from './report.ts';
import { stopReportOptions } from './report.ts';
import type { Session } from './session.ts';

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
const finishMs = 1500;

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
      return {
        hits,
        stoppedEarly: `The program was still running after ${(options.waitMs / 1000).toFixed(1)} s and was ended.`,
      };
    }
    const report = await session.report({ ...stopReportOptions, maxFrames: 4 });
    hits.push({ report, expressions: await evaluateAll(session, report, expressionsFor) });
    const isFailure = report.stop?.reason === 'exception';
    if (isFailure || hits.length >= options.maxHits) {
      if (isFailure) {
        await session.resume();
        const end = await session.settle(Math.min(finishMs, Math.max(deadline - Date.now(), 0)), options.signal);
        if (end === 'stopped') return { hits };
      }
      return {
        hits,
        stoppedEarly: isFailure
          ? 'The program was ended after the failure.'
          : `Ended after ${hits.length} hits (max_hits).`,
      };
    }
    await session.resume();
  }
}

/** A program that hangs is paused once, to see where. */
async function whereItRuns(session: Session): Promise<ProbeHit | undefined> {
  try {
    await session.pause();
    if ((await session.settle(1500)) !== 'paused') return undefined;
    return { report: await session.report({ ...stopReportOptions, maxFrames: 4 }), expressions: {} };
  } catch {
    return undefined;
  }
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
      values[expression] = (await session.evaluate(expression)).value;
    } catch (error) {
      values[expression] = `<${errorMessage(error)}>`;
    }
  }
  return values;
}
