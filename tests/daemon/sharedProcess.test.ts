import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtProgram, eventually, type StdioProgram } from '../support/program.ts';
import { DaemonHome } from './home.ts';

let program: string;
let home: DaemonHome;

beforeAll(async () => {
  program = await builtProgram();
});

beforeEach(async () => {
  home = await DaemonHome.create(program);
});

afterEach(() => home.dispose());

describe('starting and joining', () => {
  test('two shims that start at once share one process', async () => {
    const shims = [home.stdio(), home.stdio(), home.stdio()];
    const answers = await Promise.all(
      shims.map(async (shim) => {
        await shim.initialize();
        return shim.callTool('sightline_tools');
      }),
    );
    for (const answer of answers) expect(answer).toHaveProperty('result.content');
    expect(home.processes().filter((line) => line.endsWith(' shared'))).toHaveLength(1);
    const status = JSON.parse((await home.run('status', '--json')).stdout) as { clients: unknown[]; pid: number };
    expect(status.clients).toHaveLength(3);
    expect(status.pid).toBe(home.discovery().pid);
    for (const shim of shims) expect(shim.foreign).toEqual([]);
  });

  test('a handshake alone starts nothing', async () => {
    const shim = home.stdio();
    await shim.initialize();
    // What clients ask for as soon as they are connected.
    for (const method of ['ping', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
      expect(await shim.request(method)).toHaveProperty('result');
    shim.child.stdin.end();
    expect(await shim.exited).toBe(0);
    expect(home.processes()).toEqual([]);
    expect(home.runtimeFiles()).toEqual([]);
  });

  test('sightline starts the process, a second one joins it, stop ends it and leaves no file', async () => {
    const first = await home.run();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`is ready for ${home.project}`);
    expect(first.stdout).toContain('claude mcp add sightline --');
    expect(first.stdout).not.toContain(home.discovery().token);
    const { pid } = home.discovery();
    expect((await home.run('start')).stdout).toContain(`(process ${pid})`);
    expect(await home.run('stop')).toMatchObject({ code: 0, stdout: `Stopped (process ${pid}).\n` });
    expect(home.processes()).toEqual([]);
    expect(home.runtimeFiles()).toEqual([]);
    expect(await home.run('status')).toMatchObject({ code: 1 });
  });

  test('serve in the foreground is the process that shims join', async () => {
    const serve = home.program('serve');
    expect(await eventually(() => home.runtimeFiles().includes('process.json'), 10_000)).toBe(true);
    const shim = home.stdio();
    await shim.initialize();
    expect(await shim.callTool('sightline_tools')).toHaveProperty('result');
    expect(home.discovery().pid).toBe(serve.pid);
    serve.child.kill('SIGINT');
    expect(await serve.exited).toBe(0);
    expect(home.runtimeFiles()).toEqual([]);
  });
});

describe('serve', () => {
  test('joins a process that runs, and leaves it running', async () => {
    await home.run();
    const { pid } = home.discovery();
    const serve = home.program('serve');
    expect(
      await eventually(() => serve.foreign.includes('It was running already; Ctrl-C leaves it running.'), 10_000),
    ).toBe(true);
    serve.child.kill('SIGINT');
    expect(await serve.exited).toBe(0);
    expect(home.discovery().pid).toBe(pid);
    const refused = await home.run('serve', '--port', '0');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('sightline stop');
  });

  test('says plainly that its port is taken; the process in the background takes another', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    const address = taken.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const refused = await home.run('serve', '--port', port);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(
      `sightline: Port ${port} on loopback cannot be used (EADDRINUSE).\nChoose another with --port, or leave it out.\n`,
    );
    expect(home.runtimeFiles()).toEqual([]);
    home.env['SIGHTLINE_SERVER_PORT'] = port;
    expect(await home.run()).toMatchObject({ code: 0 });
    expect(home.discovery().url).not.toContain(`:${port}`);
    taken.close();
  });

  test.each([
    [['serve', '--host', '0.0.0.0'], '--allow-remote'],
    [['serve', '--host', '0.0.0.0', '--allow-remote', '--no-auth'], 'loopback only'],
    [['serve', '--port', 'x'], '--port is a number'],
    [['serve', '--nonsense'], 'sightline serve ['],
  ])('%j is refused', async (args, says) => {
    const refused = await home.run(...args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(says);
  });

  test('works where the path of a socket would be too long', async () => {
    const long = join(home.home, 'x'.repeat(120));
    home.env['XDG_RUNTIME_DIR'] = long;
    home.env['SIGHTLINE_HOME'] = long;
    expect(await home.run('call', 'sightline_tools')).toMatchObject({ code: 0 });
    const found = JSON.parse(readFileSync(join(long, 'run', 'process.json'), 'utf8')) as { socket: string };
    expect(statSync(dirname(found.socket)).mode & 0o777).toBe(0o700);
    expect(await home.run('stop')).toMatchObject({ code: 0 });
    expect(existsSync(dirname(found.socket))).toBe(false);
  });
});

describe('the discovery file', () => {
  test('is readable by its user only, and the token stands nowhere else', async () => {
    mkdirSync(home.runtime, { mode: 0o755 });
    chmodSync(home.runtime, 0o755);
    await home.run('call', 'sightline_tools');
    expect(statSync(home.runtime).mode & 0o777).toBe(0o700);
    expect(statSync(join(home.runtime, 'process.json')).mode & 0o777).toBe(0o600);
    const { token } = home.discovery();
    expect(token.length).toBeGreaterThanOrEqual(43);
    const status = await home.run('status', '--json');
    expect(status.stdout).not.toContain(token);
    for (const file of filesBelow(join(home.home, 'state'))) expect(readFileSync(file, 'utf8')).not.toContain(token);
  });

  test.each([
    ['of a process that is gone', (text: string) => text.replace(/"pid": ?\d+/, '"pid": 4194303')],
    ['of a pid that is used again', (text: string) => text.replace(/"start": ?"\d+"/, '"start": "1"')],
    ['truncated', (text: string) => text.slice(0, 40)],
    ['empty', () => ''],
    ['with a flipped byte', (text: string) => text.replace('"token"', '"tokem"')],
    ['of another version of the format', () => '{"version": 99, "content": {}}'],
    ['binary', () => '\u0000\u0001\u0002'],
  ])('%s is stale: a new process starts, and a damaged one is set aside', async (_what, damage) => {
    await home.run();
    const before = home.discovery();
    const text = readFileSync(join(home.runtime, 'process.json'), 'utf8');
    process.kill(before.pid, 'SIGKILL');
    await home.allGone(2000);
    writeFileSync(join(home.runtime, 'process.json'), damage(text));
    const answer = await home.run('call', 'sightline_tools');
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(home.discovery().pid).not.toBe(before.pid);
    expect(home.discovery().token).not.toBe(before.token);
    expect(home.runtimeFiles().filter((name) => name.endsWith('.sock'))).toHaveLength(1);
    const isDamaged = !damage(text).includes('"token"');
    expect(home.runtimeFiles().includes('process.json.damaged')).toBe(isDamaged);
    const log = readFileSync(join(home.home, 'state', 'logs', 'sightline.log'), 'utf8');
    expect(log.includes('A damaged discovery file was set aside')).toBe(isDamaged);
  });

  test('a process that was killed leaves a lock that does not hold', async () => {
    await home.run();
    process.kill(home.discovery().pid, 'SIGKILL');
    await home.allGone(2000);
    expect(home.runtimeFiles()).toContain('process.lock');
    const shims = [home.stdio(), home.stdio()];
    for (const shim of shims) await shim.initialize();
    const answers = await Promise.all(shims.map((shim) => shim.callTool('sightline_tools')));
    for (const answer of answers) expect(answer).toHaveProperty('result');
    expect(home.processes().filter((line) => line.endsWith(' shared'))).toHaveLength(1);
  });
});

describe('the socket', () => {
  test('says no to a wrong token, to no token and to nonsense', async () => {
    await home.run();
    const { socket } = home.discovery();
    const hello = { sightline: 1, kind: 'control', version: '0', face: 'all', toolsets: [], cwd: '/', env: {}, pid: 1 };
    expect(await say(socket, JSON.stringify({ ...hello, token: 'x'.repeat(43) }))).toContain('wrong token');
    expect(await say(socket, JSON.stringify(hello))).toContain('not understood');
    expect(await say(socket, 'GET / HTTP/1.1')).toContain('not understood');
    expect(await home.run('status')).toMatchObject({ code: 0 });
  });
});

describe('what passes through the shim', () => {
  test('the project of the client is open and trusted, and runs with its environment', async () => {
    const shim = home.stdio([], { VIRTUAL_ENV: '/somewhere/venv' });
    await shim.initialize();
    const answer = await shim.callTool('list_project_files');
    expect(JSON.stringify(answer)).toContain('package.json');
    const status = JSON.parse((await home.run('status', '--json')).stdout) as { projects: unknown };
    expect(status.projects).toEqual([{ name: 'project', path: home.project, trusted: true }]);
  });

  test('tools/list is asked again after a toolset was turned on', async () => {
    const shim = home.stdio();
    await shim.initialize();
    const names = async () => {
      const answer = await shim.request('tools/list');
      return (answer['result'] as { tools: { name: string }[] }).tools.map((tool) => tool.name);
    };
    expect(await names()).not.toContain('get_notifications');
    await shim.callTool('sightline_tools', { enable: ['terminals'] });
    await shim.message((message) => message['method'] === 'notifications/tools/list_changed');
    expect(await names()).toContain('get_notifications');
  });

  test('malformed lines and unknown methods are answered as JSON-RPC wants', async () => {
    const shim = home.stdio();
    await shim.initialize();
    shim.write('{"jsonrpc": "2.0", "id": 5, ');
    expect(await shim.message((message) => message['id'] === null)).toMatchObject({ error: { code: -32700 } });
    expect(await shim.request('no/such/method')).toMatchObject({ error: { code: -32601 } });
    expect(shim.foreign).toEqual([]);
  });

  test('when the process dies, the next call goes to a new one', async () => {
    const shim = home.stdio();
    await shim.initialize();
    await shim.callTool('sightline_tools');
    process.kill(home.discovery().pid, 'SIGKILL');
    await eventually(() => home.processes().filter((line) => line.endsWith(' shared')).length === 0, 2000);
    expect(await callAfterDeath(shim)).toHaveProperty('result');
    expect(shim.foreign).toEqual([]);
  });

  test('a new process knows what the client watches, and the client that its tool list is another', async () => {
    const shim = home.stdio();
    await shim.initialize();
    const uri = `file://${join(home.project, 'total.ts')}`;
    await shim.request('tools/list');
    await shim.callTool('sightline_tools', { enable: ['git'] });
    await shim.request('resources/subscribe', { uri });
    process.kill(home.discovery().pid, 'SIGKILL');
    await eventually(() => home.processes().filter((line) => line.endsWith(' shared')).length === 0, 2000);
    shim.messages.length = 0;
    expect(await callAfterDeath(shim)).toHaveProperty('result');
    await shim.message((message) => message['method'] === 'notifications/tools/list_changed');
    const isUpdate = (message: Record<string, unknown>) => message['method'] === 'notifications/resources/updated';
    // Once because nobody knows what happened in between, then because something did.
    await shim.message(isUpdate);
    shim.messages.length = 0;
    writeFileSync(join(home.project, 'total.ts'), 'export const total = 2;\n');
    expect(await shim.message(isUpdate)).toMatchObject({ params: { uri } });
    expect(shim.messages.filter((message) => 'id' in message)).toEqual([]);
  });

  test('an answer that is due when the client closes its end still arrives', async () => {
    await home.run();
    const shim = home.stdio();
    await shim.initialize();
    const answer = shim.callTool('sightline_tools');
    shim.child.stdin.end();
    expect(await answer).toHaveProperty('result');
    expect(await shim.exited).toBe(0);
  });
});

/** A call that the shim sent before it saw the death is answered with an error that says so; the next one finds a new process. */
async function callAfterDeath(shim: StdioProgram): Promise<Record<string, unknown>> {
  const first = await shim.callTool('sightline_tools');
  if (!('error' in first)) return first;
  if (!JSON.stringify(first).includes('ended during this call')) throw new Error(JSON.stringify(first));
  return shim.callTool('sightline_tools');
}

function say(socket: string, line: string): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    const connection = connect(socket, () => connection.write(`${line}\n`));
    connection.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    connection.once('close', () => done(text));
    connection.once('error', fail);
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
