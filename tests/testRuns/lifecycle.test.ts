import { copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const head = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const files = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
  'hang.test.js': `${head}test('quick', () => {});\ntest('waits for ever', async () => {\n  await new Promise(() => setInterval(() => {}, 1000));\n});\n`,
  'crash.test.js': `${head}test('fine', () => {});\ntest('dies', () => process.kill(process.pid, 'SIGKILL'));\n`,
  'many.test.js': `${head}for (let i = 0; i < 500; i++) test('number ' + i, () => {\n  const half = i / 2;\n  assert.notEqual(i % 200, 7, 'unlucky ' + half);\n});\n`,
  'thousands.test.js': `${head}for (let i = 0; i < 10_000; i++) test('number ' + i, { skip: i % 10 === 9 }, () => {
  assert.notEqual(i % 100, 3, i + ' is unlucky in its own way: ' + 'x'.repeat(i % 70));
});
`,
  'flaky.test.js': `${head}import { existsSync, rmSync, writeFileSync } from 'node:fs';
test('every second time', () => {
  const isOdd = !existsSync('mark');
  if (isOdd) writeFileSync('mark', '');
  else rmSync('mark');
  assert.ok(isOdd, 'even');
});
test('steady', () => {});
`,
  'change.test.js': `${head}test('stays', () => {});\ntest('turns', () => assert.equal(1, 1));\ntest('goes', () => {});\n`,
  'empty.test.js': 'export {};\n',
  'watched/sum.js': 'export const sum = (a, b) => a + b;\n',
  'watched/sum.test.js': `${head}import { sum } from './sum.js';\ntest('adds', () => assert.equal(sum(1, 2), 3));\n`,
  'watched/other.test.js': `${head}test('is alone', () => {});\n`,
  '.gitignore': 'mark\n',
};

let ide: RunningSightline;
let agent: TestClient;
let reader: TestClient;
beforeAll(async () => {
  ide = await startSightline({ project: files });
  agent = await ide.connect({ face: 'workspace' });
  reader = await ide.connect({ face: 'default' });
});
afterAll(() => ide.dispose());

/** However long it takes on a busy machine. */
async function finished(args: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  for (let next = args; ;) {
    const data = await agent.data('run_tests', next);
    const runs = data['runs'] as Record<string, unknown>[];
    if (data['verdict'] !== 'running') return runs;
    next = { run_id: runs[0]?.['runId'] };
  }
}

it('a run that hangs says where, goes on as a job, and keeps what it knew when it is stopped', async () => {
  const progress: string[] = [];
  const first = await agent.call(
    'run_tests',
    { files: ['hang.test.js'], wait_ms: 3000 },
    { onProgress: (message) => progress.push(message ?? '') },
  );
  expect(first.data).toMatchObject({
    verdict: 'running',
    runs: [{ state: 'running', passed: 1, running: [{ test: 'waits for ever', at: 'hang.test.js:4' }] }],
    next: expect.stringMatching(/^Still running: run_tests \{"run_id": "run_[\w-]+"\} goes on waiting\. stop_job/),
  });
  expect(progress.join('\n')).toMatch(/\d of \d tests/);
  const [run] = (first.data?.['runs'] ?? []) as { runId: string; jobId: string }[];
  expect(await agent.data('wait_job', { job_id: run?.jobId, wait_ms: 200 })).toMatchObject({ state: 'running' });
  await agent.data('stop_job', { job_id: run?.jobId });
  const after = await agent.data('get_test_results', { run_id: run?.runId });
  expect(after).toMatchObject({
    verdict: 'incomplete',
    runs: [
      {
        state: 'stopped',
        expected: 2,
        passed: 1,
        notRun: 1,
        notRunWhy: [{ reason: 'stopped', tests: ['waits for ever'] }],
      },
    ],
  });
}, 30_000);

it('a worker that dies takes nothing from the counts of the others', async () => {
  const crashed = await agent.data('run_tests', { files: ['crash.test.js', 'change.test.js'] });
  expect(crashed).toMatchObject({
    verdict: 'incomplete',
    runs: [
      {
        state: 'ended',
        passed: 3,
        notRunWhy: [{ reason: 'crash', files: ['crash.test.js'], why: 'ended by SIGKILL' }],
      },
    ],
  });
}, 30_000);

interface Begun {
  runId: string;
  jobId: string;
  running?: unknown[];
}

