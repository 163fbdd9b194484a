import { expect, it } from 'vitest';
import { LineIndex } from '../../../base/positions.ts';
import { selectedRange } from './selection.ts';

const index = new LineIndex('x = 1\ny = (x + 1) * (x + 1)\n');

it('asks which of several equal texts is meant, by line and column, and takes that answer', () => {
  const selection = { text: 'x + 1', startLine: 2, endLine: 2 };
  expect(() => selectedRange('a.py', index, selection)).toThrow(
    expect.objectContaining({
      message: 'The text occurs 2 times in a.py.',
      hint: expect.toSatisfy((hint) => String(hint) === 'Pass start_line and start_column of one: 2:6, 2:16'),
    }),
  );
  expect(selectedRange('a.py', index, { ...selection, startColumn: 16 })).toEqual({
    start: { line: 2, column: 16 },
    end: { line: 2, column: 21 },
  });
});

it('takes the only text in the lines given, and says when there is none', () => {
  expect(selectedRange('a.py', index, { text: 'x', startLine: 1 }).start).toEqual({ line: 1, column: 1 });
  expect(() => selectedRange('a.py', index, { text: 'z', startLine: 2 })).toThrow(
    'The text is not in a.py from line 2.',
  );
});
