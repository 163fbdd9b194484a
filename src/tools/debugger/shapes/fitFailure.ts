import { handledLines } from '../../../engine/debugger/session/outputBuffer.ts';
import { clip, visibleJson } from '../../../base/text/textBudget.ts';
import { failureMessage } from './failureMessage.ts';
import { type Reader, sideNames } from './reader.ts';
import { renderProgress } from './renderProgress.ts';
import type { Progress, StopData } from './shapes.ts';

/** The whole answer about a failure, unless the caller asks for more or less. */
export const failureChars = 1500;
/** Around it stand how the program ended and, in some answers, a note. */
const endOfAnswerChars = 90;
/** What the program has just printed keeps this much at least. */
const outputChars = 160;
/** Characters each value, message and line may have: the largest of these at which everything that decides has room. */
const widths = [8000, 4000, 2000, 1200, 800, 500, 360, 240, 170, 120, 90, 60, 40, 24] as const;
const shortWidth = 100;

type Variable = StopData['variables'][number];
type Exception = NonNullable<StopData['exception']>;

/** How many of each are shown, at which width. */
interface Extent {
  width: number;
  around: number;
  statementLines: number;
  differences: number;
  related: number;
  details: number;
  calls: number;
  /** Of the variables that the failing statement does not name. */
  others: number;
}

const deciding: Omit<Extent, 'width'> = {
  around: 0,
  statementLines: 12,
  differences: 4,
  related: 6,
  details: 8,
  calls: 4,
  others: 0,
};

/** What goes when even short values leave no room, the least telling first. */
const cuts: readonly Partial<Extent>[] = [
  { statementLines: 4, differences: 2 },
  { calls: 2, details: 4, related: 3 },
  { calls: 1, details: 2, related: 2, differences: 1 },
  { calls: 0, details: 0, related: 1, statementLines: 1 },
];

/** What is added while there is room, the most telling first. */
const additions: readonly ((extent: Extent) => Extent)[] = [
  (extent) => ({ ...extent, others: extent.others + 3 }),
  (extent) => ({ ...extent, around: extent.around + 2 }),
  (extent) => ({ ...extent, calls: extent.calls + 4 }),
  (extent) => ({ ...extent, differences: extent.differences + 8, related: 20, details: 20, statementLines: 40 }),
  ...Array.from({ length: 8 }, () => (extent: Extent) => ({
    ...extent,
    others: extent.others * 2,
    calls: extent.calls * 2,
  })),
];

/**
 * A failure, or a program that hangs, is looked at once and then over: the answer holds what decides. That is the whole statement, where the
 * two sides of an assertion differ, the variables that the statement reads, causes, own fields of what was thrown, and the callers
 * with what they were called with; other values follow while there is room. It is measured in the form in which it is read: what
 * JSON says in 130 characters takes 40 as text. `aroundChars`: what the answer holds besides.
 */
export function fitFailure(progress: Progress, reader: Reader, aroundChars = 0): Progress {
  const { stop } = progress;
  if (stop === undefined || (stop.exception === undefined && stop.reason !== 'pause')) return progress;
  const room = (reader.maxChars ?? failureChars) - aroundChars - endOfAnswerChars;
  const size = (part: Partial<Progress>) => sizeOf({ state: progress.state, ...part }, reader);
  const reserved = Math.min(size({ output: progress.output }) - size({}), outputChars);
  const fits = (extent: Extent) => size({ stop: shown(stop, extent, reader) }) <= room - reserved;
  const extent = extentIn(fits);
  const fitted = shown(stop, extent, reader);
  if (progress.output === undefined) return { ...progress, stop: fitted };
  const left = Math.max(room - size({ stop: fitted }), outputChars);
  return { ...progress, stop: fitted, ...lastOutput(progress, left - 30, reader) };
}

function extentIn(fits: (extent: Extent) => boolean): Extent {
  const smallest = widths.at(-1) ?? 0;
  const width = widths.find((each) => fits({ ...deciding, width: each }));
  if (width === undefined) {
    const cut = cuts.map((each) => ({ ...deciding, width: smallest, ...each }));
    return cut.find(fits) ?? { ...deciding, width: smallest, ...cuts.at(-1) };
  }
  let extent: Extent = { ...deciding, width };
  for (const add of additions) {
    const larger = add(extent);
    if (fits(larger)) extent = larger;
  }
  return extent;
}

function shown(stop: StopData, extent: Extent, reader: Reader): StopData {
  const { width } = extent;
  const isRead = ({ isRead: is }: Variable) => is === true;
  const others = stop.variables.filter((each) => !isRead(each));
  const variables = [
    ...stop.variables.filter(isRead).map((each) => cut(each, width)),
    ...others.slice(0, extent.others).map((each) => cut(each, Math.min(width, Math.max(shortWidth, width / 2)))),
  ];
  // A recursion says the same again and again.
  const stack = stop.stack.filter((frame, index) => frame !== stop.stack[index - 1]).slice(0, extent.calls + 1);
  const calls = stop.calls?.filter((call, index) => call !== stop.calls?.[index - 1]);
  const moreFrames = (stop.moreFrames ?? 0) + stop.stack.length - stack.length;
  const moreVariables = (stop.moreVariables ?? 0) + stop.variables.length - variables.length;
  const { moreVariables: _variables, moreFrames: _frames, ...rest } = stop;
  const card: StopData = {
    ...rest,
    source: sourceOf(stop.source, extent),
    variables,
    stack,
    ...(moreFrames > 0 ? { moreFrames } : {}),
    ...(moreVariables > 0 ? { moreVariables } : {}),
    ...(calls === undefined ? {} : { calls: calls.slice(0, extent.calls).map((call) => clip(call, callChars(width))) }),
    ...(stop.exception === undefined ? {} : { exception: exceptionOf(stop.exception, extent, reader) }),
  };
  const leftOut = leftOutOf(stop, card, reader);
  return leftOut === '' ? card : { ...card, leftOut };
}

