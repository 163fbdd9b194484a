import { advise, parameter } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { LineIndex, Range } from '../../../base/positions.ts';

/** How a caller says what to extract: lines, lines with columns, or the text itself. */
interface Selection {
  startLine?: number;
  endLine?: number;
  startColumn?: number;
  endColumn?: number;
  text?: string;
}

/** The range a selection means. Text must occur once in the lines given (or in the file), or begin at the line and column given. Columns count from 1; the end is exclusive. */
export function selectedRange(shown: string, index: LineIndex, selection: Selection): Range {
  const { startLine, text } = selection;
  const endLine = selection.endLine ?? startLine;
  if (text !== undefined) return textRange(shown, index, { ...selection, text, endLine });
  if (startLine === undefined || endLine === undefined)
    throw new ToolError('invalid_arguments', 'What is to be extracted?', {
      hint: advise`Pass ${parameter('startLine')} and ${parameter('endLine')}, or text.`,
    });
  if (startLine > index.lineCount || endLine > index.lineCount || endLine < startLine)
    throw new ToolError(
      'invalid_arguments',
      `${shown} has ${index.lineCount} lines; ${startLine}-${endLine} is no range of it.`,
    );
  const lastColumn = (index.lineText(endLine)?.length ?? 0) + 1;
  return {
    start: { line: startLine, column: selection.startColumn ?? 1 },
    end: { line: endLine, column: Math.min(selection.endColumn ?? lastColumn, lastColumn) },
  };
}

function textRange(
  shown: string,
  index: LineIndex,
  { text, startLine, endLine, startColumn }: Selection & { text: string },
): Range {
  const from = startLine === undefined ? 0 : index.offsetAt({ line: startLine, column: 1 });
  const to =
    endLine === undefined || startLine === undefined
      ? index.text.length
      : index.offsetAt({ line: endLine, column: (index.lineText(endLine)?.length ?? 0) + 1 });
  const wanted = text.trim();
  const found: number[] = [];
  if (wanted !== '')
    for (
      let at = index.text.indexOf(wanted, from);
      at !== -1 && at + wanted.length <= Math.max(to, from + wanted.length);
      at = index.text.indexOf(wanted, at + 1)
    )
      if (at < to) found.push(at);
  const places = found.map((at) => index.positionAt(at));
  const pointed = places.findIndex(({ line, column }) => line === startLine && column === startColumn);
  const first = found[Math.max(pointed, 0)];
  if (first === undefined)
    throw new ToolError(
      'text_not_found',
      `The text is not in ${shown}${startLine === undefined ? '' : ` from line ${startLine}`}.`,
      { hint: 'Copy it from the file, or pass lines and columns.' },
    );
  if (found.length > 1 && pointed < 0) {
    const shownPlaces = places.slice(0, 10).map(({ line, column }) => `${line}:${column}`);
    throw new ToolError('ambiguous_symbol', `The text occurs ${found.length} times in ${shown}.`, {
      hint: advise`Pass ${parameter('startLine')} and ${parameter('startColumn')} of one: ${shownPlaces.join(', ')}`,
    });
  }
  return { start: index.positionAt(first), end: index.positionAt(first + wanted.length) };
}
