import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { activityShape } from './shapes/activityShape.ts';
import { frameText } from './shapes/frameText.ts';
import {
  exceptionData,
  frameData,
  locationData,
  sourceLines,
  unfittedProgress,
  variableData,
} from './shapes/progress.ts';
import { quoted } from './shapes/deeds.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { answerGraceMs } from './shapes/runControl.ts';
import {
  exceptionShape,
  frameShape,
  locationShape,
  neverHitShape,
  sessionId,
  sourceContextShape,
  type StopData,
  variableShape,
  waitMs,
  watchShape,
} from './shapes/shapes.ts';
import { shownState } from './shapes/shownState.ts';

const statusShape = z.object({
  sessionId: z.string(),
  name: z.string(),
  state: z.string(),
  pausedReason: z.string().nullable(),
  pausedDescription: z.string().optional(),
  currentLocation: locationShape.nullable(),
  breakpointHit: z
    .object({ breakpointId: z.string(), type: z.string(), file: z.string().optional(), line: z.int().optional() })
    .nullable(),
  exception: exceptionShape.optional(),
  stackSummary: z.array(frameShape),
  totalStackDepth: z.int(),
  variables: z.array(variableShape),
  moreVariables: z.int().optional(),
  watches: z.array(watchShape),
  sourceContext: sourceContextShape.nullable(),
  currentThread: z
    .object({
      id: z.string(),
      name: z.string(),
      state: z.string(),
      isCurrent: z.boolean(),
      process: z.string().optional(),
    })
    .nullable(),
  threadCount: z.int(),
  output: z.string().optional(),
  outputDropped: z.int().optional(),
  runningForMs: z.int().optional(),
  activity: activityShape.optional(),
  exitCode: z.int().optional(),
  exitSignal: z.string().optional(),
  exitReason: z.string().optional(),
  neverHit: z.array(neverHitShape).optional(),
});

export const getDebugSessionStatus = defineTool({
  name: 'get_debug_session_status',
  title: 'Debug session status',
  description:
    'Everything about a session now: state, why and where it is paused, stack, variables, watches, source, new output. wait_ms waits for a stop first; input is sent to the program (stdin).',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  effectOf: (args) => (args.input === undefined ? 'read' : 'execute'),
  input: z.object({
    session_id: sessionId,
    wait_ms: waitMs,
    include_variables: z.boolean().optional(),
    include_source_context: z.boolean().optional(),
    source_context_lines: z.int().min(0).max(200).optional(),
    max_stack_frames: z.int().min(1).max(200).optional(),
    input: z.string().optional(),
  }),
  output: statusShape,
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    if (args.input !== undefined) await session.sendInput(args.input);
    const wait = Math.min(args.wait_ms ?? 0, call.patienceMs);
    const endsAt = Date.now() + (args.wait_ms === undefined ? unaskedWaitMs : wait);
    await session.settle(wait, call.signal);
    const options = {
      variables: args.include_variables ?? true,
      source: args.include_source_context ?? true,
      contextLines: args.source_context_lines ?? 5,
      maxFrames: args.max_stack_frames ?? 10,
      maxVariables: 40,
      isAside: call.client.isPerson,
    };
    const report = await session.report(options, Math.max(endsAt - Date.now(), 0) + answerGraceMs);
    const { stop } = report;
    const { stop: _compact, ...progress } = unfittedProgress(report, call.project.root);
    const [hit] = stop?.breakpoints ?? [];
    return {
      ...progress,
      sessionId: session.id,
      name: session.name,
      state: report.state === 'starting' ? 'running' : shownState(report.state),
      pausedReason: stop?.reason ?? null,
      ...(stop?.description === undefined ? {} : { pausedDescription: stop.description }),
      currentLocation: stop?.location === undefined ? null : locationData(stop.location),
      breakpointHit:
        hit === undefined || hit.type === 'exception'
          ? null
          : { breakpointId: hit.id, type: hit.type, file: hit.file, line: hit.line },
      ...(stop?.exception === undefined
        ? {}
        : { exception: exceptionData(stop.exception, stop.location, call.project.root) }),
      stackSummary: (stop?.frames ?? []).map(frameData),
      totalStackDepth: stop?.totalFrames ?? 0,
      variables: (stop?.variables ?? []).map(variableData),
      ...(stop === undefined || stop.moreVariables === 0 ? {} : { moreVariables: stop.moreVariables }),
      watches: stop?.watches ?? session.inspection.watches.list().map((watch) => ({ ...watch })),
      sourceContext: stop?.source ?? null,
      currentThread:
        stop === undefined
          ? null
          : {
              ...stop.thread,
              state: 'paused',
              isCurrent: true,
              ...(stop.process === undefined
                ? {}
                : { process: `${stop.process.title} (pid ${stop.process.pid ?? '?'})` }),
            },
      threadCount: stop?.threadCount ?? 0,
    };
  },
  deed: ({ input }) => (input === undefined ? '' : `typed ${quoted(input)} into the program`),
  render: (data, _budget, root) => {
    const stop = stopOf(data, root);
    return renderProgress({
      ...data,
      state: data.state === 'paused' ? 'paused' : data.state === 'stopped' ? 'stopped' : 'running',
      ...(stop === undefined ? {} : { stop }),
    });
  },
});

/** Who names no wait gives the engine this long to tell what can be seen. */
const unaskedWaitMs = 4000;

/** The stop as the run-control answers tell it. */
function stopOf(data: z.output<typeof statusShape>, root: string): StopData | undefined {
  if (data.pausedReason === null) return undefined;
  const { currentThread: thread } = data;
  return {
    reason: data.pausedReason,
    description: data.pausedDescription,
    ...(data.breakpointHit === null ? {} : { breakpointId: data.breakpointHit.breakpointId }),
    ...(data.threadCount > 1 && thread !== null && !/^main/i.test(thread.name) ? { thread: thread.name } : {}),
    ...(thread?.process === undefined ? {} : { process: thread.process }),
    source: sourceLines(data.sourceContext ?? undefined),
    variables: data.variables,
    ...(data.moreVariables === undefined ? {} : { moreVariables: data.moreVariables }),
    stack: data.stackSummary.map((frame) => frameText(frame, root)),
    ...(data.exception === undefined ? {} : { exception: data.exception }),
    ...(data.watches.length === 0 ? {} : { watches: data.watches }),
  };
}
