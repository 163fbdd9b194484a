import { ToolError } from '../../../base/errors.ts';
import { LineIndex } from '../../../base/positions.ts';
import type { TextEdit } from './operations.ts';
import { uniformLineEnd, withLineEnds } from './textEdits.ts';

export interface ExactReplacement {
  oldText: string;
  newText: string;
  replaceAll?: boolean;
}

/** The edits that replace a text which must occur once (or anywhere, when told). Otherwise an error that shows what is there instead. */
export function exactEdits(shown: string, text: string, replacement: ExactReplacement): TextEdit[] {
  if (replacement.oldText === '')
    throw new ToolError('invalid_arguments', 'The text to replace is empty.', {
      hint: 'Use write_file to write a whole file.',
    });
  if (replacement.oldText === replacement.newText)
    throw new ToolError('invalid_arguments', 'The new text is the same as the old. Nothing was changed.', {
      hint: 'Pass what the text is to become as new_text.',
    });
  const lineEnd = uniformLineEnd(text);
  const wanted = lineEnd === undefined ? replacement.oldText : withLineEnds(replacement.oldText, lineEnd);
  const index = new LineIndex(text);
  const found = occurrences(text, wanted);
  if (found.length === 0) throw notFound(shown, text, wanted);
  if (found.length > 1 && !replacement.replaceAll) {
    const lines = found.map((offset) => index.positionAt(offset).line);
    throw new ToolError(
      'edit_conflict',
      `The text occurs ${found.length} times in ${shown} (lines ${lines.slice(0, 10).join(', ')}${lines.length > 10 ? ', …' : ''}). Nothing was changed.`,
      {
        hint: 'Give more of the surrounding lines so that it occurs once, or set replace_all.',
        data: { lines: lines.slice(0, 100) },
      },
    );
  }
  return found.map((offset) => ({
    range: { start: index.positionAt(offset), end: index.positionAt(offset + wanted.length) },
    newText: replacement.newText,
  }));
}

function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

function notFound(shown: string, text: string, wanted: string): ToolError {
  const near = nearest(text, wanted);
  if (near === undefined)
    return text === ''
      ? new ToolError('text_not_found', `${shown} is empty. Nothing was changed.`, {
          hint: 'write_file writes a whole file.',
        })
      : new ToolError('text_not_found', `The text does not occur in ${shown}. Nothing was changed.`, {
          hint: 'Read the file and copy the text from it.',
        });
  const what = near.onlyWhitespace ? 'differs only in white space' : `is the nearest (${near.likeness} % alike)`;
  const lines = near.line === near.endLine ? `line ${near.line}` : `lines ${near.line}-${near.endLine}`;
  return new ToolError(
    'text_not_found',
    `The text does not occur in ${shown}; what stands at ${lines} ${what}. Nothing was changed.`,
    {
      hint: 'If that is meant, pass its text as old_text; it stands below as it is in the file.',
      data: { line: near.line, endLine: near.endLine, text: near.text },
    },
  );
}

interface NearMiss {
  line: number;
  endLine: number;
  text: string;
  onlyWhitespace: boolean;
  likeness: number;
}

const maxLinesSearched = 20_000;
const maxShownChars = 1500;

/** The stretch of the file most like the wanted text, compared line by line without regard to white space. */
function nearest(text: string, wanted: string): NearMiss | undefined {
  const lines = text.split(/\r\n|\n/).slice(0, maxLinesSearched);
  const asked = wanted.split(/\r\n|\n/);
  while (asked.length > 1 && asked.at(-1)?.trim() === '') asked.pop();
  while (asked.length > 1 && asked[0]?.trim() === '') asked.shift();
  const pattern = asked.map(squeeze);
  const squeezed = lines.map(squeeze);
  let best = { at: -1, score: 0 };
  for (let at = 0; at + 1 <= lines.length; at++) {
    let score = 0;
    for (let offset = 0; offset < pattern.length; offset++) {
      const here = squeezed[at + offset];
      const there = pattern[offset] ?? '';
      if (here === undefined) break;
      if (here === there) score += there === '' ? 0.2 : 1;
      else if (offset === 0 || score > 0) score += 0.9 * similarity(here, there);
    }
    if (score > best.score) best = { at, score };
  }
  const possible = pattern.reduce((sum, line) => sum + (line === '' ? 0.2 : 1), 0);
  const likeness = best.score / possible;
  if (best.at < 0 || likeness < 0.5) return undefined;
  const part = lines.slice(best.at, best.at + pattern.length);
  const shownText = part.join('\n');
  return {
    line: best.at + 1,
    endLine: best.at + part.length,
    text: shownText.length > maxShownChars ? `${shownText.slice(0, maxShownChars)}…` : shownText,
    onlyWhitespace: part.map(squeeze).join('\n') === pattern.join('\n'),
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
