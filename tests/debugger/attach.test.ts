import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const source = `let n = 0;
function tick() {
  n++;
  const twice = n * 2;
  return twice;
}
setInterval(tick, 10);
console.log('up');
`;

const worker = `async function lose(n) { throw new Error('lost ' + n); }
process.stdin.once('data', async () => {
  await lose(1).catch(() => undefined);
  lose(2);
});
console.log('up');
`;

describe('attaching to a Node program that already runs', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let program: ChildProcess;
  beforeAll(async () => {
    ide = await startSightline({ project: { 'service.js': source, 'worker.js': worker } });
    agent = await ide.connect({ face: 'debugger' });
    await agent.data('set_breakpoint', { file_path: 'service.js', line: 4 });
  });
  afterEach(() => void program.kill('SIGKILL'));
  afterAll(() => ide.dispose());

  /** What it has said on stderr so far; the two streams do not arrive in any order. */
  async function start(...options: string[]): Promise<() => string> {
    program = spawn(process.execPath, [...options, join(ide.root, 'service.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    program.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    if (program.stdout !== null) await once(program.stdout, 'data');
    return () => said;
  }

  it('by pid stops at a breakpoint, and leaves it running when let go', async () => {
    await start();
    const attached = await agent.data('start_debug_session', { pid: program.pid });
    expect(attached).toMatchObject({ state: 'paused', stop: { location: { line: 4, methodName: 'tick' } } });
    expect(await agent.data('step_over')).toMatchObject({ stop: { reason: 'step', location: { line: 5 } } });
    expect(await agent.data('stop_debug_session')).toMatchObject({ status: 'stopped', exitReason: 'detached' });
    expect(program.exitCode).toBeNull();
    expect(program.signalCode).toBeNull();
  });

  it('by host and port', async () => {
    const said = await start('--inspect=127.0.0.1:0');
    await expect.poll(said).toMatch(/:\d+\//);
    const port = Number(/:(\d+)\//.exec(said())?.[1]);
    const attached = await agent.data('start_debug_session', { host: '127.0.0.1', port });
    expect(attached).toMatchObject({ state: 'paused', stop: { location: { line: 4 } } });
    await agent.data('stop_debug_session');
  });

  it('stops at a rejection that nobody handles, and at none that is handled', async () => {
    program = spawn(process.execPath, [join(ide.root, 'worker.js')], { stdio: ['pipe', 'pipe', 'ignore'] });
    if (program.stdout !== null) await once(program.stdout, 'data');
    await agent.data('start_debug_session', { pid: program.pid, wait_ms: 0 });
    program.stdin?.write('go\n');
    expect(await agent.data('get_debug_session_status', { wait_ms: 15_000 })).toMatchObject({
      state: 'paused',
      pausedReason: 'exception',
      exception: { message: 'lost 2' },
      currentLocation: { line: 1, methodName: 'lose' },
    });
    await agent.data('stop_debug_session');
  });

  it('says why when there is nothing to attach to', async () => {
    await start();
    const none = await agent.call('start_debug_session', { pid: 999_999_999 });
    expect(none.error).toMatchObject({ name: 'attach_failed', message: 'There is no process 999999999.' });
    const shell = spawn('sleep', ['30']);
    await once(shell, 'spawn');
    const foreign = await agent.call('start_debug_session', { pid: shell.pid, language: 'node' });
    expect(foreign.error).toMatchObject({
      name: 'attach_failed',
      message: expect.stringContaining('is not a Node program'),
    });
    expect(shell.signalCode).toBeNull();
    shell.kill('SIGKILL');
    const closed = await agent.call('start_debug_session', { host: '127.0.0.1', port: 1 });
    expect(closed.error).toMatchObject({
      name: 'attach_failed',
      message: expect.stringContaining('No Node inspector answers'),
    });
  });
});
