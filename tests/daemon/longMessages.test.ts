import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProgram, eventually, type StdioProgram } from '../support/program.ts';
import { DaemonHome } from './home.ts';

/** R12: a message of any size or shape is answered or refused, and the connection lives on. */
let home: DaemonHome;

beforeAll(async () => {
  home = await DaemonHome.create(await builtProgram());
  await home.run();
});

afterAll(() => home.dispose());

const filler = 'x'.repeat(50_000_000);

/** As clients write them: with the id first, last, or a text as id; and what nobody can answer by id. */
const messages: [string, string, unknown][] = [
  [
    'the id last',
    `{"method":"tools/call","params":{"name":"a","arguments":{"t":"${filler}"}},"jsonrpc":"2.0","id":71}`,
    71,
  ],
  [
    'the id first',
    `{"jsonrpc":"2.0","id":72,"method":"tools/call","params":{"name":"a","arguments":{"t":"${filler}"}}}`,
    72,
  ],
  ['a text as id', `{"jsonrpc": "2.0", "id": "a\\"b", "method": "x", "params": {"t": "${filler}"}}`, 'a"b'],
  ['an id inside the arguments only', `{"jsonrpc":"2.0","method":"x","params":{"t":"${filler}","id":5}}`, null],
  ['no JSON at all', filler, null],
  ['nothing but opening brackets', '['.repeat(50_000_000), null],
];

describe.each([
  ['shim', []],
  ['embedded', ['--embedded']],
])('the %s', (_mode, args) => {
  test.each(messages)('answers 50 MB with %s, and goes on', async (_what, line, id) => {
    const client = home.stdio(args);
    await client.initialize();
    client.write(line);
    const refused = await client.message((message) => 'error' in message);
    expect(refused).toMatchObject({ id, error: { code: -32600, message: expect.stringContaining('bytes') } });
    expect(await client.callTool('sightline_tools')).toHaveProperty('result.content');
    await end(client);
  });

  test('ends with its client in the middle of a long line', async () => {
    const client = home.stdio(args);
    await client.initialize();
    client.child.stdin.write(filler);
    client.child.stdin.end();
    expect(await client.exited).toBe(0);
  });
});

test('a shim connects anew when its connection broke and the process lives, and says so', async () => {
  const { pid } = home.discovery();
  const wire = await breakableWire(home);
  const shim = home.stdio(['--face', 'all']);
  await shim.initialize();
  await shim.callTool('sightline_tools');
  wire.breakAll();
  expect(await eventually(() => wire.connections() === 0, 2000)).toBe(true);
  await new Promise((done) => setTimeout(done, 50));
  const answer = JSON.stringify(await shim.callTool('list_project_files'));
  expect(answer).toContain('the connection to the Sightline process broke');
  expect(answer).toContain('package.json');
  // A call under way is answered, and the next one connects anew.
  const slow = shim.start('tools/call', { name: 'run_configuration', arguments: { name: 'npm: start' } });
  expect(await eventually(() => home.debuggees().length > 0, 10_000)).toBe(true);
  wire.breakAll();
  expect(await slow.answer).toMatchObject({ error: { message: expect.stringContaining('connects anew') } });
  expect(JSON.stringify(await shim.callTool('list_project_files'))).toContain('package.json');
  expect(home.discovery().pid).toBe(pid);
  await end(shim);
  wire.close();
});

/** Puts itself between the shims and the process, so that connections can be cut while both ends live. */
async function breakableWire(of: DaemonHome) {
  const discovery = of.discovery();
  const path = join(of.home, 'wire.sock');
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(discovery.socket);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.on('error', () => undefined);
      one.pipe(other);
      one.once('close', () => {
        ends.delete(one);
        other.destroy();
      });
    }
  }).listen(path);
  await new Promise((done) => server.once('listening', done));
  writeFileSync(join(of.runtime, 'process.json'), JSON.stringify({ ...discovery, socket: path }));
  return {
    connections: () => ends.size,
    breakAll: () => ends.forEach((end) => end.destroy()),
    close: () => {
      writeFileSync(join(of.runtime, 'process.json'), JSON.stringify(discovery));
      server.close();
    },
  };
}

test('a shim ends with its client while the process does not read', async () => {
  const other = await DaemonHome.create(await builtProgram());
  try {
    const shim = other.stdio(['--face', 'all']);
    await shim.initialize();
    await shim.callTool('sightline_tools');
    const { pid } = other.discovery();
    process.kill(pid, 'SIGSTOP');
    const big = { name: 'write_file', arguments: { file_path: 'big.txt', content: 'x'.repeat(8_000_000) } };
    const answers = Array.from({ length: 12 }, () => shim.start('tools/call', big).answer);
    // What exceeds what the shim keeps is refused, not kept.
    expect(await Promise.race(answers)).toMatchObject({ error: { message: expect.stringContaining('does not read') } });
    shim.child.stdin.end();
    expect(await Promise.race([shim.exited, new Promise((done) => setTimeout(() => done('still there'), 3000))])).toBe(
      0,
    );
    process.kill(pid, 'SIGCONT');
  } finally {
    await other.dispose();
  }
});

async function end(client: StdioProgram): Promise<void> {
  client.child.stdin.end();
  expect(await client.exited).toBe(0);
  expect(client.foreign).toEqual([]);
}
