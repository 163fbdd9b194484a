import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDirectory, temporaryDirectory, temporaryProject } from '../harness/temporary.ts';
import { builtProgram, eventually, processesOf } from '../support/program.ts';
import { scriptedAgent } from './desk.ts';

/** The built program, as a person or a script uses it. */
describe('sightline agent', () => {
  let program: string;
  let home: string;
  let project: string;

  beforeAll(async () => {
    program = await builtProgram();
    home = await temporaryDirectory('home');
    project = await temporaryProject({ 'package.json': '{"name": "shop"}\n', 'price.ts': 'export const price = 1;\n' });
    mkdirSync(join(home, 'config'), { recursive: true });
    const scripted = { command: process.execPath, args: [scriptedAgent], env: { SCRIPTED_AGENT: '{}' } };
    writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ 'agents.custom': { scripted } }));
  });

  afterAll(async () => {
    await run('stop');
    await removeDirectory(home);
    await removeDirectory(project);
  });

  function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((done) => {
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SIGHTLINE_HOME: home };
      const child = execFile(process.execPath, [program, ...args], { cwd: project, env }, (_error, stdout, stderr) =>
        done({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  test('what it says is stdout, what it does is stderr, and our own tools are counted', async () => {
    const { code, stdout, stderr } = await run('agent', 'scripted', 'use undo {}');
    expect(stdout).toMatch(/^\d+ tools\n$/);
    expect(stderr).toContain('* other: sightline__undo (failed)');
    const [, seen, calls, tokens] =
      /Tools of Sightline: (\d+) seen, (\d+) calls, about (\d+) tokens/.exec(stderr) ?? [];
    expect([stdout.trim(), calls]).toEqual([`${seen} tools`, '1']);
    expect(Number(tokens)).toBeGreaterThan(10);
    expect(code).toBe(0);
    expect(
      await eventually(() => !processesOf(home).some(({ command }) => command.includes('scriptedAgent')), 10_000),
    ).toBe(true);
  });

  test('lines of JSON end with what came of it', async () => {
    const { code, stdout } = await run('agent', 'scripted', 'callbacks', '--json', '--set', 'model=large');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.some((line) => line['kind'] === 'item')).toBe(true);
    expect(lines.at(-1)).toMatchObject({
      kind: 'end',
      stopReason: 'end_turn',
      changes: [{ files: ['price.ts'], observed: true }],
    });
    expect(JSON.stringify(lines)).toContain(
      '"id":"model","name":"Model","category":"model","type":"select","value":"large"',
    );
    expect(readFileSync(join(project, 'price.ts'), 'utf8')).toContain('// by the agent');
    expect(code).toBe(0);
  });

  test('a refusal is 3, a failure 1, a wrong line 2; what waits is answered by sightline approve', async () => {
    expect(await run('agent', 'scripted', 'nothing you know')).toMatchObject({
      code: 3,
      stdout: 'I do not know nothing.\n',
    });
    expect(await run('agent', 'scripted', 'fail')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The model is gone: quota'),
    });
    expect(await run('agent', 'scripted', 'two', 'prompts')).toMatchObject({ code: 2 });
    const asking = run('agent', 'scripted', 'callbacks price.ts delete');
    let ticket: string | undefined;
    const isAsked = async () => {
      [ticket] = /^ticket\S+/m.exec((await run('approve', '--list')).stdout) ?? [];
      return ticket !== undefined;
    };
    while (!(await isAsked()));
    const approved = await run('approve', ticket ?? '', '--deny');
    expect(approved.stdout).toContain('asks: "Edit price.ts"');
    expect(approved.stdout).toContain('policy: "ask (destructive: a tool call of kind delete)"');
    expect(await asking).toMatchObject({ code: 0, stdout: 'o-reject_once\n' });
  });

  test('nothing is left running', async () => {
    await run('stop');
    expect(processesOf(home)).toEqual([]);
  });
});
