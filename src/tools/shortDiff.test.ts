import { describe, expect, it } from 'vitest';
import { shortDiff } from './shortDiff.ts';

const one = (name: string): string =>
  `--- a/${name}\n+++ b/${name}\n@@ -3,4 +3,5 @@\n import a\n-import { x } from './old'\n+import { x } from './new'\n+import y\n rest\n`;

describe('a difference for a model', () => {
  it('has the changed lines with their numbers and nothing around them', () => {
    expect(shortDiff(one('src/a.ts'))).toBe(
      "src/a.ts\n4-import { x } from './old'\n4+import { x } from './new'\n5+import y",
    );
  });
  it('tells many small changes of files by their counts, after one of them as an example', () => {
    const files = Array.from({ length: 20 }, (_, index) => one(`src/f${index}.ts`)).join('');
    const text = shortDiff(files);
    expect(text.split('\n').slice(0, 4).join('\n')).toBe(shortDiff(one('src/f0.ts')));
    expect(text).toContain('19 files with up to 6 changed lines each:\nsrc/f1.ts (+2 -1)\n');
    expect(text.length).toBeLessThan(files.length / 4);
  });
  it('names new, deleted and moved files', () => {
    expect(shortDiff('--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+a\n')).toBe('new n.ts\n1+a');
    expect(shortDiff('--- a/n.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')).toBe('deleted n.ts\n1-a');
    expect(shortDiff('rename from n.ts\nrename to m.ts\n--- a/n.ts\n+++ b/m.ts\n@@ -1 +1 @@\n-a\n+b\n')).toBe(
      'n.ts -> m.ts\n1-a\n1+b',
    );
    expect(shortDiff(`${one('a.ts')}rename from n.ts\nrename to m.ts\n`)).toMatch(/import y\nn.ts -> m.ts$/);
  });
  it('leaves what is no difference as it is, and keeps the mark of what was cut', () => {
    expect(shortDiff('Binary files differ\n')).toBe('Binary files differ');
    expect(shortDiff('--- a/n.ts\n+++ b/n.ts\n@@ -1 +1 @@\n-a\n… (+90 chars)')).toBe('n.ts\n1-a\n… (+90 chars)');
  });
});
