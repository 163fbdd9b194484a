import type { SharedBreakpoint } from '../../../src/cli/editors/feedProtocol.ts';

interface Merge {
  /** What the process must be told, in this order. */
  send: ({ set: SharedBreakpoint } | { remove: SharedBreakpoint })[];
  show: SharedBreakpoint[];
  hide: SharedBreakpoint[];
}

/** Three ways: `agreed` is what both sides had last. A place that both have changed is the person's. */
export function mergeBreakpoints(
  ours: readonly SharedBreakpoint[],
  theirs: readonly SharedBreakpoint[],
  agreed: readonly SharedBreakpoint[],
): Merge {
  const [here, there, before] = [byPlace(ours), byPlace(theirs), byPlace(agreed)];
  const merge: Merge = { send: [], show: [], hide: [] };
  for (const [place, other] of there) {
    const own = here.get(place);
    if (own === undefined) {
      if (isSame(other, before.get(place))) merge.send.push({ remove: other });
      else merge.show.push(other);
    } else if (!isSame(own, other)) {
      if (isSame(own, before.get(place))) {
        merge.hide.push(own);
        merge.show.push(other);
      } else merge.send.push({ set: own });
    }
  }
  for (const [place, own] of here) {
    if (there.has(place)) continue;
    if (isSame(own, before.get(place))) merge.hide.push(own);
    else merge.send.push({ set: own });
  }
  return merge;
}

export function placeOf({ uri, line }: SharedBreakpoint): string {
  return `${uri}#${line}`;
}

function byPlace(list: readonly SharedBreakpoint[]): Map<string, SharedBreakpoint> {
  return new Map(list.map((each) => [placeOf(each), each]));
}

function isSame(a: SharedBreakpoint, b: SharedBreakpoint | undefined): boolean {
  if (b === undefined) return false;
  const words = ({ enabled, condition, hitCondition, logMessage }: SharedBreakpoint) =>
    JSON.stringify([enabled, condition ?? '', hitCondition ?? '', logMessage ?? '']);
  return words(a) === words(b);
}
