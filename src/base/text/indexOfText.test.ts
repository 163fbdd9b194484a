import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexOfText } from './indexOfText.ts';

test('a long text is found where the runtime finds it', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 250, maxLength: 600 });
  fc.assert(
    fc.property(letters, letters, fc.nat(300), (wanted, other, from) => {
      const text = `${other}${wanted}${other}${wanted}`;
      expect(indexOfText(text, wanted, from)).toBe(text.indexOf(wanted, from));
      expect(indexOfText(other, wanted)).toBe(other.indexOf(wanted));
    }),
  );
});

test('texts that repeat themselves are searched in no time', () => {
  const startedAt = performance.now();
  const half = 'a'.repeat(50_000);
  expect(indexOfText('a'.repeat(2_000_000), `${half}b${half}`)).toBe(-1);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
