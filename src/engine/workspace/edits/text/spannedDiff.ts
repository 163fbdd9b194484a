import type { EditedSpan } from '../operations.ts';
import { contextLines, diffHead } from './unifiedDiff.ts';

interface ChangedLine {
  /** 1-based, the same before and after. */
  number: number;
  before: string;
  after: string;
  /** Where the line starts and ends in the bytes before, its line feed included. */
  start: number;
  end: number;
}

/**
 * A unified diff of which is known where the bytes differ, each time within one line: it takes the changed lines only, however
 * large the file. Undefined when it would be longer than `maxChars`.
 */
export function spannedDiff(
  file: string,
  before: Buffer,
  after: Buffer,
  spans: readonly EditedSpan[],
  maxChars: number,
): string | undefined {
  let diff = diffHead(file, file);
  let hunk: ChangedLine[] = [];
  for (const line of changedLines(before, after, spans)) {
    const last = hunk.at(-1);
    if (last !== undefined && line.number - 1 - last.number > 2 * contextLines) {
      diff += hunkOf(hunk, before);
      hunk = [];
      if (diff.length > maxChars) return undefined;
    }
    hunk.push(line);
  }
  diff += hunkOf(hunk, before);
  return diff.length > maxChars ? undefined : diff;
}

function* changedLines(before: Buffer, after: Buffer, spans: readonly EditedSpan[]): Generator<ChangedLine> {
  let number = 1;
  let counted = 0;
  let shift = 0;
  for (let next = 0; next < spans.length;) {
    const first = spans[next];
    if (first === undefined) return;
    const start = lineStart(before, first.start);
    for (; counted < start; counted++) if (before[counted] === 10) number++;
    const feed = before.indexOf(10, first.end);
    const end = feed === -1 ? before.length : feed + 1;
    const afterStart = start + shift;
    for (let span = spans[next]; span !== undefined && span.start < end; span = spans[++next])
      shift += span.newLength - (span.end - span.start);
    yield {
      number,
      start,
      end,
      before: before.toString('utf8', start, end),
      after: after.toString('utf8', afterStart, end + shift),
    };
  }
}

function hunkOf(changes: readonly ChangedLine[], bytes: Buffer): string {
  const [first] = changes;
  const last = changes.at(-1);
  if (first === undefined || last === undefined) return '';
  const lead = linesBefore(bytes, first.start, contextLines);
  const trail = linesAfter(bytes, last.end, contextLines);
  const lines = lead.map((line) => shown(' ', line));
  let at = first;
  for (let next = 0; next < changes.length;) {
    const run: ChangedLine[] = [];
    for (let line = changes[next]; line !== undefined && (run.length === 0 || line.number === at.number + 1);) {
      run.push(line);
      at = line;
      line = changes[++next];
    }
    lines.push(...run.map((line) => shown('-', line.before)), ...run.map((line) => shown('+', line.after)));
    const following = changes[next];
    if (following !== undefined)
      lines.push(...linesAfter(bytes, at.end, following.number - at.number - 1).map((line) => shown(' ', line)));
  }
  lines.push(...trail.map((line) => shown(' ', line)));
  const from = first.number - lead.length;
  const count = last.number + trail.length - from + 1;
  const span = count === 1 ? `${from}` : `${from},${count}`;
  return `@@ -${span} +${span} @@\n${lines.join('')}`;
}

/** Negative places would count from the end. */
function lineStart(bytes: Buffer, at: number): number {
  return at < 1 ? 0 : bytes.lastIndexOf(10, at - 1) + 1;
}

function linesBefore(bytes: Buffer, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let to = end; to > 0 && lines.length < count;) {
    const from = lineStart(bytes, to - 1);
    lines.unshift(bytes.toString('utf8', from, to));
    to = from;
  }
  return lines;
}

function linesAfter(bytes: Buffer, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let from = start; from < bytes.length && lines.length < count;) {
    const feed = bytes.indexOf(10, from);
    const to = feed === -1 ? bytes.length : feed + 1;
    lines.push(bytes.toString('utf8', from, to));
    from = to;
  }
  return lines;
}

function shown(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
}
