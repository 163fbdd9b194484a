import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { ProbeOutcome } from '../../engine/debugger/probe.ts';
import { answeredRun } from '../ask/questions/answeredRun.ts';
import { questionsShape } from '../ask/questions/questions.ts';
import type { RunArguments } from '../ask/runArguments.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import type { SessionReport } from '../../engine/debugger/report.ts';
import { activityData, renderActivity } from '../debugger/shapes/activity.ts';
import { pointOf, probePointShape } from '../debugger/shapes/points.ts';
import { progressOf } from '../debugger/shapes/progress.ts';
import { type Reader, readerOf } from '../debugger/shapes/reader.ts';
import { reportOptionsFor } from '../debugger/shapes/reportOptions.ts';
import { renderOutput, renderProgress } from '../debugger/shapes/renderProgress.ts';
import { withoutRunnerLines } from '../debugger/shapes/runnerOutput.ts';
import { type Progress, progressShape } from '../debugger/shapes/shapes.ts';
import { hitShape, hitsOf, renderHits } from './probeHits.ts';

export const probeOutput = z.object({
  hits: z.array(hitShape),
  logged: z.array(z.string()).optional(),
  alsoFailed: z.array(z.string()).optional(),
  stoppedEarly: z.string().optional(),
  ...progressShape,
});

export const debugProbe = defineTool({
  name: 'debug_probe',
  title: 'Debug in one call',
  description:
    'One shot: runs a program or a test (file, or file::name) under the debugger, reports the state at each breakpoint hit and at an uncaught exception or failed assertion (code, variables, values), then ends it. Without breakpoints it shows where and why it fails.',
  faces: ['probe', 'default'],
  alwaysLoad: true,
  toolset: 'probe',
  effect: 'execute',
  rare: ['questions'],
  paths: { program: 'existing', 'breakpoints[].file': 'readable' },
  input: z.object({
    program: z.string().optional(),
    test: z.string().optional(),
    module: z.string().optional(),
    language: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    runtime: z.string().optional().describe('interpreter to run it with'),
    breakpoints: z.array(probePointShape).optional(),
    max_hits: z.int().min(1).max(100).optional(),
    wait_ms: z.int().min(0).max(40_000).optional(),
    questions: questionsShape.describe('answered too, from a recorded run'),
  }),
  output: probeOutput.extend({ answers: z.array(z.string()).optional(), notes: z.array(z.string()).optional() }),
  run: async (engines, args, call) => {
    const { questions, ...wanted } = args;
    const reader = readerOf(call, 'more with max_chars');
    const isTest = args.test !== undefined;
    if (questions === undefined || questions.length === 0)
      return probeData(await debugged(engines, wanted, call), reader, isTest);
    const { outcome, answers, notes } = await answeredRun(engines, wanted, call, {
      questions,
      hasStops: (args.breakpoints ?? []).length > 0,
      debug: () => debugged(engines, wanted, call),
    });
    return { ...probeData(outcome, reader, isTest), ...answers, ...(notes.length === 0 ? {} : { notes }) };
  },
  render: ({ answers, notes, ...data }) => [renderProbe(data), ...(answers ?? []), ...(notes ?? [])].join('\n'),
});

type ProbeArguments = RunArguments & {
  breakpoints?: z.output<typeof probePointShape>[] | undefined;
  max_hits?: number | undefined;
};

function debugged(engines: Engines, args: ProbeArguments, call: ToolCall): Promise<ProbeOutcome> {
  const { breakpoints = [], max_hits: maxHits = 5, wait_ms: waitMs = 20_000, ...wanted } = args;
  return recordedDebugging(engines, call, () =>
    engines.debugger.probe(
      call.project,
      { ...wanted, progress: (message) => call.progress(message) },
      {
        breakpoints: breakpoints.map(pointOf),
        maxHits,
        waitMs: Math.min(waitMs, call.patienceMs - 2000),
        ownerId: call.client.id,
        signal: call.signal,
        reportOptions: reportOptionsFor(call.budget),
      },
    ),
  );
}

/** What a probe tells: its hits, and how it ended. */
export function probeData(outcome: ProbeOutcome, reader: Reader, isTest: boolean): z.input<typeof probeOutput> {
  const hits = hitsOf(outcome, reader, isTest);
  const end = progressOf(outcome.end, reader);
  return {
    hits,
    ...(outcome.logged.length === 0 ? {} : { logged: outcome.logged.map((each) => loggedLine(each, reader.root)) }),
    ...alsoFailed(outcome, reader.root),
    stoppedEarly: outcome.stoppedEarly,
    ...end,
    ...(hits.at(-1)?.reason === 'exception'
      ? // After a failure the runner's own report of it says nothing that was not just seen.
        { output: undefined, outputDropped: undefined }
      : isTest && end.exitCode !== 0 && end.output !== undefined
        ? { output: withoutRunnerLines(end.output) }
        : {}),
    ...(outcome.stillRunning === undefined ? {} : runningData(outcome.stillRunning, reader.root)),
  };
}

export function renderProbe(data: z.output<typeof probeOutput>): string {
  const end =
    data.stoppedEarly === undefined ? renderProgress(data) : [data.stoppedEarly, ...renderHang(data)].join('\n');
  const others = (data.alsoFailed ?? []).map((line) => `also failed: ${line}`);
  return [...renderHits(data.hits), ...others, end, ...(data.logged ?? [])].join('\n');
}

function renderHang(data: Progress): string[] {
  const { activity } = data;
  if (activity === undefined) return [];
  return [`It was ${activity.summary}.`, ...renderActivity(activity), ...renderOutput(data)];
}

/** What it was doing, and what it printed last: nothing of that is in the report of its end. */
function runningData({ activity, output }: SessionReport, root: string): Pick<Progress, 'activity' | 'output'> {
  return {
    ...(activity === undefined ? {} : { activity: activityData(activity, root) }),
    ...(output.text === '' ? {} : { output: output.text.slice(-600) }),
  };
}

/** `bp_2 at loop.js:3 logged 3 times`: the output may be cut, the count is not. */
function loggedLine({ breakpoint, count }: ProbeOutcome['logged'][number], root: string): string {
  const { id, file, line, functionName } = breakpoint;
  const place = file === undefined ? `${functionName ?? ''}()` : `${displayPath(root, file)}:${line ?? 0}`;
  return `${id} at ${place} logged ${count === 1 ? 'once' : `${count} times`}.`;
}

/** What happened to others is one line each: there may be hundreds. */
const maxOthers = 5;

function alsoFailed(outcome: ProbeOutcome, root: string): { alsoFailed?: string[] } {
  const seen = outcome.alsoFailed.map(({ report }) => failureLine(report, root));
  const all = seen.length > 0 ? seen : (outcome.listedFailures ?? []).map((line) => clip(line, 160));
  if (all.length === 0) return {};
  const left = all.length - maxOthers;
  return { alsoFailed: left > 1 ? [...all.slice(0, maxOthers), `${left} more`] : all };
}

/** A further failure of the same run: what and where. */
function failureLine({ stop }: SessionReport, root: string): string {
  const { exception, location } = stop ?? {};
  const message = exception?.message.trim().split('\n')[0] ?? '';
  const place = location?.file === undefined ? '' : ` at ${displayPath(root, location.file)}:${location.line ?? 0}`;
  return `${exception?.type ?? 'exception'}: ${clip(message, 160)}${place}`;
}
