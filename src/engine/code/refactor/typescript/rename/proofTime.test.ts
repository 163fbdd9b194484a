import { expect, it } from 'vitest';
import { ProofTime } from './proofTime.ts';

const untilStopped = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });

it('gives up the proof of a preview when its time is up, and whatever would follow', async () => {
  const time = new ProofTime({ proofMs: 1 });
  time.begin();
  expect(await time.within(({ signal }) => untilStopped(signal))).toBeUndefined();
  expect(time.isUp).toBe(true);
  expect(await time.within(() => Promise.resolve('too late'))).toBeUndefined();
});

it('lets the proof of a change come to its end', async () => {
  const time = new ProofTime({});
  time.begin();
  expect(await time.within(() => Promise.resolve('proven'))).toBe('proven');
  expect(time.isUp).toBe(false);
  time.end();
});

it('does not take the end of the call, or what goes wrong, for the end of its time', async () => {
  const call = new AbortController();
  const time = new ProofTime({ proofMs: 60_000, signal: call.signal });
  time.begin();
  await expect(time.within(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const waiting = time.within(({ signal }) => untilStopped(signal));
  call.abort();
  await expect(waiting).rejects.toThrow('stopped');
  time.end();
});
