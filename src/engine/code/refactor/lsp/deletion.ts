import { comparePositions, type LineIndex, type Range } from '../../../../base/positions.ts';
import type { OutlineSymbol } from '../../model.ts';
import type { LspRefactoring } from './profile.ts';
import { refuse } from '../refusals/refuse.ts';

/** The whole lines that a declaration takes with the comments right above it; refused where it shares them. */
export function declarationLines(text: LineIndex, symbol: OutlineSymbol, { declarationHead }: LspRefactoring): Range {
  const { start, end } = symbol.range;
  const first = text.lineText(start.line) ?? '';
  const last = text.lineText(end.line) ?? '';
  const isAlone =
    declarationHead.test(first.slice(0, start.column - 1)) &&
    /^\s*[,;]?\s*(?:\/\/.*|#.*|!.*)?$/.test(last.slice(end.column - 1));
  if (!isAlone) throw refuse('sharesItsLine', { name: symbol.name });
  let from = start.line;
  while (from > 1 && /^\s*(?:\/\/|\/\*|\*|#\[|@\w)/.test(text.lineText(from - 1) ?? '')) from--;
  // One of the two empty lines that would meet goes too.
  const isBetween = (text.lineText(from - 1) ?? '') === '' && (text.lineText(end.line + 1) ?? '').trim() === '';
  const to = isBetween ? end.line + 2 : end.line + 1;
  return { start: { line: from, column: 1 }, end: { line: to, column: 1 } };
}

export function isWithin(range: Range, { start }: Range): boolean {
  return comparePositions(range.start, start) <= 0 && comparePositions(start, range.end) < 0;
}
