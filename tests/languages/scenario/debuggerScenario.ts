import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Findings } from './findings.ts';
import { lineOf, type ScenarioLanguage } from './languages.ts';

type Data = Record<string, unknown>;
type Shown = { name: string; value: string; id?: string };

/** The tools of the debugger, in the order in which somebody would use them on the shop. Written once, for every language. */
export async function debuggerScenario(
  { main, cart, launch, total, percent, failure }: ScenarioLanguage,
  root: string,
  found: Findings,
): Promise<void> {
  const inCart = (mark: string) => lineOf(root, cart, mark);
  const inMain = (mark: string) => lineOf(root, main, mark);
  const points = new Map<string, string>();
  const set = async (name: string, args: Data): Promise<void> => {
    points.set(name, String((await found.data('set_breakpoint', args))['breakpointId']));
  };
  const remove = async (name: string): Promise<void> => {
    await found.data('remove_breakpoint', { breakpoint_id: points.get(name) });
  };
  const stopsAt = (answer: Data, file: string, line: number): void =>
    expect(answer).toMatchObject({ stop: { location: { file: join(root, file), line } } });
  const value = async (expression: string): Promise<string> =>
    ((await found.data('evaluate_expression', { expression }))['result'] as Shown).value;

  await found.step('set_breakpoint: condition', () =>
    set('condition', { file_path: cart, line: inCart('add'), condition: 'cost > 500' }),
  );
  await found.step('set_breakpoint: log message', () =>
    set('log', { file_path: cart, line: inCart('return'), log_message: 'made {sum}' }),
  );
  await found.step('set_exception_breakpoint', async () => {
    const { breakpointId } = await found.data('set_exception_breakpoint', { uncaught: true, caught: false });
    points.set('exception', String(breakpointId));
  });
  await found.step('list_breakpoints', async () =>
    expect((await found.data('list_breakpoints'))['breakpoints']).toHaveLength(3),
  );
  await found.step('start_debug_session', async () => {
    const started = await found.data('start_debug_session', { program: main, args: ['fail'], wait_ms: 40_000 });
    stopsAt(started, cart, inCart('add'));
  });
  await found.step('get_debug_session_status', async () =>
    expect(await found.data('get_debug_session_status')).toMatchObject({
      state: 'paused',
      currentLocation: { line: inCart('add') },
    }),
  );
  await found.step('list_debug_sessions', async () =>
    expect((await found.data('list_debug_sessions'))['sessions']).toHaveLength(1),
  );
  await found.step('get_stack_trace', async () => {
    const { frames } = await found.data('get_stack_trace');
    expect(JSON.stringify(frames)).toMatch(new RegExp(`${total}.*main`, 'i'));
  });
  await found.step('list_threads', async () =>
    expect(JSON.stringify((await found.data('list_threads'))['threads'])).toContain('paused'),
  );
  await found.step('get_variables', async () => {
    const shown = shownIn(await found.data('get_variables'));
    expect(shown).toMatchObject({ sum: '300', cost: '700' });
  });
  await found.step('select_stack_frame', async () => {
    await found.data('select_stack_frame', { frame_index: 1 });
    await found.data('select_stack_frame', { frame_index: 0 });
  });
  await found.step('expand_variable', async () => {
    const shown = JSON.stringify(await found.data('expand_variable', { path: 'items', depth: 2 }));
    expect(shown).toContain('150');
  });
  await found.step('evaluate_expression', async () => expect(await value('sum + cost')).toBe('1000'));
  await found.step('add_watch', async () => {
    const { watchId } = await found.data('add_watch', { expression: 'sum * 2' });
    points.set('watch', String(watchId));
    expect(JSON.stringify(await found.data('get_debug_session_status'))).toContain('600');
  });
  await found.step('remove_watch', async () => {
    await found.data('remove_watch', { watch_id: points.get('watch') });
  });
  await found.step('get_source_context', async () =>
    expect(JSON.stringify(await found.data('get_source_context'))).toContain('@add'),
  );
  await found.step('set_variable', async () => {
    expect(await found.data('set_variable', { variable_path: 'sum', value: '1300' })).toMatchObject({
      newValue: '1300',
    });
  });
  await found.step('step_over', async () => {
    await found.data('step_over', { wait_ms: 20_000 });
    expect(await value('sum')).toBe('2000');
  });
  await found.step('remove_breakpoint', () => remove('condition'));
  await found.step('set_breakpoint: function', () => set('function', { function: percent }));
  await found.step('resume_execution', async () => {
    const stop = await found.data('resume_execution', { wait_ms: 20_000 });
    // At its head, or at its first statement.
    expect(stop).toMatchObject({ stop: { location: { file: join(root, cart) }, reason: 'function breakpoint' } });
    expect([inCart('percent') - 1, inCart('percent')]).toContain(location(stop).line);
    expect(stop['output']).toContain('made 2000');
  });
  await found.step('step_out', async () => {
    await found.data('step_out', { wait_ms: 20_000 });
    expect(await found.data('get_debug_session_status')).toMatchObject({ currentLocation: { file: join(root, main) } });
  });
  await remove('function');
  await found.step('run_to_line', async () =>
    stopsAt(
      await found.data('run_to_line', { file_path: main, line: inMain('part'), wait_ms: 20_000 }),
      main,
      inMain('part'),
    ),
  );
  await found.step('step_into', async () => {
    const stop = await found.data('step_into', { wait_ms: 20_000 });
    expect(stop).toMatchObject({ stop: { location: { file: join(root, cart) } } });
    if (location(stop).line !== inCart('percent')) await found.data('step_over', { wait_ms: 20_000 });
    expect(await value('part')).toBe('20');
  });
  await found.step('jump_to_line', async () => {
    await found.data('jump_to_line', { file_path: cart, line: inCart('divide') });
    expect(await found.data('get_debug_session_status')).toMatchObject({
      currentLocation: { line: inCart('divide') },
    });
    await found.data('jump_to_line', { file_path: cart, line: inCart('product') });
  });
  await found.step('restart_frame', async () => {
    const stop = await found.data('restart_frame', { frame_index: 0 });
    expect([inCart('percent') - 1, inCart('percent')]).toContain(location(stop).line);
  });
  await found.step('failure', async () => {
    const stop = await found.data('resume_execution', { wait_ms: 20_000 });
    stopsAt(stop, cart, inCart('fail'));
    expect(stop).toMatchObject({ stop: { reason: 'exception' } });
    expect(JSON.stringify(stop)).toContain(failure);
  });
  await found.step('stop_debug_session', async () => {
    await found.data('stop_debug_session');
    expect((await found.data('list_debug_sessions'))['sessions']).toMatchObject([{ state: 'stopped' }]);
  });
  for (const name of ['log', 'exception']) await remove(name);

  await found.step('pause_execution', async () => {
    await found.data('start_debug_session', { program: main, args: ['spin'], wait_ms: 0 });
    const running = async () => (await found.data('get_debug_session_status', { wait_ms: 200 }))['output'];
    let printed = '';
    for (let asked = 0; asked < 600 && !printed.includes('half'); asked++) printed += JSON.stringify(await running());
    const stop = await found.data('pause_execution', { wait_ms: 20_000 });
    expect(stop).toMatchObject({ state: 'paused' });
    expect(JSON.stringify(stop)).toContain('spin');
    await found.data('stop_debug_session');
  });

  mkdirSync(join(root, '.vscode'), { recursive: true });
  const entry = { name: 'Shop', request: 'launch', ...launch };
  writeFileSync(join(root, '.vscode/launch.json'), JSON.stringify({ version: '0.2.0', configurations: [entry] }));
  await found.step('list_run_configurations', async () =>
    expect(JSON.stringify(await found.data('list_run_configurations'))).toContain('"Shop"'),
  );
  await found.step('execute_run_configuration', async () => {
    await set('here', { file_path: main, line: inMain('print') });
    const stop = await found.data('execute_run_configuration', { name: 'Shop', mode: 'debug', wait_ms: 40_000 });
    expect(JSON.stringify(stop)).toContain(`"line":${inMain('print')}`);
    await remove('here');
    await found.data('stop_debug_session');
  });
}

function location(answer: Data): { line: number } {
  return (answer['stop'] as { location: { line: number } }).location;
}

function shownIn(answer: Data): Record<string, string> {
  return Object.fromEntries((answer['variables'] as Shown[]).map(({ name, value }) => [name, value]));
}
