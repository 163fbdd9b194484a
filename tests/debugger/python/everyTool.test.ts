import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../../harness/harness.ts';
import { testCacheDir } from '../../support/engines.ts';
import { ensureDebugpy } from './harness.ts';

const app = `import json

cart = {"owner": "Ann", "items": [{"name": "tea", "qty": 2}, {"name": "jam", "qty": 1}]}


def count(items):
    n = 0
    for item in items:
        n += item["qty"]
    return n


def greet(name):
    text = "hello " + name
    return text


def main():
    total = count(cart["items"])
    greeting = greet(cart["owner"])
    print(greeting, total)
    try:
        json.loads("{")
    except ValueError:
        print("handled")
    return total


main()
`;

const loop = 'def spin():\n    rounds = 0\n    while True:\n        rounds += 1\n\n\nspin()\n';

const launchJson = JSON.stringify({
  configurations: [{ name: 'Shop', type: 'debugpy', request: 'launch', program: '${workspaceFolder}/app.py' }],
});

beforeAll(ensureDebugpy, 180_000);

describe('the debugger face on a Python program', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({
      project: { 'app.py': app, 'loop.py': loop, 'other.py': 'x = 1\n', '.vscode/launch.json': launchJson },
      env: { SIGHTLINE_CACHE: testCacheDir },
    });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it('walks through a session with every tool', async () => {
    const bp = await agent.data('set_breakpoint', { file_path: 'app.py', line: 9, condition: 'item["name"] == "jam"' });
    expect(bp).toMatchObject({ status: 'set', breakpointId: 'bp_1' });
    await agent.data('set_breakpoint', { file_path: 'other.py', line: 1 });
    const list = await agent.data('list_breakpoints', { file_path: 'app.py' });
    expect(list).toMatchObject({
      count: 1,
      breakpoints: [{ id: 'bp_1', line: 9, condition: 'item["name"] == "jam"' }],
    });
    expect(JSON.stringify(await agent.data('list_run_configurations'))).toContain('Shop');

    const started = await agent.data('start_debug_session', { program: 'app.py' });
    expect(started).toMatchObject({
      state: 'paused',
      stop: {
        reason: 'breakpoint',
        breakpointId: 'bp_1',
        location: { file: `${ide.root}/app.py`, line: 9, methodName: 'count' },
        stack: ['count app.py:9', 'main app.py:19', '<module> app.py:29'],
      },
    });
    expect(await agent.data('list_debug_sessions')).toMatchObject({
      count: 1,
      sessions: [{ name: 'app.py', state: 'paused', isCurrent: true, processId: expect.any(Number) }],
    });

    const status = await agent.data('get_debug_session_status', {});
    expect(status).toMatchObject({
      state: 'paused',
      pausedReason: 'breakpoint',
      currentLocation: { line: 9, methodName: 'count' },
      breakpointHit: { breakpointId: 'bp_1', type: 'line', line: 9 },
      sourceContext: { currentLine: 9, breakpointsInView: [9] },
      threadCount: 1,
      totalStackDepth: 3,
    });
    const stack = await agent.data('get_stack_trace', { max_frames: 2 });
    expect(stack['frames']).toMatchObject([
      { methodName: 'count', isLibrary: false },
      { methodName: 'main', line: 19 },
    ]);
    expect(await agent.data('list_threads')).toMatchObject({
      count: 1,
      threads: [{ name: 'MainThread', state: 'paused', isCurrent: true }],
    });

    const variables = await agent.data('get_variables');
    expect(variables['variables']).toMatchObject([
      { name: 'items', hasChildren: true, type: 'list' },
      { name: 'n', value: '2', type: 'int' },
      { name: 'item', value: "{'name': 'jam', 'qty': 1}" },
    ]);
    const all = await agent.data('get_variables', { scope: 'all', filter: 'cart' });
    expect(all['variables']).toMatchObject([{ name: 'cart' }]);

    const expanded = await agent.data('expand_variable', { path: 'items[1]' });
    expect(expanded).toMatchObject({
      total: 2,
      variables: [
        { name: "'name'", value: "'jam'" },
        { name: "'qty'", value: '1' },
      ],
    });
    const [items] = variables['variables'] as { id: string }[];
    expect(await agent.data('expand_variable', { id: items?.id })).toMatchObject({ total: 2 });

    const evaluated = await agent.data('evaluate_expression', { expression: '[each["qty"] for each in items]' });
    expect(evaluated['result']).toMatchObject({ value: '[2, 1]', type: 'list', hasChildren: true });
    const failed = await agent.data('evaluate_expression', { expression: 'non_existent' });
    expect(failed['result']).toMatchObject({ type: 'error', error: "NameError: name 'non_existent' is not defined" });

    expect(await agent.data('add_watch', { expression: 'n * 10' })).toMatchObject({ watchId: 'w1', value: '20' });
    const set = await agent.data('set_variable', { variable_path: 'items[1]["qty"]', value: '40 + 2' });
    expect(set).toMatchObject({ oldValue: '1', newValue: '42' });
    const stepped = await agent.data('step_over');
    expect(stepped).toMatchObject({ stop: { reason: 'step', watches: [{ expression: 'n * 10', value: '440' }] } });
    expect(await agent.data('remove_watch', { watch_id: 'w1' })).toMatchObject({ status: 'removed' });

    // Python stops in the caller's line while the call returns, then on the next one.
    expect(await agent.data('step_out')).toMatchObject({ stop: { location: { methodName: 'main', line: 19 } } });
    expect(await agent.data('select_stack_frame', { frame_index: 1 })).toMatchObject({
      status: 'selected',
      location: { methodName: '<module>', line: 29 },
    });
    expect(await agent.data('step_over')).toMatchObject({ stop: { location: { line: 20 } } });
    expect(await agent.data('step_into')).toMatchObject({ stop: { location: { methodName: 'greet', line: 14 } } });
    const reached = await agent.data('run_to_line', { file_path: 'app.py', line: 21 });
    expect(reached).toMatchObject({ status: 'reached', stop: { location: { line: 21 } } });
    const source = await agent.data('get_source_context', { context_lines: 1 });
    expect(source).toMatchObject({ startLine: 20, endLine: 22, currentLine: 21 });

    const caught = await agent.data('set_exception_breakpoint', { exception_class: 'ValueError', caught: true });
    expect(caught).toMatchObject({ status: 'set', caught: true });
    const thrown = await agent.data('resume_execution');
    expect(thrown).toMatchObject({
      output: 'hello Ann 44\n',
      stop: { reason: 'exception', exception: { type: 'JSONDecodeError' }, location: { line: 23 } },
    });
    await agent.data('remove_breakpoint', { breakpoint_id: caught['breakpointId'] });
    const ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({
      state: 'stopped',
      exitCode: 0,
      output: 'handled\n',
      neverHit: [{ breakpointId: 'bp_2', reason: 'the file was never loaded by the program' }],
    });
    const { error } = await agent.call('get_variables');
    expect(error).toMatchObject({ name: 'not_paused', code: -32003 });
  });

  it('pauses an endless loop, shows where it is, and ends it', async () => {
    const running = await agent.data('start_debug_session', { program: 'loop.py', wait_ms: 1500 });
    expect(running).toMatchObject({ state: 'running', runningForMs: expect.any(Number) });
    const { error } = await agent.call('get_variables');
    expect(error).toMatchObject({ name: 'not_paused', code: -32003 });
    const paused = await agent.data('pause_execution');
    expect(paused).toMatchObject({ status: 'paused', stop: { reason: 'pause', location: { methodName: 'spin' } } });
    const evaluated = await agent.data('evaluate_expression', { expression: 'while True: pass', timeout_ms: 200 });
    expect(evaluated['result']).toMatchObject({ error: expect.stringContaining('did not end within 200 ms') });
    expect(await agent.data('evaluate_expression', { expression: 'rounds > 0' })).toMatchObject({
      result: { value: 'True' },
    });
    const sessions = (await agent.data('list_debug_sessions'))['sessions'] as { state: string; processId: number }[];
    const pid = sessions.find((session) => session.state === 'paused')?.processId;
    expect(await agent.data('stop_debug_session')).toMatchObject({ status: 'stopped' });
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });

  it('runs a configuration without stopping at breakpoints, and debugs it', async () => {
    const run = await agent.data('execute_run_configuration', { name: 'Shop', mode: 'run' });
    expect(run).toMatchObject({
      mode: 'run',
      state: 'stopped',
      exitCode: 0,
      output: expect.stringContaining('hello Ann 3'),
    });
    const debug = await agent.data('execute_run_configuration', { name: 'Shop' });
    expect(debug).toMatchObject({ state: 'paused', stop: { breakpointId: 'bp_1', location: { line: 9 } } });
    await agent.data('stop_debug_session');
  });

  it('says what is wrong with a breakpoint', async () => {
    const past = await agent.call('set_breakpoint', { file_path: 'app.py', line: 99 });
    expect(past.error).toMatchObject({ code: -32004, message: 'Line 99 does not exist: the file has 29 lines.' });
    const missing = await agent.call('set_breakpoint', { file_path: 'nope.py', line: 1 });
    expect(missing.error).toMatchObject({ code: -32002, name: 'file_not_found' });
    const condition = await agent.call('set_breakpoint', { file_path: 'app.py', line: 9, condition: 'n = 3' });
    expect(condition.error).toMatchObject({ code: -32004, message: expect.stringContaining("use '=='") });
    const anchored = await agent.data('set_breakpoint', { file_path: 'app.py', line: 2, line_text: 'n += item' });
    expect(anchored).toMatchObject({ line: 9 });
  });

  it('keeps two sessions apart', async () => {
    const first = await agent.data('start_debug_session', { program: 'app.py' });
    const second = await agent.data('start_debug_session', { program: 'loop.py', wait_ms: 1000 });
    expect([first['state'], second['state']]).toEqual(['paused', 'running']);
    expect(await agent.data('get_variables', { session_id: first['sessionId'] })).toMatchObject({
      variables: [{}, { name: 'n' }, {}],
    });
    await agent.data('stop_debug_session', { session_id: second['sessionId'] });
    expect(await agent.data('get_debug_session_status', { session_id: first['sessionId'] })).toMatchObject({
      state: 'paused',
    });
    await agent.data('stop_debug_session', { session_id: first['sessionId'] });
  });
});

