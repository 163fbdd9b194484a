/** The lines that differ, with a few around them. Enough for configuration files, where a change is in one place. */
export function lineDiff(before: string, after: string, contextLines = 2): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let oldEnd = old.length;
  let nowEnd = now.length;
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd--;
    nowEnd--;
  }
  const mark = (sign: string, lines: readonly string[]) => lines.map((line) => `${sign} ${line}`.trimEnd());
  return [
    ...mark(' ', now.slice(Math.max(start - contextLines, 0), start)),
    ...mark('-', old.slice(start, oldEnd)),
    ...mark('+', now.slice(start, nowEnd)),
    ...mark(' ', now.slice(nowEnd, nowEnd + contextLines)),
  ].join('\n');
}
