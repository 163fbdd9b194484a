import { clip } from '../../../base/text/textBudget.ts';
import type { ActivityView, ThreadView } from '../../../engine/debugger/activity/view.ts';
import type { ActivityData } from './activityShape.ts';
import { frameText } from './frameText.ts';

const maxThreads = 6;
const maxValues = 8;
const maxFunctions = 2;

export function activityData(view: ActivityView, root: string): ActivityData | undefined {
  const [first] = view.threads;
  if (first === undefined) return undefined;
  const shown = view.threads.slice(0, maxThreads);
  const left = view.threads.length - shown.length;
  // Who waits for whom is only seen with every stack of the circle.
  const isInFull = (thread: ThreadView) => thread === first || view.deadlock?.includes(thread.id) === true;
  return {
    summary: summaryText(view, first),
    threads: shown.map((thread) => threadData(thread, root, isInFull(thread))),
    ...(left > 0 ? { moreThreads: left } : {}),
  };
}

/** Every thread with its stack, by its id. */
export function threadActivities(view: ActivityView, root: string): Map<string, ActivityData['threads'][number]> {
  return new Map(view.threads.map((thread) => [thread.id, threadData(thread, root, true)]));
}

function summaryText({ deadlock }: ActivityView, first: ThreadView): string {
  if (deadlock === undefined) return doingText(first);
  return deadlock.length === 1
    ? 'in a deadlock: it waits for a lock that it holds itself'
    : `in a deadlock: ${deadlock.length} threads wait for each other`;
}

function threadData(thread: ThreadView, root: string, isInFull: boolean): ActivityData['threads'][number] {
  const changes = changesText(thread);
  return {
    id: thread.id,
    name: thread.process === undefined ? thread.name : `${thread.name} of ${thread.process}`,
    doing: doingText(thread),
    ...(thread.at === undefined ? {} : { at: frameText(thread.at, root) }),
    ...(thread.code === undefined ? {} : { code: clip(thread.code, 160) }),
    ...(isInFull && changes.length > 0 ? { changes } : {}),
    ...(isInFull && thread.stack.length > 1
      ? { stack: [...thread.stack.map((frame) => frameText(frame, root)), ...moreFrames(thread)] }
      : {}),
  };
}

function moreFrames({ stack, totalFrames }: ThreadView): string[] {
  const more = (totalFrames ?? 0) - stack.length;
  return more > 20 ? [`… ${more} more frames`] : [];
}

export function renderActivity(data: ActivityData): string[] {
  const lines = data.threads.flatMap((thread, index) => {
    const isOnly = data.threads.length === 1;
    const name = isOnly ? '' : `${thread.id} ${thread.name}:`;
    const doing = isOnly || (index === 0 && data.summary === thread.doing) ? '' : thread.doing;
    const at = thread.at === undefined ? '' : `at ${thread.at}${thread.code === undefined ? '' : `: ${thread.code}`}`;
    const line = [name, doing, at].filter((part) => part !== '').join(' ');
    return [
      ...(line === '' ? [] : [line]),
      ...(thread.changes ?? []).map((change) => `  ${change}`),
      ...(thread.stack === undefined ? [] : [`  Stack: ${thread.stack.join(' < ')}`]),
    ];
  });
  return [...lines, ...(data.moreThreads === undefined ? [] : [`(+${data.moreThreads} more threads)`])];
}

function doingText(thread: ThreadView): string {
  const { waitsFor, hot } = thread;
  if (thread.depthBefore !== undefined)
    return `in calls that nest deeper and deeper (${grouped(String(thread.depthBefore))} → ${grouped(String(thread.totalFrames ?? 0))} frames)`;
  if (thread.doing === 'busy')
    return hot === undefined || hot.looks < 2 || hot.found * 2 < hot.looks
      ? 'busy'
      : `busy: ${hot.found} of ${hot.looks} looks found it on this line`;
  if (thread.doing === 'idle')
    return `idle: no code runs${waitsFor?.detail === undefined ? '' : `; ${waitsFor.detail}`}`;
  const waiting = waitsFor === undefined ? undefined : waitText(waitsFor, thread.id);
  if (thread.doing === 'waiting') return waiting ?? 'waiting';
  return `inside a native call, so that it does not answer${waiting === undefined ? '' : `; ${waiting}`}`;
}

function waitText(wait: NonNullable<ThreadView['waitsFor']>, self: string): string {
  const call = wait.call === undefined ? '' : ` in \`${wait.call}\``;
  const detail = wait.detail === undefined ? '' : `: ${wait.detail}`;
  const other = wait.threadId === undefined ? '' : `thread ${wait.threadId}${threadName(wait)}`;
  switch (wait.kind) {
    case 'input':
      return 'waiting for input';
    case 'lock':
      return `waiting${call}${other === '' ? '' : ` for a lock held by ${wait.threadId === self ? 'itself' : other}`}${detail}`;
    case 'thread':
      return `waiting${call} for ${other === '' ? 'a thread' : other} to end`;
    case 'process':
      return `waiting${call} for a child process${detail}`;
    case 'time':
      return `sleeping${call}${detail}`;
    case 'network':
      return `waiting for the network${call}${detail}`;
    case 'queue':
    case 'events':
    case 'file':
    case 'other':
      return `waiting${call}${detail}`;
  }
}

function threadName({ threadName: name }: NonNullable<ThreadView['waitsFor']>): string {
  return name === undefined ? '' : ` (${name})`;
}

/** `i: 41,220 → 97,300; unchanged: total = 0`, for each function that has variables. */
function changesText({ values, at }: ThreadView): string[] {
  const shown = values.map(({ functionName, changed, unchanged }) => ({
    functionName,
    moved: changed.map(({ name, before, after }) => `${name}: ${grouped(before)} → ${grouped(after)}`),
    // Objects that show no more than their address say nothing by staying the same.
    same: unchanged.flatMap(({ name, value }) => (value.startsWith('<') ? [] : [`${name} = ${grouped(value)}`])),
  }));
  const told = shown.filter(({ moved, same }) => moved.length + same.length > 0).slice(0, maxFunctions);
  return told.map(({ functionName, moved, same }) => {
    const where = told.length === 1 && functionName === at?.name ? '' : `in ${functionName}: `;
    const parts = [
      ...moved.slice(0, maxValues),
      ...(same.length === 0 ? [] : [`unchanged: ${same.slice(0, maxValues).join(', ')}`]),
    ];
    return `${where}${parts.join('; ')}`;
  });
}

/** `1234567` as `1,234,567`. */
function grouped(value: string): string {
  return /^-?\d{5,15}$/.test(value) ? value.replace(/\B(?=(\d{3})+$)/g, ',') : value;
}
