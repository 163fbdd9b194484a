import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { removeDirectory, temporaryDirectory, temporaryProject } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';

test('a person joins a terminal that asks for a password, types it and leaves', async () => {
  const program = await builtProgram();
  const home = await temporaryDirectory('home');
  const root = await temporaryProject({ 'package.json': '{}' });
  const env = { PATH: process.env['PATH'], HOME: home, SIGHTLINE_HOME: home, SHELL: '/bin/bash' };
  const sightline = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [program, ...args], { cwd: root, env })).stdout;
  const call = async (tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> =>
    JSON.parse(await sightline('call', tool, '--output', 'json', '--json', JSON.stringify(args)));
  try {
    const asked = await call('run_in_terminal', { command: 'read -s -p "Word: " w; echo; echo "length ${#w}"' });
    expect(asked).toMatchObject({ state: 'password' });
    const id = String(asked['terminalId']);
    expect(await sightline('terminal')).toContain(`${id}  running`);

    // Not started by Sightline, as a person's own terminal is not.
    const person = spawn(process.execPath, [program, 'terminal', id], { cwd: root, env, cols: 80, rows: 24 });
    const left = new Promise<number>((resolve) => {
      person.onExit(({ exitCode }) => resolve(exitCode));
    });
    let seen = '';
    person.onData((text) => (seen += text));
    await expect.poll(() => seen, { timeout: 15_000 }).toContain('Word:');
    person.write('open-sesame\r');
    await expect.poll(() => seen, { timeout: 15_000 }).toContain('length 11');
    person.write('\x1d');
    expect(await left).toBe(0);
    expect(seen).not.toContain('open-sesame');
    expect(await call('read_terminal_output', {})).toMatchObject({ exitCode: 0, output: 'Word:\nlength 11\n' });
    expect(await sightline('history')).not.toContain('open-sesame');
  } finally {
    await sightline('stop').catch(() => undefined);
    await removeDirectory(root);
    await removeDirectory(home);
  }
}, 90_000);
