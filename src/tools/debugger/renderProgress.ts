import { headAndTail } from '../../base/textBudget.ts';
import type { Progress, StopData } from './shapes.ts';

/** Plain text for a model: what stopped it and where, the code, the values, the way there, the output. */
export function renderProgress(data: Progress): string {
  const lines: string[] = [];
  if (data.stop !== undefined) lines.push(...renderStop(data.stop));
  else if (data.exitReason === 'detached') lines.push('The program goes on without the debugger.');
  else if (data.state === 'stopped') lines.push(`Program ended${endText(data)}.`);
  else
    lines.push(
      `Running${data.runningForMs === undefined ? '' : ` for ${(data.runningForMs / 1000).toFixed(1)} s`}; nothing has stopped it yet.`,
    );
  lines.push(...renderOutput(data));
  for (const item of data.neverHit ?? [])
    lines.push(`Breakpoint ${item.breakpointId} at ${item.at} never stopped it: ${item.reason}.`);
  return lines.join('\n');
}

export function renderStop(stop: StopData, withIds = true): string[] {
  const lines: string[] = [];
  const top = stop.stack[0] ?? '';
  const place = placeOf(stop);
  const where = [
    ...(stop.breakpointId === undefined || stop.reason.startsWith('exception') ? [] : [stop.breakpointId]),
    ...(stop.process === undefined ? [] : [stop.process]),
    ...(stop.thread === undefined ? [] : [`thread ${stop.thread}`]),
  ];
  lines.push(`Stopped (${stop.reason}) at ${place}${where.length === 0 ? '' : ` [${where.join(', ')}]`}`);
  if (stop.exception !== undefined) lines.push(...renderException(stop.exception));
  lines.push(...stop.source);
  if (stop.variables.length > 0) lines.push(...stop.variables.map((variable) => renderVariable(variable, withIds)));
  if (stop.moreVariables !== undefined) lines.push(`  (+${stop.moreVariables} more)`);
  for (const watch of stop.watches ?? [])
    lines.push(`  watch ${watch.expression} = ${watch.value ?? `<${watch.error ?? 'no value'}>`}`);
  const callers = stop.stack.slice(1);
  if (top !== '' && (callers.length > 0 || stop.moreFrames !== undefined))
    lines.push(`Stack: ${stop.stack.join(' < ')}${stop.moreFrames === undefined ? '' : ` (+${stop.moreFrames})`}`);
  return lines;
}

export function renderVariable(variable: StopData['variables'][number], withIds = true): string {
  const previous = variable.previous === undefined ? '' : ` (was ${variable.previous.slice(0, 40)})`;
  const id =
    withIds && variable.hasChildren && variable.id !== undefined && isCut(variable.value) ? ` #${variable.id}` : '';
  return `${variable.changed === true ? '* ' : '  '}${variable.name}${typeNote(variable)} = ${variable.value}${previous}${id}`;
}

/** Values say what they are: only a type that cannot be seen in the value is worth its tokens. */
function typeNote(variable: StopData['variables'][number]): string {
  const { type, value } = variable;
  if (type === '' || obviousTypes.test(type)) return '';
  const short = type.split('.').at(-1) ?? type;
  return value.includes(short) ? '' : `: ${type}`;
}

const obviousTypes =
  /^(number|string|boolean|undefined|null|bigint|symbol|function|Object|Array\(\d+\)|unavailable|accessor|int|str|float|bool|list|dict|tuple|set|NoneType)$/;

function isCut(value: string): boolean {
  return value.includes('…');
}

function renderException(exception: NonNullable<StopData['exception']>): string[] {
  const details = Object.entries(exception.details ?? {});
  const lines = [`${exception.type}: ${exception.message.trim().replaceAll(/\n\s*\n/g, '\n')}`];
  // The message of a failed comparison usually holds both values already.
  const unseen = details.filter(([name, value]) => name !== 'operator' && !exception.message.includes(value));
  if (unseen.length > 0) lines.push(`  ${unseen.map(([name, value]) => `${name} = ${value}`).join(', ')}`);
  if (exception.thrownAt?.file !== undefined && exception.thrownAt.file !== null)
    lines.push(`  thrown at ${exception.thrownAt.file}:${exception.thrownAt.line}`);
  return lines;
}

function placeOf(stop: StopData): string {
  const top = stop.stack[0];
  if (top === undefined) return 'an unknown place';
  const match = /^(.*?) (\S+:\d+)$/.exec(top);
  return match === null ? top : `${match[2] ?? ''} in ${match[1] ?? ''}`;
}

function endText(data: Progress): string {
  if (data.exitCode !== undefined) return ` with exit code ${data.exitCode}`;
  if (data.exitSignal !== undefined) return ` by signal ${data.exitSignal}`;
  return data.exitReason === undefined ? '' : ` (${data.exitReason})`;
}

function renderOutput(data: Progress): string[] {
  if (data.output === undefined || data.output.trim() === '') return [];
  const dropped = data.outputDropped === undefined ? '' : ` (${data.outputDropped} earlier characters left out)`;
  return [`Output${dropped}:`, headAndTail(data.output.trimEnd(), 1500)];
}