it('a runner that is killed in the middle has told all it knew', async () => {
  let [begun] = (await agent.data('run_tests', { files: ['hang.test.js'], wait_ms: 3000 }))['runs'] as Begun[];
  while (begun?.running === undefined)
    [begun] = (await agent.data('run_tests', { run_id: begun?.runId, wait_ms: 500 }))['runs'] as Begun[];
  const job = ide.sightline.engines.jobs.running.find(({ id }) => id === begun?.jobId);
  expect(job).toBeDefined();
  // The runner alone, without the processes of its files.
  process.kill(job?.pid ?? 0, 'SIGKILL');
  await agent.data('wait_job', { job_id: begun?.jobId });
  expect(await agent.data('get_test_results', { run_id: begun?.runId, wait_ms: 5000 })).toMatchObject({
    verdict: 'incomplete',
    runs: [
      {
        state: 'died',
        signal: 'SIGKILL',
        expected: 2,
        passed: 1,
        notRun: 1,
        notRunWhy: [{ reason: 'killed', tests: ['waits for ever'] }],
      },
    ],
  });
  await agent.data('stop_job', { job_id: begun?.jobId });
}, 60_000);

it('of 10,000 tests every one is counted and the answer stays short', async () => {
  const [run] = await finished({ files: ['thousands.test.js'] });
  expect(run).toMatchObject({ expected: 10_000, ran: 9000, passed: 8900, failed: 100, skipped: 1000, notRun: 0 });
  const text = await reader.text('get_test_results');
  expect(text).toMatch(/of 10000 tests 100 failed, 8900 passed, 1000 skipped/);
  expect(estimateTokens(text)).toBeLessThan(3000);
}, 180_000);

