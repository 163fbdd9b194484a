import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { toyServer } from '../code/fakeServer/toyProject.ts';
import { toyAdapter } from './toy/adapter.ts';

/*
 * The recipes of CONTRIBUTING.md are true: a language that no file of the program names is added by the definition of its server and the
 * description of its adapter, and every tool works in it.
 */
let running: RunningSightline;

beforeAll(async () => {
  running = await startSightline({
    project: { 'lib.toy': 'def helper\n', 'main.toy': 'helper and helper\n', 'count.toy': 'a 1\nb 2\nc 3\n' },
    servers: [toyServer()],
    adapters: [toyAdapter],
  });
});

afterAll(() => running.dispose());

it('a language server is one file: its questions are answered', async () => {
  const client = await running.connect({ face: 'index' });
  const found = await client.data('ide_find_references', { file: 'lib.toy', line: 1, column: 5 });
  expect(found).toMatchObject({ totalCount: 3 });
});

it('a debug adapter is one file: its programs stop at breakpoints, with values, and end', async () => {
  const client = await running.connect({ face: 'debugger' });
  await client.data('set_breakpoint', { file_path: 'count.toy', line: 3 });
  const started = await client.data('start_debug_session', { program: 'count.toy', wait_ms: 20_000 });
  expect(started).toMatchObject({
    state: 'paused',
    stop: {
      reason: 'breakpoint',
      location: { line: 3 },
      variables: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
    },
  });
  expect(await client.data('resume_execution', { wait_ms: 20_000 })).toMatchObject({
    state: 'stopped',
    exitCode: 0,
    output: 'done\n',
  });
});
