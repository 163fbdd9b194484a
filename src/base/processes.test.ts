import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { childEnvironment, ManagedProcess, processesWithToken } from './processes.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-processes-')));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(script: string, env: NodeJS.ProcessEnv = { PATH: process.env['PATH'] }): Promise<ManagedProcess> {
  return ManagedProcess.start({ command: process.execPath, args: ['-e', script], cwd: folder, env, name: 'child' });
}

async function outputOf(child: ManagedProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return text;
}

describe("a child's environment", () => {
  test('is built: what would change what it runs, or give it our authority, is not passed on', () => {
    const given = {
      PATH: '/bin',
      VIRTUAL_ENV: '/v',
      SIGHTLINE_TOKEN: 'secret',
      SIGHTLINE_RUN: 'x',
      NODE_OPTIONS: '--require ./evil.js',
      LD_PRELOAD: './evil.so',
      LD_AUDIT: './evil.so',
      DYLD_INSERT_LIBRARIES: './evil.dylib',
      GIT_DIR: '/elsewhere',
      GIT_SSH_COMMAND: 'evil',
      GIT_CONFIG_COUNT: '1',
    };
    expect(childEnvironment(given)).toEqual({ PATH: '/bin', VIRTUAL_ENV: '/v' });
    expect(childEnvironment(given, { NODE_OPTIONS: '--enable-source-maps' })).toMatchObject({
      NODE_OPTIONS: '--enable-source-maps',
    });
  });

  test('is the whole environment', async () => {
    const child = await start('console.log(Object.keys(process.env).join())', { PATH: '/bin', ONLY: '1' });
    const names = (await outputOf(child)).trim().split(',');
    // Starting a program is allowed to add these; nothing of ours may be among them.
    expect(names.filter((name) => !['PATH', 'ONLY', 'SIGHTLINE_RUN', 'PWD', 'SHLVL', '_'].includes(name))).toEqual([]);
  });
});

test('a program that does not exist is an error at once', async () => {
  await expect(
    ManagedProcess.start({ command: join(folder, 'none'), args: [], cwd: folder, env: {}, name: 'nothing' }),
  ).rejects.toMatchObject({ name: 'TransportError', message: expect.stringContaining('nothing could not be started') });
});

test.each([
  ['a NUL character', ['a\0b'], folder, 'ToolError'],
  ['too much text', ['x'.repeat(10_000_000)], folder, 'TransportError'],
  ['a working directory that is not there', [], join(folder, 'none'), 'TransportError'],
])('%s is an error, not a crash', async (_name, args, cwd, error) => {
  await expect(
    ManagedProcess.start({ command: process.execPath, args, cwd, env: {}, name: 'child' }),
  ).rejects.toMatchObject({ name: error });
});

test('arguments reach the program as they are', async () => {
  const odd = ['a b', '$(touch x)', '`id`', '; ls', '"quoted"', "'", '*', '\\', '-n', ''];
  const child = await ManagedProcess.start({
    command: process.execPath,
    args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...odd],
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    name: 'child',
  });
  expect(JSON.parse(await outputOf(child))).toEqual(odd);
});

test('ending it ends what it started, also what left its group and ignores SIGTERM', async () => {
  const child = await start(`
    const { spawn } = require('node:child_process');
    const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";
    const options = { stdio: ['ignore', 'inherit', 'ignore'] };
    spawn(process.execPath, ['-e', stubborn], options);
    spawn(process.execPath, ['-e', stubborn], { ...options, detached: true }).unref();
    setInterval(() => {}, 1000);
  `);
  let up = 0;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      up += chunk.toString().split('up').length - 1;
      if (up === 2) resolve();
    });
  });
  expect(processesWithToken(child.runToken)).toHaveLength(3);
  await child.kill(100);
  expect(processesWithToken(child.runToken)).toEqual([]);
});
