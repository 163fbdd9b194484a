import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Project } from '../../project.ts';
import { GradleEvents, gradle } from './gradle.ts';
import { testsIn } from './javaSource.ts';

let root: string;
let project: Project;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sightline-gradle-')));
  project = { id: 'p', name: 'p', root, stateDir: root, env: process.env, trusted: true };
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function write(name: string, content: string): Promise<string> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const source = `package demo;
class CalcTest {
  @Test
  void adds() {}
  @ParameterizedTest @ValueSource(ints = {1, 2})
  void many(int n) {}
  @Test void gone() {}
}
`;

// A Gradle that can be had for tests is old (tests/testRuns/gradle.test.ts runs it): these are the words and reports of Gradle 8, written down.
test('the reports of a run: results with parameters, failures with their frames, what the build left out', async () => {
  const file = await write('core/src/test/java/demo/CalcTest.java', source);
  const reader = new GradleEvents(
    { project, package: { runner: 'gradle', folder: root, reason: '' } },
    { tests: testsIn(source, file), files: [file], isNarrow: false },
    new Map(),
  );
  const begin = reader.line('> Task :core:test FAILED');
  expect(begin).toHaveLength(4);
  await write(
    'core/build/test-results/test/TEST-demo.CalcTest.xml',
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="demo.CalcTest" tests="3" skipped="0" failures="1" errors="0" timestamp="2026-01-01T00:00:00" hostname="h" time="0.03">
  <properties/>
  <testcase name="adds()" classname="demo.CalcTest" time="0.01">
    <failure message="org.opentest4j.AssertionFailedError: expected: &lt;4&gt; but was: &lt;3&gt;" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: expected: &lt;4&gt; but was: &lt;3&gt;
	at app//org.junit.jupiter.api.AssertEquals.assertEquals(AssertEquals.java:150)
	at app//demo.CalcTest.adds(CalcTest.java:4)
</failure>
  </testcase>
  <testcase name="many(int)[1]" classname="demo.CalcTest" time="0.001"/>
  <testcase name="many(int)[2]" classname="demo.CalcTest" time="0.001"/>
  <system-out><![CDATA[]]></system-out>
</testsuite>`,
  );
  const events = await reader.end({ code: 1, signal: null });
  expect(events).toMatchObject([
    {
      type: 'ended',
      test: { suite: ['CalcTest'], name: 'adds', file, line: 4 },
      status: 'failed',
      failures: [{ expected: '4', actual: '3', frames: [{ file, line: 4, function: 'CalcTest.adds' }] }],
    },
    { type: 'dropped', id: 'demo.CalcTest#many' },
    { type: 'ended', test: { name: 'many[1]', parameters: '1' }, status: 'passed' },
    { type: 'ended', test: { name: 'many[2]', parameters: '2' }, status: 'passed' },
    { type: 'dropped', id: 'demo.CalcTest#gone' },
    { type: 'over' },
  ]);
});

test('a build that does not compile: where, and no test is forgotten', async () => {
  const file = await write('src/test/java/demo/CalcTest.java', source);
  const reader = new GradleEvents(
    { project, package: { runner: 'gradle', folder: root, reason: '' } },
    { tests: testsIn(source, file), files: [file], isNarrow: false },
    new Map(),
  );
  const lines = [
    '> Task :compileTestJava FAILED',
    `${file}:4: error: cannot find symbol`,
    '    nope();',
    '* What went wrong:',
    "Execution failed for task ':compileTestJava'.",
    '> Compilation failed; see the compiler error output for details.',
    '* Try:',
    '> Run with --info',
  ];
  const told = lines.flatMap((line) => reader.line(line));
  expect(told.at(-1)).toEqual({
    type: 'problem',
    problem: { kind: 'collection', file, line: 4, message: 'cannot find symbol' },
  });
  const events = await reader.end({ code: 1, signal: null });
  expect(events.map(({ type }) => type)).toEqual(['lost', 'lost', 'lost', 'over']);
  expect(events[0]).toMatchObject({ reason: 'collection', why: expect.stringContaining(':compileTestJava') });
});

test('tests by name and project; where Maven lies beside, the wrapper decides', async () => {
  const file = await write('core/src/test/java/demo/CalcTest.java', source);
  const build = await write('build.gradle', 'plugins { id "java" }');
  const pom = await write('pom.xml', '<project/>');
  const wrapper = await write('gradlew', '');
  expect(gradle.packages(project, [file, build, pom])).toEqual([]);
  const [found] = gradle.packages(project, [file, build, pom, wrapper]);
  expect(found).toMatchObject({ runner: 'gradle', folder: root });
  const plan = await gradle.plan({
    project,
    package: { runner: 'gradle', folder: root, reason: '' },
    selection: { name: 'CalcTest.adds' },
    eventsFile: '',
    scratch: root,
    locate: async () => wrapper,
  });
  expect(plan.command.slice(4)).toEqual([
    wrapper,
    ':core:cleanTest',
    ':core:test',
    '--tests',
    'demo.CalcTest.adds',
    '--continue',
    '--console=plain',
  ]);
});
