import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureEngine, testCacheDir } from '../../support/engines.ts';
import { type RunningSightline, startSightline, type TestClient } from '../../harness/harness.ts';

const files = {
  'test_cart.py': `import unittest


class TestCart(unittest.TestCase):
    def test_total(self):
        print("RAN total")

    def test_empty(self):
        print("RAN empty")
`,
  'spread.py': `rounds = []
for n in range(3):
    rounds.append(
        max(
            n,
            1,
        ),
    )
    # nothing more
print(rounds)
`,
  'shop.py': `import sys
print("module", __name__, sys.argv[1:])
total = 1 / int(sys.argv[1])
`,
};

describe('in Python', () => {
  let ide: RunningSightline;
  let probe: TestClient;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    probe = await ide.connect({ face: 'probe' });
  }, 120_000);
  afterAll(() => ide.dispose());

  it('the interpreter can be chosen; one that cannot be debugged is refused with the reason', async () => {
    const { path: python } = await ensureEngine('python');
    const chosen = await probe.text('debug_probe', { module: 'shop', args: ['1'], runtime: python });
    expect(chosen).toMatch(/^Program ended with exit code 0\./);
    await writeFile(join(ide.root, 'old'), '#!/bin/sh\necho 3.7.16\necho /usr/bin/python3.7\n', { mode: 0o755 });
    const { error } = await probe.call('debug_probe', { program: 'spread.py', runtime: './old' });
    expect(error).toMatchObject({ name: 'engine_missing', message: expect.stringContaining('3.7.16, older than 3.8') });
  });

  it('a test that is not there is an error with the nearest names', async () => {
    const { error } = await probe.call('debug_probe', { test: 'test_cart.py::TestCart::test_totals' });
    expect(error).toMatchObject({ name: 'test_not_found' });
    expect(JSON.stringify(error)).toContain('TestCart::test_total');
    const one = await probe.text('debug_probe', { test: 'test_cart.py::TestCart::test_total' });
    expect(one).toMatch(/^Program ended with exit code 0\./);
    expect(one).toMatch(/1 passed|Ran 1 test/);
  });

  it('a module is run by its name, in one call or step by step', async () => {
    const text = await probe.text('debug_probe', { module: 'shop', args: ['0'] });
    expect(text).toMatch(/^Stopped \(exception\) at shop\.py:3/);
    const launched = await probe.text('debug_launch', { module: 'shop', args: ['2'] });
    expect(launched).toContain('shop.py:1');
    await probe.text('debug_stop');
  });

  it('a statement on several lines is one hit in each round, and a breakpoint stays in its loop', async () => {
    const breakpoints = [{ file: 'spread.py', line: 3, expressions: ['n'] }];
    const text = await probe.text('debug_probe', { program: 'spread.py', breakpoints, max_hits: 10 });
    expect([...text.matchAll(/n => (\d)/g)].map(([, n]) => n)).toEqual(['0', '1', '2']);
    const lost = await probe.text('debug_probe', {
      program: 'spread.py',
      breakpoints: [{ file: 'spread.py', line: 9 }],
    });
    expect(lost).not.toContain('Stopped');
    expect(lost).toContain('no code on or after line 9 in its loop');
  });
});
