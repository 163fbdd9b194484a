import { expect, it } from 'vitest';
import { usageLines } from './referenceText.ts';

const call = { file: 'a.ts', line: 3, column: 1, context: 'f(f(1))', type: 'METHOD_CALL' };

it('tells a line once, however often the name stands in it', () => {
  const usages = [call, { ...call, column: 3 }, { ...call, line: 4 }, { ...call, file: 'b.ts', line: 4 }];
  expect(usageLines(usages, 'f')).toEqual(['a.ts', ' 3 ×2: f(f(1))', ' 4: f(f(1))', 'b.ts', ' 4: f(f(1))']);
});

it('keeps uses of different kinds in one line apart', () => {
  const write = { ...call, context: 'x = x + 1', type: 'WRITE' };
  expect(usageLines([write, { ...write, column: 5, type: 'REFERENCE' }], 'x')).toEqual([
    'a.ts',
    ' 3 write: x = x + 1',
    ' 3: x = x + 1',
  ]);
});
