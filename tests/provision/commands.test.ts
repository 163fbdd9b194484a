import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { testCacheDir } from '../support/engines.ts';
import { builtProgram } from '../support/program.ts';

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sightline-commands-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

async function run(argv: string[], env: NodeJS.ProcessEnv = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(argv, {
    cwd: scratch,
    entry: 'sightline',
    env: { ...process.env, SIGHTLINE_HOME: join(scratch, 'home'), SIGHTLINE_CACHE: testCacheDir, ...env },
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('doctor tells of every language, as a table and as JSON', async () => {
  const table = await run(['doctor']);
  expect(table.code).toBe(0);
  expect(table.out).toMatch(/^TypeScript\/JavaScript +debugger +ok +V8 inspector of Node \d+/m);
  expect(table.out).toMatch(/^ +code +ok +TypeScript 7\.\S+ +comes with Sightline$/m);
  expect(table.out).toMatch(/^C\/C\+\+ /m);
  const json = JSON.parse((await run(['doctor', '--json'])).out) as { languages: { language: string }[] };
  expect(json.languages.map(({ language }) => language)).toContain('yaml');
  expect(json.languages).toHaveLength(11);
});

test('a configured engine is taken before all others, and a wrong path is told', async () => {
  const program = join(scratch, 'my-gopls');
  await writeFile(program, '#!/bin/sh\necho "gopls v9.9.9"\n', { mode: 0o755 });
  const config = join(scratch, 'home', 'config');
  await mkdir(config, { recursive: true });
  await writeFile(
    join(config, 'config.json'),
    JSON.stringify({ 'engines.paths': { gopls: program, dlv: '/nowhere/dlv' } }),
  );
  const { out } = await run(['doctor', '--json']);
  const { languages } = JSON.parse(out) as { languages: { engines: Record<string, unknown>[] }[] };
  const engines = languages.flatMap((language) => language.engines);
  expect(engines.find(({ id }) => id === 'gopls')).toMatchObject({
    version: '9.9.9',
    source: 'configuration',
    path: program,
  });
  expect(engines.find(({ id }) => id === 'dlv')?.['problems']).toContain('/nowhere/dlv (configured) does not exist');
});

test('setup takes the languages of the project when none is named, and knows no others', async () => {
  expect(await run(['setup'])).toMatchObject({ code: 2, err: expect.stringContaining('name them, or --all') });
  expect(await run(['setup', 'cobol'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('"cobol" is no language'),
  });
  await writeFile(join(scratch, 'package.json'), '{}');
  const done = await run(['setup']);
  expect(done).toMatchObject({ code: 0, out: '3 of 3 ready.' });
  expect(done.err).toContain('For TypeScript/JavaScript:');
});

test('setup that is interrupted from the keyboard says so and leaves nothing', async () => {
  const cache = join(scratch, 'cache');
  const child = spawn(process.execPath, [await builtProgram(), 'setup', 'rope'], {
    cwd: scratch,
    env: { ...process.env, SIGHTLINE_HOME: join(scratch, 'home'), SIGHTLINE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const installing = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('installing')) resolve();
    });
  });
  await installing;
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(130);
  expect(said).toContain('run the same command again');
  expect(await readdir(join(cache, 'engines', '.staging'))).toEqual([]);
  expect(await readdir(join(cache, 'engines', '.locks'))).toEqual([]);
  expect(await readdir(join(cache, 'engines'))).not.toContain('rope');
});
