import { expect, test } from 'vitest';
import { nearestText } from './nearestText.ts';

test('the nearest of many thousand alike lines is not looked for until everybody waits', () => {
  const startedAt = performance.now();
  const lines = `${'a'.repeat(99)}\n`.repeat(50_000);
  nearestText(lines, `${'a'.repeat(98)}b\n`.repeat(3000));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(nearestText(lines, `${'a'.repeat(98)}b\n`)).toMatchObject({ line: 1 });
});
