import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

/** Programs that cope with every rejection: each prints `fine` at its end and exits with 0. */
const coping = {
  'chain.mjs': `await Promise.resolve().then(() => { throw new Error('in then'); }).catch(() => undefined);`,
  'allSettled.mjs': `await Promise.allSettled([Promise.reject(new Error('one')), 1]);`,
  'race.mjs': `const later = (ms, act) => new Promise((resolve, reject) => setTimeout(() => act(resolve, reject), ms));
await Promise.race([later(1, (resolve) => resolve(1)), later(5, (_, reject) => reject(new Error('lost')))]);
await later(10, (resolve) => resolve());`,
  'late.mjs': `const failed = (async () => { throw new Error('early'); })();
await null;
failed.catch(() => undefined);`,
  'stream.mjs': `const reader = new ReadableStream().getReader();
reader.closed.catch(() => undefined);
reader.releaseLock();`,
  'awaitedLater.mjs': `const fails = async () => { throw new TypeError('kept'); };
const [one, two] = [fails(), fails()];
for (const each of [one, two]) try { await each; } catch {}`,
  'handler.mjs': `process.on('unhandledRejection', () => undefined);
const lost = (async () => { throw new Error('told to the handler'); })();
await new Promise((resolve) => setTimeout(resolve, 5));`,
  'uncaughtHandler.mjs': `process.on('uncaughtException', () => undefined);
setTimeout(() => { throw new Error('told to the handler'); }, 1);
await new Promise((resolve) => setTimeout(resolve, 10));`,
  'domain.mjs': `import { create } from 'node:domain';
const domain = create();
domain.on('error', () => undefined);
domain.run(() => setTimeout(() => { throw new Error('in a domain'); }, 1));
await new Promise((resolve) => setTimeout(resolve, 10));`,
  'emitter.mjs': `import { once, EventEmitter } from 'node:events';
const emitter = new EventEmitter();
const waiting = once(emitter, 'ready').then(() => 1, () => 0);
emitter.emit('error', new Error('given on'));
await waiting;
const { promise, reject } = (() => { let reject; const promise = new Promise((_, no) => (reject = no)); return { promise, reject }; })();
const settled = Promise.any([promise, 2]);
reject(new Error('one of any'));
await settled;`,
};

const files = {
  ...Object.fromEntries(Object.entries(coping).map(([name, code]) => [name, `${code}\nconsole.log('fine');\n`])),
  'then.mjs': `${coping['chain.mjs']}
await Promise.allSettled([Promise.reject(new Error('one')), 1]);
async function main() {
  const wanted = 3;
  await Promise.resolve();
  throw new RangeError('not ' + wanted);
}
main();
`,
  'floating.mjs': `function lose(name) {
  const left = [name, 1];
  Promise.reject(new Error('lost ' + left[0]));
}
lose('x');
setTimeout(() => undefined, 60_000);
`,
  'gone.mjs': `let reason;
{
  const made = { deep: 1 };
  reason = Object.assign(new Error('made long ago'), { made });
}
setTimeout(() => { Promise.reject(reason); }, 1);
`,
  'top.mjs': `const wanted = 3;
throw new RangeError('not ' + wanted);
`,
  'node.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
test('chain', async () => { ${coping['chain.mjs']} });
test('all', async () => { ${coping['allSettled.mjs']} });
test('late', async () => { ${coping['late.mjs']} });
test('stream', async () => { ${coping['stream.mjs']} });
`,
  'nodeFails.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
const fails = async (n) => { if (n > 0) throw new Error('number ' + n); return n; };
test('chain', async () => { ${coping['chain.mjs']} });
test('all', async () => { await Promise.allSettled([fails(1), fails(2)]); });
test('real', async () => {
  const n = 7;
  await fails(n);
});
test('after', async () => { await fails(3).catch(() => undefined); });
`,
  'vitest.test.mjs': `import { expect, test } from 'vitest';
test('chain', async () => { ${coping['chain.mjs']} });
test('all', async () => { ${coping['allSettled.mjs']} });
test('late', async () => { ${coping['late.mjs']} });
test('stream', async () => { ${coping['stream.mjs']} });
test.fails('is known to fail', () => { expect(1).toBe(2); });
`,
  'vitestFails.test.mjs': `import { expect, test } from 'vitest';
test('all', async () => { ${coping['allSettled.mjs']} });
test('one', async () => {
  const n = 4;
  await Promise.resolve();
  expect(n).toBe(5);
});
test('two', () => { throw new Error('second of them'); });
`,
};

