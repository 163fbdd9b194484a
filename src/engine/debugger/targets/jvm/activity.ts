import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { Wait } from '../../activity/model.ts';
import type { StackFrame, ThreadInfo } from '../../model.ts';

const kinds: readonly (readonly [RegExp, Wait['kind']])[] = [
  [/^java\.lang\.Thread\.(?:sleep|sleep0|sleepNanos)/, 'time'],
  [/^java\.lang\.Thread\.join/, 'thread'],
  [/^java\.lang\.Process(?:Impl)?\.waitFor/, 'process'],
  [/BlockingQueue|SynchronousQueue|TransferQueue/, 'queue'],
  [/^java\.(?:net|nio\.channels)\.|^sun\.nio\.ch\./, 'network'],
  [/locks\.(?!LockSupport)|Semaphore|CountDownLatch|CyclicBarrier/, 'lock'],
  [/^java\.util\.Scanner|^java\.io\.(?:BufferedReader|InputStreamReader|Console)/, 'input'],
];

/** What a thread waits for, by its state and by what it has called. */
export async function waitOf(
  machine: JdwpMachine,
  thread: ThreadInfo,
  frames: readonly StackFrame[],
): Promise<Wait | undefined> {
  if (thread.state !== 'waiting' && thread.state !== 'blocked') return undefined;
  const library = frames.slice(
    0,
    frames.findIndex((frame) => !frame.isLibrary),
  );
  const names = library.map(({ className, methodName }) => `${className ?? ''}.${methodName ?? ''}`);
  const call = names.at(-1);
  const said = call === undefined ? {} : { call };
  if (thread.state === 'blocked') {
    const holder = await holderOf(machine, thread.id);
    return { kind: 'lock', ...said, ...(holder === undefined ? {} : { threadId: holder }) };
  }
  for (const [pattern, kind] of kinds) if (names.some((name) => pattern.test(name))) return { kind, ...said };
  return { kind: 'other', ...said };
}

/** Who holds the lock that a thread waits for; asked while everything stands still for it. */
async function holderOf(machine: JdwpMachine, threadId: string): Promise<string | undefined> {
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
