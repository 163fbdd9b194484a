import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { builtProgram } from '../support/program.ts';

const repository = resolve(import.meta.dirname, '../..');
let program: string;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  program = await builtProgram();
  home = await temporaryDirectory('link');
  const bin = join(home, '.local', 'bin');
  mkdirSync(bin, { recursive: true });
  env = { HOME: home, PATH: [bin, process.env['PATH'] ?? ''].join(delimiter) };
});

afterAll(() => removeDirectory(home));

/** `npm start` at a terminal, up to the point where the program would start. */
function offer(answer: string): Promise<string> {
  const script = join(repository, 'scripts', 'link.mjs');
  const pty = spawn(process.execPath, ['-e', `import(${JSON.stringify(script)}).then((m) => m.offerLink())`], {
    cwd: home,
    env,
  });
  return new Promise((done) => {
    let shown = '';
    pty.onData((data) => {
      shown += data;
      if (data.includes('[y/N]')) pty.write(`${answer}\r`);
    });
    pty.onExit(() => done(shown));
  });
}

test('it is offered once, at a terminal, and done only when wanted', async () => {
  expect(await offer('n')).toContain('npm run link does it later');
  expect(existsSync(join(home, '.local', 'bin', 'sightline'))).toBe(false);
  expect(await offer('y')).toBe('');
  const link = () => promisify(execFile)(process.execPath, [join(repository, 'scripts', 'link.mjs')], { env });
  expect((await link()).stdout).toContain('leads to this clone');
  expect(readlinkSync(join(home, '.local', 'bin', 'sightline'))).toBe(program);
  expect((await link()).stdout).toContain('on the PATH already');
  const { stdout } = await promisify(execFile)('sightline', ['--version'], { env });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});
