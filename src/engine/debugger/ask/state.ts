import type { RecordedFailure } from './failure.ts';
import { condensed, type HistoryRow, rowOf } from './history.ts';
import { originOf, type OriginStep } from './origin.ts';
import type { RecordedCall, RecordedWrite, Recording } from './recording.ts';

const maxEarlier = 4;
const maxState = 2;

/** What the same attribute of the same object was made by before, when the last step worked on with it; the last first. */
export function earlierWrites({ writes }: Recording, last: OriginStep | undefined): HistoryRow[] {
  const { write } = last ?? {};
  if (write?.isMade !== true || write.old === undefined || write.holder === undefined) return [];
  const same = writes.filter((each) => each.seq < write.seq && isSameSlot(each, write));
  return condensed(same.map(rowOf)).toReversed().slice(0, maxEarlier);
}

/**
 * A value was worked out in this call: the last writes to the objects it works on, and where those had their values from; what its code
 * names first.
 */
export function stateBehind(
  recording: Recording,
  last: OriginStep | undefined,
  code: (call: RecordedCall) => string = () => '',
): OriginStep[][] {
  const { call } = last ?? {};
  if (last?.kind !== 'made' || call?.end === undefined) return [];
  const objects = new Set([call.self, ...call.args].flatMap((value) => value?.object ?? []));
  const { seq } = call.end;
  const written = recording.writes.filter(
    (write) =>
      write.seq < seq &&
      write.process === call.process &&
      write.by !== call &&
      ((write.holder !== undefined && objects.has(write.holder)) || objects.has(write.by?.self?.object ?? -1)) &&
      /^(?:self|this)\b|\.|\[/.test(write.target),
  );
  const text = code(call);
  const latest: RecordedWrite[] = [];
  for (const write of written.toReversed())
    if (!latest.some((each) => isSameSlot(each, write)) && (isNamedIn(write, text) || !isFirst(write, written)))
      latest.push(write);
  const named = latest.filter((write) => isNamedIn(write, text));
  return [...named, ...latest.filter((write) => !named.includes(write))]
    .slice(0, maxState)
    .map((write) => [stepOfWrite(write), ...madeBy(recording, write)]);
}

/** `self.cache[key]` is read by `return list(self.cache)`. */
function isNamedIn({ target }: RecordedWrite, text: string): boolean {
  const name = /\.([\w$#]+)/.exec(target)?.[1];
  return (
    name !== undefined && new RegExp(String.raw`\.${name.replaceAll(/[$#]/g, String.raw`\$&`)}(?![\w$])`).test(text)
  );
}

/** What a constructor put there is not what went wrong, unless nothing else did. */
function isFirst(write: RecordedWrite, written: readonly RecordedWrite[]): boolean {
  return write.old === undefined && !written.some((each) => each.seq < write.seq && isSameSlot(each, write));
}

function madeBy(recording: Recording, write: RecordedWrite): OriginStep[] {
  if (write.by === undefined || write.new === undefined || write.isMade === true) return [];
  return originOf(recording, write.new, { call: write.by, seq: write.seq }).slice(0, 2);
}

/** `KeyError(1)`: who took that key away. */
export function deletionBehind({ writes }: Recording, { thrown, seq, call }: RecordedFailure): OriginStep[] {
  const key = /^KeyError\((.*)\)$/s.exec(thrown.text)?.[1];
  if (key === undefined) return [];
  const write = writes.findLast(
    (each) =>
      each.kind === 'delete' && each.seq < seq && each.process === call.process && each.target.endsWith(`[${key}]`),
  );
  return write === undefined ? [] : [stepOfWrite(write)];
}

function stepOfWrite(write: RecordedWrite): OriginStep {
  const { by, file, line, target } = write;
  return { kind: 'assigned', call: by, write, value: write.new ?? { text: 'deleted' }, file, line, name: target };
}

function isSameSlot(a: RecordedWrite, b: RecordedWrite): boolean {
  return a.process === b.process && a.holder === b.holder && slotName(a.target) === slotName(b.target);
}

/** `total` of `cart.total` and `self.total`. */
function slotName(target: string): string {
  return /(?:\.[\w$#]+|\[[^\]]*\])$/.exec(target)?.[0] ?? target;
}

/** The calls behind a state, each once. */
export function callsOf(chains: readonly OriginStep[][]): RecordedCall[] {
  return [...new Set(chains.flat().flatMap(({ call }) => call ?? []))];
}
