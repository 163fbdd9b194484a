import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { CancelledError } from './errors.ts';
import { acquireFileLock } from './fileLock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('one holder at a time, in every interleaving of many', async () => {
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const lock = await acquireFileLock(join(folder, 'a.lock'));
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      await lock.release();
    }),
  );
  expect(most).toBe(1);
  await expect(readFile(join(folder, 'a.lock'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a lock left by a dead process is taken over, by one of those who want it', async () => {
  const path = join(folder, 'a.lock');
  await writeFile(path, JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1', token: 'dead' }));
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const lock = await acquireFileLock(path);
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      await lock.release();
    }),
  );
  expect(most).toBe(1);
});

test('a reused pid is not the holder', async () => {
  const path = join(folder, 'a.lock');
  await writeFile(path, JSON.stringify({ pid: process.pid, startedAt: '1', token: 'reused' }));
  await (await acquireFileLock(path)).release();
});

test('a truncated lock file is taken over once it is old', async () => {
  const path = join(folder, 'a.lock');
  await writeFile(path, '{"pid":');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  await (await acquireFileLock(path)).release();
});

test('waiting tells who holds it, and ends with the signal', async () => {
  const path = join(folder, 'a.lock');
  const lock = await acquireFileLock(path);
  const cancel = new AbortController();
  let holder: number | undefined;
  const waiting = acquireFileLock(path, {
    signal: cancel.signal,
    onWait: (pid) => {
      holder = pid;
      cancel.abort();
    },
  });
  await expect(waiting).rejects.toBeInstanceOf(CancelledError);
  expect(holder).toBe(process.pid);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
  await lock.release();
});
