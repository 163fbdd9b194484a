/** Lines of a text that are like wanted ones. */
interface NearLines {
  line: number;
  endLine: number;
  text: string;
  /** From 0 to 100. */
  likeness: number;
}

const maxLinesSearched = 20_000;
/** Of what is compared in all, for the process has others to answer: about half a second. What was found until then is good enough. */
const maxCharsCompared = 2_000_000;

/** The stretch of lines most like the wanted text, compared line by line without regard to white space. */
export function nearestLines(text: string, wanted: string): NearLines | undefined {
  const lines = text.split(/\r\n|\n|\r/, maxLinesSearched);
  const asked = wanted.split(/\r\n|\n|\r/);
  while (asked.length > 1 && asked.at(-1)?.trim() === '') asked.pop();
  while (asked.length > 1 && asked[0]?.trim() === '') asked.shift();
  const pattern = asked.map(squeeze);
  const squeezed = lines.map(squeeze);
  let best = { at: -1, score: 0 };
  let compared = 0;
  for (let at = 0; at + 1 <= lines.length && compared < maxCharsCompared; at++) {
    let score = 0;
    for (let offset = 0; offset < pattern.length; offset++) {
      const here = squeezed[at + offset];
      const there = pattern[offset] ?? '';
      if (here === undefined) break;
      if (here === there) score += there === '' ? 0.2 : 1;
      else if (offset === 0 || score > 0) score += 0.9 * similarity(here, there);
      compared += here === there ? 1 : 20 + here.length + there.length;
      if (compared >= maxCharsCompared) break;
    }
    if (score > best.score) best = { at, score };
  }
  const possible = pattern.reduce((sum, line) => sum + (line === '' ? 0.2 : 1), 0);
  const likeness = best.score / possible;
  if (best.at < 0 || likeness < 0.5) return undefined;
  const part = lines.slice(best.at, best.at + pattern.length);
  return {
    line: best.at + 1,
    endLine: best.at + part.length,
    text: part.join('\n'),
    likeness: Math.round(likeness * 100),
  };
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

/** How many pairs of neighbouring characters two lines share, from 0 to 1. */
function similarity(a: string, b: string): number {
  if (a.length < 2 || b.length < 2 || a.length > 500 || b.length > 500) return 0;
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < a.length; i++) pairs.set(a.slice(i, i + 2), (pairs.get(a.slice(i, i + 2)) ?? 0) + 1);
  let shared = 0;
  for (let i = 0; i + 1 < b.length; i++) {
    const pair = b.slice(i, i + 2);
    const left = pairs.get(pair) ?? 0;
    if (left > 0) {
      pairs.set(pair, left - 1);
      shared++;
    }
  }
  const ratio = (2 * shared) / (a.length + b.length - 2);
  return ratio < 0.4 ? 0 : ratio;
}
