import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const library = `export function median(values) {
  const sorted = [...values].sort();
  const middle = Math.floor(sorted.length / 2);
  return sorted[middle];
}
export async function load(id) {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const user = { 1: { name: 'Ann' } }[id];
  return user.name;
}
export function orUndefined(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}
`;

const handled = `
  assert.equal(orUndefined(() => { throw new Error('handled'); }), undefined);
  assert.throws(() => { throw new TypeError('expected'); }, TypeError);
  await assert.rejects(load(5));
  await assert.rejects(async () => { await load(6); });
  assert.equal(await load(7).catch(() => 'caught'), 'caught');
  try { await load(8); } catch {}
`;

const files = {
  'console.js': `function half(n) {
  return n / 3;
}
const four = 8;
console.assert(half(2) > 0);
console.assert(half(four) === 4, 'half of eight');
console.log('goes on');
`,
  'memory.js': `const kept = [];
while (Math.random() < 2) kept.push('x' + kept.length);
`,
  'tidy.mjs': `import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
mkdirSync('made/deep', { recursive: true });
writeFileSync('made/deep/file', '');
rmSync('made', { recursive: true });
const missing = 'made/deep';
rmSync(missing, { recursive: true });
`,
  'library.mjs': library,
  'assertion.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
import { load, median, orUndefined } from './library.mjs';
test('what the test handles itself', async () => {${handled}});
test('median', () => {
  const values = [10, 9, 1];
  assert.equal(median(values), 9);
});
`,
  'asynchronous.test.mjs': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { load } from './library.mjs';
describe('users', () => {
  it('has a name', async () => {
    const id = 2;
    assert.equal(await load(id), 'Ann');
  });
});
`,
  'vitest.config.mjs': `export default {
  test: { globalSetup: './support/setUp.mjs' },
};
`,
  'support/setUp.mjs': `export default function setUp() {
  const port = 80;
  return () => port;
}
`,
  'vitest.test.mjs': `import { expect, test } from 'vitest';
import { load, median } from './library.mjs';
test('handled', async () => {
  expect(() => JSON.parse('{')).toThrow();
  await expect(load(4)).rejects.toThrow(TypeError);
});
test('median', () => {
  const values = [10, 9, 1];
  expect(median(values)).toBe(9);
});
`,
  'promises.test.mjs': `import { expect, test } from 'vitest';
const load = async (id) => ({ id, name: 'ann' });
test('handled', async () => {
  try {
    await expect(load(1)).resolves.toEqual({ id: 2 });
  } catch {}
  await expect(load(1)).resolves.toEqual({ id: 2 }).catch(() => {});
  await expect(expect(load(1)).resolves.toEqual({ id: 2 })).rejects.toThrow('deeply');
  await Promise.allSettled([expect(load(1)).rejects.toThrow('gone')]);
});
test('resolves', async () => {
  const id = 3;
  await expect(load(id)).resolves.toEqual({ id: 3, name: 'bob' });
});
test('rejects', async () => {
  await expect(load(4)).rejects.toThrow('gone');
});
`,
  'script.mjs': `import assert from 'node:assert';
import { median } from './library.mjs';
async function main() {
  const values = [10, 9, 1];
  const found = median(values);
  assert.deepStrictEqual({ found }, { found: 9 });
}
main().catch((error) => {
  process.exitCode = 1;
});
`,
  'hang.test.mjs': `import test from 'node:test';
test('hangs', () => {
  let i = 0;
  while (i < 10) {
    if (i === 5) continue;
    i++;
  }
});
`,
  'expecting.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
import { load } from './library.mjs';
test('nothing thrown', () => {
  const text = '{}';
  assert.throws(() => JSON.parse(text), SyntaxError);
});
test('another thrown', () => {
  const text = '{';
  assert.throws(() => JSON.parse(text), RangeError);
});
test('nothing rejected', async () => {
  await assert.rejects(load(1));
});
test('outer', async (t) => {
  await t.test('inner', () => {
    const three = 3;
    assert.equal(three, 4);
  });
});
`,
  'deep.test.mjs': `import test from 'node:test';
function depth(tree) {
  return 1 + Math.max(...tree.kids.map(depth));
}
test('depth', () => {
  const tree = { kids: [] };
  tree.kids.push(tree);
  depth(tree);
});
`,
  'unparsed.js': 'const a = 1;\nconst b = = 2;\n',
  'forLoop.js': `const seen = [];
for (let index = 0; index < 5; index += 0) {
}
`,
  'idle.js': 'setInterval(() => {}, 60000);\n',
  'passing.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
test('fine', () => assert.equal(1, 1));
`,
};

