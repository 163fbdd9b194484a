import type { StackFrame } from '../model.ts';
import type { FunctionValues, HotPlace } from './model.ts';

/** One look at a thread that was made to stand still for it. */
export interface Look {
  frames: StackFrame[];
  totalFrames: number;
  /** The innermost frame of the user's own. */
  own?: StackFrame;
  /** The variables of the user's own innermost functions, innermost first. */
  functions: { key: string; name: string; values: Map<string, string> }[];
}

/** The line on which most looks found the user's own code. */
export function hottest(found: readonly Look[], looks: number): { hot?: HotPlace } {
  const counts = new Map<string, HotPlace>();
  for (const { own } of found) {
    if (own?.location === undefined) continue;
    const key = `${own.location.file ?? ''}:${own.location.line}`;
    const known = counts.get(key) ?? { location: own.location, functionName: own.name, found: 0, looks };
    counts.set(key, { ...known, found: known.found + 1 });
  }
  const [hot] = [...counts.values()].sort((a, b) => b.found - a.found);
  return hot === undefined ? {} : { hot };
}

/** What became of the variables between the first look and the last, of the functions that both found. */
export function valuesBetween(found: readonly Look[]): FunctionValues[] {
  const [first, last] = [found[0]?.functions, found.at(-1)?.functions];
  if (first === undefined || last === undefined || first === last) return [];
  // Of a function that calls itself, the innermost call.
  const distinct = last.filter(({ key }, index) => last.findIndex((each) => each.key === key) === index);
  return distinct.flatMap(({ key, name, values }) => {
    const earlier = found
      .slice(0, -1)
      .flatMap(({ functions }) => functions.find((each) => each.key === key)?.values ?? []);
    return first.some((each) => each.key === key) ? [{ functionName: name, ...difference(earlier, values) }] : [];
  });
}

/** A variable that goes round is often found with one value at both ends: every look counts, the first of another value is shown. */
function difference(
  earlier: readonly ReadonlyMap<string, string>[],
  after: ReadonlyMap<string, string>,
): Omit<FunctionValues, 'functionName'> {
  const changed: FunctionValues['changed'] = [];
  const unchanged: FunctionValues['unchanged'] = [];
  for (const [name, value] of after) {
    const seen = earlier.flatMap((values) => values.get(name) ?? []);
    const before = seen.find((text) => text !== value);
    if (before !== undefined) changed.push({ name, before, after: value });
    else if (earlier[0]?.has(name) === true) unchanged.push({ name, value });
  }
  return { changed, unchanged };
}

/** A stack that has only grown, and by more than a call or two. */
export function deepening(depths: readonly number[]): { depthBefore?: number } {
  const [first = 0, last = 0] = [depths[0], depths.at(-1)];
  const isRising = depths.every((depth, index) => index === 0 || depth >= (depths[index - 1] ?? 0));
  return isRising && last - first >= leastGrowth ? { depthBefore: first } : {};
}

const leastGrowth = 5;
