import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

const shop = join(import.meta.dirname, 'projects/goShop');

describe('Go through delve and gopls', { timeout: 180_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    await Promise.all([ensureEngine('dlv'), ensureEngine('gopls')]);
    ide = await startSightline({ project: shop });
    agent = await ide.connect({ face: 'debugger' });
    reader = await ide.connect({ face: 'debugger', output: 'text' });
  }, 400_000);
  afterAll(() => ide.dispose());

  it('compiles a package, stops, steps, evaluates, changes a variable, and shows a panic at the line that caused it', async () => {
    await agent.data('set_breakpoint', { file_path: 'cart/cart.go', line: 32, condition: 'item.Qty == 1' });
    const started = await agent.data('start_debug_session', { program: 'main.go', args: ['--x'], wait_ms: 40_000 });
    expect(started).toMatchObject({
      state: 'paused',
      stop: { reason: 'breakpoint', location: { file: `${ide.root}/cart/cart.go`, line: 32 } },
    });
    expect(await agent.data('evaluate_expression', { expression: 'len(c.Items)' })).toMatchObject({
      result: { value: '2' },
    });
    expect(await agent.data('set_variable', { variable_path: 'sum', value: '1000' })).toMatchObject({
      newValue: '1000',
    });
    const failed = await agent.data('resume_execution', { wait_ms: 20_000 });
    expect(failed).toMatchObject({
      stop: {
        reason: 'exception',
        location: { line: 57, methodName: 'main.main' },
        exception: { type: 'panic', message: 'runtime error: index out of range [5] with length 2' },
      },
    });
    expect(failed['output']).toContain('total 2200 [--x]');
    expect(await agent.data('resume_execution', { wait_ms: 20_000 })).toMatchObject({ state: 'stopped', exitCode: 2 });
    await agent.data('remove_breakpoint', { breakpoint_id: 'bp_1' });
  });

  it('shows why a test fails or panics, by its printed name, with the values of its line; a name without a test is an error', async () => {
    const failed = await reader.text('debug_probe', { test: 'cart/cart_test.go::TestTotal/two pens', wait_ms: 30_000 });
    expect(failed).toContain('test failure: cart_test.go:19: Total() = 300, want 301');
    expect(failed).toContain('tc: struct');
    expect(failed).toContain('Items: [cart.Item{Name: "pen", Qty: 2, Price: 150}]');
    expect(failed).toContain('Program ended with exit code 1.');
    const panicked = await agent.data('debug_probe', { test: 'cart/cart_test.go::TestPanics', wait_ms: 30_000 });
    expect(panicked).toMatchObject({
      hits: [
        {
          location: { line: 28 },
          exception: { type: 'panic', message: 'runtime error: index out of range [3] with length 0' },
          variables: [{ name: 'c' }, { name: 'index', value: '3' }],
        },
      ],
      exitCode: 2,
    });
    const { error } = await agent.call('debug_probe', { test: 'cart/cart_test.go::TestTotl' });
    expect(error).toMatchObject({ name: 'test_not_found', data: { nearest: ['TestTotal', 'TestFine', 'TestPanics'] } });
    const inner = await agent.call('debug_probe', { test: 'cart/cart_test.go::TestTotal/thre pens', wait_ms: 30_000 });
    expect(inner.error).toMatchObject({ name: 'test_not_found' });
  });

  it('tells what does not compile as data, feeds input, calls functions past breakpoints, and answers hypotheses', async () => {
    const broken = await agent.call('start_debug_session', { program: 'broken' });
    expect(broken.error).toMatchObject({
      name: 'launch_failed',
      data: {
        problems: [
          { file: 'broken/main.go', line: 4, column: 2 },
          { file: 'broken/main.go', line: 5, message: 'undefined: y' },
        ],
      },
    });
    const verdicts = await reader.text('debug_hypotheses', {
      program: 'main.go',
      probes: [
        { at: { file: 'cart/cart.go', line: 34 }, expression: 'sum == 1500' },
        { at: { file: 'cart/cart.go', line: 32 }, expression: 'item.Qty > 1' },
      ],
      wait_ms: 30_000,
    });
    expect(verdicts).toContain('h1: CONFIRMED  sum == 1500, once');
    expect(verdicts).toContain('h2: REJECTED  item.Qty > 1: 1 of 2 not; first false at cart/cart.go:32');
    await agent.data('start_debug_session', {
      program: 'main.go',
      breakpoints: [{ file: 'cart/cart.go', line: 34 }],
      wait_ms: 40_000,
    });
    expect(await agent.data('evaluate_expression', { expression: 'c.Total()' })).toMatchObject({
      result: { value: '1500' },
    });
    const next = await agent.data('resume_execution', { wait_ms: 20_000 });
    expect(next).toMatchObject({ stop: { reason: 'exception', location: { line: 57 } } });
    await agent.data('stop_debug_session');
  });

  it('gives a program its input; attaches to one by its process id and leaves it alive', async () => {
    await agent.data('start_debug_session', {
      program: 'asks',
      breakpoints: [{ file: 'asks/main.go', line: 12, condition: 'count == 2' }],
      wait_ms: 3000,
    });
    const stop = await agent.data('get_debug_session_status', { input: 'one\ntwo\n', wait_ms: 20_000 });
    expect(stop).toMatchObject({ variables: [{ name: 'lines' }, { name: 'count', value: '2' }] });
    await agent.data('stop_debug_session');
    const binary = join(ide.home, 'asks');
    await promisify(execFile)('go', ['build', '-gcflags=-N -l', '-o', binary, './asks'], { cwd: ide.root });
    const program = spawn(binary, { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      const attached = await agent.data('start_debug_session', { pid: program.pid, wait_ms: 0 });
      expect(attached).toMatchObject({ state: 'running', name: `pid ${program.pid}` });
      program.stdin.write('a\nb\n');
      const hit = await agent.data('get_debug_session_status', { wait_ms: 20_000 });
      expect(hit).toMatchObject({ state: 'paused', currentLocation: { line: 12 } });
      await agent.data('stop_debug_session');
      program.stdin.write('c\n');
      let printed = '';
      for await (const chunk of program.stdout) if ((printed += String(chunk)).includes('3: c')) break;
      expect(printed).toContain('2: b\n3: c\n');
    } finally {
      program.kill('SIGKILL');
    }
  });

  it('answers about code when it is asked first, and refactors through gopls', async () => {
    const index = await ide.connect({ face: 'index', output: 'text' });
    const references = await index.text('find_references', { symbol: 'Cart.Total' });
    expect(references).toContain('3 references to method Total in 3 files');
    expect(await index.text('ide_find_implementations', { symbol: 'Shape' })).toContain('main.go:17 struct Square');
    expect(await index.text('ide_type_hierarchy', { symbol: 'Square' })).toContain('interface Shape main.go:15');
    expect(await index.text('ide_call_hierarchy', { symbol: 'Cart.Total' })).toContain('TestTotal cart/cart_test.go:5');
    expect(await index.text('ide_analyze_code', {})).toContain('broken/main.go');
    const used = await index.call('ide_refactor_safe_delete', { symbol: 'Cart.Total' });
    expect(used.error).toMatchObject({ name: 'refactoring_conflict' });
    const clash = await index.call('ide_refactor_rename', { symbol: 'Cart.Total', new_name: 'Add' });
    expect(clash.error).toMatchObject({ name: 'refactoring_conflict' });
    const extracted = await index.text('ide_refactor_extract_method', {
      file: 'cart/cart.go',
      start_line: 30,
      end_line: 33,
      new_name: 'sumUp',
    });
    expect(extracted).toContain('+func (c *Cart) sumUp() int {');
    const renamed = await index.text('ide_refactor_rename', { symbol: 'Cart.Total', new_name: 'Sum' });
    expect(renamed).toContain('Done: rename Total to Sum: 4 places in 3 files.');
    expect(await index.text('find_references', { symbol: 'Cart.Sum' })).toContain('3 references');
  });
});
