/** Longer sides than this are told by the difference that stands below them. */
const maxSide = 300;

/**
 * What a failed test printed, without what the stop tells by itself. The usual assertion library writes a table of it: the trace, the error,
 * a difference that repeats the sides line by line, the name of the test.
 */
export function testMessage(printed: string): string {
  const [first = '', ...lines] = printed.split('\n');
  if (!/^\s*Error Trace:/.test(lines[0] ?? '')) return printed;
  const error = columnOf(lines, 'Error');
  const difference = error.findIndex((line) => line.trim() === 'Diff:');
  const sides = error.slice(0, difference < 0 ? undefined : difference);
  const isShort = sides.every((line) => line.length <= maxSide);
  const told = (isShort ? sides : error).filter((line) => line.trim() !== '');
  return [`${first.trim()} ${told[0] ?? ''}`, ...told.slice(1), ...columnOf(lines, 'Messages')].join('\n');
}

/** The lines of one entry of the table: behind its name, and below that with no name before them. */
function columnOf(lines: readonly string[], name: string): string[] {
  const rows = lines.map((line) => /^\s*(?:(\w[\w ]*):)?\s*\t(.*)$/.exec(line));
  const at = rows.findIndex((row) => row?.[1] === name);
  if (at < 0) return [];
  const next = rows.findIndex((row, index) => index > at && row?.[1] !== undefined);
  return rows.slice(at, next < 0 ? undefined : next).map((row) => row?.[2] ?? '');
}
