import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDirectory, startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sightline-gradle-home-'));
  ide = await startSightline({
    env: { GRADLE_USER_HOME: home },
    project: {
      // JUnit from the folder where Debian keeps what its packages are built with: nothing is fetched.
      'build.gradle': `apply plugin: 'java'
repositories { maven { url 'file:///usr/share/maven-repo' } }
dependencies { testCompile 'junit:junit:4.x' }
`,
      'settings.gradle': "rootProject.name = 'demo'\n",
      '.gitignore': 'build\n.gradle\n',
      'src/main/java/demo/Calc.java': `package demo;

public class Calc {
  public static int divide(int a, int b) {
    if (b == 0) throw new IllegalArgumentException("by zero");
    return a / b;
  }
}
`,
      'src/test/java/demo/CalcTest.java': `package demo;

import static org.junit.Assert.*;
import org.junit.*;

public class CalcTest {
  @Test
  public void divides() {
    assertEquals(3, Calc.divide(4, 2));
  }

  @Test
  public void halves() {
    assertEquals(2, Calc.divide(4, 2));
  }

  @Test
  @Ignore("not yet")
  public void later() {}

  @Test
  public void refuses() {
    Calc.divide(1, 0);
  }
}
`,
    },
  });
  agent = await ide.connect({ face: 'workspace' });
});

afterAll(async () => {
  await ide.dispose();
  await removeDirectory(home);
});

/** Gradle takes seconds to start, on a busy machine longer than a call may take. */
async function run(args: Record<string, unknown>): Promise<Record<string, unknown>> {
  for (let next = args; ;) {
    const data = await agent.data('run_tests', next);
    const { runs } = data as { runs: Record<string, unknown>[] };
    expect(runs).toHaveLength(1);
    if (data['verdict'] !== 'running') return runs[0] ?? {};
    next = { run_id: runs[0]?.['runId'] };
  }
}

test('JUnit through Gradle: results are those of the reports; then what does not compile, with where', async () => {
  const result = await run({});
  expect(result).toMatchObject({
    runner: 'gradle',
    state: 'ended',
    expected: 4,
    passed: 1,
    failed: 2,
    skipped: 1,
    notRun: 0,
  });
  expect(result['failures']).toMatchObject([
    {
      test: 'CalcTest > divides',
      at: 'src/test/java/demo/CalcTest.java:8',
      error: 'java.lang.AssertionError',
      message: 'expected:<3> but was:<2>',
      expected: '3',
      actual: '2',
      failedAt: 'src/test/java/demo/CalcTest.java:9 in CalcTest.divides',
    },
    {
      test: 'CalcTest > refuses',
      error: 'java.lang.IllegalArgumentException',
      message: 'by zero',
      failedAt: 'src/main/java/demo/Calc.java:5 in Calc.divide',
    },
  ]);
  await writeFile(join(ide.root, 'src/main/java/demo/Broken.java'), 'package demo;\nclass Broken { int x = nope; }\n');
  expect(await run({ name: 'CalcTest.halves' })).toMatchObject({
    state: 'ended',
    expected: 1,
    notRun: 1,
    notRunWhy: [
      { reason: 'collection', at: 'src/main/java/demo/Broken.java:2' },
      { reason: 'collection', count: 1 },
    ],
  });
}, 240_000);
