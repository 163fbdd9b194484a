import { execFile } from 'node:child_process';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import type { RunningSightline, TestClient } from '../harness/harness.ts';
import { packages, startWithPackages } from './project.ts';

const execute = promisify(execFile);

let ide: RunningSightline;
let agent: TestClient;
let reader: TestClient;

beforeAll(async () => {
  ide = await startWithPackages();
  agent = await ide.connect({ face: 'workspace' });
  reader = await ide.connect({ face: 'default' });
}, 300_000);
afterAll(() => ide.dispose());

interface Run {
  runner: string;
  folder: string;
  state: string;
  failures: { test: string; at: string; message: string; failedAt: string; code: string; calledFrom?: string[] }[];
  notRunWhy?: { reason: string; why: string; count: number; tests: string[]; files?: string[] }[];
  [count: string]: unknown;
}

async function runsOf(args: Record<string, unknown>): Promise<Run[]> {
  return (await agent.data('run_tests', args))['runs'] as Run[];
}

const cases = [
  {
    folder: 'vi',
    runner: /^vitest \d/,
    expected: 6,
    passed: 1,
    failed: 2,
    skipped: 1,
    notRun: 2,
    broken: 'vi/broken.test.js',
  },
  // jest fails the tests behind a broken hook.
  {
    folder: 'je',
    runner: /^jest 30/,
    expected: 6,
    passed: 1,
    failed: 4,
    skipped: 1,
    notRun: 0,
    broken: 'je/broken.test.js',
  },
  { folder: 'mo', runner: /^mocha 12/, expected: 6, passed: 1, failed: 2, skipped: 1, notRun: 2 },
  {
    folder: 'no',
    runner: /^node:test \d/,
    expected: 6,
    passed: 1,
    failed: 2,
    skipped: 1,
    notRun: 2,
    broken: 'no/broken.test.js',
  },
  {
    folder: 'py',
    runner: /^pytest \d/,
    expected: 6,
    passed: 3,
    failed: 2,
    skipped: 1,
    notRun: 0,
    broken: 'py/test_broken.py',
  },
  {
    folder: 'unit',
    runner: /^unittest 3/,
    expected: 6,
    passed: 1,
    failed: 2,
    skipped: 1,
    notRun: 2,
    broken: 'unit/test_broken.py',
  },
];

const testFiles: Readonly<Record<string, string>> = {
  vi: 'vi/shop.test.js',
  je: 'je/shop.test.js',
  mo: 'mo/test/shop.js',
  no: 'no/shop.test.js',
  py: 'py/test_shop.py',
  unit: 'unit/test_shop.py',
};

describe('every package of a project in one call', () => {
  let runs: Run[];
  beforeAll(async () => {
    runs = await runsOf({ max_chars: 30_000 });
  }, 120_000);

  it('keeps every count when the answer must be short', async () => {
    const short = await runsOf({});
    expect(short.map(({ folder, failed }) => `${folder} ${String(failed)}`).toSorted()).toEqual(
      cases.map(({ folder, failed }) => `${folder} ${failed}`).toSorted(),
    );
  }, 60_000);

  it('has a run for each, with its own runner', () => {
    expect(runs.map(({ folder }) => folder).toSorted()).toEqual(cases.map(({ folder }) => folder).toSorted());
  });

  it.each(cases)('$folder: nothing is lost from the counts', ({ folder, runner, broken, ...counts }) => {
    const run = runs.find((each) => each.folder === folder);
    expect(run).toMatchObject({ state: 'ended', runner: expect.stringMatching(runner), ...counts });
    const reasons = (run?.notRunWhy ?? []).map(({ reason, files = [], count }) => ({ reason, files, count }));
    expect(reasons).toEqual([
      ...(broken === undefined ? [] : [{ reason: 'collection', files: [broken], count: 0 }]),
      ...(counts.notRun === 0 ? [] : [{ reason: 'hook', files: [], count: 2 }]),
    ]);
    expect(run?.notRunWhy?.map(({ why }) => why).join()).toMatch(broken === undefined ? /no database/ : /missing/);
  });

  it.each(cases)('$folder: failures say what differs, where, and who called', ({ folder }) => {
    const failures = runs.find((each) => each.folder === folder)?.failures ?? [];
    const names = failures.find(({ test }) => /keeps.names/.test(test));
    expect(names?.at).toMatch(/shop(\.test)?\.(js|py):\d+$|test_shop\.py:\d+$/);
    expect(JSON.stringify(names)).toMatch(/pear.*plum|plum.*pear/);
    expect(names?.code).toMatch(/deepEqual|toEqual|assert/);
    const refused = failures.find(({ test }) => /refuses/.test(test));
    expect(refused).toMatchObject({
      error: expect.stringMatching(/RangeError|ValueError/),
      message: 'negative price of debt',
      failedAt: expect.stringMatching(new RegExp(`^${folder}/shop\\.(js|py):\\d+ in price$`)),
      code: expect.stringMatching(/raise ValueError|throw new RangeError/),
    });
    expect(refused?.calledFrom?.some((frame) => /shop\.(js|py):[68]/.test(frame))).toBe(true);
  });
});

