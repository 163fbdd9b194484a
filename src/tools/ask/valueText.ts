import { escapeInvisible } from '../../base/text/textBudget.ts';

/** A value in the middle of a line: its beginning. */
export function clipValue(text: string, maxChars: number): string {
  const plain = escapeInvisible(text.replaceAll('\n', '⏎'));
  return plain.length <= maxChars ? plain : `${plain.slice(0, Math.max(maxChars - 1, 1))}…`;
}
