import type { Position } from '../../base/positions.ts';

export interface NamedPlace {
  path: string;
  namePath: readonly string[];
  position: Position;
}

const maxShown = 5;

/**
 * The places whose names are most like the one asked for, best first; none that is too different to be meant. `holder`: the name that
 * was asked for before it, as in `holder.name`.
 */
export function nearestNames<T extends NamedPlace>(name: string, places: readonly T[], holder?: string): T[] {
  const wanted = name.toLowerCase();
  const seen = new Set<string>();
  return places
    .filter(({ namePath }) => !/[ (]/.test(namePath.at(-1) ?? ''))
    .map((place) => {
      const own = place.namePath.at(-1) ?? '';
      // Of two that differ in case only, the one that begins alike.
      const nuance = own.charAt(0) === name.charAt(0) ? 0 : 0.5;
      const isElsewhere = holder !== undefined && place.namePath.at(-2) !== holder ? 0.75 : 0;
      return { place, distance: distanceOf(wanted, own.toLowerCase()) + nuance + isElsewhere };
    })
    .filter(({ distance }) => Math.floor(distance) <= Math.max(1, Math.ceil(wanted.length * 0.34)))
    .sort((a, b) => a.distance - b.distance || a.place.namePath.length - b.place.namePath.length)
    .map(({ place }) => place)
    .filter(({ path, position }) => {
      const key = `${path}:${position.line}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, maxShown);
}

/** Edits that lead from one word to the other; two letters swapped count once, and a longer name that holds the whole word is near. */
function distanceOf(a: string, b: string): number {
  if (b !== a && b.includes(a)) return Math.min(2, b.length - a.length);
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      next.push(swapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? b.length;
}
