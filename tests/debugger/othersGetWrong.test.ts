import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'loop.js': `function summarise(orders) {
  let total = 0;
  let count = 0;
  for (const order of orders) {
    const { price, qty } = order;
    const amount = price * qty;
    total += amount;
    count++;
  }
  return total / count;
}
summarise([{ price: 2, qty: 3 }]);
`,
  'idle.js': `globalThis.started = Date.now();
setInterval(() => {}, 1000);
`,
  'ends.js': `debugger;
process.exitCode = 3;
`,
};

/** What debugger servers in use were seen to get wrong, and the matrix of languages does not cover. */
describe('what others get wrong', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it('inside a loop every variable is shown, those of the function too', async () => {
    const set = await agent.data('set_breakpoint', { file_path: 'loop.js', line: 7 });
    const { stop } = (await agent.data('start_debug_session', { program: 'loop.js' })) as {
      stop: { variables: { name: string; value: string }[] };
    };
    expect(Object.fromEntries(stop.variables.map(({ name, value }) => [name, value]))).toEqual({
      amount: '6',
      price: '2',
      qty: '3',
      order: '{price: 2, qty: 3}',
      orders: '[{price: 2, qty: 3}]',
      total: '0',
      count: '0',
    });
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
    await agent.data('stop_debug_session');
  });

  it('a line that cannot be is refused before anything is set', async () => {
    for (const line of [-3, 0, 1.5]) {
      const { error } = await agent.call('set_breakpoint', { file_path: 'loop.js', line });
      expect(error).toMatchObject({ name: 'invalid_arguments' });
    }
    const past = await agent.call('set_breakpoint', { file_path: 'loop.js', line: 99 });
    expect(past.error).toMatchObject({ name: 'breakpoint_error', message: expect.stringContaining('has 12 lines') });
    const missing = await agent.call('set_breakpoint', { file_path: 'gone.js', line: 1 });
    expect(missing.error).toMatchObject({ name: 'file_not_found' });
    expect((await agent.data('list_breakpoints', { type: 'line' }))['breakpoints']).toEqual([]);
  });

  it('a start where nothing stops answers when its wait is over, and variables of a running program are an error', async () => {
    const startedAt = Date.now();
    const started = await agent.data('start_debug_session', { program: 'idle.js', wait_ms: 500 });
    expect(started).toMatchObject({ state: 'running' });
    expect(Date.now() - startedAt).toBeLessThan(8000);
    const { error } = await agent.call('get_variables');
    expect(error).toMatchObject({ code: -32003, name: 'not_paused', hint: expect.stringContaining('pause_execution') });
  });

  it('an evaluation that never ends is stopped, later answers belong to their questions, and the program goes', async () => {
    await agent.data('pause_execution');
    const pid = (
      (await agent.data('list_debug_sessions'))['sessions'] as { isCurrent: boolean; processId: number }[]
    ).find((session) => session.isCurrent)?.processId;
    const endless = agent.call('evaluate_expression', { expression: 'for (;;) {}', timeout_ms: 300 });
    const others = [1, 2, 3].map((n) => agent.call('evaluate_expression', { expression: `${n} + 0` }));
    expect((await endless).data).toMatchObject({
      result: { type: 'error', error: expect.stringContaining('did not end within 300 ms') },
    });
    for (const [index, other] of others.entries())
      expect((await other).data).toMatchObject({ result: { value: String(index + 1) } });
    expect(await agent.data('get_debug_session_status')).toMatchObject({ state: 'paused' });
    await agent.data('stop_debug_session');
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('a program that ends while it is resumed says so at once', async () => {
    await agent.data('start_debug_session', { program: 'ends.js' });
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', exitCode: 3 });
  });

  it('a script that is not there is an error, not a wait', async () => {
    const { error } = await agent.call('start_debug_session', { program: 'nowhere.js' });
    expect(error).toMatchObject({ name: 'file_not_found', message: expect.stringContaining('nowhere.js') });
  });
});
