import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinArguments, splitArguments } from './commandLine.ts';

test.each([
  ['a b  c', ['a', 'b', 'c']],
  ['--name "a b" \'c d\'', ['--name', 'a b', 'c d']],
  ['a\\ b "c\\"d" "e\\f"', ['a b', 'c"d', 'e\\f']],
  ['x="y z" \'\' ""', ['x=y z', '', '']],
  ['', []],
  ['$HOME *.txt', ['$HOME', '*.txt']],
])('%s', (line, words) => {
  expect(splitArguments(line)).toEqual(words);
});

test('what is joined is split into the same words', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(splitArguments(joinArguments(words))).toEqual(words);
    }),
  );
});
