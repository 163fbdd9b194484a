import { afterEach, describe, expect, it } from 'vitest';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { type RunningSightline, startSightline } from '../harness/harness.ts';

const app = `const assert = require('node:assert');
class Order {
  constructor(items) {
    this.items = items;
  }
  total() {
    let sum = 0;
    for (const item of this.items) {
      sum += item.price * item.qty;
    }
    return sum;
  }
}
function main() {
  const order = new Order([{ price: 2, qty: 3 }, { price: 5, qty: 1 }]);
  const total = order.total();
  console.log('total', total);
  assert.strictEqual(total, 12);
}
main();
`;

describe('debugging JavaScript on Node', () => {
  let ide: RunningSightline;
  afterEach(() => ide.dispose());

  it('shows locals at a breakpoint in two calls, marks what a step changed, and explains the end', async () => {
    ide = await startSightline({ project: { 'app.js': app } });
    const agent = await ide.connect({ face: 'debugger' });
    const set = await agent.data('set_breakpoint', { file_path: 'app.js', line: 9 });
    expect(set).toMatchObject({ breakpointId: 'bp_1', verified: false, line: 9 });
    const started = await agent.data('start_debug_session', { program: 'app.js' });
    expect(started).toMatchObject({
      state: 'paused',
      stop: {
        reason: 'breakpoint',
        breakpointId: 'bp_1',
        location: { file: `${ide.root}/app.js`, line: 9, className: 'Order', methodName: 'total' },
        variables: [
          { name: 'item', value: '#1 {price: 2, qty: 3}' },
          { name: 'sum', value: '0' },
          { name: 'this', value: 'Order {items: [#1 {price: 2, qty: 3}, {price: 5, qty: 1}]}' },
        ],
        stack: ['Order.total app.js:9', 'main app.js:16', '<module> app.js:20'],
      },
    });
    expect(await agent.data('step_over')).toMatchObject({
      action: 'step_over',
      stop: {
        reason: 'step',
        location: { line: 8 },
        variables: [{}, { name: 'sum', value: '6', changed: true, previous: '0' }, {}],
      },
    });
    expect(await agent.data('resume_execution')).toMatchObject({ stop: { location: { line: 9 } } });
    const failed = await agent.data('resume_execution');
    expect(failed).toMatchObject({
      output: 'total 11\n',
      stop: {
        reason: 'exception',
        location: { line: 18, methodName: 'main' },
        exception: { type: 'AssertionError', uncaught: true, details: { actual: '11', expected: '12' } },
      },
    });
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', exitCode: 1 });
    const { error } = await agent.call('resume_execution');
    expect(error).toMatchObject({ code: -32001, name: 'no_session' });
  });

  it('shows what a variable is now: after an evaluation assigned to it, and after it was set', async () => {
    const source = `const outer = { n: 1 };
let shared = 1;
function f(a) {
  let sum = 0;
  {
    const sum = 7;
    sum + a + shared + outer.n;
    let later = 5;
    return later;
  }
}
f(3);
`;
    ide = await startSightline({ project: { 'app.mjs': source } });
    const agent = await ide.connect({ face: 'debugger' });
    await agent.data('set_breakpoint', { file_path: 'app.mjs', line: 7 });
    // Nobody has looked at the stop yet when the first value changes.
    await agent.data('start_debug_session', { program: 'app.mjs', wait_ms: 0 });
    await expect
      .poll(() => agent.data('list_debug_sessions'), { timeout: 20_000 })
      .toMatchObject({ sessions: [{ state: 'paused' }] });
    await agent.data('evaluate_expression', { expression: 'a = [outer, shared = 2]' });
    const before = {
      variables: [
        { name: 'sum', value: '7' },
        { name: 'later' },
        { name: 'a', value: '[{n: 1}, 2]', hasChildren: true },
      ],
    };
    expect(await agent.data('get_debug_session_status')).toMatchObject(before);
    expect(await agent.data('get_variables')).toMatchObject(before);
    expect(await agent.data('get_variables', { scope: 'all' })).toMatchObject({
      variables: expect.arrayContaining([expect.objectContaining({ name: 'shared', value: '2' })]),
    });
    await agent.data('set_variable', { variable_path: 'a', value: '"set"' });
    expect(await agent.data('get_variables')).toMatchObject({ variables: [{}, {}, { name: 'a', value: '"set"' }] });
  });

  it('says in one call where a program fails, in few tokens', async () => {
    ide = await startSightline({ project: { 'app.js': app } });
    const agent = await ide.connect({ face: 'probe' });
    const text = await agent.text('debug_probe', { program: 'app.js' });
    expect(text).toBe(`Stopped (exception) at app.js:18 in main
AssertionError: Expected values to be strictly equal:
11 !== 12
    16 |   const total = order.total();
    17 |   console.log('total', total);
>>> 18 |   assert.strictEqual(total, 12);
    19 | }
  total = 11
  order = Order {items: [{price: 2, qty: 3}, {price: 5, qty: 1}]}
Called from:
  <module> app.js:20: main();
Output: total 11
Program ended with exit code 1.`);
    expect(encode(text).length).toBeLessThan(250);
  });

  it('evaluates expressions at each hit of a probe', async () => {
    ide = await startSightline({ project: { 'app.js': app } });
    const agent = await ide.connect({ face: 'probe' });
    const text = await agent.text('debug_probe', {
      program: 'app.js',
      breakpoints: [{ file: 'app.js', line: 9, expressions: ['item.qty * 2', 'nothing'] }],
    });
    expect(text).toContain('  item.qty * 2 => 6\n');
    expect(text).toContain('  nothing => <ReferenceError: nothing is not defined>');
    expect(text).toContain('\nhit 2: item.qty * 2 => 2; nothing => <ReferenceError: nothing is not defined>; item = ');
    expect(text).toContain('; sum = 6 (was 0)\n');
    expect(text).toContain('--- hit 3\nStopped (exception)');
  });
});
