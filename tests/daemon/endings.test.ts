import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portableVariable } from '../../src/base/platform/here.ts';
import { builtProgram, eventually, type StdioProgram } from '../support/program.ts';
import { DaemonHome } from './home.ts';

let program: string;
let home: DaemonHome;

beforeAll(async () => {
  program = await builtProgram();
});

beforeEach(async () => {
  // Six hundred milliseconds instead of ten minutes.
  home = await DaemonHome.create(program, { SIGHTLINE_SERVER_IDLE_EXIT_MINUTES: '0.01' });
});

afterEach(() => home.dispose());

/** What the client was doing when it went. */
const states: Record<string, (client: StdioProgram) => Promise<void>> = {
  'before the handshake': async (client) => {
    await client.request('ping');
  },
  idle: async (client) => {
    await client.initialize();
    await client.callTool('sightline_tools');
  },
  'with a project open': async (client) => {
    await client.initialize();
    await client.callTool('list_project_files');
  },
  'with a paused program': async (client) => {
    await client.initialize();
    const answer = await client.callTool('start_debug_session', { program: 'children.js', stop_on_entry: true });
    expect(answer).not.toHaveProperty('result.isError', true);
    expect(home.debuggees()).not.toEqual([]);
  },
  'with a running program that has children': async (client) => {
    await client.initialize();
    void client.callTool('start_debug_session', { program: 'children.js' });
    // The program, its child and the grandchild that left the process group.
    expect(await eventually(() => home.debuggees().length >= 3, 25_000)).toBe(true);
  },
  'with a command running': async (client) => {
    await client.initialize();
    void client.callTool('run_configuration', { name: 'npm: start' });
    expect(await eventually(() => home.debuggees().length >= 3, 25_000)).toBe(true);
  },
  'with a terminal': async (client) => {
    await client.initialize();
    await client.callTool('run_in_terminal', { command: 'node children.js &' });
    expect(await eventually(() => home.debuggees().length >= 3, 25_000)).toBe(true);
  },
  'with a language server': async (client) => {
    await client.initialize();
    const found = await client.callTool('ide_find_references', { file: 'total.ts', line: 1, text: 'total' });
    expect(found).not.toHaveProperty('result.isError', true);
    expect(home.processes().some((line) => line.includes('--lsp'))).toBe(true);
  },
};

/** How it went. */
const ends: Record<string, (client: StdioProgram) => void> = {
  'stdin EOF': (client) => void client.child.stdin.end(),
  SIGTERM: (client) => void client.child.kill('SIGTERM'),
  SIGHUP: (client) => void client.child.kill('SIGHUP'),
};

/** Where processes are told by what every system has, it is enough to end what is hard to find. */
const isPortable = process.env[portableVariable] === '1';
const chosen = isPortable
  ? ['with a running program that has children', 'with a command running']
  : Object.keys(states);

const matrix = chosen.flatMap((state) =>
  // A terminal is the process's, not the client's: it ends with the process, however that ended.
  (state === 'with a terminal' ? ['stdin EOF'] : [...Object.keys(isPortable ? {} : ends), 'parent SIGKILL']).map(
    (end) => [state, end],
  ),
);

describe.each([
  { mode: 'shim', args: [], ownMs: 2000, allMs: 5000 },
  { mode: 'embedded', args: ['--embedded'], ownMs: 5000, allMs: 5000 },
])('R1: the $mode', ({ args, ownMs, allMs }) => {
  test.each(matrix)('%s, %s: nothing is left', async (state = '', end = '') => {
    const client = end === 'parent SIGKILL' ? home.belowParent(args) : home.stdio(args);
    await states[state]?.(client);
    await eventually(() => ownProcesses().length > 0, 5000);
    const own = ownProcesses();
    if (end === 'parent SIGKILL') client.child.kill('SIGKILL');
    else ends[end]?.(client);
    const endedAt = Date.now();
    expect(await eventually(() => ownProcesses().every((pid) => !own.includes(pid)), ownMs)).toBe(true);
    expect(Date.now() - endedAt).toBeLessThan(ownMs);
    expect(await home.allGone(allMs)).toEqual([]);
    expect(home.runtimeFiles()).toEqual([]);
    expect(client.foreign).toEqual([]);
  });
});

test('the process leaves when it has been idle, and not while a client is there', async () => {
  const shim = home.stdio();
  await shim.initialize();
  await shim.callTool('sightline_tools');
  const { pid } = home.discovery();
  // Three idle times later it is still the same process.
  await new Promise((done) => setTimeout(done, 1800));
  await shim.callTool('sightline_tools');
  expect(home.discovery().pid).toBe(pid);
  shim.child.stdin.end();
  await shim.exited;
  expect(await home.allGone(5000)).toEqual([]);
  expect(home.runtimeFiles()).toEqual([]);
});

test('what a killed process leaves behind, programs and temporary folders, is cleared by the next one', async () => {
  const shim = home.stdio();
  await states['with a running program that has children']?.(shim);
  const orphans = home.debuggees();
  const { pid: killed } = home.discovery();
  const folders = () => readdirSync(tmpdir()).filter((name) => new RegExp(`^sightline-.*-${killed}-`).test(name));
  expect(folders()).not.toEqual([]);
  process.kill(killed, 'SIGKILL');
  await home.run();
  expect(await eventually(() => home.debuggees().every((pid) => !orphans.includes(pid)), 2000)).toBe(true);
  expect(await eventually(() => folders().length === 0, 2000)).toBe(true);
});

const signals = isPortable ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGINT', 'SIGHUP'] as const);

test.each(signals)('the shared process ends in order on %s', async (signal) => {
  const shim = home.stdio();
  await shim.initialize();
  await shim.callTool('sightline_tools');
  process.kill(home.discovery().pid, signal);
  expect(await eventually(() => home.runtimeFiles().length === 0, 5000)).toBe(true);
  expect(await eventually(() => home.processes().every((line) => line.includes(' stdio')), 5000)).toBe(true);
  shim.child.stdin.end();
  await shim.exited;
});

/** Processes other than the shared one and the relaying parent. */
function ownProcesses(): number[] {
  const own = join('dist', 'sightline.js stdio');
  return home
    .processes()
    .filter((line) => line.includes(own) && !line.includes(' -e '))
    .map((line) => Number.parseInt(line, 10));
}