describe('the probe face on a Python program', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: { 'app.py': app }, env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  it('walks through a session in plain text', async () => {
    expect(await agent.text('debug_launch', { program: 'app.py' })).toContain('Ready for breakpoints');
    expect(await agent.text('debug_breakpoint', { file: 'app.py', line: 9 })).toContain('app.py:9 (verified)');
    expect(await agent.text('debug_continue')).toContain('Stopped (breakpoint) at app.py:9 in count');
    expect(await agent.text('debug_step', { kind: 'over' })).toContain('* n = 2 (was 0)');
    expect(await agent.text('debug_evaluate', { expression: 'n + 1' })).toContain('3');
    expect(await agent.text('debug_stack')).toContain('main app.py:19');
    expect(await agent.text('debug_variables')).toContain('items');
    expect(await agent.text('debug_stop')).toMatch(/ended/);
  });

  it('evaluates at each hit of one probe', async () => {
    const text = await agent.text('debug_probe', {
      program: 'app.py',
      breakpoints: [{ file: 'app.py', line: 9, expressions: ['item["qty"] * 2', 'nothing'] }],
    });
    expect(text).toContain('  item["qty"] * 2 => 4\n');
    expect(text).toContain("  nothing => <NameError: name 'nothing' is not defined>");
    expect(text).toContain('--- hit 2');
    expect(text).toContain('Program ended with exit code 0.');
  });
});
