import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../../support/engines.ts';
import { hardLanguages } from './hardPrograms.ts';

const ownFiles = {
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

/**
 * What was seen to go wrong in debugger servers that people use. What is missing here has a test elsewhere: huge arrays and texts,
 * failing evaluations, `1/0`, killed programs and adapters in `hardCases`; orphans of a killed server in `recovery` and in the tests
 * of the shared process, with log lines on stdout and the end of stdin; TypeScript that never binds in `typescript` and `builtFiles`.
 */
let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  await ensureEngine('debugpy');
  const files = Object.assign({ ...ownFiles }, ...hardLanguages.map((each) => each.files)) as Record<string, string>;
  ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
  agent = await ide.connect({ face: 'debugger' });
}, 180_000);
afterAll(() => ide.dispose());

describe.each(hardLanguages)('$name', ({ source, start, at, words }) => {
  it('inside a loop all its variables are shown, not one of six', async () => {
    await agent.data('set_breakpoint', { file_path: source('looping'), line: at('looping', 'sum') });
    const { stop } = (await agent.data('start_debug_session', { program: start('looping') })) as {
      stop: { variables: { name: string; value: string }[] };
    };
    expect(Object.fromEntries(stop.variables.map(({ name, value }) => [name, value]))).toEqual({
      prices: '[10, 20]',
      rate: '2',
      sum: '0',
      index: '0',
      price: '10',
      taxed: '20',
    });
  });

  it('answers belong to their questions, also after a slow one', async () => {
    const ask = async (expression: string) => {
      const { result } = await agent.data('evaluate_expression', { expression });
      return (result as { value: string }).value;
    };
    const answers = await Promise.all([
      ask(words.slow),
      ask('taxed + 1'),
      agent.data('get_stack_trace', { max_frames: 1 }),
      ask('price * 100'),
    ]);
    expect(answers[0]).toMatch(/^.slow.$/);
    expect(answers[1]).toBe('21');
    expect(answers[2]).toMatchObject({ frames: [{ methodName: 'total', line: at('looping', 'sum') }] });
    expect(answers[3]).toBe('1000');
    expect(await ask('taxed')).toBe('20');
  });

  it('a session that is stopped in the middle of an endless evaluation leaves nothing running', async () => {
    const { sessions } = (await agent.data('list_debug_sessions')) as {
      sessions: { isCurrent: boolean; processId: number }[];
    };
    const pid = sessions.find(({ isCurrent }) => isCurrent)?.processId ?? 0;
    const endless = agent.call('evaluate_expression', { expression: words.endless, timeout_ms: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = performance.now();
    expect(await agent.data('stop_debug_session')).toMatchObject({ state: 'stopped' });
    expect(performance.now() - began).toBeLessThan(25_000);
    const { error, data } = await endless;
    expect(error ?? data?.['result']).toBeDefined();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('a start that nothing stops answers when its wait is over, and the session can be used', async () => {
    const { breakpoints } = (await agent.data('list_breakpoints', { type: 'line' })) as {
      breakpoints: { id: string }[];
    };
    for (const { id } of breakpoints) await agent.data('remove_breakpoint', { breakpoint_id: id });
    const began = performance.now();
    const started = await agent.data('start_debug_session', { program: start('looping'), wait_ms: 300 });
    expect(performance.now() - began).toBeLessThan(25_000);
    expect(started).toMatchObject({ state: 'running' });
    expect(await agent.data('get_debug_session_status')).toMatchObject({ state: 'running' });
    expect(await agent.data('pause_execution')).toMatchObject({ status: 'paused', state: 'paused' });
    await agent.data('stop_debug_session');
  });
});

describe('JavaScript besides', () => {
  it('inside a loop every variable is shown, those of the function too', async () => {
    const set = await agent.data('set_breakpoint', { file_path: 'loop.js', line: 7 });
    const { stop } = (await agent.data('start_debug_session', { program: 'loop.js' })) as {
      stop: { variables: { name: string; value: string }[] };
    };
    expect(Object.fromEntries(stop.variables.map(({ name, value }) => [name, value]))).toEqual({
      amount: '6',
      price: '2',
      qty: '3',
      order: '#1 {price: 2, qty: 3}',
      orders: '[#1 {price: 2, qty: 3}]',
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
    expect(Date.now() - startedAt).toBeLessThan(25_000);
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
