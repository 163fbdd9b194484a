import { expect, it } from 'vitest';
import { LineIndex } from '../../../base/positions.ts';
import type { OutlineSymbol } from '../model.ts';
import { assignedName } from '../servers/typescript/assignedFunctions.ts';
import { repairOutline } from '../servers/typescript/outlineRepair.ts';
import { signatureOf } from './outlineView.ts';

it('the outline of a file of one long line costs no more for a name at its end than for one at its beginning', () => {
  const count = 30_000;
  const parts = Array.from({ length: count }, (_unused, index) => `function f${index}(a){return a+${index}}`);
  const text = new LineIndex(parts.join(''));
  let column = 1;
  const symbols = parts.map((part, index): OutlineSymbol => {
    const start = { line: 1, column: column + 9 };
    const range = { start: { line: 1, column }, end: { line: 1, column: column + part.length } };
    column += part.length;
    const name = `f${index}`;
    const nameRange = { start, end: { line: 1, column: start.column + name.length } };
    return { name, kind: 'function', range, nameRange, children: [] };
  });
  // Looking back to the beginning of the line for each took minutes, during which nothing else was answered.
  const repaired = repairOutline(symbols, text);
  expect(repaired.map((symbol) => signatureOf(text, symbol)).at(-1)).toBe(`function f${count - 1}(a)`);
});

it('the name that a function is assigned to is found far to the right', () => {
  const line = `${'x'.repeat(5000)};exports.total = function () {}`;
  const column = line.indexOf('function') + 1;
  expect(assignedName(line, column)).toEqual({ name: 'total', column: line.indexOf('total') + 1 });
});
