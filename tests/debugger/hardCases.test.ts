import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'stubborn.js': `const { fork } = require('node:child_process');
process.on('SIGTERM', () => {});
if (process.argv[2] === 'child') {
  process.on('disconnect', () => {});
  setInterval(() => {}, 1000);
} else {
  const children = [fork(__filename, ['child'], { detached: true }), fork(__filename, ['child'])];
  let ready = true;
  console.log(JSON.stringify([process.pid, ...children.map((child) => child.pid)]));
  setInterval(() => { ready = !ready; }, 50);
}
`,
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
  'chatty.js': `for (let i = 1; i <= 200000; i++) console.log('line ' + i);
const done = true;
console.log('last');
`,
  'asks.js': `const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).once('line', (line) => {
  const upper = line.toUpperCase();
  console.log('got ' + upper);
  process.exit(0);
});
console.log('name?');
`,
  'counts.js': `let seen = 0;
for (let i = 1; i <= 1000; i++) {
  seen += i;
}
console.log(seen);
`,
  'rejects.js': `async function fetchUser() {
  const status = 500;
  throw new RangeError('status ' + status);
}
fetchUser();
`,
  'loop.js': `let n = 0;
setInterval(() => { n++; }, 1);
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

  it('forks, detaches and ignores SIGTERM, and is gone after stop with all its children', async () => {
    await agent.data('start_debug_session', { program: 'stubborn.js', wait_ms: 0 });
    let output = '';
    while (!output.includes(']')) {
      const status = await agent.data('get_debug_session_status', { wait_ms: 200 });
      output += outputOf(status);
    }
    const pids = JSON.parse(output.trim()) as number[];
    expect(pids).toHaveLength(3);
    await agent.data('stop_debug_session');
    expect(pids.filter(isAlive)).toEqual([]);
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
      cyclic: expect.stringContaining('self: {'),
      big: '[7, 7, 7, 7, 7, 7, 7, 7, … +999992]',
      text: expect.stringMatching(/^"x{160}"… \(10000000 chars\)$/),
      map: 'Map(2) {"a" => {deep: 1}, "b" => 2}',
      set: 'Set(2) {1, "two"}',
      proxy: 'Proxy(Object)',
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
    expect(debuggedMs).toBeLessThan(bareMs * 8 + 3000);
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', output: 'last\n' });
  });

  it('waits for input, and gets it', async () => {
    const started = await agent.data('start_debug_session', { program: 'asks.js', wait_ms: 0 });
    let output = outputOf(started);
    while (!output.includes('name?\n'))
      output += outputOf(await agent.data('get_debug_session_status', { wait_ms: 100 }));
    const ended = await agent.data('get_debug_session_status', { input: 'ann\n', wait_ms: 20_000 });
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0, output: 'got ANN\n' });
  });

  it('is killed from outside, and the session says by what', async () => {
    const started = await agent.data('start_debug_session', { program: 'loop.js', stop_on_entry: true });
    expect(started).toMatchObject({ state: 'paused', stop: { reason: 'entry', location: { line: 1 } } });
    const sessions = (await agent.data('list_debug_sessions'))['sessions'] as {
      isCurrent: boolean;
      processId: number;
    }[];
    process.kill(sessions.find((session) => session.isCurrent)?.processId ?? 0, 'SIGKILL');
    const status = await agent.data('get_debug_session_status', { wait_ms: 5000 });
    const ended = status['state'] === 'stopped' ? status : await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitSignal: 'SIGKILL' });
  });

  it('counts hits inside the program: hit conditions, conditions that fail, log messages', async () => {
    const hit = await agent.data('set_breakpoint', { file_path: 'counts.js', line: 3, hit_condition: '%400' });
    const first = await agent.data('start_debug_session', { program: 'counts.js' });
    expect(first).toMatchObject({ stop: { variables: [{ name: 'i', value: '400' }, {}] } });
    expect(await agent.data('resume_execution')).toMatchObject({ stop: { variables: [{ value: '800' }, {}] } });
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped' });
    await agent.data('remove_breakpoint', { breakpoint_id: hit['breakpointId'] });

    const bad = await agent.data('set_breakpoint', { file_path: 'counts.js', line: 3, condition: 'nothing.at.all' });
    const log = await agent.data('set_breakpoint', {
      file_path: 'counts.js',
      line: 5,
      log_message: 'sum is {seen}, half {seen / 2}',
    });
    const ended = await agent.data('start_debug_session', { program: 'counts.js' });
    expect(ended).toMatchObject({
      state: 'stopped',
      neverHit: [{ reason: 'its condition failed 1000 times: ReferenceError: nothing is not defined' }],
    });
    expect(outputOf(ended)).toContain('[log] sum is 500500, half 250250\n');
    for (const { breakpointId } of [bad, log]) await agent.data('remove_breakpoint', { breakpoint_id: breakpointId });
  });

  it('rejects a promise that nobody handles, and stops where it was thrown', async () => {
    const started = await agent.data('start_debug_session', { program: 'rejects.js' });
    expect(started).toMatchObject({
      stop: { reason: 'exception', location: { line: 3, methodName: 'fetchUser' }, exception: { type: 'RangeError' } },
    });
    await agent.data('stop_debug_session');
  });

  it('runs twice at once, each session by its id', async () => {
    const one = await agent.data('start_debug_session', { program: 'loop.js', stop_on_entry: true });
    const two = await agent.data('start_debug_session', { program: 'rejects.js', stop_on_entry: true });
    expect(one['sessionId']).not.toBe(two['sessionId']);
    expect(await agent.data('step_over', { session_id: one['sessionId'] })).toMatchObject({
      stop: { location: { line: 2 } },
    });
    expect(await agent.data('step_over')).toMatchObject({
      sessionId: two['sessionId'],
      stop: { reason: 'exception', location: { line: 3 } },
    });
    await agent.data('stop_debug_session', { session_id: one['sessionId'] });
    await agent.data('stop_debug_session', { session_id: two['sessionId'] });
    const { error } = await agent.call('step_over', { session_id: 'session_unknown' });
    expect(error).toMatchObject({ code: -32001, name: 'session_not_found' });
  });

  it('leaves with its client', async () => {
    const other = await ide.connect({ face: 'debugger', transport: 'stdio' });
    await other.data('start_debug_session', { program: 'loop.js', stop_on_entry: true });
    const sessions = (await other.data('list_debug_sessions'))['sessions'] as {
      isCurrent: boolean;
      processId: number;
    }[];
    const pid = sessions.find((session) => session.isCurrent)?.processId ?? 0;
    expect(isAlive(pid)).toBe(true);
    await other.close();
    for (let waited = 0; isAlive(pid) && waited < 5000; waited += 20) await new Promise((done) => setTimeout(done, 20));
    expect(isAlive(pid)).toBe(false);
  });
});

function outputOf(answer: Record<string, unknown>): string {
  const { output } = answer;
  return typeof output === 'string' ? output : '';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/** How long the program takes by itself, printing into a pipe. */
async function timeToRun(program: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  await once(child, 'close');
  return performance.now() - began;
}
