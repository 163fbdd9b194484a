import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { linesWithCode, nearestLines } from './codeLines.ts';
import { OriginalNames } from './originalNames.ts';
import { ScriptMap } from '../../../../../base/sourceMaps.ts';

const source = `export function outer(first: number) {
  const second = first + 1;
  function inner(third: number) {
    return third * 2;
  }
  return inner(second);
}
`;

async function minified(): Promise<{
  names: OriginalNames;
  at: (text: string) => { lineNumber: number; columnNumber: number };
}> {
  const { code, map } = await transform(source, { loader: 'ts', minify: true, sourcemap: true, sourcefile: 'a.ts' });
  const names = OriginalNames.of(code, new ScriptMap(map, '/x/a.js', (path) => path));
  if (names === undefined) throw new Error('the map has no names');
  return { names, at: (text) => ({ lineNumber: 0, columnNumber: code.indexOf(text) }) };
}

test('an expression is translated to the compiled names, and what it declares itself stays', async () => {
  const { names, at } = await minified();
  const place = at('*2');
  const third = names.compiled('third', place);
  expect(third).toMatch(/^\w$/);
  expect(names.compiled('[1].map((third) => third)', place)).toBe('[1].map((third) => third)');
  expect(names.compiled('({ third, x: y.third })', place)).toBe(`({ third: ${third}, x: y.third })`);
  expect(names.compiled('not valid (', place)).toBe('not valid (');
});

test('a variable that an inner one hides by its compiled name is an error, never the wrong value', () => {
  const code = 'function o(a){return function i(a){return a*2}}';
  const mappings = [
    [
      [11, 0, 0, 11, 0],
      [32, 0, 0, 32, 1],
    ],
  ];
  const map = { version: 3, sources: ['a.ts'], names: ['first', 'third'], mappings };
  const names = OriginalNames.of(code, new ScriptMap(JSON.stringify(map), '/x/a.js', (path) => path));
  const place = { lineNumber: 0, columnNumber: code.indexOf('a*2') };
  expect(names?.compiled('third', place)).toBe('a');
  expect(names?.compiled('first', place)).toContain('first cannot be read here');
});

test('lines on which V8 can stop are told from the text', () => {
  const text = ['// one', 'let a = 1;', '', 'function f() {', '  return a;', '}', 'f();', '// end'].join('\n');
  expect(linesWithCode(text)).toEqual([2, 5, 7]);
  expect(linesWithCode('not ( valid')).toBeUndefined();
  expect(nearestLines([2, 5, 7], 6)).toEqual([2, 5, 7]);
  expect(nearestLines([2, 5, 7], 8)).toEqual([5, 7]);
});
