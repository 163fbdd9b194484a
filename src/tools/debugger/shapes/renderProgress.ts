import { headAndTail } from '../../../base/text/textBudget.ts';
import { renderActivity } from './activity.ts';
import type { Progress, StopData } from './shapes.ts';

/** Plain text for a model: what stopped it and where, the code, the values, the way there, the output. */
export function renderProgress(data: Progress): string {
  const lines: string[] = [];
  if (data.stop !== undefined) lines.push(...renderStop(data.stop));
  else if (data.exitReason === 'detached') lines.push('The program goes on without the debugger.');
  else if (data.state === 'stopped') lines.push(`Program ended${endText(data)}.`);
  else lines.push(...renderRunning(data));
  lines.push(...renderOutput(data));
  for (const item of data.neverHit ?? [])
    lines.push(`Breakpoint ${item.breakpointId} at ${item.at} never stopped it: ${item.reason}.`);
  return lines.join('\n');
}

function renderRunning({ runningForMs, activity }: Progress): string[] {
  const time = runningForMs === undefined ? '' : ` for ${(runningForMs / 1000).toFixed(1)} s`;
  if (activity === undefined) return [`Running${time}; nothing has stopped it yet.`];
  return [`Running${time}: ${activity.summary}.`, ...renderActivity(activity)];
}

/** `values`: lines of values that were asked for besides. */
export function renderStop(stop: StopData, withIds = true, values: readonly string[] = []): string[] {
  const lines: string[] = [];
  const top = stop.stack[0] ?? '';
  const place = placeOf(stop);
  const where = [
    ...(stop.breakpointId === undefined || stop.reason === 'exception' ? [] : [stop.breakpointId]),
    ...(stop.process === undefined || stop.reason === 'exception' ? [] : [stop.process]),
    ...(stop.thread === undefined ? [] : [`thread ${stop.thread}`]),
  ];
  const why = stop.description === undefined ? stop.reason : `${stop.reason}: ${stop.description}`;
  lines.push(`Stopped (${why}) at ${place}${where.length === 0 ? '' : ` [${where.join(', ')}]`}`);
  if (stop.exception !== undefined) lines.push(...renderException(stop.exception));
  lines.push(...stop.source);
  if (stop.variables.length > 0) lines.push(...stop.variables.map((variable) => renderVariable(variable, withIds)));
  if (stop.moreVariables !== undefined && stop.leftOut === undefined) lines.push(`  (+${stop.moreVariables} more)`);
  for (const watch of stop.watches ?? [])
    lines.push(`  watch ${watch.expression} = ${watch.value ?? `<${watch.error ?? 'no value'}>`}`);
  lines.push(...values);
  const callers = stop.stack.slice(1);
  if (stop.calls !== undefined) {
    if (stop.calls.length > 0) lines.push('Called from:', ...stop.calls.map((call) => `  ${call}`));
  } else if (top !== '' && (callers.length > 0 || stop.moreFrames !== undefined))
    lines.push(`Stack: ${stop.stack.join(' < ')}${stop.moreFrames === undefined ? '' : ` (+${stop.moreFrames})`}`);
  if (stop.leftOut !== undefined) lines.push(`Left out: ${stop.leftOut}`);
  return lines;
}

export function renderVariable(variable: StopData['variables'][number], withIds = true): string {
  const previous = variable.previous === undefined ? '' : ` (was ${whereDifferent(variable.previous, variable.value)})`;
  const id =
    withIds && variable.hasChildren && variable.id !== undefined && isCut(variable.value) ? ` #${variable.id}` : '';
  return `${variable.changed === true ? '* ' : '  '}${variable.name}${typeNote(variable)} = ${variable.value}${previous}${id}`;
}

/** A long value from before is shown only around the place where it differs from the one now. */
function whereDifferent(previous: string, value: string): string {
  if (previous.length <= maxPrevious) return previous;
  let same = 0;
  while (same < previous.length && previous[same] === value[same]) same++;
  const start = Math.max(same - 12, 0);
  const end = start + maxPrevious;
  return `${start > 0 ? '…' : ''}${previous.slice(start, end)}${end < previous.length ? '…' : ''}`;
}

