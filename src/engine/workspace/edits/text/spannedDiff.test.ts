import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyByteEdits } from './byteEdits.ts';
import { spannedDiff } from './spannedDiff.ts';

describe('a diff of known places', () => {
  it('is a patch that makes the text before the text after', () => {
    const line = fc.array(fc.constantFrom('old', ' ', 'é', '😀', 'x', 'old '), { maxLength: 4 });
    const text = fc.tuple(fc.array(line, { maxLength: 40 }), fc.boolean());
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 12 }), ([lines, ends], chosen) => {
        const content = lines.map((parts) => parts.join('')).join('\n') + (ends ? '\n' : '.');
        const places = [...content.matchAll(/old/g)].filter((_, index) => chosen.includes(index));
        const edits = places.map(({ index }) => {
          const before = content.slice(0, index).split('\n');
          const start = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
          return { range: { start, end: { line: start.line, column: start.column + 3 } }, newText: 'brand new' };
        });
        const bytes = Buffer.from(content);
        const edited = applyByteEdits(bytes, edits, 'f');
        if (edited === undefined || edits.length === 0) return;
        const diff = spannedDiff('f', bytes, edited.bytes, edited.spans, 1e6) ?? '';
        expect(patched(content, diff)).toBe(edited.bytes.toString());
        expect(spannedDiff('f', bytes, edited.bytes, edited.spans, diff.length - 1)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('joins neighbouring lines and shows three lines around', () => {
    const before = Buffer.from('1\n2\n3\n4\nold\nold\n7\n8\n9\n10\n11\n12\n13\nold\n');
    const edits = [5, 6, 14].map((line) => ({
      range: { start: { line, column: 1 }, end: { line, column: 4 } },
      newText: 'new',
    }));
    const edited = applyByteEdits(before, edits, 'f');
    expect(spannedDiff('f', before, edited?.bytes ?? before, edited?.spans ?? [], 1000)).toBe(
      '--- a/f\n+++ b/f\n' +
        '@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-old\n-old\n+new\n+new\n 7\n 8\n 9\n' +
        '@@ -11,4 +11,4 @@\n 11\n 12\n 13\n-old\n+new\n',
    );
  });
});

/** What `patch` makes of a text. Throws when a line of the diff is not what stands there. */
function patched(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const result: string[] = [];
  let at = 0;
  for (const part of diff.split(/^(?=@@ )/m).slice(1)) {
    const [head = '', ...body] = part.split(/(?<=\n)/);
    const start = Number(/^@@ -(\d+)/.exec(head)?.[1]) - 1;
    result.push(...lines.slice(at, start));
    at = start;
    body.forEach((shown, index) => {
      if (shown.startsWith('\\')) return;
      const isCut = body[index + 1]?.startsWith('\\') === true;
      const line = isCut ? shown.slice(1, -1) : shown.slice(1);
      if (!shown.startsWith('+')) {
        if (lines[at] !== line) throw new Error(`${JSON.stringify(line)} is not line ${at + 1}`);
        at++;
      }
      if (!shown.startsWith('-')) result.push(line);
    });
  }
  return [...result, ...lines.slice(at)].join('');
}
