import type { TextDocumentContentChangeEvent } from 'vscode-languageserver-protocol';
import { LineIndex } from '../../base/positions.ts';
import { fromWireRange } from './convert.ts';

/** A text after changes as editors tell them: each sees what those before it made; one without a range is the whole text. */
export function changedText(text: string, changes: readonly TextDocumentContentChangeEvent[]): string {
  let now = text;
  for (const change of changes) {
    if (!('range' in change)) {
      now = change.text;
      continue;
    }
    const index = new LineIndex(now);
    const { start, end } = fromWireRange(change.range);
    now = now.slice(0, index.offsetAt(start)) + change.text + now.slice(index.offsetAt(end));
  }
  return now;
}
