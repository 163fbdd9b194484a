import { displayPath } from '../../../base/paths.ts';
import type { ExceptionInfo, RelatedException } from '../../../engine/debugger/model.ts';
import type { FrameView, NeverHit, SessionReport, StopView, VariableView } from '../../../engine/debugger/report.ts';
import type { SourceContext } from '../../../engine/debugger/sourceText.ts';
import { activityData } from './activity.ts';
import { fitFailure } from './fitFailure.ts';
import { frameText } from './frameText.ts';
import { type Reader, sideNames } from './reader.ts';
import type { Progress, StopData } from './shapes.ts';
import { shownState } from './shownState.ts';
import { countOf, type Overlay } from '../../overlay.ts';

/** The engine's report in the shape of the answers. Paths inside of the project are shown relative; otherwise absolute. */
export function progressOf(report: SessionReport, reader: Reader): Progress {
  // As JSON, most answers name the session, some of them twice.
  const aroundChars = reader.form !== 'json' ? 0 : jsonAroundChars + 2 * report.name.length;
  return fitFailure(unfittedProgress(report, reader.root), reader, aroundChars);
}

/** `{"sessionId":…,"name":…,"message":…}` without the name. */
const jsonAroundChars = 110;

/** With all the output there is. */
export function unfittedProgress(report: SessionReport, root: string): Progress {
  return {
    state: shownState(report.state),
    ...(report.stop === undefined ? {} : { stop: stopData(report.stop, root) }),
    ...(report.output.text === '' ? {} : { output: report.output.text }),
    ...(report.output.droppedChars === 0 ? {} : { outputDropped: report.output.droppedChars }),
    ...(report.runningForMs === undefined ? {} : { runningForMs: report.runningForMs }),
    ...(report.activity === undefined ? {} : { activity: activityData(report.activity, root) }),
    ...(report.exit?.code === undefined ? {} : { exitCode: report.exit.code }),
    ...(report.exit?.signal === undefined ? {} : { exitSignal: report.exit.signal }),
    ...(report.exit?.reason === undefined ? {} : { exitReason: report.exit.reason }),
    ...(report.neverHit === undefined || report.neverHit.length === 0
      ? {}
      : { neverHit: report.neverHit.map((each) => neverHitData(each, root)) }),
  };
}

/** After we have ended a program ourselves, by which signal it went says nothing. */
export function endedByUs(wasAlive: boolean, progress: Progress): Progress {
  if (!wasAlive || progress.exitReason === 'detached') return progress;
  const { exitCode: _code, exitSignal: _signal, ...rest } = progress;
  return { ...rest, exitReason: 'by the debugger' };
}

function stopData(stop: StopView, root: string): StopData {
  return {
    reason: stop.reason,
    description: stop.description,
    ...(stop.breakpoints[0] === undefined ? {} : { breakpointId: stop.breakpoints.map((each) => each.id).join(', ') }),
    ...(stop.location === undefined
      ? {}
      : { location: { ...locationData(stop.location), className: stop.location.className } }),
    ...(stop.threadCount > 1 && !/^main/i.test(stop.thread.name) ? { thread: stop.thread.name } : {}),
    ...(stop.process === undefined
      ? {}
      : { process: `${stop.process.title}${stop.process.pid === undefined ? '' : ` (pid ${stop.process.pid})`}` }),
    source: sourceLines(stop.source),
    variables: stop.variables.map(variableData),
    ...(stop.moreVariables > 0 ? { moreVariables: stop.moreVariables } : {}),
    stack: stop.frames.map((frame) => frameText(frame, root)),
    ...(stop.moreFrames > 0 ? { moreFrames: stop.moreFrames } : {}),
    ...(stop.frames.some((frame) => frame.code !== undefined)
      ? {
          calls: stop.frames
            .slice(1)
            .flatMap((frame, index, all) => (saysNothing(frame, all[index + 1]) ? [] : [callText(frame, root)])),
        }
      : {}),
    ...(stop.exception === undefined
      ? {}
      : { exception: exceptionData(withoutSeen(stop.exception, stop.variables), stop.location, root) }),
    ...(stop.watches.length === 0 ? {} : { watches: stop.watches }),
  };
}

/** What stands among the variables need not be told of the exception too. */
function withoutSeen(exception: ExceptionInfo, variables: readonly VariableView[]): ExceptionInfo {
  const isSeen = (name: string, value: string) => variables.some((each) => each.name === name && each.value === value);
  const names = new Set(exception.details.map(({ name }) => name));
  const hasSides = (names.has('left') && names.has('right')) || (names.has('actual') && names.has('expected'));
  return {
    ...exception,
    details: exception.details.filter(({ name, value }) => (hasSides && sideNames.has(name)) || !isSeen(name, value)),
  };
}

export function locationData(frame: FrameView): NonNullable<StopData['location']> {
  return {
    file: frame.file ?? null,
    line: frame.line ?? null,
    className: frame.className ?? null,
    methodName: frame.methodName ?? frame.name,
  };
}

