import { ToolError } from '../../../../base/errors.ts';
import { LineIndex, type Position, type Range } from '../../../../base/positions.ts';
import type { TextEdit } from '../operations.ts';

/**
 * The text after all edits, whose ranges all refer to the text before. Servers send edits in any order; some send one twice.
 * Overlapping edits have no meaning and are refused. Line ends of inserted text follow the file.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[], path: string): string {
  const index = new LineIndex(text);
  const lineEnd = edits.some((edit) => edit.newText.includes('\n')) ? uniformLineEnd(text) : undefined;
  const parts: string[] = [];
  let position = 0;
  const source = {
    offsetAt: (at: Position) => index.offsetAt(at),
    textBetween: (start: number, end: number) => text.slice(start, end),
  };
  for (const { start, end, newText } of orderedEdits(edits, source, path)) {
    parts.push(text.slice(position, start), lineEnd === undefined ? newText : withLineEnds(newText, lineEnd));
    position = end;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

/** A text that edits are about, in whatever units its offsets count. */
interface EditedSource {
  offsetAt(position: Position): number;
  textBetween(start: number, end: number): string;
}

/** The edits from first to last, each once; those that cannot be made are refused. */
export function orderedEdits(
  edits: readonly TextEdit[],
  source: EditedSource,
  path: string,
): { start: number; end: number; newText: string }[] {
  const located = edits
    .map((edit, order) => ({
      ...edit,
      order,
      start: source.offsetAt(edit.range.start),
      end: source.offsetAt(edit.range.end),
    }))
    // Insertions at the start of a replaced range come before the replacement; among themselves they keep their order.
    .sort((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || a.order - b.order);
  let previous: (typeof located)[number] | undefined;
  return located.filter((edit) => {
    if (edit.end < edit.start)
      throw new ToolError('invalid_arguments', `An edit of ${path} ends before it starts (${show(edit.range)}).`);
    if (previous !== undefined && edit.start < previous.end) {
      const isRepetition =
        edit.start === previous.start && edit.end === previous.end && edit.newText === previous.newText;
      if (isRepetition) return false;
      throw new ToolError(
        'edit_conflict',
        `Two edits of ${path} overlap: ${show(previous.range)} and ${show(edit.range)}. Nothing was changed.`,
        { hint: 'Join them into one edit.' },
      );
    }
    if (edit.oldText !== undefined && source.textBetween(edit.start, edit.end) !== edit.oldText)
      throw new ToolError('file_changed', `${path} has changed since the edit was worked out. Nothing was changed.`, {
        hint: 'Repeat the call.',
      });
    previous = edit;
    return true;
  });
}

type LineEnd = '\n' | '\r\n' | '\r';

/** The line end a text uses throughout; undefined when it has only one line or mixes them (then nothing is converted). */
export function uniformLineEnd(text: string): LineEnd | undefined {
  let pairs = 0;
  let feeds = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) pairs++;
    else feeds++;
  }
  if (pairs === 0 && feeds === 0) return text.includes('\r') ? '\r' : undefined;
  if (pairs > 0 && feeds > 0) return undefined;
  return pairs > 0 ? '\r\n' : '\n';
}

export function withLineEnds(text: string, lineEnd: LineEnd): string {
  return text.replace(/\r\n|\n/g, lineEnd);
}

function show(range: Range): string {
  return `${range.start.line}:${range.start.column}-${range.end.line}:${range.end.column}`;
}
