import { ToolError } from '../../../base/errors.ts';
import { LineIndex, type Range } from '../../../base/positions.ts';
import type { TextEdit } from './operations.ts';

/**
 * The text after all edits, whose ranges all refer to the text before. Servers send edits in any order; some send one twice.
 * Overlapping edits have no meaning and are refused. Line ends of inserted text follow the file.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[], path: string): string {
  const index = new LineIndex(text);
  const located = edits
    .map((edit, order) => ({
      order,
      start: index.offsetAt(edit.range.start),
      end: index.offsetAt(edit.range.end),
      newText: edit.newText,
      oldText: edit.oldText,
      range: edit.range,
    }))
    // Insertions at the start of a replaced range come before the replacement; among themselves they keep their order.
    .sort((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || a.order - b.order);

  const lineEnd = uniformLineEnd(text);
  const parts: string[] = [];
  let position = 0;
  let previous: (typeof located)[number] | undefined;
  for (const edit of located) {
    if (edit.end < edit.start)
      throw new ToolError('invalid_arguments', `An edit of ${path} ends before it starts (${show(edit.range)}).`);
    if (previous !== undefined && edit.start < previous.end) {
      const isRepetition =
        edit.start === previous.start && edit.end === previous.end && edit.newText === previous.newText;
      if (isRepetition) continue;
      throw new ToolError(
        'edit_conflict',
        `Two edits of ${path} overlap: ${show(previous.range)} and ${show(edit.range)}. Nothing was changed.`,
        { hint: 'Join them into one edit.' },
      );
    }
    if (edit.oldText !== undefined && text.slice(edit.start, edit.end) !== edit.oldText)
      throw new ToolError('file_changed', `${path} has changed since the edit was worked out. Nothing was changed.`, {
        hint: 'Repeat the call.',
      });
    parts.push(
      text.slice(position, edit.start),
      lineEnd === undefined ? edit.newText : withLineEnds(edit.newText, lineEnd),
    );
    position = edit.end;
    previous = edit;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

/** The line end a text uses throughout; undefined when it has only one line or mixes them (then nothing is converted). */
export function uniformLineEnd(text: string): '\n' | '\r\n' | undefined {
  let pairs = 0;
  let feeds = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) pairs++;
    else feeds++;
  }
  if (pairs > 0 === feeds > 0) return undefined;
  return pairs > 0 ? '\r\n' : '\n';
}

export function withLineEnds(text: string, lineEnd: '\n' | '\r\n'): string {
  return text.replace(/\r\n|\n/g, lineEnd);
}

function show(range: Range): string {
  return `${range.start.line}:${range.start.column}-${range.end.line}:${range.end.column}`;
}
