import { expect, it } from 'vitest';
import { clockTickMs, isUntouchedSince } from './readVersion.ts';

it('a file that was looked at within one tick of its last change may have been written again unnoticed', () => {
  const changedMs = 1_800_000_000_000;
  const stamp = (seenMs: number) => ({ signature: '1:2:3:4', changeTimeNs: BigInt(changedMs) * 1_000_000n, seenMs });
  const now = stamp(changedMs + 10_000);
  expect(isUntouchedSince(stamp(changedMs + clockTickMs), now)).toBe(false);
  expect(isUntouchedSince(stamp(changedMs + clockTickMs + 1), now)).toBe(true);
  expect(isUntouchedSince({ ...stamp(changedMs + 9000), changeTimeNs: 1n }, now)).toBe(false);
  expect(isUntouchedSince({ ...stamp(changedMs + 9000), signature: '1:2:3:5' }, now)).toBe(false);
});
