import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit } from './fit.ts';

const json = (value: unknown) => JSON.stringify(value) ?? '';

describe('fit', () => {
  it('leaves an answer that fits as it is', () => {
    const data = { a: [1, 2, 3], text: 'x'.repeat(3000) };
    expect(fit(data, 6000, json)).toEqual({ value: data, text: json(data), omitted: [] });
  });

  it('shortens long strings before it drops list items', () => {
    const fitted = fit({ text: 'x'.repeat(10_000), items: [1, 2, 3] }, 3000, json);
    expect(fitted.value.items).toEqual([1, 2, 3]);
    expect(fitted.omitted).toEqual(['text: 7300 of 10000 characters']);
  });

  it('gives one long text nearly all the room there is', () => {
    const fitted = fit({ diff: 'x'.repeat(7000), files: ['a', 'b'] }, 6000, json);
    expect(fitted.text.length).toBeGreaterThan(5000);
    expect(fitted.value.files).toEqual(['a', 'b']);
  });

  it('counts what it left out of lists', () => {
    const fitted = fit({ items: Array.from({ length: 1000 }, (_, index) => `item ${index}`) }, 1000, json);
    expect(fitted.text.length).toBeLessThanOrEqual(1000);
    expect(fitted.omitted).toEqual(['items: 950 of 1000']);
  });

  it('always fits, whatever the data', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 200, max: 2000 }), (data, maxChars) => {
        expect(fit(data, maxChars, json).text.length).toBeLessThanOrEqual(maxChars);
      }),
      { numRuns: 200 },
    );
  });
});
