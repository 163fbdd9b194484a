import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram, eventually, type StdioProgram } from '../support/program.ts';
import { DaemonHome } from './home.ts';

let home: DaemonHome;

beforeAll(async () => {
  home = await DaemonHome.create(await builtProgram());
  await home.run();
});

afterAll(() => home.dispose());

async function connected(
  env: NodeJS.ProcessEnv = {},
  capabilities: Record<string, unknown> = {},
): Promise<StdioProgram> {
  const shim = home.stdio(['--face', 'all'], env);
  await shim.initialize(capabilities);
  return shim;
}

async function end(shim: StdioProgram): Promise<void> {
  shim.child.stdin.end();
  expect(await shim.exited).toBe(0);
  expect(shim.foreign).toEqual([]);
}

test('a question to the person goes to the client, and the answer comes back', async () => {
  const shim = await connected({}, { elicitation: {} });
  const file = join(home.project, '.vscode', 'settings.json');
  const { answer } = shim.start('tools/call', {
    name: 'write_file',
    arguments: { file_path: '.vscode/settings.json', content: '{}' },
  });
  const question = await shim.message((message) => message['method'] === 'elicitation/create');
  expect(JSON.stringify(question['params'])).toContain('write_file');
  expect(existsSync(file)).toBe(false);
  shim.write({ jsonrpc: '2.0', id: question['id'], result: { action: 'accept', content: { approve: true } } });
  expect(await answer).not.toHaveProperty('result.isError', true);
  expect(readFileSync(file, 'utf8')).toBe('{}');
  await end(shim);
});

test('a ticket can be answered on the command line, and the call goes on', async () => {
  const shim = await connected();
  const { answer } = shim.start('tools/call', {
    name: 'write_file',
    arguments: { file_path: '.vscode/tasks.json', content: '{}' },
  });
  let ticket = '';
  while (ticket === '') ticket = /ticket_\S+/.exec((await home.run('approve', '--list')).stdout)?.[0] ?? '';
  expect(await home.run('approve', ticket)).toMatchObject({ code: 0 });
  expect(await answer).not.toHaveProperty('result.isError', true);
  expect(existsSync(join(home.project, '.vscode', 'tasks.json'))).toBe(true);
  await end(shim);
});

test('a cancelled call is not answered, and its work stops', async () => {
  const shim = await connected();
  let answered = false;
  const { id, answer } = shim.start('tools/call', {
    name: 'run_configuration',
    arguments: { name: 'npm: start', wait_ms: 40_000 },
  });
  void answer.then(() => (answered = true));
  expect(await eventually(() => home.debuggees().length > 0, 10_000)).toBe(true);
  shim.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  expect(await eventually(() => home.debuggees().length === 0, 2000)).toBe(true);
  expect(await shim.callTool('sightline_tools')).toHaveProperty('result');
  expect(answered).toBe(false);
  await end(shim);
});

test('programs of a project run with the environment of the client that opened it, without our own secrets', async () => {
  const other = await DaemonHome.create(await builtProgram());
  try {
    writeFileSync(join(other.project, 'print.js'), 'console.log(JSON.stringify(process.env))');
    // The process runs before, with an environment of its own.
    await other.run('status');
    await other.run('call', 'sightline_tools');
    const shim = other.stdio(['--face', 'all', '--output', 'json'], {
      VIRTUAL_ENV: '/somewhere/venv',
      LD_PRELOAD: '',
      GIT_DIR: '/elsewhere',
    });
    await shim.initialize();
    const answer = await shim.callTool('start_debug_session', { program: 'print.js' });
    const text = JSON.stringify(answer);
    expect(text).toContain('/somewhere/venv');
    expect(text).not.toContain('/elsewhere');
    expect(text).not.toContain('LD_PRELOAD');
    expect(text).not.toContain(other.discovery().token);
    shim.child.stdin.end();
    await shim.exited;
  } finally {
    await other.dispose();
  }
});

test('resources are read and their changes announced', async () => {
  const shim = await connected();
  const uri = `file://${join(home.project, 'total.ts')}`;
  expect(JSON.stringify(await shim.request('resources/read', { uri }))).toContain('items.length');
  expect(await shim.request('resources/subscribe', { uri })).toHaveProperty('result');
  writeFileSync(join(home.project, 'total.ts'), 'export const total = 1;\n');
  const update = await shim.message((message) => message['method'] === 'notifications/resources/updated');
  expect(update).toHaveProperty('params.uri', uri);
  await end(shim);
});
