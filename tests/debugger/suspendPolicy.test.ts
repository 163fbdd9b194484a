import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

/** The main thread, a worker and a child process each count in a file of their own, so that it shows who runs. */
const program = `const { fork } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { Worker, isMainThread } = require('node:worker_threads');
const who = !isMainThread ? 'worker' : process.argv[2] === 'child' ? 'child' : 'main';
let ticks = 0;
function tick() {
  ticks++;
  writeFileSync(__dirname + '/' + who + '.txt', String(ticks));
}
if (who === 'worker') setInterval(workerTick, 20);
else setInterval(tick, 5);
function workerTick() {
  const seen = ticks;
  tick();
}
if (who === 'main') {
  fork(__filename, ['child']);
  new Worker(__filename);
}
`;

interface Thread {
  id: string;
  name: string;
  state: string;
  isCurrent: boolean;
}

describe('a breakpoint in one of several threads and processes', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: { 'ticks.js': program } });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  const ticksOf = (who: string) => Number(readFileSync(join(ide.root, `${who}.txt`), 'utf8'));
  const threads = async () => (await agent.data('list_threads'))['threads'] as Thread[];
  const states = async () => (await threads()).map((thread) => thread.state);

  async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
    await expect.poll(isTrue, { interval: 50 }).toBe(true);
  }

  it('holds all the others with the policy all, and lets all go on', async () => {
    const bp = await agent.data('set_breakpoint', { file_path: 'ticks.js', line: 14, hit_condition: '>=3' });
    const started = await agent.data('start_debug_session', { program: 'ticks.js' });
    expect(started).toMatchObject({ stop: { reason: 'breakpoint', thread: expect.stringContaining('worker') } });
    await until(async () => (await states()).join() === 'paused,paused,paused');
    expect(await agent.data('step_over')).toMatchObject({ stop: { reason: 'step', location: { line: 15 } } });
    // The others ran during the step, which might have needed them, and stand still again.
    await until(async () => (await states()).join() === 'paused,paused,paused');
    const before = [ticksOf('main'), ticksOf('child')];
    expect(await agent.data('evaluate_expression', { expression: 'seen' })).toMatchObject({
      result: { type: 'number' },
    });
    expect([ticksOf('main'), ticksOf('child')]).toEqual(before);

    // A thread that is only held can be looked into as well. It may stand in Node's own code, where V8 has dropped the name `process`.
    const main = (await threads()).find((thread) => thread.name.startsWith('main'));
    await agent.data('get_stack_trace', { thread_id: main?.id });
    const who = await agent.data('evaluate_expression', { expression: 'globalThis.process.pid' });
    expect(who).toMatchObject({ result: { type: 'number' } });

    await agent.data('remove_breakpoint', { breakpoint_id: bp['breakpointId'] });
    expect(await agent.data('resume_execution', { wait_ms: 0 })).toMatchObject({ state: 'running' });
    await until(() => ticksOf('main') > (before[0] ?? 0) + 3 && ticksOf('child') > (before[1] ?? 0) + 3);
    expect(await states()).toEqual(['running', 'running', 'running']);
    await agent.data('stop_debug_session');
  });

  it('stops only its own with the policy thread', async () => {
    const bp = await agent.data('set_breakpoint', {
      file_path: 'ticks.js',
      line: 14,
      hit_condition: '>=3',
      suspend_policy: 'thread',
    });
    const started = await agent.data('start_debug_session', { program: 'ticks.js' });
    expect(started).toMatchObject({ stop: { reason: 'breakpoint', thread: expect.stringContaining('worker') } });
    const before = [ticksOf('main'), ticksOf('child')];
    await until(() => ticksOf('main') > (before[0] ?? 0) + 3 && ticksOf('child') > (before[1] ?? 0) + 3);
    expect((await threads()).filter((thread) => thread.state === 'paused')).toMatchObject([{ isCurrent: true }]);
    expect(await agent.data('step_over')).toMatchObject({ stop: { reason: 'step' } });
    expect((await states()).filter((state) => state === 'running')).toHaveLength(2);
    await agent.data('stop_debug_session');
    await agent.data('remove_breakpoint', { breakpoint_id: bp['breakpointId'] });
  });

  it('pauses them all when asked to', async () => {
    await agent.data('start_debug_session', { program: 'ticks.js', wait_ms: 0 });
    await until(async () => (await states()).length === 3);
    expect(await agent.data('pause_execution')).toMatchObject({ state: 'paused', stop: { reason: 'pause' } });
    await until(async () => (await states()).join() === 'paused,paused,paused');
    const before = ticksOf('main');
    expect(await agent.data('resume_execution', { wait_ms: 0 })).toMatchObject({ state: 'running' });
    await until(() => ticksOf('main') > before + 3);
    await agent.data('stop_debug_session');
  });
});
