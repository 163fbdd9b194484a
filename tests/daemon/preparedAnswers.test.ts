import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sightlineVersion } from '../../src/base/version.ts';
import { preparedAnswer, preparedLists, type PreparedAnswers } from '../../src/cli/shim/preparedAnswers.ts';
import { faceNames } from '../../src/tools/faces.ts';
import { builtProgram } from '../support/program.ts';
import { DaemonHome } from './home.ts';

let program: string;
let home: DaemonHome;

beforeAll(async () => {
  program = await builtProgram();
  home = await DaemonHome.create(program);
});

afterAll(() => home.dispose());

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe.each(faceNames)('face %s: what the shim answers by itself is what the server would answer', (face) => {
  const older = ['2025-06-18', '2025-03-26', '2024-11-05', '1999-01-01'];
  test.each(['2025-11-25', ...(face === 'default' ? older : [])])('revision %s', async (version) => {
    const [shim, embedded] = [home.stdio(['--face', face]), home.stdio(['--face', face, '--embedded'])];
    const clientInfo = { name: 'tests', version: '1' };
    const both = async (method: string, params?: Record<string, unknown>) =>
      Promise.all([shim, embedded].map((server) => server.request(method, params)));
    const [own, real] = await both('initialize', { protocolVersion: version, capabilities: {}, clientInfo });
    expect(own).toEqual(real);
    for (const server of [shim, embedded]) server.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const method of ['tools/list', ...preparedLists]) {
      const [ownList, realList] = await both(method);
      expect(ownList).toEqual(realList);
      expect(ownList).toHaveProperty('result');
    }
    const [ownPing, realPing] = await both('ping');
    expect(ownPing).toEqual(realPing);
    for (const server of [shim, embedded]) server.child.stdin.end();
    await Promise.all([shim.exited, embedded.exited]);
  });

  test('revision 2026-07-28', async () => {
    const [shim, embedded] = [home.stdio(['--face', face]), home.stdio(['--face', face, '--embedded'])];
    for (const method of ['server/discover', 'tools/list', ...preparedLists]) {
      const [own, real] = await Promise.all([shim, embedded].map((server) => server.request(method, { _meta })));
      expect(own).toEqual(real);
      expect(own).toHaveProperty('result');
    }
    for (const server of [shim, embedded]) server.child.stdin.end();
    await Promise.all([shim.exited, embedded.exited]);
  });
});

test('what was not prepared is left to the process', () => {
  const answers = JSON.parse(
    readFileSync(join(dirname(program), 'answers', 'default.json'), 'utf8'),
  ) as PreparedAnswers;
  const ask = (method: string, params: Record<string, unknown> = {}, listIsPrepared = true) =>
    preparedAnswer(answers, { id: 1, method, params }, listIsPrepared);
  expect(ask('initialize', { protocolVersion: '2025-11-25' })).toBeUndefined();
  expect(ask('tools/list', { cursor: 'x' })).toBeUndefined();
  expect(ask('tools/list', {}, false)).toBeUndefined();
  expect(ask('tools/call', { name: 'x' })).toBeUndefined();
  expect(ask('server/discover')).toBeUndefined();
  const future = { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  expect(ask('server/discover', { _meta: future })).toBeUndefined();
  expect(ask('server/discover', { _meta })).toMatchObject({
    _meta: { 'io.modelcontextprotocol/serverInfo': { version: sightlineVersion } },
  });
});
