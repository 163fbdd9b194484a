import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram, eventually, type StdioProgram } from '../support/program.ts';
import { DaemonHome } from './home.ts';

let home: DaemonHome;
let program: string;

beforeAll(async () => {
  program = await builtProgram();
  home = await DaemonHome.create(program);
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

test('a ticket is shown before it is decided: at a terminal it asks, elsewhere it says how', async () => {
  const shim = await connected();
  const waiting = async (name: string) => {
    const args = { file_path: `.vscode/${name}`, content: '{\n  "tasks": []\n}' };
    const { answer } = shim.start('tools/call', { name: 'write_file', arguments: args });
    for (;;) {
      const { stdout } = await home.run('approve', '--list');
      const ticket = new RegExp(`(ticket_\\S+)[^]*${name}`).exec(stdout)?.[1];
      if (ticket !== undefined)
        return { answer, ticket, isThere: () => existsSync(join(home.project, '.vscode', name)) };
    }
  };
  const tasks = await waiting('tasks.json');
  const shown = expect.stringMatching(/calls write_file \(destructive\)[^]*\.vscode\/tasks\.json[^]*"tasks": \[\]/);
  // In a script, and with what is shown sent elsewhere, nothing is decided.
  expect(await home.run('approve', tasks.ticket)).toMatchObject({
    code: 1,
    stdout: shown,
    stderr: expect.stringContaining(`sightline approve ${tasks.ticket} --yes approves it, --deny refuses it`),
  });
  // At a terminal: return alone decides nothing either.
  expect(await atTerminal('\n', 'approve', tasks.ticket)).toMatch(/"tasks": \[\][^]*\[y\/N\][^]*Nothing was decided/);
  expect(tasks.isThere()).toBe(false);
  expect(await atTerminal('y\n', 'approve', tasks.ticket)).toContain(`${tasks.ticket} approved.`);
  expect(await tasks.answer).not.toHaveProperty('result.isError', true);
  expect(tasks.isThere()).toBe(true);

  const launch = await waiting('launch.json');
  expect(await atTerminal('n\n', 'approve', launch.ticket)).toContain(`${launch.ticket} denied.`);
  expect(await launch.answer).toHaveProperty('result.isError', true);
  const settings = await waiting('settings.json');
  expect(await home.run('approve', settings.ticket, '--yes')).toMatchObject({ code: 0 });
  expect(await settings.answer).not.toHaveProperty('result.isError', true);
  expect([launch.isThere(), settings.isThere()]).toEqual([false, true]);
  await end(shim);
});

/** What a person sees at a terminal who types this once they are asked. */
function atTerminal(typed: string, ...args: string[]): Promise<string> {
  const script = `import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[2], sys.argv[2:])
seen = b''
while True:
    try: part = os.read(terminal, 4096)
    except OSError: break
    if not part: break
    if b'[y/N]' in part: os.write(terminal, sys.argv[1].encode())
    seen += part
sys.stdout.write(seen.decode())`;
  return new Promise((done) => {
    const command = ['-c', script, typed, process.execPath, program, ...args];
    execFile('python3', command, { cwd: home.project, env: home.env }, (_error, stdout) => done(stdout));
  });
}

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
