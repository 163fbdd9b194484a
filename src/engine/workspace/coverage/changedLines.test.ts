import { expect, test } from 'vitest';
import { addedLines } from './changedLines.ts';

test('added lines by file; content that looks like a header is content', () => {
  const diff = [
    'diff --git a/old.js b/new name.js',
    'rename from old.js',
    '--- a/old.js',
    '+++ b/new name.js\t',
    '@@ -3 +3,2 @@ function x() {',
    '-one',
    '+++ b/other.js',
    '+@@ -1 +50,5 @@',
    '@@ -9,2 +11,0 @@',
    '-gone',
    '-gone',
    '\\ No newline at end of file',
    '--- /dev/null',
    '+++ "b/a \\"q\\" \\t.js"',
    '@@ -0,0 +1 @@',
    '+new',
  ].join('\n');
  expect(Object.fromEntries([...addedLines(diff)].map(([file, lines]) => [file, [...lines]]))).toEqual({
    'new name.js': [3, 4],
    'a "q" \t.js': [1],
  });
});