describe('a rejection', () => {
  let ide: RunningSightline;
  let probe: TestClient;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    await symlink(resolve('node_modules'), join(ide.root, 'node_modules'));
    probe = await ide.connect({ face: 'probe' });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it.each(Object.keys(coping))('that is handled is no failure and ends nothing: %s', async (program) => {
    expect(await probe.text('debug_probe', { program })).toBe('Program ended with exit code 0.\nOutput:\nfine');
  });

  it.each(['chain.mjs', 'allSettled.mjs', 'late.mjs', 'handler.mjs', 'awaitedLater.mjs', 'domain.mjs'])(
    'that is handled does not stop a session either: %s',
    async (program) => {
      const started = await agent.data('start_debug_session', { program });
      expect(started).toMatchObject({ state: 'stopped', exitCode: 0 });
    },
  );

  it('that Node would only warn of is no failure', async () => {
    const env = { NODE_OPTIONS: '--unhandled-rejections=warn' };
    expect(await probe.text('debug_probe', { program: 'gone.mjs', env })).toMatch(/^Program ended with exit code 0\./);
  });

  it('that nobody handles is a failure where it was made, whatever was handled before', async () => {
    const text = await probe.text('debug_probe', { program: 'then.mjs' });
    expect(text).toMatch(/^Stopped \(exception\) at then\.mjs:6 in main\nRangeError: not 3\n/);
    expect(text).toContain('  wanted = 3');
    expect(text).toContain('Program ended with exit code 1.');
    expect(text).not.toContain('also failed');
  });

  it('that nobody handles stops a session when Node says so, with the frames it was made in', async () => {
    const first = await agent.data('start_debug_session', { program: 'then.mjs' });
    expect(first).toMatchObject({
      state: 'paused',
      stop: {
        reason: 'exception',
        location: { line: 6, methodName: 'main' },
        exception: { type: 'RangeError', message: 'not 3' },
        variables: [{ name: 'wanted', value: '3' }],
      },
    });
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', exitCode: 1 });
    const floating = await agent.data('start_debug_session', { program: 'floating.mjs' });
    expect(floating).toMatchObject({
      stop: { location: { line: 3, methodName: 'lose' }, exception: { message: 'lost x' } },
    });
    expect(await agent.data('evaluate_expression', { expression: 'left.length' })).toMatchObject({
      result: { value: '2' },
    });
    const stack = await agent.data('get_stack_trace');
    expect(JSON.stringify(stack)).not.toContain('preload');
    await agent.data('stop_debug_session');
  });

  it('of a module whose top has thrown is no second stop', async () => {
    const first = await agent.data('start_debug_session', { program: 'top.mjs' });
    expect(first).toMatchObject({ stop: { location: { line: 2 }, exception: { message: 'not 3' } } });
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', exitCode: 1 });
  });

  it('with an error made long before says where that was rejected', async () => {
    const text = await probe.text('debug_probe', { program: 'gone.mjs' });
    expect(text).toMatch(/^Stopped \(exception\) at gone\.mjs:6/);
    expect(text).toContain('Error: made long ago');
  });

  it('in a test that copes with it is the business of that test', async () => {
    for (const test of ['node.test.mjs', 'vitest.test.mjs'])
      expect(await probe.text('debug_probe', { test, wait_ms: 35_000 })).toMatch(/^Program ended with exit code 0\./);
  });

  it('that fails a test is shown there, past those that others handled', async () => {
    const node = await probe.text('debug_probe', { test: 'nodeFails.test.mjs' });
    expect(node).toMatch(/^Stopped \(exception\) at nodeFails\.test\.mjs:3 in fails\nError: number 7\n/);
    expect(node).toContain('Program ended with exit code 1.');
    expect(node).not.toContain('also failed');
    const text = await probe.text('debug_probe', { test: 'vitestFails.test.mjs', wait_ms: 35_000 });
    expect(text).toMatch(/^Stopped \(exception\) at vitestFails\.test\.mjs:6/);
    expect(text).toContain('also failed: Error: second of them at vitestFails.test.mjs:8');
  });
});
