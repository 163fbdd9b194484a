import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CancelledError } from '../../src/base/errors.ts';
import type { InstallProgress } from '../../src/engine/provision/model.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import { quickScript, sampleEngine } from './sampleEngine.ts';

let cacheDir: string;
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'sightline-provision-'));
});
afterEach(() => rm(cacheDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

function provisionWith(script: string): Provision {
  return new Provision({ cacheDir, env: process.env, catalog: [sampleEngine(script)] });
}

test('an engine that is missing is installed, found, and not installed again', async () => {
  const provision = provisionWith(quickScript);
  expect(await provision.locate('sample')).toMatchObject({ found: false, installCommand: 'sightline setup sample' });
  const phases: string[] = [];
  const [first] = await provision.install(['sample'], { progress: ({ phase }) => phases.push(phase) });
  expect(first).toMatchObject({ status: 'installed', version: '1.0.0', source: 'cache' });
  expect(phases).toEqual(['installing', 'checking', 'done']);
  expect(await provision.locate('sample')).toMatchObject({ found: true, version: '1.0.0', path: first?.path });
  expect(await provision.install(['sample'])).toMatchObject([{ status: 'present' }]);
  await expectNothingHalfDone();
});

test('a client that fails leaves nothing, and the outcome says what to type', async () => {
  const [outcome] = await provisionWith(`${quickScript}; exit 3`).install(['sample']);
  expect(outcome).toMatchObject({
    status: 'failed',
    reason: 'make ended with code 3',
    manualCommand: 'make sample',
  });
  expect(await provisionWith(quickScript).locate('sample')).toMatchObject({ found: false });
  await expectNothingHalfDone();
});

test('an engine that does not work once it is installed is not kept', async () => {
  const [outcome] = await provisionWith('mkdir bin && echo rubbish > bin/sample').install(['sample']);
  expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('is no sample') });
  expect(await provisionWith(quickScript).locate('sample')).toMatchObject({ found: false });
});

test('a cancelled install ends its client and leaves nothing behind', async () => {
  const marker = `sightline-cancel-${process.pid}-${Date.now()}`;
  const cancel = new AbortController();
  const installing = provisionWith(`echo ${marker}; ${quickScript}; exec sleep 1000`).install(['sample'], {
    signal: cancel.signal,
    progress: ({ message }) => {
      if (message === marker) cancel.abort();
    },
  });
  await expect(installing).rejects.toBeInstanceOf(CancelledError);
  await expectNothingHalfDone();
  expect(await provisionWith(quickScript).install(['sample'])).toMatchObject([{ status: 'installed' }]);
});

test('an install that takes too long for its caller is a failure with the command to type, and leaves nothing', async () => {
  const [outcome] = await provisionWith(`${quickScript}; exec sleep 1000`).install(['sample'], {
    signal: AbortSignal.timeout(300),
  });
  expect(outcome).toMatchObject({ status: 'failed', manualCommand: 'sightline setup sample' });
  await expectNothingHalfDone();
});

test('after kill -9 in the middle the next install ends what was left, and succeeds', async () => {
  const script = join(cacheDir, 'child.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'killedInstall.child.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    packages: 'external',
  });
  const child = spawn(process.execPath, [script, cacheDir, `${quickScript}; echo $$; exec sleep 1000`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const sleeper = await new Promise<number>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const pid = /^\d+$/m.exec(chunk.toString())?.[0];
      if (pid !== undefined) resolve(Number(pid));
    });
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(sleeper)).toBe(true);

  const provision = provisionWith(quickScript);
  expect(await provision.locate('sample')).toMatchObject({ found: false });
  expect(await provision.install(['sample'])).toMatchObject([{ status: 'installed' }]);
  await expect.poll(() => isAlive(sleeper)).toBe(false);
  await expectNothingHalfDone();
});

test('two installs at once: one does the work, the other waits and finds it done', async () => {
  const seen: InstallProgress[] = [];
  const count = join(cacheDir, 'count');
  const script = `echo x >> '${count}'; sleep 0.3; ${quickScript}`;
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () =>
      provisionWith(script).install(['sample'], { progress: (progress) => seen.push(progress) }),
    ),
  );
  expect((await readFile(count, 'utf8')).trim()).toBe('x');
  expect(
    outcomes
      .flat()
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['installed', 'present', 'present', 'present']);
  expect(seen.filter(({ phase }) => phase === 'waiting')).toHaveLength(3);
});

test.each([
  ['truncated', (folder: string) => truncate(join(folder, 'bin', 'sample'), 2)],
  ['deleted', (folder: string) => rm(join(folder, 'bin'), { recursive: true })],
  ['without a manifest', (folder: string) => rm(join(folder, 'sightline-engine.json'))],
  ['with a garbled manifest', (folder: string) => writeFile(join(folder, 'sightline-engine.json'), '{"id":')],
  ['with the manifest of another', (folder: string) => writeFile(join(folder, 'sightline-engine.json'), '{"id":"x"}')],
])('a %s engine in the cache is not used, and is installed anew', async (_what, damage) => {
  const provision = provisionWith(quickScript);
  await provision.install(['sample']);
  await damage(provision.cache.folderOf('sample', '1.0.0'));
  expect(await provision.locate('sample')).toMatchObject({ found: false });
  expect(await provision.install(['sample'])).toMatchObject([{ status: 'installed' }]);
  expect(await provision.locate('sample')).toMatchObject({ found: true });
});

async function expectNothingHalfDone(): Promise<void> {
  expect(await readdir(join(cacheDir, 'engines', '.staging'))).toEqual([]);
  expect(await readdir(join(cacheDir, 'engines', '.locks'))).toEqual([]);
}

/** A process that ended but was not waited for by whoever inherited it is a zombie: it runs no more. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
