/** Of pytest's options, which the reader of this does not set. */
const advice =
  /^\s*(Use -v+ to get|\.\.\.Full output truncated|\.\.\. Full output)|^\s*Omitting \d+ identical items|^Diff is \d+ characters long/;
/** What pytest says of the values it compared, the sides as jest names them, or a sentence. */
const sentence = /^\s*\+\s+(where|and)\b|^(?![-+?\u2026]\s|@@|\.\.\.$|[{}[\]()'"\d-]|\s)/;
/** What unittest says before its difference, line by line. */
const unittestPlace = /^(First differing element|(First|Second) \w+ contains)/;
const maxDiffering = 12;
/** A few lines without marks of a difference are read as quickly as what would stand for them. */
const isPlain = (lines: readonly string[]) =>
  lines.join('\n').length <= 200 &&
  !lines.slice(1).some((line) => /^\s*([-+?]\s|@@|At index |First differing)/.test(line));

/**
 * What a runner says of a failure, without blank lines. Where it differs is told as paths when both values could be read; then the
 * difference as the runner prints it, which holds the same, is left out. Of a long one without paths the lines that differ stay.
 */
export function failureMessage(message: string, hasDifferences: boolean): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '' && !advice.test(line));
  const [first = '', ...more] = lines.map((line) => line.trimEnd());
  if (hasDifferences && !isPlain(lines)) {
    const told = more.filter((line) => sentence.test(line) && !unittestPlace.test(line));
    return [first, ...told].join('\n').replace(/:$/, '');
  }
  const differing = more.filter(
    (line) => /^\s*[+-]\s/.test(line) && !/^\s*[+-] (actual|expected|Expected|Received)/.test(line),
  );
  if (more.length <= maxDiffering || differing.length === 0) return [first, ...more].join('\n');
  const shown = differing.slice(0, maxDiffering);
  const left = differing.length - shown.length;
  const sentences = more.filter((line) => sentence.test(line));
  return [first, ...sentences, ...shown, ...(left > 0 ? [`… (${left} more lines differ)`] : [])].join('\n');
}
