import { comparePositions, type LineIndex } from '../../../../base/positions.ts';
import type { OutlineSymbol } from '../../model.ts';
import { assignedName, justBefore } from './assignedFunctions.ts';

/**
 * What TypeScript's server says of a file's symbols, put right: type aliases come as classes, functions assigned to a property
 * (`exports.total = function …`) stand where the keyword is and not the name, and members of a prototype come as
 * variables inside of a function that does not contain them.
 */
export function repairOutline(symbols: readonly OutlineSymbol[], text: LineIndex): OutlineSymbol[] {
  return symbols.flatMap((symbol) => {
    const repaired = repair(symbol, text);
    const outside = repaired.children.filter(({ range }) => comparePositions(range.start, repaired.range.end) >= 0);
    if (outside.length === 0) return [repaired];
    const members = outside.map((child) => ({ ...child, container: repaired.name }));
    return [{ ...repaired, children: repaired.children.filter((child) => !outside.includes(child)) }, ...members];
  });
}

function repair(symbol: OutlineSymbol, text: LineIndex): OutlineSymbol {
  const children = repairOutline(symbol.children, text);
  const [only] = children;
  const line = text.lineText(symbol.nameRange.start.line) ?? '';
  const before = justBefore(line, symbol.nameRange.start.column);
  if (symbol.kind === 'class' && /\btype\s+$/.test(before)) return { ...symbol, kind: 'type', children };
  // `View.prototype.lookup = function lookup() {…}`: the name, and the function of that name as its only content.
  if (symbol.kind === 'variable' && before.endsWith('.') && only?.name === symbol.name && children.length === 1)
    return { ...symbol, kind: 'method', range: { ...symbol.range, end: only.range.end }, children: only.children };
  return { ...atItsName(symbol, line), children };
}

/** A function without a name of its own stands where the name is that it is assigned to. */
function atItsName(symbol: OutlineSymbol, line: string): OutlineSymbol {
  const target = assignedName(line, symbol.nameRange.start.column);
  if (symbol.kind !== 'function' || target?.name !== symbol.name) return symbol;
  const { line: row } = symbol.nameRange.start;
  const start = { line: row, column: target.column };
  const end = { line: row, column: target.column + symbol.name.length };
  const statement = { line: row, column: line.length - line.trimStart().length + 1 };
  return { ...symbol, nameRange: { start, end }, range: { start: statement, end: symbol.range.end } };
}
