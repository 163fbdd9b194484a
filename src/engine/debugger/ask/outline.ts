import { functionKey, isSuite, type RecordedCall } from './recording.ts';

/** A part of the tree of calls as an answer shows it. */
export type OutlineItem = OutlineCall | OutlineRepeat;

interface OutlineCall {
  kind: 'call';
  depth: number;
  call: RecordedCall;
  /** Calls below that are not shown. */
  hidden: number;
}

/** The same calls over and over: what was shown before it is the first time, what follows is the last. */
interface OutlineRepeat {
  kind: 'repeat';
  depth: number;
  /** How often in all, with the first and the last. */
  count: number;
  names: readonly string[];
  firstHidden: RecordedCall;
}

interface Entry {
  call: RecordedCall;
  depth: number;
  isOpen: boolean;
  children: (Entry | Fold)[];
}

interface Fold {
  count: number;
  depth: number;
  names: readonly string[];
  firstHidden: RecordedCall;
}

const maxPeriod = 4;
const minRepeats = 3;

/**
 * As much of the trees below these calls as fits into so many lines: what threw and its surroundings first, then from the top down, and
 * what came last before what came first.
 */
export function outline(roots: readonly RecordedCall[], maxLines: number): OutlineItem[] {
  const top = folded(roots, 0);
  let lines = top.length;
  const open = top.flatMap((each) => ('call' in each ? [each] : []));
  const weights = new Map<RecordedCall, number>();
  const weigh = (call: RecordedCall) => {
    let weight = weights.get(call);
    if (weight === undefined) weights.set(call, (weight = weightOf(call)));
    return weight;
  };
  for (;;) {
    let best = -1;
    for (const [index, entry] of open.entries())
      if (
        best === -1 ||
        weigh(entry.call) - entry.depth * 2 > weigh(openAt(open, best).call) - openAt(open, best).depth * 2
      )
        best = index;
    if (best === -1) break;
    const [entry] = open.splice(best, 1);
    if (entry === undefined || entry.call.children.length === 0) continue;
    const children = folded(entry.call.children, entry.depth + 1);
    if (lines + children.length > maxLines) continue;
    lines += children.length;
    entry.isOpen = true;
    entry.children = children;
    open.push(...children.flatMap((each) => ('call' in each ? [each] : [])));
  }
  return top.flatMap((each) => flat(each));
}

function openAt(open: readonly Entry[], index: number): Entry {
  const entry = open[index];
  if (entry === undefined) throw new RangeError('no such entry');
  return entry;
}

function flat(each: Entry | Fold): OutlineItem[] {
  if (!('call' in each)) return [{ kind: 'repeat', ...each }];
  const hidden = each.isOpen ? 0 : countBelow(each.call);
  return [
    { kind: 'call', depth: each.depth, call: each.call, hidden },
    ...each.children.flatMap((child) => flat(child)),
  ];
}

/** How much a call matters: that something left it by an exception says most. */
function weightOf(call: RecordedCall): number {
  if (call.end?.threw !== undefined) return 20;
  return call.children.some((child) => child.end?.threw !== undefined) ? 12 : call.end === undefined ? 8 : 0;
}

export function countBelow(call: RecordedCall): number {
  let count = 0;
  const stack = [...call.children];
  for (let each = stack.pop(); each !== undefined; each = stack.pop()) {
    count++;
    stack.push(...each.children);
  }
  return count;
}

/** Runs of the same calls from the same lines become: the first, how often, the last. What threw is never folded away. */
function folded(all: readonly RecordedCall[], depth: number): (Entry | Fold)[] {
  const calls = all.filter((call) => !isTrivial(call));
  const out: (Entry | Fold)[] = [];
  const entry = (call: RecordedCall): Entry => ({ call, depth, isOpen: false, children: [] });
  const keys = calls.map(
    (call) =>
      `${call.process} ${functionKey(call.fn)}@${call.from ?? 0}${call.end?.threw === undefined ? '' : ` ${call.id}`}`,
  );
  for (let at = 0; at < calls.length;) {
    const { period, repeats } = runAt(keys, at);
    if (repeats < minRepeats) {
      const call = calls[at];
      if (call !== undefined) out.push(entry(call));
      at++;
      continue;
    }
    const end = at + period * repeats;
    const first = calls.slice(at, at + period);
    const hidden = calls[at + period];
    out.push(...first.map(entry));
    if (hidden !== undefined)
      out.push({ count: repeats, depth, names: first.map(({ fn }) => fn.name), firstHidden: hidden });
    out.push(...calls.slice(end - period, end).map(entry));
    at = end;
  }
  return out;
}

/** The shortest period with which the keys go on from here, and how often. */
function runAt(keys: readonly string[], at: number): { period: number; repeats: number } {
  for (let period = 1; period <= maxPeriod; period++) {
    let length = period;
    while (at + length < keys.length && keys[at + length] === keys[at + length - period]) length++;
    const repeats = Math.floor(length / period);
    if (repeats >= minRepeats) return { period, repeats };
  }
  return { period: 1, repeats: 1 };
}

/** What a promise is made with, and what defines tests, says nothing when nothing happens in it. */
function isTrivial(call: RecordedCall): boolean {
  const isFrame = call.fn.name === 'callback of Promise' || isSuite(call.fn);
  return isFrame && call.children.length === 0 && call.end?.threw === undefined;
}
