import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const app = `const cart = { owner: 'Ann', items: [{ name: 'tea', qty: 2 }, { name: 'jam', qty: 1 }] };
function count(items) {
  let n = 0;
  for (const item of items) {
    n += item.qty;
  }
  return n;
}
function greet(name) {
  const text = 'hello ' + name;
  return text;
}
function main() {
  const total = count(cart.items);
  const greeting = greet(cart.owner);
  console.log(greeting, total);
  try {
    JSON.parse('{');
  } catch (error) {
    console.log('handled');
  }
  return total;
}
main();
`;

const loop = `function spin() {
  let rounds = 0;
  while (true) rounds++;
}
spin();
`;

describe('the debugger face on a JavaScript program', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({
      project: {
        'app.js': app,
        'loop.js': loop,
        'package.json': JSON.stringify({ name: 'shop', scripts: { start: 'node app.js' } }),
      },
    });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it('lists 26 tools', async () => {
    expect(await agent.listTools()).toHaveLength(26);
  });

  it('walks through a session with every tool', async () => {
    const bp = await agent.data('set_breakpoint', { file_path: 'app.js', line: 5, condition: "item.name === 'jam'" });
    expect(bp).toMatchObject({ status: 'set', breakpointId: 'bp_1' });
    const list = await agent.data('list_breakpoints', { type: 'line' });
    expect(list).toMatchObject({ count: 1, breakpoints: [{ id: 'bp_1', line: 5, condition: "item.name === 'jam'" }] });

    const configurations = await agent.data('list_run_configurations');
    expect(JSON.stringify(configurations)).toContain('start');

    const started = await agent.data('start_debug_session', { program: 'app.js' });
    expect(started).toMatchObject({ state: 'paused', stop: { reason: 'breakpoint', location: { line: 5 } } });
    const sessions = await agent.data('list_debug_sessions');
    expect(sessions).toMatchObject({ count: 1, sessions: [{ state: 'paused', isCurrent: true }] });

    const status = await agent.data('get_debug_session_status', {});
    expect(status).toMatchObject({
      state: 'paused',
      pausedReason: 'breakpoint',
      currentLocation: { line: 5, methodName: 'count' },
      breakpointHit: { breakpointId: 'bp_1', type: 'line', line: 5 },
      sourceContext: { currentLine: 5, breakpointsInView: [5] },
      threadCount: 1,
    });
    expect(status['stackSummary']).toMatchObject([
      { index: 0, isCurrent: true },
      { methodName: 'main' },
      { methodName: '<module>' },
    ]);

    const stack = await agent.data('get_stack_trace', { max_frames: 2 });
    expect(stack['frames']).toMatchObject([
      { methodName: 'count', isLibrary: false },
      { methodName: 'main', line: 14 },
    ]);

    const threads = await agent.data('list_threads');
    expect(threads).toMatchObject({ count: 1, threads: [{ state: 'paused', isCurrent: true }] });

    const variables = await agent.data('get_variables');
    expect(variables['variables']).toMatchObject([
      { name: 'item', value: '{name: "jam", qty: 1}', hasChildren: true },
      { name: 'items' },
      { name: 'n', value: '2' },
    ]);
    const all = await agent.data('get_variables', { scope: 'all', filter: 'cart' });
    expect(all['variables']).toMatchObject([{ name: 'cart', scope: 'module' }]);

    const expanded = await agent.data('expand_variable', { path: 'items[1]' });
    expect(expanded).toMatchObject({
      total: 2,
      variables: [
        { name: 'name', value: '"jam"' },
        { name: 'qty', value: '1' },
      ],
    });
    const [item] = variables['variables'] as { id: string }[];
    expect(await agent.data('expand_variable', { id: item?.id })).toMatchObject({ total: 2 });

    const evaluated = await agent.data('evaluate_expression', { expression: 'items.map((each) => each.qty)' });
    expect(evaluated['result']).toMatchObject({ value: '[2, 1]', hasChildren: true });
    const failed = await agent.data('evaluate_expression', { expression: 'nonExistent' });
    expect(failed['result']).toMatchObject({ type: 'error', error: 'ReferenceError: nonExistent is not defined' });

    const watch = await agent.data('add_watch', { expression: 'n * 10' });
    expect(watch).toMatchObject({ watchId: 'w1', value: '20' });
    const set = await agent.data('set_variable', { variable_path: 'items[1].qty', value: '40 + 2' });
    expect(set).toMatchObject({ oldValue: '1', newValue: '42' });

    const stepped = await agent.data('step_over');
    expect(stepped).toMatchObject({ stop: { reason: 'step', watches: [{ expression: 'n * 10', value: '440' }] } });
    expect(await agent.data('remove_watch', { watch_id: 'w1' })).toMatchObject({ status: 'removed' });

    const out = await agent.data('step_out');
    expect(out).toMatchObject({ action: 'step_out', stop: { location: { methodName: 'main', line: 15 } } });
    const frame = await agent.data('select_stack_frame', { frame_index: 1 });
    expect(frame).toMatchObject({ status: 'selected', location: { methodName: '<module>', line: 24 } });

    const into = await agent.data('step_into');
    expect(into).toMatchObject({ stop: { location: { methodName: 'greet', line: 10 } } });
    const reached = await agent.data('run_to_line', { file_path: 'app.js', line: 16 });
    expect(reached).toMatchObject({ status: 'reached', stop: { location: { line: 16 } } });
    const source = await agent.data('get_source_context', { context_lines: 1 });
    expect(source).toMatchObject({ startLine: 15, endLine: 17, currentLine: 16 });

    const caught = await agent.data('set_exception_breakpoint', { exception_class: 'SyntaxError', caught: true });
    expect(caught).toMatchObject({ status: 'set', caught: true });
    const thrown = await agent.data('resume_execution');
    expect(thrown).toMatchObject({
      output: 'hello Ann 44\n',
      stop: { reason: 'exception', exception: { type: 'SyntaxError' }, location: { line: 18 } },
    });
    await agent.data('remove_breakpoint', { breakpoint_id: caught['breakpointId'] });
    const ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0, output: 'handled\n' });
    expect(ended['neverHit']).toBeUndefined();
    const { error } = await agent.call('get_variables');
    expect(error).toMatchObject({ name: 'not_paused', code: -32003 });
  });

  it('pauses an endless loop, shows where it is, and ends it', async () => {
    const running = await agent.data('start_debug_session', { program: 'loop.js', wait_ms: 300 });
    expect(running).toMatchObject({ state: 'running', runningForMs: expect.any(Number) });
    const { error } = await agent.call('get_variables');
    expect(error).toMatchObject({ name: 'not_paused', code: -32003 });
    const paused = await agent.data('pause_execution');
    expect(paused).toMatchObject({ status: 'paused', stop: { reason: 'pause', location: { methodName: 'spin' } } });
    const evaluated = await agent.data('evaluate_expression', { expression: 'while (true) {}', timeout_ms: 200 });
    expect(evaluated['result']).toMatchObject({ error: expect.stringContaining('did not end within 200 ms') });
    expect(await agent.data('evaluate_expression', { expression: 'rounds > 0' })).toMatchObject({
      result: { value: 'true' },
    });
    const processId = (
      (await agent.data('list_debug_sessions'))['sessions'] as { state: string; processId: number }[]
    ).find((session) => session.state === 'paused')?.processId;
    expect(await agent.data('stop_debug_session')).toMatchObject({ status: 'stopped' });
    expect(() => process.kill(processId ?? 0, 0)).toThrow('ESRCH');
  });

  it('runs a configuration without stopping at breakpoints, and debugs it through npm', async () => {
    const run = await agent.data('execute_run_configuration', { name: 'start', mode: 'run' });
    expect(run).toMatchObject({
      mode: 'run',
      state: 'stopped',
      exitCode: 0,
      output: expect.stringContaining('hello Ann 3'),
    });
    const debug = await agent.data('execute_run_configuration', { name: 'start' });
    expect(debug).toMatchObject({
      status: 'started',
      state: 'paused',
      stop: { breakpointId: 'bp_1', location: { line: 5 } },
    });
    await agent.data('stop_debug_session');
  });

  it('says what is wrong with a breakpoint', async () => {
    const past = await agent.call('set_breakpoint', { file_path: 'app.js', line: 99 });
    expect(past.error).toMatchObject({ code: -32004, message: 'Line 99 does not exist: the file has 24 lines.' });
    const missing = await agent.call('set_breakpoint', { file_path: 'nope.js', line: 1 });
    expect(missing.error).toMatchObject({ code: -32002, name: 'file_not_found' });
    const condition = await agent.call('set_breakpoint', { file_path: 'app.js', line: 5, condition: 'n ===' });
    expect(condition.error).toMatchObject({ code: -32004, message: expect.stringContaining('does not parse') });
    const anchored = await agent.data('set_breakpoint', { file_path: 'app.js', line: 2, line_text: 'n += item.qty' });
    expect(anchored).toMatchObject({ line: 5 });
    await agent.data('remove_breakpoint', { breakpoint_id: anchored['breakpointId'] });
  });
});
