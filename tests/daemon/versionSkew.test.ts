import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtProgram, eventually } from '../support/program.ts';
import { DaemonHome } from './home.ts';
import { otherVersion } from './otherVersion.ts';

let program: string;
let home: DaemonHome;

beforeAll(async () => {
  program = await builtProgram();
});

beforeEach(async () => {
  home = await DaemonHome.create(program);
});

afterEach(() => home.dispose());

test.each([
  ['an older version', '0.0.9', 'aaaaaaaaaaaa'],
  ['another build of this version', '0.1.0', 'bbbbbbbbbbbb'],
])('%s is replaced when it is idle', async (_what, version, build) => {
  const old = home.with(otherVersion(program, join(home.home, 'old'), version, build));
  await old.run();
  const before = home.discovery();
  expect(before).toMatchObject({ version, build });
  const shim = home.stdio();
  await shim.initialize();
  expect(await shim.callTool('sightline_tools')).toHaveProperty('result');
  expect(home.discovery().pid).not.toBe(before.pid);
  expect(home.discovery().version).toBe('0.1.0');
  expect(await eventually(() => home.processes().filter((line) => line.endsWith(' shared')).length === 1, 5000)).toBe(
    true,
  );
  expect(shim.stderr).toBe('');
});

test('an older one that is in use is joined with a note, and replaced once it is idle', async () => {
  const old = home.with(otherVersion(program, join(home.home, 'old'), '0.0.9', 'aaaaaaaaaaaa'));
  const user = old.stdio();
  await user.initialize();
  await user.callTool('sightline_tools');
  const { pid } = home.discovery();
  const shim = home.stdio();
  await shim.initialize();
  expect(await shim.request('tools/list')).toHaveProperty('result.tools');
  expect(await shim.callTool('sightline_tools')).toHaveProperty('result');
  expect(home.discovery().pid).toBe(pid);
  expect(shim.stderr).toContain('joined Sightline 0.0.9');
  for (const client of [user, shim]) client.child.stdin.end();
  await Promise.all([user.exited, shim.exited]);
  const next = home.stdio();
  await next.initialize();
  await next.callTool('sightline_tools');
  expect(home.discovery().version).toBe('0.1.0');
});

test('a newer one is joined', async () => {
  const newer = home.with(otherVersion(program, join(home.home, 'new'), '0.2.0', 'cccccccccccc'));
  await newer.run();
  const { pid } = home.discovery();
  const shim = home.stdio();
  await shim.initialize();
  expect(await shim.callTool('sightline_tools')).toHaveProperty('result');
  expect(home.discovery().pid).toBe(pid);
  expect(shim.stderr).toBe('');
});
