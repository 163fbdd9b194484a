import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import type { Breakpoint } from '../../engine/debugger/breakpoints/breakpointStore.ts';
import type { ExitInfo } from '../../engine/debugger/model.ts';
import type { FrameView, VariableView } from '../../engine/debugger/report.ts';
import type { RememberedStop, RememberedValue } from '../../engine/debugger/session/filmstrip.ts';
import type { Session } from '../../engine/debugger/session/session.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { ownerName } from '../sources.ts';
import type { BreakpointRow, FrameRow, PastStop, SessionView, StopCard, ValueView } from '../viewChannel.ts';

const maxFrames = 100;
const valuesAtOnce = 100;
const maxOutputChars = 200_000;
const outputWaitMs = 20_000;

/** Debug sessions as a person sees them. What a person does goes through the tools; here is only looking. */
export function debugMethods({ parts }: MethodContext): AnyMethod[] {
  const { engines } = parts;
  const find = (id: string): Session => {
    const session = engines.debugger.sessions().find((each) => each.id === id);
    if (session === undefined) throw new ToolError('session_not_found', `There is no debug session ${id} any more.`);
    return session;
  };
  const id = z.string();
  return [
    method('debug.session', z.object({ id }), async (params) => {
      const session = find(params.id);
      const store = await engines.debugger.breakpoints(session.project);
      const owner = ownerName(parts, session.ownerId);
      return sessionView(
        session,
        store.list().map((each) => breakpointRow(session, each)),
        owner,
      );
    }),
    method(
      'debug.variables',
      z.object({ id, frame: z.int().min(0), reference: z.string().optional(), start: z.int().min(0).optional() }),
      ({ id: wanted, ...request }) => values(find(wanted), request),
    ),
    method('debug.stop', z.object({ id, number: z.int() }), ({ id: wanted, number }) => {
      const stop = find(wanted).filmstrip.stops.find((each) => each.number === number);
      if (stop === undefined) throw new ToolError('invalid_arguments', `Stop ${number} is not remembered any more.`);
      return pastStop(stop);
    }),
    method('debug.source', z.object({ file: z.string() }), async ({ file }) => {
      const index = await engines.debugger.sources.lines(file);
      if (index === undefined) throw new ToolError('file_not_found', `${file} cannot be read.`);
      return { text: index.text };
    }),
    method('debug.output', z.object({ id, since: z.int().min(0) }), async ({ id: wanted, since }, signal) => {
      const { output } = find(wanted);
      await output.beyond(since, outputWaitMs, signal);
      const position = output.position;
      const { text, droppedChars } = output.look(since, maxOutputChars);
      return { text, position, dropped: droppedChars };
    }),
  ];
}

async function sessionView(
  session: Session,
  breakpoints: BreakpointRow[],
  owner: string | undefined,
): Promise<SessionView> {
  const { target, inspection } = session;
  const isPaused = session.state === 'paused';
  const isAlive = session.state !== 'ended';
  const [threads, stop, watches] = await Promise.all([
    isAlive ? inspection.threads().catch(() => []) : [],
    isPaused ? stopOf(session).catch(() => undefined) : undefined,
    Promise.all(
      inspection.watches
        .list()
        .map(async (watch) => ({ ...watch, ...(isPaused ? await inspection.evaluateWatch(watch) : {}) })),
    ),
  ]);
  const exit = exitText(session.exit);
  return {
    id: session.id,
    name: session.name,
    project: session.project.root,
    language: session.language,
    state: session.state,
    isAttached: session.isAttached,
    ...(owner === undefined ? {} : { owner }),
    processes: target.processes().map(({ id, pid, parentId, title, kind, exit: ended }) => {
      const how = exitText(ended);
      return { id, pid, parentId, title, isWorker: kind === 'worker', ...(how === undefined ? {} : { exit: how }) };
    }),
    threads: threads.map(({ id, name, state, isCurrent }) => ({ id, name, state, isCurrent })),
    ...(stop === undefined ? {} : { stop }),
    watches: watches.map(({ id, expression, value, error }) => ({ id, expression, value, error })),
    breakpoints,
    stops: session.filmstrip.stops.map(card),
    ...(exit === undefined ? {} : { exit }),
    canJump: target.jump !== undefined && target.canJump?.() !== false,
    canRestartFrame: target.restartFrame !== undefined,
  };
}

