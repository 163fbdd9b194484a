import { countsOf, quoted, type FilePatch, type Hunk } from './patch.ts';

/** Lines of the new file, both ends included. */
export interface LineRange {
  start: number;
  end: number;
}

/**
 * A patch of some hunks, for `git apply`. They are written as changes of a file that stays; only where the whole of a new or deleted file
 * is meant does the patch add or delete it.
 */
export function patchOf(file: FilePatch, hunks: readonly Hunk[], isWhole: boolean): string {
  const name = { a: quoted(`a/${file.file}`), b: quoted(`b/${file.file}`) };
  const isNew = isWhole && file.change === 'added';
  const isGone = isWhole && file.change === 'deleted';
  const head = [
    `diff --git ${name.a} ${name.b}`,
    ...(isNew ? [`new file mode ${file.newMode}`] : []),
    ...(isGone ? [`deleted file mode ${file.oldMode}`] : []),
    `--- ${isNew ? '/dev/null' : name.a}`,
    `+++ ${isGone ? '/dev/null' : name.b}`,
  ];
  return `${[...head, ...hunks.flatMap(written)].join('\n')}\n`;
}

function written({ oldStart, newStart, lines }: Hunk): string[] {
  const [oldCount, newCount] = countsOf(lines);
  return [`@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`, ...lines];
}

/** A line of a hunk without its sign, and whether its end is missing. */
interface HunkLine {
  text: string;
  isOpen: boolean;
}

/**
 * The part of a hunk that lies in these lines. A line that replaces another takes that one with it, the first the first and so on; a
 * deletion stands at the line that now follows it. What is not meant stays as it is on the side that the patch is applied to: the old one,
 * or, to take a change back, the new one.
 */
export function partOf(hunk: Hunk, range: LineRange, appliedTo: 'old' | 'new'): Hunk | undefined {
  const isIn = (line: number) => line >= range.start && line <= range.end;
  const lines: string[] = [];
  let at = Math.max(hunk.newStart, 1);
  let hasChange = false;
  const put = (sign: string, { text, isOpen }: HunkLine) =>
    lines.push(`${sign}${text}`, ...(isOpen ? ['\\ No newline at end of file'] : []));
  for (const { gone, fresh, context } of blocksOf(hunk.lines)) {
    for (let index = 0; index < Math.max(gone.length, fresh.length); index++) {
      const [old, made] = [gone[index], fresh[index]];
      // What is deleted at the end of the file has no line after it.
      const isAtEnd = fresh.length === 0 && context.length === 0 && isIn(at - 1);
      const isChosen = isAtEnd || isIn(at + Math.max(Math.min(index, fresh.length - 1), 0));
      hasChange ||= isChosen;
      if (old !== undefined && isChosen) put('-', old);
      if (made !== undefined && isChosen) put('+', made);
      const left = appliedTo === 'old' ? old : made;
      if (!isChosen && left !== undefined) put(' ', left);
    }
    at += fresh.length;
    for (const line of context) put(' ', line);
    at += context.length;
  }
  if (!hasChange) return undefined;
  const [oldCount, newCount] = countsOf(lines);
  // Of a file that was not there the line is 0; the part of it that stays begins with the first.
  return {
    ...hunk,
    oldStart: oldCount > 0 ? Math.max(hunk.oldStart, 1) : hunk.oldStart,
    newStart: newCount > 0 ? Math.max(hunk.newStart, 1) : hunk.newStart,
    lines,
  };
}

interface HunkBlock {
  gone: HunkLine[];
  fresh: HunkLine[];
  /** What follows unchanged. */
  context: HunkLine[];
}

function blocksOf(lines: readonly string[]): HunkBlock[] {
  const blocks: HunkBlock[] = [];
  let current: HunkBlock | undefined;
  let last: HunkLine | undefined;
  for (const line of lines) {
    if (line.startsWith('\\')) {
      if (last !== undefined) last.isOpen = true;
      continue;
    }
    last = { text: line.slice(1), isOpen: false };
    if (current === undefined || (line[0] !== ' ' && current.context.length > 0))
      blocks.push((current = { gone: [], fresh: [], context: [] }));
    (line[0] === '-' ? current.gone : line[0] === '+' ? current.fresh : current.context).push(last);
  }
  return blocks;
}
