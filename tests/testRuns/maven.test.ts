import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { mavenProject, mavenRepository } from './mavenProject.ts';

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  await mavenRepository();
  ide = await startSightline({ project: mavenProject });
  agent = await ide.connect({ face: 'workspace' });
}, 300_000);

afterAll(() => ide.dispose());

/** Maven takes seconds to start, on a busy machine longer than a call may take. */
async function run(args: Record<string, unknown>): Promise<Record<string, unknown>> {
  for (let next = args; ;) {
    const data = await agent.data('run_tests', next);
    const { runs } = data as { runs: Record<string, unknown>[] };
    expect(runs).toHaveLength(1);
    if (data['verdict'] !== 'running') return runs[0] ?? {};
    next = { run_id: runs[0]?.['runId'] };
  }
}

test('JUnit through Maven, with coverage: results are those of the reports, although Maven ends with 0', async () => {
  const result = await run({ coverage: true });
  expect(result).toMatchObject({
    runner: 'maven',
    state: 'ended',
    expected: 5,
    passed: 2,
    failed: 2,
    skipped: 1,
    notRun: 0,
    skippedWhy: [{ reason: 'not yet', count: 1 }],
    coverage: { lines: 5, covered: 3, files: 1 },
  });
  expect(result['failures']).toMatchObject([
    {
      test: 'CalcTest > divides',
      at: 'src/test/java/demo/CalcTest.java:11',
      error: 'org.opentest4j.AssertionFailedError',
      expected: '3',
      actual: '2',
      failedAt: 'src/test/java/demo/CalcTest.java:12 in CalcTest.divides',
    },
    {
      test: 'CalcTest > Inner > refuses',
      error: 'java.lang.IllegalArgumentException',
      message: 'by zero',
      failedAt: 'src/main/java/demo/Calc.java:6 in Calc.divide',
    },
  ]);
  expect(await agent.data('get_coverage')).toMatchObject({
    format: 'jacoco',
    files: [{ file: 'src/main/java/demo/Calc.java', uncovered: '3, 12' }],
  });
}, 240_000);

test('one test by name; then what does not compile, with where', async () => {
  expect(await run({ name: 'CalcTest.many' })).toMatchObject({ expected: 2, passed: 2, notRun: 0 });
  await writeFile(join(ide.root, 'src/main/java/demo/Broken.java'), 'package demo;\nclass Broken { int x = nope; }\n');
  expect(await run({})).toMatchObject({
    state: 'ended',
    expected: 4,
    notRun: 4,
    notRunWhy: [
      { reason: 'collection', at: 'src/main/java/demo/Broken.java:2' },
      { reason: 'collection', count: 4 },
    ],
  });
}, 240_000);
