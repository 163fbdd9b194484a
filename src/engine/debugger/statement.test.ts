import { expect, it } from 'vitest';
import { LineIndex } from '../../base/positions.ts';
import { statementAround } from './statement.ts';

function around(text: string, line: number): [number, number] {
  const { start, end } = statementAround(new LineIndex(text), line);
  return [start, end];
}

it('follows a call over its lines, up and down, and a chain over its dots', () => {
  expect(around('a();\nassert.deepEqual(x, {\n  a: 1,\n});\nb();', 2)).toEqual([2, 4]);
  expect(around('a();\nassert.deepEqual(x, {\n  a: f(),\n});\nb();', 3)).toEqual([2, 4]);
  expect(around('a();\nexpect(x)\n  .not\n  .toBe(1);\nb();', 4)).toEqual([2, 4]);
  expect(around('x = 1\nassert f(\n    x,\n) == 3\ny', 2)).toEqual([2, 4]);
  expect(around('assert text == """a\nb\nc"""\ny = 1', 1)).toEqual([1, 3]);
});

it('does not take a text over several lines above it for something open', () => {
  expect(around('it(() => { same(`\n  {\n  }\n`); });\nit(() => { f(); });\nb();', 5)).toEqual([5, 5]);
  expect(around('f("""\n(\n""")\nassert x', 4)).toEqual([4, 4]);
});

it('leaves the body of a function or block alone, from both sides', () => {
  expect(around("test('a', () => {\n  f(x);\n});", 1)).toEqual([1, 1]);
  expect(around("test('a', () => {\n  f(x);\n});", 2)).toEqual([2, 2]);
  expect(around('def f(a):\n    return a["b"]\n', 2)).toEqual([2, 2]);
  expect(around('if (x) {\n  y("(");\n}', 2)).toEqual([2, 2]);
  expect(around("it('a', async () => {\n  // it's (\n  f(x);\n});", 3)).toEqual([3, 3]);
});
