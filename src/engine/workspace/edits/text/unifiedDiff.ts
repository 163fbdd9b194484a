/** A unified diff of two texts, with three lines of context; empty when they are equal. */
export function unifiedDiff(file: string, before: string | null, after: string | null, toFile = file): string {
  if (before === after) return '';
  const a = splitLines(before ?? '');
  const b = splitLines(after ?? '');
  return (
    diffHead(before === null ? null : file, after === null ? null : toFile) + hunks(diffLines(a, b), a, b).join('')
  );
}

export function diffHead(from: string | null, to: string | null): string {
  return `--- ${from === null ? '/dev/null' : `a/${from}`}\n+++ ${to === null ? '/dev/null' : `b/${to}`}\n`;
}

/** A maximal run of lines replaced: `a[aStart, aEnd)` by `b[bStart, bEnd)`. */
export interface LineChange {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

/** The lines that differ, by Myers' algorithm; past a bound on the work the differing middle counts as replaced whole. */
export function diffLines(a: readonly string[], b: readonly string[]): LineChange[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let aEnd = a.length;
  let bEnd = b.length;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  if (start === aEnd && start === bEnd) return [];
  const whole = [{ aStart: start, aEnd, bStart: start, bEnd }];
  if (start === aEnd || start === bEnd) return whole;
  const path = shortestEdit(a.slice(start, aEnd), b.slice(start, bEnd));
  if (path === undefined) return whole;
  return path.map((change) => ({
    aStart: change.aStart + start,
    aEnd: change.aEnd + start,
    bStart: change.bStart + start,
    bEnd: change.bEnd + start,
  }));
}

const maxDifferences = 1500;

function shortestEdit(a: readonly string[], b: readonly string[]): LineChange[] | undefined {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= maxDifferences; d++) {
    const next = new Map<number, number>();
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      next.set(k, x);
      if (x >= a.length && y >= b.length) {
        trace.push(next);
        return backtrack(trace, a.length, b.length);
      }
    }
    trace.push(next);
    furthest = next;
  }
  return undefined;
}

function backtrack(trace: readonly Map<number, number>[], aLength: number, bLength: number): LineChange[] {
  const changes: LineChange[] = [];
  let x = aLength;
  let y = bLength;
  for (let d = trace.length - 1; d > 0; d--) {
    const previous = trace[d - 1] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && (previous.get(k - 1) ?? -1) < (previous.get(k + 1) ?? -1));
    const previousK = down ? k + 1 : k - 1;
    const previousX = previous.get(previousK) ?? 0;
    const previousY = previousX - previousK;
    const startX = down ? previousX : previousX + 1;
    const startY = down ? previousY + 1 : previousY;
    const latest = changes[0];
    // Steps that touch are one change; matching lines between them begin another.
    if (latest !== undefined && latest.aStart === startX && latest.bStart === startY) {
      latest.aStart = previousX;
      latest.bStart = previousY;
    } else changes.unshift({ aStart: previousX, aEnd: startX, bStart: previousY, bEnd: startY });
    x = previousX;
    y = previousY;
  }
  return changes;
}

export const contextLines = 3;

function hunks(changes: readonly LineChange[], a: readonly string[], b: readonly string[]): string[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.aStart - last.aEnd <= 2 * contextLines) group.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => hunk(group, a, b));
}

function hunk(group: readonly LineChange[], a: readonly string[], b: readonly string[]): string {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return '';
  const aFrom = Math.max(first.aStart - contextLines, 0);
  const aTo = Math.min(last.aEnd + contextLines, a.length);
  const bFrom = first.bStart - (first.aStart - aFrom);
  const bTo = last.bEnd + (aTo - last.aEnd);
  const lines: string[] = [];
  let at = aFrom;
  for (const change of group) {
    for (; at < change.aStart; at++) lines.push(shown(' ', a[at]));
    for (; at < change.aEnd; at++) lines.push(shown('-', a[at]));
    for (let added = change.bStart; added < change.bEnd; added++) lines.push(shown('+', b[added]));
  }
  for (; at < aTo; at++) lines.push(shown(' ', a[at]));
  return `@@ -${span(aFrom, aTo)} +${span(bFrom, bTo)} @@\n${lines.join('')}`;
}

function span(from: number, to: number): string {
  return to - from === 1 ? `${from + 1}` : `${to === from ? from : from + 1},${to - from}`;
}

function shown(mark: string, line: string | undefined): string {
  const text = line ?? '';
  return text.endsWith('\n') ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`;
}

/** Lines with their ends, so that a change of line ends or of the last newline is a difference. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