async function stopOf(session: Session): Promise<NonNullable<SessionView['stop']>> {
  const { stop, frameIndex } = await session.inspection.stopContext();
  const { frames, totalFrames } = await session.inspection.stack(maxFrames);
  const latest = session.filmstrip.stops.at(-1);
  const exception = stop.exception ?? latest?.exception;
  return {
    reason: stop.reason,
    description: stop.description,
    ...(exception === undefined ? {} : { exception: { type: exception.type, message: exception.message } }),
    frames: frames.map(frameRow),
    totalFrames,
    frame: frameIndex,
    changed: latest?.changed ?? [],
  };
}

async function values(
  session: Session,
  { frame, reference, start = 0 }: { frame: number; reference?: string; start?: number },
): Promise<{ values: ValueView[]; total: number }> {
  if (reference !== undefined) {
    const page = await session.inspection.expand({ reference, start, count: valuesAtOnce });
    return { values: page.variables.map(valueView), total: page.total ?? page.variables.length };
  }
  const all = await session.inspection.variables({ frameIndex: frame, allScopes: true, start, count: valuesAtOnce });
  const latest = session.filmstrip.stops.at(-1);
  const isTop = latest?.location?.index === frame;
  const changed = new Map(isTop ? latest.changed.map((each) => [each.name, each]) : []);
  return {
    total: all.total,
    values: all.variables.map((variable) => {
      const mark = changed.get(variable.name);
      return { ...valueView(variable), ...(mark === undefined ? {} : { changed: true, previous: mark.previous }) };
    }),
  };
}

function breakpointRow(session: Session, breakpoint: Breakpoint): BreakpointRow {
  const { id, type, file, line, enabled, condition, logMessage, hitCount } = breakpoint;
  const binding = session.breakpoints.bindingOf(id);
  return {
    id,
    type,
    file,
    line: binding?.location?.line ?? line,
    label: labelOf(session, breakpoint),
    enabled,
    verified: binding?.verified === true,
    condition,
    logMessage,
    hits: hitCount,
  };
}

function labelOf(
  { project }: Session,
  { type, file, line, functionName, expression, exceptionClass, caught }: Breakpoint,
): string {
  if (type === 'data') return `changes of ${expression ?? ''}`;
  if (type === 'function') return `${functionName ?? ''}()`;
  if (type === 'exception') return `${caught === true ? 'all' : 'uncaught'} ${exceptionClass ?? 'exceptions'}`;
  return `${displayPath(project.root, file ?? '')}:${line ?? 0}`;
}

function frameRow({ index, name, file, line, isLibrary, asyncLabel }: FrameView): FrameRow {
  return { index, name, file, line, isLibrary, asyncLabel };
}

function valueView({ name, value, type, reference, evaluateName, scope, changed, previous }: VariableView): ValueView {
  return { name, value, type, reference, path: evaluateName ?? undefined, scope, changed, previous };
}

function pastValue(value: RememberedValue): ValueView {
  const { children, moreChildren } = value;
  return {
    ...valueView(value),
    changed: value.changed,
    previous: value.previous,
    scope: value.scope,
    ...(children === undefined ? {} : { children: children.map(pastValue) }),
    ...(moreChildren === undefined ? {} : { moreChildren }),
  };
}

function pastStop({ number, time, reason, exception, frames, source, changed }: RememberedStop): PastStop {
  return {
    number,
    time,
    reason,
    exception,
    frames: frames.map((frame) => ({
      ...frameRow(frame),
      ...(frame.variables === undefined ? {} : { values: frame.variables.map(pastValue) }),
    })),
    ...(source === undefined
      ? {}
      : {
          source: {
            file: source.file,
            startLine: source.startLine,
            currentLine: source.currentLine,
            text: source.lines.map(({ content }) => content).join('\n'),
          },
        }),
    changed,
  };
}

function card({ number, time, reason, location, source, changed }: RememberedStop): StopCard {
  return {
    number,
    time,
    reason,
    name: location?.name ?? '',
    file: location?.file,
    line: location?.line,
    code: source?.lines.find(({ isCurrent }) => isCurrent)?.content.trim() ?? '',
    changed: changed.slice(0, 4).map(({ name, value }) => ({ name, value })),
  };
}

function exitText(exit: ExitInfo | undefined): string | undefined {
  if (exit === undefined) return undefined;
  if (exit.code !== undefined) return `exit code ${exit.code}`;
  return exit.signal === undefined ? exit.reason : `signal ${exit.signal}`;
}
