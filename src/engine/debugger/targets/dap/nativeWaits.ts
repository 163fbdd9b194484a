import type { Wait } from '../../activity/model.ts';
import type { StackFrame } from '../../model.ts';

/** Functions of the C library, of Rust's and of Go's runtime in which a thread stands that waits. */
const kinds: readonly (readonly [RegExp, Wait['kind']])[] = [
  [/(?:^|[:._])(?:clock_)?nanosleep|(?:^|_)u?sleep$|thread::sleep|time\.Sleep/, 'time'],
  [/pthread_(?:clock|timed)?join|JoinHandle/, 'thread'],
  [/sync\.\(\*(?:RW)?Mutex\)|mutex_lock|lll_lock|Mutex|runtime\.semacquire/, 'lock'],
  [/pthread_cond|Condvar|runtime\.chan(?:recv|send)|runtime\.selectgo|sync\.\(\*WaitGroup\)/, 'queue'],
  [/(?:^|_)wait(?:pid|4|id)$|process::Child/, 'process'],
  [/(?:^|_)(?:recv(?:from|msg)?|accept4?|connect)$|runtime\.netpoll|internal\/poll/, 'network'],
  [/(?:^|_)(?:e?poll(?:_wait|_pwait)?|p?select)$/, 'events'],
  [/(?:^|_)(?:read|fgets|getline|getchar|scanf)$|Stdin|os\.\(\*File\)\.Read/, 'input'],
];

/** What a thread waits for, told from what it has called beyond the person's own code. */
export function nativeWait(frames: readonly StackFrame[]): Wait | undefined {
  const own = frames.findIndex((frame) => !frame.isLibrary);
  const names = frames.slice(0, own < 0 ? frames.length : own).map(({ name }) => name);
  for (const [pattern, kind] of kinds) {
    const call = names.findLast((name) => pattern.test(name));
    if (call !== undefined) return { kind, call };
  }
  return undefined;
}
