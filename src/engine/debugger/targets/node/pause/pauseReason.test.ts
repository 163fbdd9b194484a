import { expect, test } from 'vitest';
import { withoutAmbiguity } from './pauseReason.ts';

test('of several reasons for a pause the weightiest counts, with what it says', () => {
  const data = { reasons: [{ reason: 'other' }, { reason: 'exception', auxData: { uncaught: true } }] };
  expect(withoutAmbiguity({ callFrames: [], reason: 'ambiguous', data })).toMatchObject({
    reason: 'exception',
    data: { uncaught: true },
  });
  const outOfMemory = { reasons: [{ reason: 'other' }, { reason: 'OOM' }] };
  expect(withoutAmbiguity({ callFrames: [], reason: 'ambiguous', data: outOfMemory }).reason).toBe('OOM');
});

test('a pause that nothing weighty belongs to stays as it is', () => {
  const event = { callFrames: [], reason: 'ambiguous' as const, data: { reasons: [{ reason: 'other' }] } };
  expect(withoutAmbiguity(event)).toBe(event);
});
