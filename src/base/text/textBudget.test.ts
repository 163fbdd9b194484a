import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, escapeInvisible, headAndTail, visibleJson } from './textBudget.ts';

test('characters that hide or reorder text are shown as escapes', () => {
  expect(escapeInvisible('a\u202eb\u200bc\u0007d\u{e0041}e\tf\ng')).toBe('a\\u202eb\\u200bc\\u0007d\\u{e0041}e\tf\ng');
  expect(escapeInvisible('Grüße 日本語 🎉')).toBe('Grüße 日本語 🎉');
});

test('JSON with such characters stays the same data', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('\u202e', '\u200b', '\u{e0041}', '\ufeff', '\u0085', 'x'),
      (value, odd) => {
        const data = { value, odd: `a${odd}b` };
        const text = visibleJson(data);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(data)));
        expect(escapeInvisible(text)).toBe(text);
      },
    ),
  );
});

test('cuts say how much is gone and never split a character', () => {
  expect(clip('short', 10)).toBe('short');
  const cut = clip('🎉'.repeat(100), 40);
  expect(cut.length).toBeLessThanOrEqual(40);
  expect(cut).toMatch(/^(🎉)+… \(\+\d+ chars\)$/u);
  expect(headAndTail(`start${'x'.repeat(1000)}end`, 100)).toMatch(/^start[^]*characters left out[^]*end$/);
});
