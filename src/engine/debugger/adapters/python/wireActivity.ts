import type { FunctionValues, ThreadActivity, Wait, WaitKind } from '../../activity/model.ts';
import { deepening } from '../../activity/looks.ts';
import { waitOf } from '../../activity/systemCalls.ts';
import { toFrame, type WireFrame } from './wire.ts';

/** What our part inside the program says of the threads that run. */
export interface WireActivity {
  machine: string;
  threads: WireThreadActivity[];
}

interface WireWait {
  kind?: WaitKind;
  call?: string;
  /** As the protocol numbers it. */
  thread?: number;
  detail?: string;
}

interface WireThreadActivity {
  id: number;
  thread: string;
  name: string;
  busy: boolean;
  frames: WireFrame[];
  depth: number;
  /** How deep the stack was, look by look. */
  depths: number[];
  looks: number;
  hot?: { file: string; line: number; name: string; found: number };
  /** Of each function: name, value at the first look, value at the last. */
  values: { name: string; values: [string, string | null, string][] }[];
  wait?: WireWait;
  systemCall?: string;
  file?: string;
}

export function toActivity(wire: WireThreadActivity, machine: string, processId: string): ThreadActivity {
  const threadId = String(wire.id);
  const { hot } = wire;
  const wait = wire.busy ? undefined : toWait(wire.wait, systemWait(wire, machine));
  return {
    threadId,
    processId,
    name: wire.name,
    doing: wire.busy ? 'busy' : wait?.kind === 'events' ? 'idle' : 'waiting',
    ...(wait === undefined ? {} : { waitsFor: wait }),
    frames: wire.frames.map((frame, index) => ({ ...toFrame(frame, threadId, index), isLive: false })),
    totalFrames: wire.depth,
    ...deepening(wire.depths),
    ...(hot === undefined
      ? {}
      : {
          hot: {
            location: { file: hot.file, line: hot.line },
            functionName: hot.name,
            found: hot.found,
            looks: wire.looks,
          },
        }),
    values: wire.values.map(({ name, values }) => toValues(name, values)),
  };
}

/** The frames know the lock and its owner, the system knows what a call written in C does. */
function toWait(wire: WireWait | undefined, system: Wait | undefined): Wait | undefined {
  // Who polls is seen outside the system's call now and then.
  const kind = wire?.kind ?? (wire?.call === 'time.sleep' ? 'time' : system?.kind);
  if (kind === undefined) return wire?.call === undefined ? undefined : { kind: 'other', call: wire.call };
  const call = wire?.call ?? system?.call;
  const detail = wire?.detail ?? (wire?.kind === undefined ? system?.detail : undefined);
  return {
    kind,
    ...(call === undefined ? {} : { call }),
    ...(wire?.thread === undefined ? {} : { threadId: String(wire.thread) }),
    ...(detail === undefined ? {} : { detail }),
  };
}

function systemWait({ systemCall: line, file }: WireThreadActivity, machine: string): Wait | undefined {
  return line === undefined ? undefined : waitOf({ line, machine, ...(file === undefined ? {} : { file }) });
}

function toValues(functionName: string, values: readonly [string, string | null, string][]): FunctionValues {
  const known = values.flatMap(([name, before, after]) => (before === null ? [] : [{ name, before, after }]));
  return {
    functionName,
    changed: known.filter(({ before, after }) => before !== after),
    unchanged: known.flatMap(({ name, before, after }) => (before === after ? [{ name, value: after }] : [])),
  };
}
