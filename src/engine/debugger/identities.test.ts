import { describe, expect, it } from 'vitest';
import { pairedNumbers, withoutNumbers } from './identities.ts';

describe('numbers of objects', () => {
  it('stay where two of them are in sight', () => {
    const texts = ['#1 [1]', '{of: #1 [1], says: "#2 x"}', '#2 {a: #3 {}}', '#4 Node(next=#4)', "'#5 it\\'s #5'"];
    expect(pairedNumbers(texts.map((value) => ({ value }))).map(({ value }) => value)).toEqual([
      '#1 [1]',
      '{of: #1 [1], says: "#2 x"}',
      '{a: {}}',
      '#4 Node(next=#4)',
      "'#5 it\\'s #5'",
    ]);
  });

  it('are no part of a value that is compared', () => {
    expect(withoutNumbers('#1 {self: #1, text: "issue #12"}')).toBe('{self: , text: "issue #12"}');
  });
});
