import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const files = {
  'turns.js': `console.log('pid', process.pid);
function turn(n) {
  const double = n * 2;
  return double;
}
let n = 0;
setInterval(() => {
  n = turn(n) + 1;
  n = n % 1000;
}, 20);
`,
  'turns.py': `import os
import time

print("pid", os.getpid())

def turn(n):
    double = n * 2
    return double


n = 0
while True:
    n = turn(n) + 1
    n = n % 1000
    time.sleep(0.02)
`,
};
const waitMs = 300;

describe('an engine that does not answer keeps no call longer than its wait and a second', () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
  });
  afterAll(() => ide.dispose());

  it.each([
    ['turns.js', 3, 8],
    ['turns.py', 8, 14],
  ])('in %s', async (program, line, later) => {
    const agent = await ide.connect({ face: 'debugger' });
    const prober = await ide.connect({ face: 'probe' });
    const { breakpointId } = await agent.data('set_breakpoint', { file_path: program, line });
    const { output } = await agent.data('start_debug_session', { program });
    const pid = Number(/pid (\d+)/.exec(String(output))?.[1]);
    const late: string[] = [];
    const timed = async (client: TestClient, tool: string, args: object) => {
      // A machine that is busy elsewhere delays this process too, and that is no fault of the answer.
      const lag = monitorEventLoopDelay({ resolution: 10 });
      lag.enable();
      const begun = Date.now();
      const { data, error, text } = await client.call(tool, { wait_ms: waitMs, ...args });
      const tookMs = Date.now() - begun;
      lag.disable();
      const lagMs = Math.ceil(lag.max / 1e6);
      if (tookMs > ((args as { wait_ms?: number }).wait_ms ?? waitMs) + 1000 + 2 * lagMs)
        late.push(`${tool} ${tookMs} ms`);
      return (data ?? error ?? { text }) as Record<string, unknown>;
    };
    for (const [client, tool, args, expected] of [
      [agent, 'resume_execution', {}, { state: 'running' }],
      [agent, 'step_over', {}, { state: 'running' }],
      [agent, 'step_into', {}, { state: 'running' }],
      [agent, 'step_out', {}, { state: 'running' }],
      [prober, 'debug_continue', {}, { text: expect.stringMatching(/^Running/) }],
    ] as const) {
      expect(await agent.data('get_debug_session_status', { wait_ms: 10_000 })).toMatchObject({ state: 'paused' });
      process.kill(pid, 'SIGSTOP');
      expect([tool, await timed(client, tool, args)]).toMatchObject([tool, expected]);
      expect(await timed(agent, 'get_debug_session_status', {})).toMatchObject({ state: 'running' });
      expect(await timed(agent, 'pause_execution', {})).toMatchObject({ state: 'running' });
      process.kill(pid, 'SIGCONT');
    }
    expect(await agent.data('get_debug_session_status', { wait_ms: 10_000 })).toMatchObject({ state: 'paused' });
    process.kill(pid, 'SIGSTOP');
    expect(await timed(agent, 'get_debug_session_status', {})).toMatchObject({ state: 'paused' });
    // The line cannot be marked, so that the program has not been let go yet.
    expect(await timed(agent, 'run_to_line', { file_path: program, line: later })).toMatchObject({ state: 'paused' });
    expect(await timed(agent, 'resume_execution', { wait_ms: 1500 })).toMatchObject({
      activity: { summary: expect.stringContaining('the process was stopped by a signal') },
    });
    const begun = Date.now();
    await agent.data('stop_debug_session');
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(late).toEqual([]);
    await agent.data('remove_breakpoint', { breakpoint_id: breakpointId });
    await Promise.all([agent.close(), prober.close()]);
  });

  it('a pause that overtakes a step or meets a stop leaves the program paused', async () => {
    const agent = await ide.connect({ face: 'debugger' });
    const { breakpointId } = await agent.data('set_breakpoint', { file_path: 'turns.py', line: 8 });
    await agent.data('start_debug_session', { program: 'turns.py' });
    for (const tool of ['step_over', 'resume_execution', 'step_into', 'step_out', 'step_over', 'resume_execution']) {
      await Promise.all([agent.call(tool, { wait_ms: 0 }), agent.call('pause_execution', { wait_ms: 0 })]);
      const { state } = await agent.data('get_debug_session_status', { wait_ms: 20_000 });
      expect([tool, state]).toEqual([tool, 'paused']);
    }
    await agent.data('stop_debug_session');
    await agent.data('remove_breakpoint', { breakpoint_id: breakpointId });
    await agent.close();
  });
});
