import { expect, test } from 'vitest';
import { globFilter } from './glob.ts';

test.each([
  ['*.ts', 'src/a/b.ts', true],
  ['*.ts', 'src/a/b.tsx', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/x/y/a.ts', true],
  ['**/test/**', 'a/test/b/c.ts', true],
  ['**/test/**', 'a/tests/c.ts', false],
  ['/a.ts', 'a.ts', true],
  ['/a.ts', 'x/a.ts', false],
  ['./src/a.ts', 'src/a.ts', true],
  ['src/', 'src/x/y.ts', true],
  ['*.{ts,tsx}', 'a/b.tsx', true],
  ['{src,lib}/**/{a,b}.ts', 'lib/q/b.ts', true],
  ['{src,lib}/**/{a,b}.ts', 'lib/q/c.ts', false],
  ['[a-c]*.py', 'x/bz.py', true],
  ['[!a-c]*.py', 'x/bz.py', false],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['\\*.ts', '*.ts', true],
  ['\\*.ts', 'a.ts', false],
  ['**', 'any/thing', true],
  ['a[', 'a[', true],
  ['{a', '{a', true],
])('%s on %s: %s', (pattern, path, expected) => {
  expect(globFilter([pattern])(path)).toBe(expected);
});

test('several patterns add up, and those with ! take away', () => {
  const filter = globFilter(['*.ts', '*.js', '!**/generated/**', '!*.d.ts']);
  expect(['a.ts', 'b.js', 'c.py', 'x/generated/a.ts', 'y.d.ts'].filter(filter)).toEqual(['a.ts', 'b.js']);
  expect(['a.ts', 'b.md'].filter(globFilter(['!*.md']))).toEqual(['a.ts']);
  expect(['a.ts'].filter(globFilter([]))).toEqual(['a.ts']);
});

test('no pattern takes long', () => {
  const started = performance.now();
  const name = 'a'.repeat(2000);
  for (const pattern of ['*a'.repeat(500) + 'b', '**/'.repeat(500) + 'b', '{a,b}'.repeat(50), '?*'.repeat(800)])
    globFilter([pattern])(`${name}/${name}`);
  expect(performance.now() - started).toBeLessThan(1000);
});