function callChars(width: number): number {
  return Math.max(Math.floor(width * 1.5), 120);
}

/** The statement whole; of very many lines its beginning and what is marked. */
function sourceOf(source: readonly string[], { around, statementLines, width }: Extent): string[] {
  const at = source.findIndex((line) => line.startsWith('>>>'));
  if (at < 0) return [...source];
  const isStatement = (line: string | undefined) =>
    line?.startsWith('>>>') === true || line?.startsWith('  >') === true;
  let [start, end] = [at, at];
  while (isStatement(source[start - 1])) start--;
  while (isStatement(source[end + 1])) end++;
  const statement = source.slice(start, end + 1);
  const kept = statement.slice(0, Math.max(statementLines, at - start + 1));
  const lineChars = width > 40 ? Math.max(width, 160) : 90;
  return [
    ...source.slice(Math.max(start - around, 0), start).map((line) => clip(line, lineChars)),
    ...kept.map((line) => clip(line, lineChars * 2)),
    ...(kept.length < statement.length ? [`  > … (${statement.length - kept.length} more lines)`] : []),
    ...source.slice(end + 1, end + 1 + Math.floor(around / 2)).map((line) => clip(line, lineChars)),
  ];
}

function exceptionOf(exception: Exception, extent: Extent, reader: Reader): Exception {
  const { width } = extent;
  const isShort = hasShortSides(exception);
  const all = isShort ? undefined : exception.differences;
  const differences = all?.slice(0, extent.differences);
  const missing = isShort ? 0 : (exception.moreDifferences ?? 0) + (all?.length ?? 0) - (differences?.length ?? 0);
  const details = Object.entries(exception.details ?? {}).filter(([name, value]) =>
    isTelling(name, value, exception, reader),
  );
  const { details: _details, moreDifferences: _more, differences: _differences, ...rest } = exception;
  return {
    ...rest,
    message: clip(failureMessage(exception.message, exception.differences !== undefined), Math.max(width * 2, 120)),
    ...(details.length === 0
      ? {}
      : {
          details: Object.fromEntries(
            details
              .slice(0, extent.details)
              .map(([name, value]) => [clip(name, Math.max(80, Math.min(width, 160))), clip(value, width)]),
          ),
        }),
    ...(differences === undefined
      ? {}
      : {
          differences: differences.map(({ path, ...sides }) => ({
            path: clip(path, Math.max(width, 80)),
            ...Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, clip(value, width)])),
          })),
        }),
    ...(missing > 0 ? { moreDifferences: missing } : {}),
    ...(exception.related === undefined
      ? {}
      : { related: exception.related.slice(0, extent.related).map((each) => clip(each, callChars(width))) }),
  };
}

/** Both sides of a comparison stand in its differences already, and for whoever reads text often in its message. */
function isTelling(name: string, value: string, exception: Exception, { form }: Reader): boolean {
  if (name === 'operator') return false;
  if (!sideNames.has(name)) return true;
  const hasDifferences = (exception.differences ?? []).length > 0;
  if (hasDifferences && !hasShortSides(exception)) return false;
  // Each runner has quotes of its own.
  return (
    form === 'json' || !failureMessage(exception.message, hasDifferences).includes(value.replace(/^"(.*)"$/, '$1'))
  );
}

/** Two short values say more side by side than the places at which they differ. */
function hasShortSides({ details = {} }: Exception): boolean {
  const one = details['actual'] ?? details['left'];
  const other = details['expected'] ?? details['right'];
  if (one === undefined || other === undefined) return false;
  return one.length + other.length <= maxSideChars && !/\u2026|\\n/.test(one + other);
}

const maxSideChars = 60;

function leftOutOf(stop: StopData, card: StopData, reader: Reader): string {
  const names = stop.variables
    .slice(0, 20)
    .flatMap(({ name }) => (card.variables.some((each) => each.name === name) ? [] : [name]));
  const variables = card.moreVariables ?? 0;
  const named =
    names.length === 0
      ? ''
      : ` (${names.slice(0, 5).join(', ')}${names.length > 5 || variables > names.length ? ', …' : ''})`;
  const callers =
    card.calls === undefined
      ? (card.moreFrames ?? 0)
      : (stop.moreFrames ?? 0) + (stop.calls?.length ?? 0) - card.calls.length;
  const parts = [
    ...(variables > 0 ? [`${count(variables, 'variable')}${named}`] : []),
    ...(callers > 0 ? [count(callers, 'caller')] : []),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}; see ${reader.seeMore}`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** The end of the output, which was printed just before the failure. */
function lastOutput(progress: Progress, room: number, reader: Reader): Partial<Progress> {
  const output = progress.output ?? '';
  if (sizeOf(output, reader) <= room) return {};
  const told = handledLines(output);
  let keep = output.length;
  while (keep > 0 && sizeOf(told + output.slice(-keep), reader) > room) keep = Math.floor(keep * 0.9);
  const cutOff = keep === 0 ? '' : output.slice(-keep);
  const lineStart = cutOff.indexOf('\n') + 1;
  const last = lineStart > 0 && lineStart < cutOff.length / 2 ? cutOff.slice(lineStart) : cutOff;
  const text = told.split('\n').some((line) => line !== '' && last.includes(line)) ? last : told + last;
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

function sizeOf(value: Progress | string, { form }: Reader): number {
  if (form === 'json') return visibleJson(value).length;
  return Buffer.byteLength(typeof value === 'string' ? value : renderProgress(value));
}
