import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'family.js': `const { fork } = require('node:child_process');
const { Worker, isMainThread, workerData } = require('node:worker_threads');
function work(who) {
  const answer = who + '!';
  return answer;
}
if (process.argv[2] === 'child') work('child');
else if (!isMainThread) work(workerData);
else {
  fork(__filename, ['child']).on('exit', () => {
    new Worker(__filename, { workerData: 'worker' }).on('exit', () => work('main'));
  });
}
`,
  'values.js': `const cyclic = { name: 'loop' };
cyclic.self = cyclic;
const big = new Array(1_000_000).fill(7);
const text = 'x'.repeat(10_000_000);
const map = new Map([['a', { deep: 1 }], ['b', 2]]);
const set = new Set([1, 'two']);
const typed = new Uint8Array(1000);
const proxy = new Proxy({ hidden: 1 }, { get() { throw new Error('trapped'); }, ownKeys() { throw new Error('trapped'); } });
const getter = { get boom() { throw new Error('boom'); }, fine: 1 };
const promise = Promise.resolve({ done: true });
const failure = new Error('outer', { cause: new TypeError('inner') });
class Point { constructor() { this.x = 1; this.#secret = 2; } #secret; }
const point = new Point();
class Cart { #lines = [{ qty: 2 }]; stop() { debugger; } }
const cart = new Cart();
debugger;
cart.stop();
`,
  'blocked.js': `const { execSync } = require('node:child_process');
console.log('begin');
execSync('sleep 9');
const after = true;
console.log('end');
`,
  'chatty.js': `for (let i = 1; i <= 200000; i++) console.log('line ' + i);
const done = true;
console.log('last');
`,
};

describe('a debuggee that makes it hard', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it('is blocked in a native call: a pause says so in time, and stops it behind the call', async () => {
    await agent.data('set_breakpoint', { file_path: 'blocked.js', line: 3, temporary: true });
    await agent.data('start_debug_session', { program: 'blocked.js' });
    await agent.data('resume_execution', { wait_ms: 0 });
    const began = Date.now();
    const answer = await agent.data('pause_execution', { wait_ms: 1500 });
    expect(Date.now() - began).toBeLessThan(8500);
    expect(answer).toMatchObject({
      status: 'pausing',
      state: 'running',
      message: expect.stringMatching(
        /has not answered for \d\.\d s\. It is blocked inside a native call.* last seen at .*blocked\.js:3/,
      ),
    });
    expect(await agent.data('get_debug_session_status', { wait_ms: 40_000 })).toMatchObject({ state: 'paused' });
    await agent.data('stop_debug_session');
  });

  it('spreads over a child process and a worker, and stops in each of them', async () => {
    const bp = await agent.data('set_breakpoint', { file_path: 'family.js', line: 4 });
    const stops = [await agent.data('start_debug_session', { program: 'family.js' })];
    stops.push(await agent.data('resume_execution'), await agent.data('resume_execution'));
    const seen = stops.map((answer) => {
      const stop = answer['stop'] as {
        variables: { name: string; value: string }[];
        process?: string;
        thread?: string;
      };
      return {
        who: stop.variables.find((each) => each.name === 'who')?.value,
        process: stop.process,
        thread: stop.thread,
      };
    });
    expect(seen).toMatchObject([
      { who: '"child"', process: expect.stringContaining('family.js child') },
      { who: '"worker"', thread: expect.stringContaining('worker 1') },
      { who: '"main"' },
    ]);
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', exitCode: 0 });
    await agent.data('remove_breakpoint', { breakpoint_id: bp['breakpointId'] });
  });

  it('has values of every size and kind, and each is shown within bounds', async () => {
    const { text } = await agent.call('start_debug_session', { program: 'values.js' });
    expect(text.length).toBeLessThan(6000);
    const { variables } = (JSON.parse(text) as { stop: { variables: { name: string; value: string; type: string }[] } })
      .stop;
    const shown = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    expect(shown).toMatchObject({
      cyclic: '#1 {name: "loop", self: #1}',
      big: '[7, 7, 7, 7, 7, 7, 7, 7, … +999992]',
      text: expect.stringMatching(/^"x{160}"… \(10000000 chars\)$/),
      map: 'Map(2) {"a" => {deep: 1}, "b" => 2}',
      set: 'Set(2) {1, "two"}',
      proxy: 'Proxy of {hidden: 1}',
      getter: '{boom: [getter], fine: 1}',
      promise: 'Promise {<fulfilled>: {done: true}}',
      failure: 'Error: outer',
      point: 'Point {#secret: 2, x: 1}',
      cart: 'Cart {#lines: [{qty: 2}]}',
    });
    const far = await agent.data('expand_variable', { path: 'big', start: 999_998, count: 5 });
    expect(far).toMatchObject({ total: 1_000_000, variables: [{ name: '999998', value: '7' }, { name: '999999' }] });
    const cause = await agent.data('expand_variable', { path: 'failure' });
    expect(JSON.stringify(cause)).toContain('TypeError: inner');
    const settled = await agent.data('evaluate_expression', { expression: 'await promise' });
    expect(settled).toMatchObject({ result: { value: '{done: true}' } });
    expect(await agent.data('expand_variable', { path: 'cart' })).toMatchObject({
      total: 1,
      variables: [{ name: '#lines', value: '[{qty: 2}]' }],
    });
    expect(await agent.data('resume_execution')).toMatchObject({
      stop: { variables: [{ name: 'this', value: 'Cart {#lines: [{qty: 2}]}' }] },
    });
    await agent.data('stop_debug_session');
  });

  it('prints 200,000 lines before the breakpoint; the last are shown and the rest are counted', async () => {
    const bareMs = await timeToRun(`${ide.root}/chatty.js`);
    const bp = await agent.data('set_breakpoint', { file_path: 'chatty.js', line: 2, temporary: true });
    const began = performance.now();
    const started = await agent.data('start_debug_session', { program: 'chatty.js', wait_ms: 40_000 });
    const debuggedMs = performance.now() - began;
    expect(started).toMatchObject({
      state: 'paused',
      stop: { location: { line: 2 }, breakpointId: bp['breakpointId'] },
    });
    // All of it is there at the stop, not still on its way.
    expect(outputOf(started)).toMatch(/line 199999\nline 200000\n$/);
    expect(outputOf(started).length).toBeLessThan(2500);
    expect(Number(started['outputDropped'])).toBeGreaterThan(2_000_000);
    expect(debuggedMs).toBeLessThan(bareMs * 8 + 15_000);
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', output: 'last\n' });
  });
});

function outputOf(answer: Record<string, unknown>): string {
  const { output } = answer;
  return typeof output === 'string' ? output : '';
}

/** How long the program takes by itself, printing into a pipe. */
async function timeToRun(program: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  await once(child, 'close');
  return performance.now() - began;
}
