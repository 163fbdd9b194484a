import { advise, parameter, step } from '../../../../base/text/advice.ts';
import { ToolError } from '../../../../base/errors.ts';
import { LineIndex } from '../../../../base/positions.ts';
import { indexOfText } from '../../../../base/text/indexOfText.ts';
import { nearestText } from './nearestText.ts';
import type { TextEdit } from '../operations.ts';
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
      hint: advise`Use ${step('writeFile')} to write a whole file.`,
    });
  if (replacement.oldText === replacement.newText)
    throw new ToolError('invalid_arguments', 'The new text is the same as the old. Nothing was changed.', {
      hint: advise`Pass what the text is to become as ${parameter('newText')}.`,
    });
  const { places, isMixed } = occurrences(text, replacement.oldText, replacement.replaceAll);
  if (places.length === 0) throw notFound(shown, text, replacement.oldText);
  const index = new LineIndex(text);
  if (places.length > 1 && !replacement.replaceAll) {
    const lines = places.slice(0, maxLinesTold).map(({ start }) => index.positionAt(start).line);
    throw new ToolError(
      'edit_conflict',
      `The text occurs ${places.length} times in ${shown} (lines ${lines.slice(0, 10).join(', ')}${places.length > 10 ? ', …' : ''}). Nothing was changed.`,
      {
        hint: advise`Give more of the surrounding lines so that it occurs once, or set ${parameter('replaceAll')}.`,
        data: { lines },
      },
    );
  }
  return places.map(({ start, end }) => ({
    range: { start: index.positionAt(start), end: index.positionAt(end) },
    newText: isMixed ? withLineEnds(replacement.newText, lineEndAt(text, start)) : replacement.newText,
  }));
}

const maxLinesTold = 20;

interface Place {
  start: number;
  end: number;
}

/** Where a text occurs, whatever line ends it is written with. In a file that mixes line ends each is as good as the other. */
function occurrences(text: string, sought: string, areAllMeant = false): { places: Place[]; isMixed: boolean } {
  const lineEnd = uniformLineEnd(text);
  const wanted = lineEnd === undefined ? sought : withLineEnds(sought, lineEnd);
  const places: Place[] = [];
  for (let at = indexOfText(text, wanted); at !== -1; at = indexOfText(text, wanted, at + wanted.length))
    places.push({ start: at, end: at + wanted.length });
  const [only] = places;
  // "aa" stands in "aaa" once or twice: which one is meant cannot be told.
  const overlapping =
    only === undefined || areAllMeant || places.length > 1 ? -1 : indexOfText(text, wanted, only.start + 1);
  if (overlapping !== -1) places.push({ start: overlapping, end: overlapping + wanted.length });
  const isMixed = lineEnd === undefined && text.includes('\r\n');
  if (places.length > 0 || !isMixed) return { places, isMixed };
  const lines = wanted.split(/\r\n|\n/).map((line) => line.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  for (const match of text.matchAll(new RegExp(lines.join('\\r?\\n'), 'g')))
    places.push({ start: match.index, end: match.index + match[0].length });
  return { places, isMixed };
}

/** The line end of the line at this place, or of the one before when it is the last. */
function lineEndAt(text: string, offset: number): '\n' | '\r\n' {
  const next = text.indexOf('\n', offset);
  const feed = next === -1 ? text.lastIndexOf('\n') : next;
  return text[feed - 1] === '\r' ? '\r\n' : '\n';
}

function notFound(shown: string, text: string, wanted: string): ToolError {
  if (text === '')
    return new ToolError('text_not_found', `${shown} is empty. Nothing was changed.`, {
      hint: advise`${step('writeFile')} writes a whole file.`,
    });
  const plain = unescaped(wanted);
  if (plain !== wanted && occurrences(text, plain).places.length > 0)
    return new ToolError(
      'text_not_found',
      `The text does not occur in ${shown}: old_text has escapes (such as \\n) where the file has the characters themselves. Nothing was changed.`,
      {
        hint: advise`Pass real line ends and characters in ${parameter('oldText')} and ${parameter('newText')}, escaped once for JSON and not twice.`,
      },
    );
  const near = nearestText(text, wanted);
  if (near === undefined)
    return new ToolError('text_not_found', `The text does not occur in ${shown}. Nothing was changed.`, {
      hint: 'Read the file and copy the text from it.',
    });
  const lines = near.line === near.endLine ? `line ${near.line}` : `lines ${near.line}-${near.endLine}`;
  const others = near.others === 0 ? '' : `, as in ${near.others} more places`;
  return new ToolError(
    'text_not_found',
    `The text does not occur in ${shown}; what stands at ${lines} ${near.difference}${others}. Nothing was changed.`,
    {
      hint: advise`If that is meant, pass its text as ${parameter('oldText')}; it stands below as it is in the file.`,
      data: { line: near.line, endLine: near.endLine, text: near.text },
    },
  );
}

/** Text whose escapes were escaped once more on the way here, or that was copied from where invisible characters are shown as escapes. */
function unescaped(text: string): string {
  const plain: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' };
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([ntr"'\\]))/g, (all, code?: string, letter?: string) =>
    code === undefined ? (plain[letter ?? ''] ?? all) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
