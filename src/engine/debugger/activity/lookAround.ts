import { delay } from '../../../base/cancellation.ts';
import { errorMessage } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import type { StackFrame, ThreadInfo, Variable } from '../model.ts';
import { deepening, hottest, type Look, valuesBetween } from './looks.ts';
import type { ThreadActivity, Wait } from './model.ts';

/** What an engine that can hold a whole program does for a look at it. */
interface ActivityParts {
  logger: Logger;
  processId: string;
  hold(): Promise<void>;
  release(): Promise<void>;
  threads(): Promise<ThreadInfo[]>;
  frames(threadId: string): Promise<{ frames: StackFrame[]; totalFrames: number }>;
  locals(frameId: string): Promise<Variable[]>;
  /** What a thread waits for; undefined when it runs code. */
  waitOf(thread: ThreadInfo, frames: readonly StackFrame[]): Wait | undefined | Promise<Wait | undefined>;
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
    await parts.hold();
    try {
      for (const thread of await parts.threads())
        if (index === 0 || seen.has(thread.id)) await lookAt(parts, thread, seen);
    } finally {
      await parts.release();
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
  const waitsFor = await parts.waitOf(thread, last.frames);
  const isWaiting = waitsFor !== undefined;
  return {
    threadId: thread.id,
    processId: parts.processId,
    name: thread.name,
    doing: isWaiting ? 'waiting' : 'busy',
    ...(isWaiting ? { waitsFor } : {}),
    frames: last.frames.slice(0, maxFrames),
    totalFrames: last.totalFrames,
    ...deepening(found.map(({ totalFrames }) => totalFrames)),
    ...(isWaiting ? {} : hottest(found, found.length)),
    values: isWaiting ? [] : valuesBetween(found),
  };
}