it('three failures of 500 are told in less than 900 tokens', async () => {
  const text = await reader.text('run_tests', { files: ['many.test.js'] });
  expect(text).toMatch(/^node:test \S+: of 500 tests 3 failed, 497 passed \(/);
  expect(text).toContain('unlucky 3.5');
  expect(text).toContain("at many.test.js:5: assert.notEqual(i % 200, 7, 'unlucky ' + half);");
  expect(estimateTokens(text)).toBeLessThan(900);
}, 30_000);

it('repetitions show which test is flaky, and stop when it has failed', async () => {
  const repeated = await agent.data('run_tests', { files: ['flaky.test.js'], repeat: 4 });
  expect(repeated).toMatchObject({
    verdict: 'failed',
    repeated: { times: 4, failed: 2, flaky: [{ test: 'every second time', failed: 2, of: 4 }] },
    runs: [{ attempt: 2, failed: 1, passed: 1 }],
  });
  const until = await agent.data('run_tests', { files: ['flaky.test.js'], until_fails: true });
  expect(until).toMatchObject({ repeated: { times: 2, failed: 1 } });
  expect(await agent.data('get_test_results', { test: 'second' })).toMatchObject({
    tests: [
      { test: 'every second time', status: 'passed' },
      { status: 'failed', message: 'even' },
    ],
  });
}, 30_000);

it('a run is compared with the one before', async () => {
  await agent.data('run_tests', { files: ['change.test.js'] });
  const changed = files['change.test.js'].replace('equal(1, 1)', 'equal(1, 2)').replace(/test\('goes'.*\n/, '');
  await writeFile(join(ide.root, 'change.test.js'), changed);
  const failing = await agent.data('run_tests', { files: ['change.test.js'] });
  expect(failing).toMatchObject({ verdict: 'failed', compared: [{ newlyFailing: ['turns'] }] });
  await writeFile(join(ide.root, 'change.test.js'), files['change.test.js']);
  const fixed = await agent.data('run_tests', { failed: true });
  expect(fixed).toMatchObject({
    verdict: 'passed',
    runs: [{ expected: 1, passed: 1 }],
    compared: [{ fixed: ['turns'] }],
  });
  const nothing = await agent.call('run_tests', { failed: true });
  expect(nothing.error).toMatchObject({ name: 'test_not_found', message: 'Nothing failed in the last run.' });
  const kept = await agent.data('get_test_results');
  expect(JSON.stringify(kept['earlier'])).toMatch(/node:test: 1 failed, 1 passed/);
}, 30_000);

it('a watch is a job that runs again what a change can affect', async () => {
  const begun = await agent.data('run_tests', { files: ['watched'], watch: true });
  const { jobId } = begun['watch'] as { jobId: string };
  // A busy machine may need more than one call for it.
  const next = async () => {
    for (;;) {
      const data = await agent.data('run_tests', { run_id: jobId });
      if (data['verdict'] !== 'running' && data['notes'] === undefined) return data;
    }
  };
  const first = begun['verdict'] === 'running' ? await next() : begun;
  expect(first).toMatchObject({ verdict: 'passed', runs: [{ expected: 2, passed: 2 }], watch: { jobId, runs: 1 } });
  // Put in place whole: on a busy machine a file that is being written is seen twice.
  const write = async (text: string) => {
    await writeFile(`${ide.root}.sum`, text);
    await rename(`${ide.root}.sum`, join(ide.root, 'watched', 'sum.js'));
  };
  await write('export const sum = (a, b) => a - b;\n');
  const second = await next();
  expect(second).toMatchObject({
    verdict: 'failed',
    // Only the one file that imports it.
    runs: [{ expected: 1, failed: 1, selected: '1 test file that the change of watched/sum.js can affect' }],
    watch: { jobId },
    next: expect.stringContaining('waits for the next run'),
  });
  await write(files['watched/sum.js']);
  expect(await next()).toMatchObject({ verdict: 'passed', watch: { jobId } });
  // The job says the same to whoever reads it; a file that no test needs runs nothing.
  await writeFile(join(ide.root, 'watched', 'notes.txt'), '');
  const waited = await agent.data('wait_job', {
    job_id: jobId,
    pattern: 'no test that is watched needs',
    wait_ms: 40_000,
  });
  expect(waited).toMatchObject({ reason: 'pattern', state: 'running' });
  expect(waited['output']).toMatch(/^watching\nrun_\S+ node:test: 2 passed[^]*\nrun_\S+ node:test: 1 failed/);
  await agent.data('stop_job', { job_id: jobId });
  const after = await agent.call('run_tests', { run_id: jobId });
  expect(after.error).toMatchObject({ name: 'job_not_found' });
}, 180_000);

it('reports go out as CTRF and JUnit XML and come in as JUnit XML', async () => {
  await agent.data('run_tests', { files: ['many.test.js', 'crash.test.js'] });
  const { exported } = (await agent.data('get_test_results', { export: 'ctrf' })) as { exported: { file: string } };
  const ctrf = JSON.parse(await readFile(exported.file, 'utf8')) as { results: { summary: unknown; tests: unknown[] } };
  expect(ctrf.results.summary).toMatchObject({ tests: 500, passed: 497, failed: 3, skipped: 0, other: 0 });
  expect(ctrf.results.tests).toHaveLength(500);
  expect(ctrf.results.tests).toContainEqual(
    expect.objectContaining({ name: 'number 7', status: 'failed', filePath: 'many.test.js', message: 'unlucky 3.5' }),
  );
  const junit = (await agent.data('get_test_results', { export: 'junit' })) as { exported: { file: string } };
  await copyFile(junit.exported.file, join(ide.root, 'report.xml'));
  const imported = await agent.data('get_test_results', { import: 'report.xml' });
  expect(imported).toMatchObject({
    verdict: 'failed',
    runs: [{ runner: 'JUnit XML', expected: 501, passed: 497, failed: 4 }],
  });
  expect(JSON.stringify(imported)).toContain('unlucky 3.5');
  await writeFile(join(ide.root, 'report.xml'), '<html></html>');
  const broken = await agent.call('get_test_results', { import: 'report.xml' });
  expect(broken.error).toMatchObject({
    name: 'invalid_arguments',
    message: expect.stringContaining('is no JUnit XML'),
  });
}, 30_000);

it('nothing to run is an error, as is what cannot be', async () => {
  const none = await agent.call('run_tests', { files: ['change.test.js'], name: 'tirns' });
  expect(none.error).toMatchObject({
    name: 'test_not_found',
    message: 'No test matches "tirns". Nothing was run.',
    hint: expect.stringContaining('turns'),
  });
  // For a reader the nearest names are told once.
  const text = await reader.text('run_tests', { files: ['change.test.js'], name: 'tirns' }).catch(String);
  expect(text.match(/turns/g)).toHaveLength(1);
  // The last run is still the one that ran something.
  expect(((await agent.data('get_test_results')) as { runs: unknown[] }).runs).not.toEqual([]);
  const missing = await agent.call('run_tests', { files: ['gone.test.js'] });
  expect(missing.error).toMatchObject({ name: 'file_not_found' });
  const outside = await agent.call('run_tests', { files: ['../x.test.js'] });
  expect(outside.error).toMatchObject({ name: 'path_outside_project' });
  const broken = await agent.call('run_tests', { pattern: '(' });
  expect(broken.error).toMatchObject({ name: 'invalid_arguments' });
  const noLine = await agent.call('run_tests', { line: 3 });
  expect(noLine.error).toMatchObject({ name: 'invalid_arguments', message: 'line needs exactly one file.' });
  const unknown = await agent.call('get_test_results', { run_id: 'run_none' });
  expect(unknown.error).toMatchObject({ name: 'test_not_found' });
}, 30_000);

it('a project that nobody trusts is not run', async () => {
  const other = await startSightline({ project: files, trusted: false });
  const client = await other.connect({ face: 'workspace' });
  const { error } = await client.call('run_tests', {});
  expect(error).toMatchObject({ name: 'project_not_trusted' });
  await other.dispose();
});
