import { advise, parameter } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { diffLines } from '../../workspace/edits/text/unifiedDiff.ts';
import type { LineRange } from './formatter.ts';

/** The text with only those changes of a formatter that touch the lines, where that is a text of its own. */
export async function formatLines(
  shown: string,
  before: string,
  range: LineRange,
  format: (text: string) => Promise<string>,
): Promise<string> {
  const after = await format(before);
  // Changes may belong together across lines that stay, such as an opening and a closing bracket: half of them is broken code.
  for (const result of [onlyLines(before, after, range, true), onlyLines(before, after, range, false)]) {
    if (result === before || result === after) return result;
    const again = await format(result).catch(() => undefined);
    if (again === after) return result;
  }
  throw new ToolError(
    'unsupported',
    `Lines ${range.startLine}-${range.endLine} of ${shown} cannot be formatted apart from the rest. Nothing was changed.`,
    {
      hint: advise`Take more lines, or leave ${parameter('startLine')} and ${parameter('endLine')} out to format the whole file.`,
    },
  );
}

/** `isLineByLine`: neighbouring lines that each became one line are changes of their own. */
function onlyLines(before: string, after: string, range: LineRange, isLineByLine: boolean): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const result: string[] = [];
  let at = 0;
  const changes = diffLines(a, b).flatMap((change) => (isLineByLine ? singleLines(change) : [change]));
  for (const { aStart, aEnd, bStart, bEnd } of changes) {
    result.push(...a.slice(at, aStart));
    const isInside = aStart < range.endLine && Math.max(aEnd, aStart + 1) >= range.startLine;
    result.push(...(isInside ? b.slice(bStart, bEnd) : a.slice(aStart, aEnd)));
    at = aEnd;
  }
  return [...result, ...a.slice(at)].join('');
}

type LineChange = ReturnType<typeof diffLines>[number];

function singleLines(change: LineChange): LineChange[] {
  const { aStart, aEnd, bStart, bEnd } = change;
  if (aEnd - aStart !== bEnd - bStart) return [change];
  return Array.from({ length: aEnd - aStart }, (_, line) => ({
    aStart: aStart + line,
    aEnd: aStart + line + 1,
    bStart: bStart + line,
    bEnd: bStart + line + 1,
  }));
}

/** Refuses lines that the text does not have. */
export function checkLines(shown: string, text: string, range: LineRange): void {
  const count = linesOf(text).length;
  if (range.startLine > Math.max(count, 1))
    throw new ToolError(
      'invalid_arguments',
      `${shown} has ${count} lines; line ${range.startLine} is past its end. Nothing was changed.`,
    );
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}
