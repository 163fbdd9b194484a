import { delay } from '../../../../base/cancellation.ts';
import { errorMessage } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/logger.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import { deepening, hottest, type Look, valuesBetween } from '../../activity/looks.ts';
import type { ThreadActivity, Wait } from '../../activity/model.ts';
import type { StackFrame, ThreadInfo, Variable } from '../../model.ts';

export interface ActivityParts {
  machine: JdwpMachine;
  logger: Logger;
  processId: string;
  threads(): Promise<ThreadInfo[]>;
  frames(threadId: string): Promise<{ frames: StackFrame[]; totalFrames: number }>;
  locals(frameId: string): Promise<Variable[]>;
}

const looks = 8;
/** Frames looked at for the user's own, and those whose variables are compared. */
const maxFrames = 200;
const maxFunctions = 3;

interface Seen {
  thread: ThreadInfo;
  found: Look[];
}

/** What the threads of a running program do: they are held for a moment, several times, and let go. */
export async function lookAround(parts: ActivityParts, spanMs: number): Promise<ThreadActivity[]> {
  const seen = new Map<string, Seen>();
  const startedAt = Date.now();
  for (let index = 0; index < looks; index++) {
    if (index > 0) await delay(Math.max(startedAt + (spanMs * index) / looks - Date.now(), 0));
    // Two looks tell what changes; on a slow machine they have to do.
    if (index > 1 && Date.now() - startedAt > spanMs) break;
    await parts.machine.suspendAll();
    try {
      for (const thread of await parts.threads())
        if (index === 0 || seen.has(thread.id)) await lookAt(parts, thread, seen);
    } finally {
      await parts.machine.resumeAll();
    }
  }
  const all = await Promise.all([...seen.values()].map((each) => activityOf(parts, each)));
  return all.filter((each) => each !== undefined);
}

async function lookAt(parts: ActivityParts, thread: ThreadInfo, seen: Map<string, Seen>): Promise<void> {
  try {
    const { frames, totalFrames } = await parts.frames(thread.id);
    if (frames.length === 0) return;
    const own = frames.filter((frame) => !frame.isLibrary);
    // Threads of the platform that none of the user's code is in do nothing that matters here.
    if (own.length === 0 && !seen.has(thread.id)) return;
    const functions = await Promise.all(
      own.slice(0, maxFunctions).map(async (frame) => ({
        key: frame.name,
        name: frame.name,
        values: new Map((await parts.locals(frame.id)).map(({ name, value }) => [name, value])),
      })),
    );
    const look: Look = { frames, totalFrames, functions, ...(own[0] === undefined ? {} : { own: own[0] }) };
    const before = seen.get(thread.id);
    seen.set(thread.id, { thread, found: [...(before?.found ?? []), look] });
  } catch (error) {
    // It ended while it was looked at.
    parts.logger.debug('A thread could not be looked at.', errorMessage(error));
  }
}

async function activityOf(parts: ActivityParts, { thread, found }: Seen): Promise<ThreadActivity | undefined> {
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const isWaiting = thread.state === 'waiting' || thread.state === 'blocked';
  return {
    threadId: thread.id,
    processId: parts.processId,
    name: thread.name,
    doing: isWaiting ? 'waiting' : 'busy',
    ...(isWaiting ? { waitsFor: await waitOf(parts, thread, last.frames) } : {}),
    frames: last.frames.slice(0, maxFrames),
    totalFrames: last.totalFrames,
    ...deepening(found.map(({ totalFrames }) => totalFrames)),
    ...(isWaiting ? {} : hottest(found, found.length)),
    values: isWaiting ? [] : valuesBetween(found),
  };
}

const kinds: readonly (readonly [RegExp, Wait['kind']])[] = [
  [/^java\.lang\.Thread\.(?:sleep|sleep0|sleepNanos)/, 'time'],
  [/^java\.lang\.Thread\.join/, 'thread'],
  [/^java\.lang\.Process(?:Impl)?\.waitFor/, 'process'],
  [/BlockingQueue|SynchronousQueue|TransferQueue/, 'queue'],
  [/^java\.(?:net|nio\.channels)\.|^sun\.nio\.ch\./, 'network'],
  [/locks\.(?!LockSupport)|Semaphore|CountDownLatch|CyclicBarrier/, 'lock'],
  [/^java\.util\.Scanner|^java\.io\.(?:BufferedReader|InputStreamReader|Console)/, 'input'],
];

async function waitOf(parts: ActivityParts, thread: ThreadInfo, frames: readonly StackFrame[]): Promise<Wait> {
  const library = frames.slice(
    0,
    frames.findIndex((frame) => !frame.isLibrary),
  );
  const names = library.map(({ className, methodName }) => `${className ?? ''}.${methodName ?? ''}`);
  const call = names.at(-1);
  const said = call === undefined ? {} : { call };
  if (thread.state === 'blocked') {
    const holder = await holderOf(parts, thread.id);
    return { kind: 'lock', ...said, ...(holder === undefined ? {} : { threadId: holder }) };
  }
  for (const [pattern, kind] of kinds) if (names.some((name) => pattern.test(name))) return { kind, ...said };
  return { kind: 'other', ...said };
}

/** Who holds the lock that a thread waits for; asked while everything stands still for it. */
async function holderOf({ machine }: ActivityParts, threadId: string): Promise<string | undefined> {
  await machine.suspendAll();
  try {
    const monitor = await machine.contendedMonitor(Number(threadId));
    const owner = monitor === 0 ? 0 : await machine.monitorOwner(monitor);
    return owner === 0 ? undefined : String(owner);
  } catch {
    return undefined;
  } finally {
    await machine.resumeAll();
  }
}
