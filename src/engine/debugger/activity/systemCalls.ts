import { platform } from '../../../base/platform/here.ts';
import { childrenOf, commandLineOf, isStoppedBySignal } from '../../../base/processIdentity.ts';
import type { SystemCall, Wait, WaitKind } from './model.ts';

interface KnownCall {
  call: string;
  kind: WaitKind;
  /** Its first argument is an open file, which tells more. */
  hasFile?: boolean;
}

const known = {
  read: { call: 'read', kind: 'file', hasFile: true },
  write: { call: 'write', kind: 'file', hasFile: true },
  receive: { call: 'recv', kind: 'network' },
  send: { call: 'send', kind: 'network' },
  accept: { call: 'accept', kind: 'network' },
  connect: { call: 'connect', kind: 'network' },
  select: { call: 'select', kind: 'events' },
  poll: { call: 'poll', kind: 'events' },
  epoll: { call: 'epoll_wait', kind: 'events' },
  futex: { call: 'futex', kind: 'lock' },
  wait: { call: 'wait', kind: 'process' },
  sleep: { call: 'sleep', kind: 'time' },
  fileLock: { call: 'flock', kind: 'lock' },
} as const satisfies Record<string, KnownCall>;

/** The calls in which programs wait, by the numbers of the two processors that are common. */
const numbers: Record<string, readonly (readonly [keyof typeof known, readonly number[]])[]> = {
  x86_64: [
    ['read', [0, 17, 19]],
    ['write', [1, 20]],
    ['receive', [45, 47, 299]],
    ['send', [44, 46]],
    ['accept', [43, 288]],
    ['connect', [42]],
    ['select', [23, 270]],
    ['poll', [7, 271]],
    ['epoll', [232, 281, 441]],
    ['futex', [202, 449]],
    ['wait', [61, 247]],
    ['sleep', [35, 230]],
    ['fileLock', [72, 73]],
  ],
  aarch64: [
    ['read', [63, 65, 67]],
    ['write', [64, 66]],
    ['receive', [207, 212, 243]],
    ['send', [206, 211]],
    ['accept', [202, 242]],
    ['connect', [203]],
    ['select', [72]],
    ['poll', [73]],
    ['epoll', [22, 441]],
    ['futex', [98, 449]],
    ['wait', [95, 260]],
    ['sleep', [101, 115]],
    ['fileLock', [25, 32]],
  ],
};

/** What a thread waits for by the system call it is in; undefined when it is in none, or in one that is over in no time. */
export function waitOf({ line, machine, file }: SystemCall): Wait | undefined {
  const [number = '', first = ''] = line.split(' ');
  const name = numbers[machine]?.find(([, list]) => list.includes(Number(number)))?.[0];
  if (name === undefined || !/^\d+$/.test(number)) return undefined;
  const found: KnownCall = known[name];
  // `select` with one file below number 1 can only be standard input; a terminal is read that way.
  if ((name === 'read' && Number(first) === 0) || (name === 'select' && Number(first) === 1))
    return { kind: 'input', call: found.call };
  if (found.hasFile !== true || file === undefined) return { kind: found.kind, call: found.call };
  if (file.startsWith('socket:')) return { kind: 'network', call: found.call };
  return { kind: 'file', call: found.call, detail: file.startsWith('pipe:') ? 'a pipe' : file };
}

/** What a thread of this machine waits for at this moment; undefined while it runs, or where the system does not tell. */
export function waitOfThread({ pid, tid }: { pid: number; tid: number }): Wait | undefined {
  if (isStoppedBySignal(pid)) return { kind: 'other', detail: 'the process was stopped by a signal (SIGSTOP)' };
  const call = systemCallOf(pid, tid);
  return call === undefined ? undefined : waitOf(call);
}

/** The system call a thread of this machine is in, and whether it stands still. */
function systemCallOf(pid: number, tid: number): SystemCall | undefined {
  const line = platform.processes.systemCall(pid, tid);
  if (line === undefined) return undefined;
  const first = Number(line.split(' ')[1] ?? Number.NaN);
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const file = first >= 0 && first < 65_536 ? platform.processes.openFile(pid, first) : undefined;
  return { line, machine, ...(file === undefined ? {} : { file }) };
}

/** `sleep 100 (pid 12)`: what a process that waits for its children waits for. */
export function childrenText(pid: number): string | undefined {
  const children = childrenOf(pid).map((child) => `${commandLineOf(child).slice(0, 60)} (pid ${child})`);
  return children.length === 0 ? undefined : children.slice(0, 3).join(', ');
}
