import { describe, expect, it } from 'vitest';
import { testMessage } from './testMessage.ts';

const indent = '        ';
const row = (name: string, text: string) => `${indent}\t${name.padEnd(12)}\t${text}`;

describe('what a failed test of Go printed', () => {
  it('is left as it is when it is a sentence', () => {
    expect(testMessage('cart_test.go:19: Total() = 300, want 301')).toBe('cart_test.go:19: Total() = 300, want 301');
  });

  it('keeps both sides and the message of a table, and neither trace nor difference', () => {
    const table = [
      'pile_test.go:20: ',
      row('Error Trace:', '/a/pile_test.go:20'),
      row('Error:', 'Not equal: '),
      row('', 'expected: []int{3, 5, 7}'),
      row('', 'actual  : []int{3, 6, 9}'),
      row('', ''),
      row('', 'Diff:'),
      row('', '--- Expected'),
      row('', '- (int) 5,'),
      row('Test:', 'TestPile'),
      row('Messages:', 'three stones'),
    ];
    expect(testMessage(table.join('\n'))).toBe(
      'pile_test.go:20: Not equal: \nexpected: []int{3, 5, 7}\nactual  : []int{3, 6, 9}\nthree stones',
    );
  });

  it('keeps the difference of sides that are long', () => {
    const long = `expected: "${'x'.repeat(400)}"`;
    const table = ['a_test.go:1:', row('Error Trace:', '/a'), row('Error:', 'Not equal: '), row('', long)];
    expect(testMessage([...table, row('', 'Diff:'), row('', '-x')].join('\n'))).toContain('\nDiff:\n-x');
  });
});
