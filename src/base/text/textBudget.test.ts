import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, escapeInvisible, headAndTail, visibleJson } from './textBudget.ts';

test('characters that hide or reorder text are shown as escapes', () => {
  expect(escapeInvisible('a\u202eb\u200bc\u0007d\u{e0041}e\tf\ng')).toBe('a\\u202eb\\u200bc\\u0007d\\u{e0041}e\tf\ng');
  expect(escapeInvisible('Grüße 日本語 🎉 ❤️ 1️⃣')).toBe('Grüße 日本語 🎉 ❤️ 1️⃣');
});

/** One of each kind by which a terminal or a reader was ever deceived. */
test.each([
  ['a terminal sequence', '\u001b[2J'],
  ['one byte that begins such a sequence', '\u009b2J'],
  ['a title of the window', '\u001b]0;x\u0007'],
  ['a carriage return', '\r'],
  ['a backspace', '\b'],
  ['a separator of lines', '\u2028'],
  ['a separator of paragraphs', '\u2029'],
  ['an isolate', '\u2067'],
  ['an Arabic letter mark', '\u061c'],
  ['a joiner', '\u200d'],
  ['a word joiner', '\u2060'],
  ['an invisible times', '\u2062'],
  ['a grapheme joiner', '\u034f'],
  ['a Hangul filler', '\u3164'],
  ['a half-width filler', '\uffa0'],
  ['a Mongolian selector', '\u180b'],
  ['a musical beam', '\u{1d173}'],
  ['a tag', '\u{e0061}'],
  ['a selector of the supplement', '\u{e0100}'],
  ['a selector after a letter', 'a\ufe0f'],
  ['a second selector', '❤\ufe0f\ufe0f'],
  ['half a character', '\ud83d'],
])('%s is shown', (_what, text) => {
  expect(escapeInvisible(`<${text}>`)).toMatch(/^<.*\\u(\{[0-9a-f]+\}|[0-9a-f]{4}).*>$/u);
  expect(escapeInvisible(`<${text}>`)).not.toBe(`<${text}>`);
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
