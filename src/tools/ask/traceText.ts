import { outline, type OutlineItem } from '../../engine/debugger/ask/outline.ts';
import type { RecordedCall } from '../../engine/debugger/ask/recording.ts';
import type { StartEvent } from '../../engine/debugger/ask/model.ts';
import { callText } from './callText.ts';

/** From roomy to tight: lines, and characters of a value. */
const sizes: readonly (readonly [number, number])[] = [
  [60, 90],
  [45, 70],
  [35, 55],
  [28, 45],
  [20, 35],
  [12, 30],
];

/** The tree of calls as indented lines, as much of it as fits. */
export function treeLines(
  roots: readonly RecordedCall[],
  root: string,
  maxChars: number,
  processes: readonly StartEvent[] = [],
): string[] {
  const spread = new Set(roots.map(({ process }) => process));
  if (spread.size > 1)
    return [...spread].flatMap((process) => [
      `-- ${processName(processes[process])}`,
      ...treeLines(
        roots.filter((call) => call.process === process),
        root,
        Math.floor(maxChars / spread.size),
      ),
    ]);
  let lines: string[] = [];
  for (const [maxLines, maxValueChars] of sizes) {
    const known = new Set<string>();
    lines = outline(roots, maxLines).map((item) => itemText(item, { root, maxValueChars, known }));
    if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= maxChars) return lines;
  }
  return fittingEnds(lines, maxChars);
}

function processName(start: StartEvent | undefined): string {
  if (start === undefined) return 'another process';
  const program = (start.argv ?? []).slice(1).map((each) => each.split('/').at(-1) ?? each);
  return start.thread ?? `process ${start.pid}: ${program.slice(0, 4).join(' ')}`;
}

function itemText(item: OutlineItem, options: { root: string; maxValueChars: number; known: Set<string> }): string {
  const indent = '  '.repeat(item.depth);
  if (item.kind === 'repeat')
    return `${indent}… ×${item.count} ${item.names.join(', ')} (hidden ones from ${item.firstHidden.id}); the last:`;
  const hidden = item.hidden === 0 ? '' : `  +${item.hidden} below (${item.call.id})`;
  return `${indent}${callText(item.call, options)}${hidden}`;
}

/** The beginning and the end: a program says at its end what went wrong. */
function fittingEnds(lines: readonly string[], maxChars: number): string[] {
  const cost = (list: readonly string[]) => list.reduce((sum, line) => sum + line.length + 1, 0);
  let head = Math.floor(lines.length / 2);
  let tail = lines.length - head;
  while (head + tail > 2 && cost(lines.slice(0, head)) + cost(lines.slice(lines.length - tail)) > maxChars) {
    if (head > tail / 2) head--;
    else tail--;
  }
  if (head + tail >= lines.length) return [...lines];
  return [
    ...lines.slice(0, head),
    `… ${lines.length - head - tail} lines left out`,
    ...lines.slice(lines.length - tail),
  ];
}
