import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { pathToUri } from '../../src/base/paths.ts';
import { connectAsEditor } from '../../src/cli/editors/connectAsEditor.ts';
import { RpcConnection } from '../../src/protocol/jsonrpc/connection.ts';
import { connectShared } from '../../src/server/daemon/connect.ts';
import { helloVersion } from '../../src/server/daemon/hello.ts';
import { builtProgram, eventually } from '../support/program.ts';
import { EditorBench } from './bench.ts';

/** What the process tells an editor with an extension, and what it lets it do: only in the folders that are open there. */
let bench: EditorBench;
let here: ScriptedCompanion;
let elsewhere: ScriptedCompanion;
let other: string;

class ScriptedCompanion {
  readonly rpc: RpcConnection;
  readonly told: { method: string; params: unknown }[] = [];

  constructor(rpc: RpcConnection) {
    this.rpc = rpc;
    rpc.onNotification.on((message) => void this.told.push(message));
  }

  static async join(env: NodeJS.ProcessEnv, folder: string): Promise<ScriptedCompanion> {
    const connection = await connectAsEditor(env, folder);
    if (connection === undefined) throw new Error('There is no process.');
    const { socket } = connection;
    const rpc = new RpcConnection({ name: 'process', input: socket, output: socket, logger: silentLogger });
    const companion = new ScriptedCompanion(rpc);
    rpc.notify('feed/start', { editor: 'Scripted', folders: [folder] });
    socket.resume();
    return companion;
  }

  last(method: string): Record<string, unknown> {
    return (this.told.findLast((message) => message.method === method)?.params ?? {}) as Record<string, unknown>;
  }

  async until(method: string, isSo: (params: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    await eventually(() => isSo(this.last(method)), 20_000);
    return this.last(method);
  }
}

beforeAll(async () => {
  const program = await builtProgram();
  bench = await EditorBench.start(program, { 'ide.protocols': ['claude'] });
  other = join(bench.home.home, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'package.json'), '{"name": "other"}\n');
  // The first call starts the process.
  await bench.read('cart.ts');
  here = await ScriptedCompanion.join(bench.home.env, bench.home.project);
  elsewhere = await ScriptedCompanion.join(bench.home.env, other);
}, 240_000);

afterAll(() => bench?.home.dispose());

test('breakpoints, places and questions of a project are told to the editor that has it open, and to no other', async () => {
  const uri = pathToUri(bench.path('cart.ts'));
  await bench.call('set_breakpoint', { file_path: 'cart.ts', line: 2, condition: 'items.length > 1' });
  const isSet = (params: Record<string, unknown>) => JSON.stringify(params).includes('items.length > 1');
  const root = bench.home.project;
  expect(await here.until('feed/breakpoints', isSet)).toEqual({
    root,
    breakpoints: [{ uri, line: 2, enabled: true, condition: 'items.length > 1' }],
  });
  const all = await here.rpc.request('feed/setBreakpoint', { root, breakpoint: { uri, line: 1, enabled: false } });
  expect(all).toContainEqual({ uri, line: 1, enabled: false });
  expect(await bench.read('cart.ts')).toContain('a person disabled the breakpoint at cart.ts:1');
  await bench.call('edit_file', { file_path: 'cart.ts', old_text: 'items.length', new_text: 'items.length * 2' });
  expect(await here.until('feed/place', ({ kind }) => kind === 'edited')).toEqual({
    kind: 'edited',
    uri,
    line: 2,
    tool: 'edit_file',
  });
  const created = bench.call('create_run_configuration', { name: 'sum', type: 'node', program: 'children.js' });
  const { id, text, brief } = await here.until('feed/approval', ({ state }) => state === 'pending');
  expect(text).toContain('children.js');
  expect(brief).toMatch(
    /^tests 1 wants to call create_run_configuration \(destructive\) with .*children\.js.*\. Allow it\?$/,
  );
  expect(await here.rpc.request('feed/decide', { ticketId: id, approved: false })).toEqual({ state: 'denied' });
  expect(await created).toContain('refused');
  expect(await here.until('feed/approval', ({ state }) => state === 'denied')).toMatchObject({ id });
  expect(elsewhere.told).toEqual([]);
}, 60_000);

test('an editor changes nothing in projects that it does not have open, nor in one that is not open at all', async () => {
  const uri = pathToUri(bench.path('cart.ts'));
  const refused = 'is not an open project of this editor';
  for (const root of [bench.home.project, '/', join(bench.home.project, '..')]) {
    await expect(elsewhere.rpc.request('feed/trust', { root })).rejects.toThrow(refused);
    const breakpoint = { uri, line: 1, enabled: true };
    await expect(elsewhere.rpc.request('feed/setBreakpoint', { root, breakpoint })).rejects.toThrow(refused);
  }
  const outside = { uri: 'file:///etc/passwd', line: 1, enabled: true };
  await expect(
    here.rpc.request('feed/setBreakpoint', { root: bench.home.project, breakpoint: outside }),
  ).rejects.toThrow('outside');
  expect((await bench.home.run('trust', '--list')).stdout).toContain('No directory is trusted');
  const wrong = { ...bench.home.discovery(), token: 'x'.repeat(43) };
  const hello = {
    sightline: helloVersion,
    version: '0',
    face: 'all',
    toolsets: [],
    cwd: '/',
    env: {},
    pid: 1,
  } as const;
  await expect(connectShared(wrong, { ...hello, kind: 'editor' })).rejects.toThrow('wrong token');
}, 60_000);

test('an agent that opens a project makes the editor ask for trust, which is given as by a person', async () => {
  await bench.call('read_file', { project_path: other, file_path: 'package.json' });
  expect(await elsewhere.until('feed/untrusted', ({ root }) => root === other)).toEqual({ root: other, name: 'other' });
  await elsewhere.rpc.request('feed/trust', { root: other });
  expect((await bench.home.run('trust', '--list')).stdout).toContain(`${other}  (editor`);
}, 60_000);

test('what is selected reaches the command line that has found Sightline as its IDE', async () => {
  const folder = join(bench.home.home, '.claude', 'ide');
  const name = readdirSync(folder).find((each) => each.endsWith('.lock')) ?? '';
  const { authToken } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { authToken: string };
  const headers = { 'x-claude-code-ide-authorization': authToken };
  const socket = new WebSocket(`ws://127.0.0.1:${Number.parseInt(name, 10)}`, ['mcp'], { headers });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const heard = new Promise<string>((resolve) =>
    socket.once('message', (data: Buffer) => resolve(data.toString('utf8'))),
  );
  const selection = { uri: pathToUri(bench.path('cart.ts')), fromLine: 2, toLine: 2, text: 'return' };
  here.rpc.notify('feed/selection', selection);
  expect(JSON.parse(await heard)).toMatchObject({
    method: 'selection_changed',
    params: { filePath: bench.path('cart.ts'), text: 'return' },
  });
  socket.close();
}, 60_000);