describe('a failing test, debugged in one call', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    await symlink(resolve('node_modules'), join(ide.root, 'node_modules'));
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  it('of node:test stops at the assertion, and at nothing the test handles itself', async () => {
    const text = await agent.text('debug_probe', { test: 'assertion.test.mjs' });
    expect(text).toMatch(/^Stopped \(exception\) at assertion\.test\.mjs:14 in <anonymous>\nAssertionError/);
    expect(text).toContain('10 !== 9');
    expect(text).toContain('>>> 14 |   assert.equal(median(values), 9);');
    expect(text).toContain('  values = [10, 9, 1]');
    expect(text).toContain('Program ended with exit code 1.');
    expect(text.length).toBeLessThan(1200);
  });

  it('stops where an asynchronous function throws, with its caller on the stack', async () => {
    const text = await agent.text('debug_probe', { test: 'asynchronous.test.mjs' });
    expect(text).toMatch(
      /^Stopped \(exception\) at library\.mjs:9 in load\nTypeError: Cannot read properties of undefined/,
    );
    expect(text).toContain('  user = undefined\n  id = 2');
    expect(text).toContain('asynchronous.test.mjs:7');
  });

  it('of vitest stops also in what its own process runs, if a breakpoint is there', async () => {
    const breakpoints = [{ file: 'support/setUp.mjs', line: 3 }];
    const text = await agent.text('debug_probe', { test: 'vitest.test.mjs', breakpoints, max_hits: 1 });
    expect(text).toContain('Stopped (breakpoint) at support/setUp.mjs:3 in setUp');
  });

  it('of vitest stops at the expectation, in the process that vitest forked', async () => {
    const text = await agent.text('debug_probe', { test: 'vitest.test.mjs', wait_ms: 35_000 });
    expect(text).toMatch(/^Stopped \(exception\) at vitest\.test\.mjs:9/);
    expect(text).toContain('expected 10 to be 9');
    expect(text).toContain('  values = [10, 9, 1]');
    expect(text.length).toBeLessThan(1200);
  });

  it('of vitest about a promise stops where it was awaited, unless somebody handles it', async () => {
    const file = 'promises.test.mjs';
    const wrong = await agent.text('debug_probe', { test: `${file}::resolves`, wait_ms: 35_000 });
    expect(wrong).toMatch(/^Stopped \(exception\) at promises\.test\.mjs:13/);
    expect(wrong).toContain('actual = {id: 3, name: "ann"}, expected = {id: 3, name: "bob"}');
    const missing = await agent.text('debug_probe', { test: `${file}::rejects`, wait_ms: 35_000 });
    expect(missing).toMatch(/^Stopped \(exception\) at promises\.test\.mjs:16/);
    expect(missing).toContain('instead of rejecting');
    const handled = await agent.text('debug_probe', { test: `${file}::handled`, wait_ms: 35_000 });
    expect(handled).toMatch(/^Program ended with exit code 0/);
  });

  it('that is a plain script stops although the script catches everything at its end', async () => {
    const text = await agent.text('debug_probe', { program: 'script.mjs' });
    expect(text).toMatch(/^Stopped \(exception\) at script\.mjs:6 in main/);
    expect(text).toContain('  found = 10');
  });

  it('of what a library could not handle stops there, not where it handled something', async () => {
    const text = await agent.text('debug_probe', { program: 'tidy.mjs' });
    expect(text).toMatch(/^Stopped \(exception\) at tidy\.mjs:6 in <module>\nError: ENOENT/);
    expect(text).toContain('  missing = "made/deep"');
  });

  it('that hangs is shown where it loops, and is gone', async () => {
    const text = await agent.text('debug_probe', { test: 'hang.test.mjs', wait_ms: 4000 });
    expect(text).toMatch(/at <anonymous> hang\.test\.mjs:[45]: /);
    expect(text).toContain('unchanged: i = 5');
    expect(text).toContain('was still running after 4.0 s and was ended');
    expect(await agent.call('debug_stack')).toMatchObject({ error: { name: 'no_session' } });
  });

  it('about what is thrown stops when the assertion fails, not when it meets what it expects', async () => {
    const found = await Promise.all(
      ['nothing thrown', 'another thrown', 'nothing rejected', 'inner'].map(async (name) => {
        const text = await agent.text('debug_probe', {
          test: `expecting.test.mjs::${name === 'inner' ? 'outer' : name}`,
        });
        const [place = '', what = ''] = text.split('\n');
        return [/mjs:(\d+)/.exec(place)?.[1], what.replace(/:$/, '')];
      }),
    );
    expect(found).toEqual([
      ['6', 'AssertionError: Missing expected exception (SyntaxError).'],
      ['10', expect.stringContaining('expected to be an instance of "RangeError". Received "SyntaxError"')],
      ['13', 'AssertionError: Missing expected rejection.'],
      ['18', 'AssertionError: Expected values to be strictly equal'],
    ]);
  });

  it('that overflows the stack, where V8 cannot stop, says in which function and how to look into it', async () => {
    const text = await agent.text('debug_probe', { test: 'deep.test.mjs' });
    expect(text).toMatch(/^Program ended with exit code 1: stack overflow in depth at deep\.test\.mjs:\d, where V8/);
    const looked = await agent.text('debug_probe', {
      test: 'deep.test.mjs',
      breakpoints: [{ file: 'deep.test.mjs', line: 3 }],
      max_hits: 2,
    });
    expect(looked).toContain('tree = #1 {kids: [#1]}');
  });

  it('that does not even parse is told in the words of Node', async () => {
    const text = await agent.text('debug_probe', { program: 'unparsed.js' });
    expect(text).toMatch(/^Program ended with exit code 1\.\nOutput:\n.*unparsed\.js:2\nconst b = = 2;/);
  });

  it('that hangs in a for loop shows the variable of the loop; one that only waits is called idle', async () => {
    const text = await agent.text('debug_probe', { program: 'forLoop.js', wait_ms: 3000 });
    expect(text).toMatch(/It was busy[^]*at <module> forLoop\.js:[23]/);
    expect(text).toContain('unchanged: index = 0');
    const idle = await agent.text('debug_probe', { program: 'idle.js', wait_ms: 3000 });
    expect(idle).toMatch(/It was idle: no code runs; open: .*Timeout/);
    expect(idle).not.toContain('node:idle');
  });

  it('of console.assert stops at the first that fails, with its values', async () => {
    const text = await agent.text('debug_probe', { program: 'console.js' });
    expect(text).toMatch(/^Stopped \(exception\) at console\.js:6/);
    expect(text).toContain('console.assert: Assertion failed\n  half(four) = 2.6666666666666665');
    expect(text).toContain('  four = 8');
  });

  it('that eats all memory is shown where it stands, in time, and is gone', async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=64' };
    const text = await agent.text('debug_probe', { program: 'memory.js', env, wait_ms: 40_000 });
    expect(text).toMatch(/^Stopped \(exception[^)]*\) at memory\.js:2/);
    expect(text).toContain('Out of memory');
    expect(await agent.call('debug_stack')).toMatchObject({ error: { name: 'no_session' } });
  });

  it('that passes says so', async () => {
    const text = await agent.text('debug_probe', { test: 'passing.test.mjs' });
    expect(text).toMatch(/^Program ended with exit code 0\./);
  });

  it('is found on the debugger face in one call', async () => {
    const other = await ide.connect({ face: 'debugger' });
    const started = await other.data('start_debug_session', { test: 'assertion.test.mjs' });
    expect(started).toMatchObject({
      state: 'paused',
      stop: { reason: 'exception', location: { line: 14 }, exception: { details: { actual: '10', expected: '9' } } },
    });
    await other.data('stop_debug_session');
  });
});