describe('what is chosen', () => {
  it.each(cases)(
    '$folder: the test at a line, and by its name',
    async ({ folder }) => {
      const path = testFiles[folder] ?? '';
      const name = path.endsWith('.py') ? 'test_adds' : 'total > adds';
      const [named] = await runsOf({ files: [path], name });
      expect(named).toMatchObject({ expected: 1, passed: 1, failed: 0 });
      const line = (packages[path] ?? '').split('\n').findIndex((each) => each.includes('adds')) + 2;
      const [atLine] = await runsOf({ files: [path], line });
      expect(atLine).toMatchObject({ expected: 1, passed: 1, failed: 0 });
    },
    60_000,
  );

  it('is found by a name alone, and a name that nothing has is an error with the nearest', async () => {
    const [run, ...others] = await runsOf({ name: 'test_one[2]' });
    expect(others).toEqual([]);
    expect(run).toMatchObject({ folder: 'py', expected: 1, passed: 1 });
    const { error } = await agent.call('run_tests', { files: ['mo/test/shop.js'], name: 'keeps nams' });
    expect(error).toMatchObject({ name: 'test_not_found', hint: expect.stringContaining('total > keeps names') });
  }, 60_000);

  it('are those that failed, after a run of them', async () => {
    await runsOf({ files: ['mo', 'py'] });
    const again = await runsOf({ failed: true });
    expect(again.map(({ folder, expected, failed }) => ({ folder, expected, failed }))).toEqual([
      { folder: 'mo', expected: 4, failed: 2 },
      { folder: 'py', expected: 2, failed: 2 },
    ]);
  }, 60_000);
});

it('those that changes since a commit can affect, by what they import', async () => {
  const git = (...args: string[]) =>
    execute('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: ide.root });
  const none = await agent.call('run_tests', { changed_since: 'HEAD' });
  expect(none.error).toMatchObject({ name: 'git_error' });
  await writeFile(join(ide.root, '.gitignore'), 'node_modules\n.venv\n__pycache__\n.pytest_cache\n');
  await git('init', '-q');
  await git('add', '-A');
  await git('commit', '-qm', 'all');
  const nothing = await agent.call('run_tests', { changed_since: 'HEAD' });
  expect(nothing.error).toMatchObject({ name: 'test_not_found', message: 'Nothing has changed since HEAD.' });
  await appendFile(join(ide.root, 'mo', 'shop.js'), '// changed\n');
  await appendFile(join(ide.root, 'py', 'shop.py'), '# changed\n');
  await writeFile(join(ide.root, 'notes.txt'), 'nobody reads this');
  const runs = await runsOf({ changed_since: 'HEAD' });
  expect(runs.map(({ folder, expected, selected }) => [folder, expected, selected])).toEqual([
    ['mo', 6, '2 test files that changes since HEAD can affect'],
    ['py', 6, '2 test files that changes since HEAD can affect'],
  ]);
  const text = await reader.text('run_tests', { changed_since: 'HEAD', name: 'adds' });
  expect(text).toContain('No test imports notes.txt, which changed.');
}, 60_000);

it('tests are listed as they are written, or as the runner finds them', async () => {
  const written = await agent.data('list_tests', { max_chars: 20_000 });
  const folders = (written['packages'] as { folder: string; tests: number }[]).map(
    ({ folder, tests }) => `${folder} ${tests}`,
  );
  expect(folders.toSorted()).toEqual(['je 6', 'mo 6', 'no 6', 'py 5', 'unit 6', 'vi 6']);
  expect(JSON.stringify(written['files'])).toContain('{"name":"total > adds","line":4}');
  const python = await agent.data('list_tests', { files: ['py', 'mo'], collect: true, name: 'one' });
  expect(python).toMatchObject({
    total: 2,
    files: [
      {
        file: 'py/test_shop.py',
        tests: [
          { name: 'test_one[1]', line: 25 },
          { name: 'test_one[2]', line: 25 },
        ],
      },
    ],
    problems: [expect.stringContaining('py/test_broken.py')],
  });
  const text = await reader.text('list_tests', { files: ['mo'], collect: true });
  expect(text).toMatch(/^mo \(mocha\): 6 tests in 1 file\nmo\/test\/shop\.js\n {2}total > adds/);
}, 60_000);

it('is short to read', async () => {
  const text = await reader.text('run_tests', { files: ['mo'] });
  expect(text).toMatch(/^mocha 12\S* in mo: of 6 tests 2 failed, 1 passed, 1 skipped, 2 NOT RUN/);
  expect(estimateTokens(text)).toBeLessThan(350);
}, 60_000);

describe('a failing test under the debugger in one call', () => {
  it.each(cases)(
    '$folder',
    async ({ folder }) => {
      const path = testFiles[folder] ?? '';
      const name = path.endsWith('.py') ? 'test_refuses' : 'total > refuses';
      const text = await reader.text('run_tests', { files: [path], name, debug: true });
      expect(text).toMatch(/negative price of debt/);
      expect(text).toMatch(/^Under the debugger, \S*( > )?\S*refuses:/);
      expect(text).toMatch(/item = .*debt/);
    },
    60_000,
  );

  it('the first that failed when there were several', async () => {
    const text = await reader.text('run_tests', { files: ['mo'], debug: true });
    expect(text).toMatch(/2 failed, 1 passed[^]*Under the debugger, total > keeps names:[^]*got = /);
  }, 60_000);

  it('with breakpoints and expressions, at once when one test is named', async () => {
    const text = await reader.text('run_tests', {
      files: ['mo/test/shop.js'],
      name: 'total > adds',
      breakpoints: [{ file: 'mo/shop.js', line: 3, expressions: ['item.name'] }],
    });
    expect(text).toMatch(/Under the debugger, total > adds:/);
    expect(text).toMatch(/item\.name => ["']a["'][^]*item\.name => ["']b["']/);
  }, 60_000);
});