export function variableData(variable: VariableView): StopData['variables'][number] {
  return {
    name: variable.name,
    value: variable.value,
    type: variable.type,
    hasChildren: variable.reference !== undefined,
    id: variable.reference,
    ...(variable.changed === true ? { changed: true } : {}),
    ...(variable.previous === undefined ? {} : { previous: variable.previous }),
    ...(variable.scope === undefined ? {} : { scope: variable.scope }),
    ...(variable.isRead === true ? { isRead: true } : {}),
  };
}

export function frameData(frame: FrameView) {
  return {
    index: frame.index,
    file: frame.file ?? null,
    line: frame.line ?? null,
    className: frame.className ?? null,
    methodName: frame.methodName ?? frame.name,
    isCurrent: frame.isCurrent,
    isLibrary: frame.isLibrary,
    asyncLabel: frame.asyncLabel,
  };
}

export function exceptionData(
  exception: ExceptionInfo,
  shownAt: FrameView | undefined,
  root: string,
): NonNullable<StopData['exception']> {
  const { thrownAt } = exception;
  const isElsewhere = thrownAt !== undefined && (thrownAt.file !== shownAt?.file || thrownAt.line !== shownAt?.line);
  return {
    type: exception.type,
    message: exception.message,
    uncaught: exception.uncaught,
    ...(exception.details.length === 0
      ? {}
      : { details: Object.fromEntries(exception.details.map((field) => [field.name, field.value])) }),
    ...(isElsewhere
      ? {
          thrownAt: {
            file: thrownAt.file ?? null,
            line: thrownAt.line,
            ...(thrownAt.code === undefined ? {} : { code: thrownAt.code }),
          },
        }
      : {}),
    ...(exception.differences === undefined || exception.differences.length === 0
      ? {}
      : { differences: exception.differences.map((each) => ({ ...each })) }),
    ...(exception.moreDifferences === undefined ? {} : { moreDifferences: exception.moreDifferences }),
    ...(exception.related === undefined || exception.related.length === 0
      ? {}
      : { related: exception.related.map((each) => relatedText(each, root)) }),
  };
}

/** `>>> 10 | code` for the current line, as people know it from debuggers. */
export function sourceLines(source: SourceContext | undefined, ran?: Overlay['ran']): string[] {
  if (source === undefined) return [];
  const width = String(source.endLine).length;
  return source.lines.map((line) =>
    `${line.isCurrent ? '>>>' : isOfStatement(source, line.number) ? '  >' : '   '} ${String(line.number).padStart(width)} |${ran === undefined ? '' : `${countOf(line.number, ran).padStart(5)} |`} ${line.content}`.trimEnd(),
  );
}

function isOfStatement({ statement }: SourceContext, line: number): boolean {
  return statement !== undefined && line >= statement.start && line <= statement.end;
}

/** The line on which a test is declared stands behind it like a caller; a comprehension stands on the line of its function. */
function saysNothing(frame: FrameView, next: FrameView | undefined): boolean {
  if (frame.arguments === undefined && /^(test|it|describe|suite)\b/.test(frame.code ?? '')) return true;
  return /<\w+(comp|expr)>$/.test(frame.name) && frame.file === next?.file && frame.line === next?.line;
}

/** `checkout(stock={pear: 1}, customer="Ann") src/shop.ts:45: reserve(stock, item.sku)` */
function callText(frame: FrameView, root: string): string {
  const place = frame.file === undefined ? '' : ` ${displayPath(root, frame.file)}:${frame.line ?? 0}`;
  const given = frame.arguments?.filter(({ name }) => name !== 'self' && name !== 'cls' && name !== 'this');
  const values =
    given === undefined || given.length === 0
      ? ''
      : `(${given.map(({ name, value }) => `${name}=${value}`).join(', ')})`;
  const border = frame.asyncLabel === undefined ? '' : 'async ';
  return `${border}${frame.name}${values}${place}${frame.code === undefined ? '' : `: ${frame.code}`}`;
}

function relatedText(each: RelatedException, root: string): string {
  const word = { cause: 'caused by', context: 'while handling', member: 'contains' }[each.relation];
  const file = each.location?.file;
  const where = file === undefined ? '' : ` at ${displayPath(root, file)}:${each.location?.line ?? 0}`;
  const name = each.functionName === undefined || each.functionName === '' ? '' : ` in ${each.functionName}`;
  const code = each.code === undefined || each.code === '' ? '' : `: ${each.code}`;
  const message = each.message.trim().replaceAll(/\s*\n\s*/g, ' | ');
  const fields = each.fields === undefined || each.fields.length === 0 ? '' : ` (${each.fields.join(', ')})`;
  return `${'  '.repeat(each.depth)}${word} ${each.type}: ${message}${fields}${where}${where === '' ? '' : name}${code}`;
}
function neverHitData(item: NeverHit, root: string) {
  const at =
    item.functionName === undefined
      ? `${displayPath(root, item.file ?? '')}:${item.line ?? 0}`
      : `${item.functionName}()`;
  return { breakpointId: item.breakpointId, at, reason: item.reason };
}
