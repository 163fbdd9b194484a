import { LineIndex } from '../../../../base/positions.ts';
import { indexOfText } from '../../../../base/text/indexOfText.ts';
import { nearestLines } from './nearestLines.ts';

/** What stands in a text where another one was looked for. */
interface NearText {
  line: number;
  endLine: number;
  /** As it is in the file, with plain line ends. */
  text: string;
  /** What sets it apart, as the rest of a sentence. */
  difference: string;
  /** How many further places would fit as well. */
  others: number;
}

const maxFoldedChars = 1_000_000;
const maxShownChars = 1500;

/** The stretch of a text most like a wanted one that does not occur in it: the surest likeness first. */
export function nearestText(text: string, wanted: string): NearText | undefined {
  const part = text.length > maxFoldedChars ? text.slice(0, maxFoldedChars) : text;
  return (
    alikeBut(part, wanted, (character) => character, 'white space') ??
    alikeBut(part, wanted, foldCharacter, 'upper and lower case, quotes, accents or white space') ??
    alikeLines(part, wanted) ??
    alikePart(part, wanted)
  );
}

/** Both texts without white space and with each character folded: found when nothing else sets them apart. */
function alikeBut(
  text: string,
  wanted: string,
  fold: (character: string) => string,
  what: string,
): NearText | undefined {
  const pattern = folded(wanted, fold).text;
  if (pattern === '') return undefined;
  const source = folded(text, fold);
  const at = indexOfText(source.text, pattern);
  if (at < 0) return undefined;
  let others = 0;
  const nextAfter = (place: number) => indexOfText(source.text, pattern, place + pattern.length);
  for (let next = nextAfter(at); next >= 0; next = nextAfter(next)) others++;
  let start = source.offsets[at] ?? 0;
  let end = (source.offsets[at + pattern.length - 1] ?? 0) + 1;
  // White space around what was looked for belongs to it.
  if (/^\s/.test(wanted)) start -= /[^\S\r\n]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  if (/\s$/.test(wanted)) end += /^[^\S\r\n]*(?:\r\n|\n|\r)?/.exec(text.slice(end))?.[0].length ?? 0;
  const difference = `differs only in ${what}${firstDifference(text.slice(start, end), wanted)}`;
  return { ...placed(text, start, end), difference, others };
}

interface Folded {
  text: string;
  /** Where each character of it comes from. */
  offsets: number[];
}

function folded(text: string, fold: (character: string) => string): Folded {
  const parts: string[] = [];
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length; offset++) {
    const character = text.charAt(offset);
    if (/\s/.test(character)) continue;
    const part = fold(character);
    parts.push(part);
    for (let unit = 0; unit < part.length; unit++) offsets.push(offset);
  }
  return { text: parts.join(''), offsets };
}

function foldCharacter(character: string): string {
  if (character <= '\u007f') return character === '`' || character === '"' ? "'" : character.toLowerCase();
  if (/[\u2018\u2019\u201c\u201d]/.test(character)) return "'";
  if (/[\u2010-\u2014\u2212]/.test(character)) return '-';
  return character.normalize('NFD').toLowerCase();
}

/** A space for a tab can hardly be seen: it is named. */
function firstDifference(here: string, wanted: string): string {
  const [a, b] = [plainLineEnds(here), plainLineEnds(wanted)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (at === a.length && at === b.length) return '';
  return ` (first: ${nameOf(a[at])} in the file, ${nameOf(b[at])} in old_text)`;
}

const names: Readonly<Record<string, string>> = { ' ': 'a space', '\t': 'a tab', '\n': 'a line end' };

function nameOf(character: string | undefined): string {
  if (character === undefined) return 'its end';
  const known = names[character];
  if (known !== undefined) return known;
  if (/[!-~]/.test(character)) return `"${character}"`;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function alikeLines(text: string, wanted: string): NearText | undefined {
  const found = nearestLines(text, wanted);
  if (found === undefined) return undefined;
  const { line, endLine, likeness } = found;
  return { line, endLine, text: clipped(found.text), difference: `is the nearest (${likeness} % alike)`, others: 0 };
}

/** For a part of a long line: where most of its beginning or of its end occurs. */
function alikePart(text: string, wanted: string): NearText | undefined {
  const { length } = wanted;
  if (length < minPart || length > maxPart) return undefined;
  const beginning = longest(length, (count) => indexOfText(text, wanted.slice(0, count)) >= 0);
  const end = longest(length, (count) => indexOfText(text, wanted.slice(length - count)) >= 0);
  const shared = Math.max(beginning, end);
  if (shared < Math.max(minPart, length / 2)) return undefined;
  const at = beginning >= end ? text.indexOf(wanted.slice(0, shared)) : text.indexOf(wanted.slice(length - shared));
  const start = beginning >= end ? at : Math.max(at - (length - shared), 0);
  const stop = beginning >= end ? Math.min(at + length, text.length) : at + shared;
  const likeness = Math.round((100 * shared) / length);
  return { ...placed(text, start, stop), difference: `is the nearest (${likeness} % alike)`, others: 0 };
}

const minPart = 6;
const maxPart = 2000;

/** The largest count up to `most` for which it holds; it holds for every smaller one too. */
function longest(most: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function placed(text: string, start: number, end: number): { line: number; endLine: number; text: string } {
  const index = new LineIndex(text);
  const shown = text.slice(start, end);
  const lastCharacter = /\s$/.test(shown) ? start + shown.trimEnd().length : end;
  return {
    line: index.positionAt(start).line,
    endLine: index.positionAt(Math.max(lastCharacter - 1, start)).line,
    text: clipped(plainLineEnds(shown)),
  };
}

function plainLineEnds(text: string): string {
  return text.replace(/\r\n|\r/g, '\n');
}

function clipped(text: string): string {
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text;
}
