import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'package.json': '{"private": true}',
  'fails.js': "const wanted = 3;\nthrow new Error('fails by ' + wanted);\n",
  'expected.test.js': `const test = require('node:test');
const assert = require('node:assert');
const { spawnSync, fork } = require('node:child_process');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');
const run = (...args) => spawnSync(process.execPath, args).status;
test('given as text', () => assert.equal(run('-e', 'throw new Error("expected")'), 1));
test('rejecting', () => assert.equal(run('-e', 'Promise.reject(new Error("expected"))'), 1));
test('a program', () => assert.equal(run('fails.js'), 1));
test('forked', async () => assert.equal((await once(fork('fails.js', { silent: true }), 'exit'))[0], 1));
test('a worker', async () => assert.match((await once(new Worker('./fails.js'), 'error'))[0].message, /fails by 3/));
`,
  'scripts.js': `const vm = require('node:vm');
function tried(action) {
  try {
    return 'lost: ' + action();
  } catch (error) {
    return error.message;
  }
}
console.log(
  tried(() => vm.runInThisContext('throw new Error("in this")')),
  tried(() => vm.runInNewContext('throw new Error("in new")', {})),
  tried(() => new vm.Script('throw new Error("by script")').runInThisContext({ displayErrors: false })),
);
const wanted = 5;
vm.runInThisContext('throw new Error("of a script " + ' + wanted + ')');
console.log('goes on');
`,
  'group.js': `class Refused extends Error {
  status = 404;
}
const cause = new Refused('first');
throw new AggregateError([new Refused('one'), new Error('plain')], 'all', { cause });
`,
};

describe('what a program throws is told, and ends it as without a debugger', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeEach(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'probe' });
  });
  afterEach(() => ide.dispose());

  it('in the processes and workers that a test expects to fail', async () => {
    const text = await agent.text('debug_probe', { test: 'expected.test.js', wait_ms: 30_000 });
    expect(text).toMatch(/^Program ended with exit code 0\./);
    expect(text).toContain('# pass 5');
  });

  it('in a script that Node runs for it', async () => {
    const text = await agent.text('debug_probe', { program: 'scripts.js' });
    expect(text).toMatch(/^Stopped \(exception\) at scripts\.js:15 in <module>\nError: of a script 5\n/);
    expect(text).toMatch(/^Output: in this in new by script\nProgram ended with exit code 1\.$/m);
  });
  it('with what the members of a group and a cause carry', async () => {
    const text = await agent.text('debug_probe', { program: 'group.js' });
    expect(text).toContain('caused by Refused: first (status = 404) at group.js:4');
    expect(text).toContain('contains Refused: one (status = 404) at group.js:5');
    expect(text).toContain('contains Error: plain at group.js:5');
  });
});
