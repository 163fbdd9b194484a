import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../../support/engines.ts';
import { hardLanguages } from './hardPrograms.ts';

/**
 * What was seen to go wrong in debugger servers that people use, and has no test elsewhere in this folder. (Breakpoints in missing
 * files and on negative lines, huge values, variables of a running program, failing evaluations, missing scripts, killed programs
 * and orphans are in `hardCases` and in `recovery`.)
 */
let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  await ensureEngine('debugpy');
  const files = Object.assign({}, ...hardLanguages.map((each) => each.files)) as Record<string, string>;
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
    expect(performance.now() - began).toBeLessThan(5000);
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
    expect(performance.now() - began).toBeLessThan(8000);
    expect(started).toMatchObject({ state: 'running' });
    expect(await agent.data('get_debug_session_status')).toMatchObject({ state: 'running' });
    expect(await agent.data('pause_execution')).toMatchObject({ status: 'paused', state: 'paused' });
    await agent.data('stop_debug_session');
  });
});
