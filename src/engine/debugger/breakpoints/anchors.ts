import type { LineIndex } from '../../../base/positions.ts';

const reach = 200;

/** The line nearest to `line` that contains the excerpt, blanks at its ends aside; undefined when there is none within reach. */
export function findAnchor(index: LineIndex, excerpt: string, line: number): number | undefined {
  const wanted = excerpt.trim();
  if (wanted === '') return line;
  for (let distance = 0; distance <= reach; distance++) {
    for (const candidate of distance === 0 ? [line] : [line - distance, line + distance]) {
      if (index.lineText(candidate)?.includes(wanted) === true) return candidate;
    }
  }
  return undefined;
}
