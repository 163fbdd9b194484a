import { clip, visibleJson } from '../../../base/textBudget.ts';
import type { OutputForm } from '../../faces.ts';
import { renderProgress } from './renderProgress.ts';
import type { Progress, StopData } from './shapes.ts';

/** The whole answer about a failure stays below 1,200 characters; this leaves room for what is put around it. */
const maxChars = 1130;
/** What the program has just printed keeps this much at least. */
const outputChars = 160;
const endOfAnswerChars = 60;

/** How much of each part is shown: the first that fits with the variables that the failing line names, and some more. */
const levels = [
  { around: 2, line: 160, marked: 240, message: 500, detail: 400, frames: 4, frame: 160, value: 40, variables: 5 },
  { around: 2, line: 100, marked: 200, message: 400, detail: 240, frames: 3, frame: 130, value: 32, variables: 4 },
  { around: 2, line: 80, marked: 160, message: 260, detail: 160, frames: 3, frame: 110, value: 24, variables: 3 },
  { around: 1, line: 60, marked: 120, message: 180, detail: 90, frames: 2, frame: 100, value: 20, variables: 0 },
  { around: 0, line: 60, marked: 90, message: 120, detail: 60, frames: 1, frame: 90, value: 16, variables: 0 },
] as const;
const maxAsideChars = 48;
const maxDetails = 4;

type Level = (typeof levels)[number];
type Variable = StopData['variables'][number];

/**
 * A failure, or a program that hangs, is looked at once and then over: the answer holds what matters and no more. Variables that
 * the marked line names come first and share the room; others follow, shortened, until it ends. What was left out is counted.
 * It is measured in the form in which it
 * is read: what JSON says in 130 characters takes 40 as text. `aroundChars`: what the answer holds besides.
 */
export function fitFailure(progress: Progress, form: OutputForm, aroundChars = 0): Progress {
  const { stop } = progress;
  if (stop === undefined || (stop.exception === undefined && stop.reason !== 'pause')) return progress;
  const room = maxChars - aroundChars;
  const size = (part: Partial<Progress>) => sizeOf({ state: progress.state, ...part }, form);
  const reserved = Math.min(size({ output: progress.output }) - size({}), outputChars);
  let fitted = stop;
  for (const level of levels) {
    const found = fitStop(stop, level, (each) => room - reserved - size({ stop: each }));
    fitted = found.stop;
    if (found.isWhole) break;
  }
  if (progress.output === undefined) return { ...progress, stop: fitted };
  const left = Math.max(room - size({ stop: fitted }), outputChars);
  return { ...progress, stop: fitted, ...lastOutput(progress, left - 30, form) };
}

function fitStop(
  stop: StopData,
  level: Level,
  roomBeside: (stop: StopData) => number,
): { stop: StopData; isWhole: boolean } {
  const source = aroundMarked(stop.source, level.around).map((line) =>
    clip(line, line.startsWith('>>>') ? level.marked : level.line),
  );
  const names = words(source.find((line) => line.startsWith('>>>')) ?? '');
  const isNamed = (variable: Variable) => names.has(variable.name);
  // A recursion says the same again and again.
  const telling = stop.stack.filter((frame, index) => frame !== stop.stack[index - 1]);
  const stack = telling.slice(0, level.frames).map((frame) => clip(frame, level.frame));
  const moreFrames = (stop.moreFrames ?? 0) + stop.stack.length - stack.length;
  const bare: StopData = {
    ...stop,
    source,
    variables: [],
    stack,
    ...(moreFrames > 0 ? { moreFrames } : {}),
    ...(stop.exception === undefined ? {} : { exception: shortException(stop.exception, level) }),
  };
  const withVariables = (variables: readonly Variable[]): StopData => {
    const missing = (stop.moreVariables ?? 0) + stop.variables.length - variables.length;
    return { ...bare, variables: [...variables], ...(missing > 0 ? { moreVariables: missing } : {}) };
  };
  const fits = (variables: readonly Variable[]) => roomBeside(withVariables(variables)) >= 0;
  if (fits(stop.variables)) return { stop: withVariables(stop.variables), isWhole: true };
  const named = stop.variables.filter(isNamed);
  const chosen = shared(named, level.value, fits);
  const hasNamed = chosen.length === named.length && fits(chosen);
  for (const variable of stop.variables.filter((each) => !isNamed(each))) {
    const short = cut(variable, maxAsideChars);
    if (fits([...chosen, short])) chosen.push(short);
  }
  const isWhole = hasNamed && chosen.length >= Math.min(level.variables, stop.variables.length);
  return { stop: withVariables(chosen), isWhole };
}

/** As much of each as fits when all get the same; when even the least does not, the first of them. */
function shared(variables: readonly Variable[], minValueChars: number, fits: (some: readonly Variable[]) => boolean) {
  for (let each = 400; each >= minValueChars; each = Math.floor(each * 0.85)) {
    const all = variables.map((variable) => cut(variable, each));
    if (fits(all)) return all;
  }
  const some: Variable[] = [];
  for (const variable of variables) {
    const short = cut(variable, minValueChars);
    if (fits([...some, short])) some.push(short);
  }
  return some;
}

function aroundMarked(source: readonly string[], around: number): readonly string[] {
  const at = source.findIndex((line) => line.startsWith('>>>'));
  return at < 0 ? source : source.slice(Math.max(at - around, 0), at + around + 1);
}

function shortException(
  exception: NonNullable<StopData['exception']>,
  level: Level,
): NonNullable<StopData['exception']> {
  const details = Object.entries(exception.details ?? {}).slice(0, maxDetails);
  return {
    ...exception,
    message: clip(exception.message, level.message),
    ...(details.length === 0
      ? {}
      : {
          details: Object.fromEntries(
            details.map(([name, value]) => [clip(name, level.detail), clip(value, level.detail)]),
          ),
        }),
  };
}

/** The end of the output, which was printed just before the failure. */
function lastOutput(progress: Progress, room: number, form: OutputForm): Partial<Progress> {
  const output = progress.output ?? '';
  let keep = output.length;
  while (keep > 0 && sizeOf(output.slice(-keep), form) > room) keep = Math.floor(keep * 0.9);
  if (keep === output.length) return {};
  const cutOff = output.slice(-keep);
  const lineStart = cutOff.indexOf('\n') + 1;
  const text = lineStart > 0 && lineStart < cutOff.length / 2 ? cutOff.slice(lineStart) : cutOff;
  return { output: text, outputDropped: (progress.outputDropped ?? 0) + output.length - text.length };
}

/** Shortened, but with how much there is of it, which stands at the end. */
function cut(variable: Variable, maxValueChars: number): Variable {
  const { value } = variable;
  if (value.length <= maxValueChars) return variable;
  const end = /\u2026[^\u2026"']{0,16}$/.exec(value)?.[0];
  const short = end === undefined ? clip(value, maxValueChars) : value.slice(0, maxValueChars - end.length) + end;
  return { ...variable, value: short };
}

function words(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
}

function sizeOf(value: Progress | string, form: OutputForm): number {
  if (form !== 'text') return visibleJson(value).length;
  return typeof value === 'string' ? value.length : renderProgress(value).length + endOfAnswerChars;
}