const maxPrevious = 40;

/** Values say what they are: only a type that cannot be seen in the value is worth its tokens. */
function typeNote({ type, value }: StopData['variables'][number]): string {
  return type === '' || obviousTypes.test(type) || value.includes(shortName(type)) ? '' : `: ${type}`;
}

/** `(Array(3)) [1, 2, 3]`, but not `(Item) Item {…}`. */
export function typedValue(type: string, value: string): string {
  return type === '' || value.startsWith(shortName(type)) ? value : `(${type}) ${value}`;
}

function shortName(type: string): string {
  return type.split('.').at(-1) ?? type;
}

const obviousTypes =
  /^(number|string|boolean|undefined|null|bigint|symbol|function|Object|Array\(\d+\)|unavailable|accessor|int|str|float|bool|list|dict|tuple|set|NoneType)$/;

function isCut(value: string): boolean {
  return value.includes('…');
}

function renderException(exception: NonNullable<StopData['exception']>): string[] {
  const details = Object.entries(exception.details ?? {}).map(([name, value]) => `${name} = ${value}`);
  const message = exception.message.trim().replaceAll(/\n\s*\n/g, '\n');
  const lines = [message === '' ? exception.type : `${exception.type}: ${message}`];
  lines.push(...renderDifferences(exception));
  const onOneLine = details.join(', ');
  if (details.length > 0) lines.push(...(onOneLine.length > 160 ? details : [onOneLine]).map((each) => `  ${each}`));
  lines.push(...(exception.related ?? []).map((each) => `  ${each}`));
  const { thrownAt } = exception;
  if (thrownAt !== undefined && (thrownAt.file !== null || thrownAt.code !== undefined))
    lines.push(
      `  thrown at ${thrownAt.file ?? '<made by eval>'}:${thrownAt.line}${(thrownAt.code ?? '') === '' ? '' : `: ${thrownAt.code}`}`,
    );
  return lines;
}

/** `differs at .total: 12, expected 13`, or `12 != 13` where nobody said which is right. */
function renderDifferences({ differences = [], moreDifferences }: NonNullable<StopData['exception']>): string[] {
  const lines = differences.map(
    (each) => `  differs${each.path === '' ? '' : ` at ${each.path.trim()}`}: ${bothSides(each)}`,
  );
  return [...lines, ...(moreDifferences === undefined ? [] : [`  (and at ${moreDifferences} more places)`])];
}

function bothSides({ actual, expected, left, right }: Difference): string {
  const nothing = '<nothing>';
  if (left !== undefined || right !== undefined) return `${left ?? nothing} != ${right ?? nothing}`;
  return `${actual ?? nothing}, expected ${expected ?? nothing}`;
}

type Difference = NonNullable<NonNullable<StopData['exception']>['differences']>[number];

function placeOf(stop: StopData): string {
  const top = stop.stack[0];
  if (top === undefined) return 'an unknown place';
  const match = /^(.*?) (\S+:\d+)$/.exec(top);
  return match === null ? top : `${match[2] ?? ''} in ${match[1] ?? ''}`;
}

function endText(data: Progress): string {
  if (data.exitCode !== undefined)
    return ` with exit code ${data.exitCode}${data.exitReason === undefined ? '' : `: ${data.exitReason}`}`;
  if (data.exitSignal !== undefined) return ` by signal ${data.exitSignal}`;
  return data.exitReason === undefined ? '' : ` (${data.exitReason})`;
}

export function renderOutput(data: Progress): string[] {
  if (data.output === undefined || data.output.trim() === '') return [];
  const dropped = data.outputDropped === undefined ? '' : ` (${data.outputDropped} earlier characters left out)`;
  return [`Output${dropped}:`, headAndTail(data.output.trimEnd(), 1500)];
}
