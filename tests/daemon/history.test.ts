import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
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

test('calls are shown, filtered, exported and cleared from the command line', async () => {
  await home.run('call', 'read_file', '--file_path', 'total.ts');
  await home.run('call', 'read_file', '--file_path', 'nothing.ts');
  await home.run('call', 'list_project_files');
  const all = (await home.run('history')).stdout.trim().split('\n');
  expect(all).toHaveLength(3);
  expect(all[0]).toMatch(/success +\d+ ms {2}list_project_files/);
  expect((await home.run('history', '--tool', 'read_file', '--status', 'error')).stdout).toMatch(
    /^\S+ +error .*nothing\.ts.*does not exist/,
  );
  const exported = JSON.parse((await home.run('history', '--json', '--text', 'ITEMS.length')).stdout) as {
    toolName: string;
    result: string;
  }[];
  expect(exported[0]).toMatchObject({
    toolName: 'read_file',
    status: 'success',
    client: 'sightline call',
    tokens: expect.any(Number),
  });
  const csv = (await home.run('history', '--csv')).stdout.split('\r\n');
  expect(csv[0]).toContain('id,timestamp,client,project,toolName,status');
  expect((await home.run('history', '--clear')).stdout).toBe('3 calls are forgotten.\n');
  expect((await home.run('history')).stdout).toBe('No calls that match.\n');
  expect(await home.run('history', '--status', 'odd')).toMatchObject({ code: 2 });
});
