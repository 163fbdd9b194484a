import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';
import { compiled } from './matrix/languages.ts';

const search = (types: boolean) => `function search(list${types ? ': number[]' : ''}, key${types ? ': number' : ''}) {
  let [lo, hi] = [0, list.length - 1];
  while (lo <= hi) {
    const mid = (lo + hi) >> 1;
    if (list[mid] === key) return mid;
    if (list[mid] < key) lo = mid;
    else hi = mid - 1;
  }
  return -1;
}
`;

const files = {
  'count.js': `const fill = (n) => {
  const found = [];
  for (let i = 0; i < n; i--)
    if (i % 1000003 == 0)
      found.push(i);
  return found;
};
fill(50);
`,
  // The answer comes after some seconds of work that prints nothing, and part of its state comes again and again.
  'honest.js': `function work(n) {
  let turn = 0;
  const end = Date.now() + 2500;
  let seed = 7;
  while (seed !== -1) {
    seed = (seed * 5 + 3) % 64;
    turn = (turn + 1) % 4;
    if (turn === 0 && Date.now() > end) seed = -1;
  }
  let sum = 0;
  for (let i = 0; i < 1e8; i++) sum = (sum + i * n) % 1000;
  return sum;
}
require('node:assert').equal(work(3), 1);
`,
  ...compiled('search', `${search(true)}console.log('looking');\nsearch([1, 3, 5, 8], 8);\n`),
  'count.py': `def bits(n):
    count = 0
    while n:
        n ^= n - 1
        count += 1
    return count


bits(127)
`,
  'honest.py': `import time


def work(n):
    end = time.monotonic() + 2.5
    seed = 7
    while seed != -1:
        seed = (seed * 5 + 3) % 64
        if time.monotonic() > end:
            seed = -1
    total = 0
    i = 0
    while i < 6000000:
        i += 1
        total = (total + i * n) % 1000
    return total


assert work(3) == 1
`,
};

describe('an endless loop', () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
  });
  afterAll(() => ide.dispose());

  it.each([
    [
      'JavaScript',
      'count.js',
      /\(pause: endless loop at line 3: i only goes down, so i < n never changes\) at count\.js:4 in fill/,
    ],
    [
      'TypeScript',
      'dist/search.js',
      /endless loop at line 3: a whole pass changes nothing .*\(.*lo.*\)\) at src\/search\.ts:\d+ in search/,
    ],
    ['Python', 'count.py', /endless loop at line 3: passes change nothing .* \(n\)\) at count\.py:\d in bits/],
  ])('is told in one call, long before the wait is over: %s', async (_, program, seen) => {
    const agent = await ide.connect({ face: 'probe' });
    const begun = Date.now();
    const text = await agent.text('debug_probe', { program, wait_ms: 38_000 });
    expect(text).toMatch(seen);
    expect(text).toContain('The program would never have ended and was ended.');
    expect(text).not.toContain('hit 2');
    expect(Date.now() - begun).toBeLessThan(36_000);
    await agent.close();
  });

  it.each([
    ['JavaScript', 'honest.js'],
    ['Python', 'honest.py'],
  ])('is not what works long and then fails: %s', async (_, program) => {
    const agent = await ide.connect({ face: 'probe' });
    const text = await agent.text('debug_probe', { program, wait_ms: 38_000 });
    expect(text).toMatch(/^Stopped \(exception\)[^]*AssertionError/);
    await agent.close();
  });

  it.each([
    ['JavaScript', 'count.js', 4],
    ['Python', 'count.py', 5],
  ])('stops once where it is; whoever lets it run on is not told again: %s', async (_, program) => {
    const agent = await ide.connect({ face: 'debugger' });
    expect(await agent.data('start_debug_session', { program, wait_ms: 38_000 })).toMatchObject({
      state: 'paused',
      stop: { reason: 'pause', description: expect.stringMatching(/^endless loop at line 3: /) },
    });
    expect(await agent.data('resume_execution', { wait_ms: 3000 })).toMatchObject({ state: 'running' });
    expect(await agent.data('pause_execution')).toMatchObject({ stop: { reason: 'pause' } });
    await agent.data('stop_debug_session');
    await agent.close();
  });

  it.each([
    ['JavaScript', 'count.js', 5, 'found.length === 3'],
    ['Python', 'count.py', 5, 'count == 40000'],
  ])('is left alone while a breakpoint in it may still be hit: %s', async (_, program, line, condition) => {
    const agent = await ide.connect({ face: 'debugger' });
    const file = program;
    await agent.data('set_breakpoint', { file_path: file, line, condition });
    const { stop } = await agent.data('start_debug_session', { program, wait_ms: 38_000 });
    expect(stop).toMatchObject({ reason: 'breakpoint', location: { line } });
    await agent.data('stop_debug_session');
    for (const { id } of (await agent.data('list_breakpoints'))['breakpoints'] as { id: string }[])
      await agent.data('remove_breakpoint', { breakpoint_id: id });
    await agent.close();
  });
});

it('random loops in Python that end by themselves are never called endless', async () => {
  const { stdout } = await promisify(execFile)('python3', [
    'tests/debugger/python/randomLoops.py',
    'python',
    '1',
    '400',
  ]);
  const result = JSON.parse(stdout) as { told: number; ended: number; wrong: unknown[] };
  expect(result.wrong).toEqual([]);
  expect(result.told).toBeGreaterThan(50);
  expect(result.ended).toBeGreaterThan(50);
});
