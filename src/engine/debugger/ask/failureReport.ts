import { stripVTControlCharacters } from 'node:util';
import type { Variable } from '../model.ts';
import type { ProbeOutcome } from '../probe.ts';
import { readFirst } from '../readFirst.ts';
import type { FrameView, SessionReport, StopView, VariableView } from '../report.ts';
import { sourceContext, type SourceTexts } from '../sourceText.ts';
import { statementAround } from '../statement.ts';
import type { RecordedFailure } from './failure.ts';
import type { FailureNote, RecordedValue } from './model.ts';
import type { RecordedRun } from './recordRun.ts';
import { isTest, type RecordedCall, type Recording } from './recording.ts';

const maxFrames = 12;
const contextLines = 2;

/** A failure as the debugger would have shown it, from the recording alone: the program need not run again for it. */
export async function failureOutcome(
  run: RecordedRun,
  failure: RecordedFailure,
  note: FailureNote,
  sources: SourceTexts,
): Promise<ProbeOutcome> {
  const stop = await stopOf(run.recording, failure, note, sources);
  const end = endReport(run);
  const report: SessionReport = { ...end, state: 'paused', stop, output: { text: '', droppedChars: 0 } };
  return { hits: [{ report, outputCursor: 0, expressions: {} }], logged: [], alsoFailed: [], end };
}

/** A run in which nothing failed. */
export function soundOutcome(run: RecordedRun): ProbeOutcome {
  return { hits: [], logged: [], alsoFailed: [], end: endReport(run) };
}

function endReport({ name, language, output, exit }: RecordedRun): SessionReport {
  const { code, signal } = exit ?? {};
  return {
    sessionId: '',
    name,
    language,
    state: 'ended',
    output: { text: output, droppedChars: 0 },
    exit: { ...(code === undefined ? {} : { code }), ...(signal === undefined ? {} : { signal }) },
  };
}

async function stopOf(
  recording: Recording,
  failure: RecordedFailure,
  note: FailureNote,
  sources: SourceTexts,
): Promise<StopView> {
  const { call } = failure;
  const { file } = call.fn;
  const line = failure.line ?? call.fn.line;
  const index = await sources.lines(file);
  const source = index === undefined ? undefined : sourceContext(file, index, line, contextLines, [], true);
  const code = source?.lines.find(({ isCurrent }) => isCurrent)?.content ?? '';
  const shown = variablesOf(recording, failure, note).filter(
    ({ name, value }) => name !== 'self' || saysMuch(call, code, value),
  );
  const frames = await framesOf(call, line, sources);
  const sides = call.end?.sides;
  const message = stripVTControlCharacters(note.message);
  // What the message itself says need not be said twice.
  const differences = note.differences?.filter(
    ({ path, actual, expected }) =>
      path !== '' || !(message.includes(actual ?? '\0') && message.includes(expected ?? '\0')),
  );
  const details = Object.entries(sides ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [drawn(name, value)],
  );
  return {
    reason: 'exception',
    thread: { id: '1', name: 'main' },
    threadCount: 1,
    ...(frames[0] === undefined ? {} : { location: frames[0] }),
    breakpoints: [],
    exception: {
      type: note.type,
      message,
      uncaught: true,
      details: note.differences === undefined ? details : [],
      ...(differences === undefined || differences.length === 0 ? {} : { differences }),
      ...(note.related === undefined ? {} : { related: note.related }),
      ...(note.moreDifferences === undefined ? {} : { moreDifferences: note.moreDifferences }),
    },
    frames,
    moreFrames: 0,
    variables: readFirst({ shown, more: 0 }, source).shown,
    moreVariables: note.moreLocals ?? 0,
    watches: [],
    ...(source === undefined ? {} : { source }),
  };
}

/** A test's own object is the runner's, unless the test keeps things in it and they can be seen. */
function saysMuch({ fn }: RecordedCall, code: string, value: string): boolean {
  if (/^\w+\(_testMethodName=/.test(value)) return false;
  return !isTest(fn) || /\bself\.(?!assert|fail|subTest)\w/.test(code);
}

/** What the recorder saw of them when it was thrown; or else what was passed, and written last. */
function variablesOf({ writes }: Recording, { call, seq }: RecordedFailure, { locals }: FailureNote): VariableView[] {
  if (locals !== undefined) return Object.entries(locals).map(([name, value]) => drawn(name, value));
  const found = new Map<string, RecordedValue>();
  for (const [index, value] of call.args.entries()) found.set(call.fn.params[index] ?? String(index), value);
  for (const { by, target, new: value, seq: at } of writes)
    if (by === call && at <= seq && value !== undefined && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(target))
      found.set(target, value);
  if (call.self !== undefined) found.set('this', call.self);
  return [...found].filter(([, { text }]) => !text.startsWith('ƒ ')).map(([name, value]) => drawn(name, value));
}

async function framesOf(thrower: RecordedCall, thrownAt: number, sources: SourceTexts): Promise<FrameView[]> {
  const frames: FrameView[] = [];
  let line: number | undefined = thrownAt;
  for (
    let call: RecordedCall | undefined = thrower;
    call !== undefined && frames.length < maxFrames;
    call = call.parent
  ) {
    const { fn, args } = call;
    const code = frames.length === 0 ? undefined : await codeAt(sources, fn.file, line);
    frames.push({
      index: frames.length,
      name: fn.name,
      file: fn.file,
      ...(line === undefined ? {} : { line }),
      isLibrary: false,
      isCurrent: frames.length === 0,
      ...(code === undefined ? {} : { code }),
      arguments: args.map((value, index) => drawn(fn.params[index] ?? String(index), value)),
    });
    line = call.from;
  }
  return frames;
}

async function codeAt(sources: SourceTexts, file: string, line: number | undefined): Promise<string | undefined> {
  const index = await sources.lines(file);
  if (index === undefined || line === undefined) return undefined;
  const { start, end } = statementAround(index, line);
  return Array.from({ length: end - start + 1 }, (_, at) => index.lineText(start + at)?.trim() ?? '').join(' ');
}

function drawn(name: string, { text }: RecordedValue): Variable {
  return { name, value: text, type: '' };
}
