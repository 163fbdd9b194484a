import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDirectory, temporaryDirectory } from '../harness/harness.ts';
import { eventually, processesOf } from '../support/program.ts';

const repository = resolve(import.meta.dirname, '../..');
let clone: string;
let home: string;

/** The files that git knows of, as they are now, and nothing else: no packages, no build. */
beforeAll(async () => {
  const scratch = await temporaryDirectory('clone');
  clone = join(scratch, 'sightline');
  home = join(scratch, 'home');
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: repository, maxBuffer: 1e8 });
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(repository, file), join(clone, file));
  }
});

afterAll(() => removeDirectory(dirname(clone)));

test('npm start installs, builds, says how to connect and that it is ready; the second time it is quick', async () => {
  const first = await start();
  expect(first.stderr).toContain('installing packages: done');
  expect(first.stderr).toContain('building: done');
  expect(first.stdout).toContain(`is ready for ${clone}`);
  expect(first.stdout).toContain(`claude mcp add sightline -- node ${join(clone, 'dist', 'sightline.js')} stdio`);
  expect(first.stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
  const second = await start();
  expect(second.stderr).toBe('');
  expect(second.stdout).toContain('is ready for');
}, 300_000);

/** Runs `npm start` until it is ready, then ends it as Ctrl-C does. */
async function start(): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SIGHTLINE_HOME: home };
  // A terminal sends Ctrl-C to the whole foreground group.
  const npm = spawn('npm', ['start', '--loglevel=error'], { cwd: clone, env, detached: true });
  let [stdout, stderr] = ['', ''];
  npm.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  npm.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const exited = new Promise<number>((done) => {
    npm.once('exit', (code) => done(code ?? -1));
  });
  expect(await eventually(() => stdout.includes('Ctrl-C ends it.') || npm.exitCode !== null, 240_000)).toBe(true);
  process.kill(-(npm.pid ?? 0), 'SIGINT');
  await exited;
  expect(await eventually(() => processesOf(home).length === 0, 5000)).toBe(true);
  return { stdout, stderr };
}
