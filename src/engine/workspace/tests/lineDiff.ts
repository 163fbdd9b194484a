const maxLines = 400;
const contextLines = 1;

/** How two texts differ, as `- expected` and `+ actual` with a line around each difference; undefined when a line says it as well. */
export function lineDiff(expected: string, actual: string): string | undefined {
  if (expected === actual) return undefined;
  const before = expected.split('\n');
  const after = actual.split('\n');
  if ((before.length < 2 && after.length < 2) || before.length > maxLines || after.length > maxLines) return undefined;
  const lines = aligned(before, after);
  const kept = lines.map((_, at) =>
    lines.slice(Math.max(at - contextLines, 0), at + contextLines + 1).some(({ mark }) => mark !== ' '),
  );
  const shown: string[] = [];
  lines.forEach(({ mark, text }, at) => {
    if (kept[at] === true) shown.push(`${mark} ${text}`.trimEnd());
    else if (shown.at(-1) !== '…' && shown.length > 0) shown.push('…');
  });
  return shown.join('\n').replace(/\n\u2026$/, '');
}

interface MarkedLine {
  mark: ' ' | '-' | '+';
  text: string;
}

/** By the longest common subsequence; the texts are bounded. */
function aligned(before: readonly string[], after: readonly string[]): MarkedLine[] {
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: MarkedLine[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const [one, other] = [before[row], after[column]];
    if (one !== undefined && one === other) {
      lines.push({ mark: ' ', text: one });
      row++;
      column++;
    } else if (one !== undefined && (other === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: one });
      row++;
    } else {
      lines.push({ mark: '+', text: other ?? '' });
      column++;
    }
  }
  return lines;
}
