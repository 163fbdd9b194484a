import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  ide = await startSightline({
    project: {
      'go.mod': 'module example.com/m\n\ngo 1.19\n',
      'calc.go': 'package m\n\nfunc Add(a, b int) int {\n\tif a == 99 {\n\t\treturn 0\n\t}\n\n\treturn a + b\n}\n',
      'calc_test.go': `package m

import (
	"fmt"
	"testing"
)

func TestAdd(t *testing.T) {
	for _, c := range []struct {
		name string
		a    int
	}{{"zero", 0}, {"is neg", -1}} {
		t.Run(c.name, func(t *testing.T) {
			fmt.Println("printed")
			if Add(c.a, 1) != 1 {
				t.Errorf("got %d, want 1", Add(c.a, 1))
			}
		})
	}
}

func TestSkip(t *testing.T) { t.Skip("not today") }

func ExampleAdd() {
	fmt.Println(Add(1, 2))
	// Output: 4
}
`,
      'sub/p_test.go': `package sub

import "testing"

func TestFirst(t *testing.T) {}

func TestPanic(t *testing.T) {
	var m map[string]int
	m["a"] = 1
}

func TestLast(t *testing.T) {}
`,
      'bad/b_test.go': 'package bad\n\nimport "testing"\n\nfunc TestB(t *testing.T) { nope() }\n',
      'windows_test.go': '//go:build windows\n\npackage m\n\nimport "testing"\n\nfunc TestOnlyThere(t *testing.T) {}\n',
    },
  });
  agent = await ide.connect({ face: 'workspace' });
});

afterAll(() => ide.dispose());

async function only(args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { runs } = (await agent.data('run_tests', args)) as { runs: Record<string, unknown>[] };
  expect(runs).toHaveLength(1);
  return runs[0] ?? {};
}

test('all tests: nothing is lost to a panic or a package that does not compile', async () => {
  const run = await only({});
  expect(run).toMatchObject({
    runner: 'go test',
    state: 'ended',
    // TestAdd and the two inside it, TestSkip, ExampleAdd; TestFirst, TestPanic, TestLast; TestB. Not what is built for another system.
    expected: 9,
    passed: 2,
    failed: 4,
    skipped: 1,
    notRun: 2,
    skippedWhy: [{ reason: 'not today', count: 1 }],
  });
  expect(run['failures']).toEqual([
    expect.objectContaining({ test: 'ExampleAdd', at: 'calc_test.go:24', expected: '4', actual: '3' }),
    expect.objectContaining({
      test: 'TestPanic',
      error: 'panic',
      message: 'panic: assignment to entry in nil map',
      failedAt: 'sub/p_test.go:9 in sub.TestPanic',
      code: 'm["a"] = 1',
    }),
    expect.objectContaining({
      test: 'TestAdd > is_neg',
      at: 'calc_test.go:8',
      message: 'calc_test.go:16: got 0, want 1',
      failedAt: 'calc_test.go:16',
      output: 'printed',
    }),
    expect.objectContaining({ test: 'TestAdd', message: '1 inside it failed.' }),
  ]);
  expect(run['notRunWhy']).toEqual([
    expect.objectContaining({ reason: 'collection', why: 'undefined: nope', at: 'bad/b_test.go:5' }),
    expect.objectContaining({ reason: 'collection', why: 'bad does not compile', count: 1, tests: ['TestB'] }),
    expect.objectContaining({ reason: 'crash', why: expect.stringContaining('sub: panic:'), tests: ['TestLast'] }),
  ]);
});

test('the list, as written and as compiled', async () => {
  const tests = {
    file: 'sub/p_test.go',
    tests: [{ name: 'TestFirst', line: 5 }, { name: 'TestPanic' }, { name: 'TestLast' }],
  };
  const written = await agent.data('list_tests', { files: ['sub'] });
  expect(written).toMatchObject({ total: 3, packages: [{ folder: '.', runner: 'go test' }], files: [tests] });
  const compiled = await agent.data('list_tests', { collect: true });
  // Not what is built for another system, and not what does not compile.
  expect(compiled).toMatchObject({ total: 6, problems: [expect.stringContaining('undefined: nope')] });
});

test.each([
  [{ name: 'TestAdd/is neg' }, { expected: 2, failed: 2 }],
  [
    { files: ['calc_test.go'], line: 22 },
    { expected: 1, skipped: 1 },
  ],
  [
    { files: ['sub/p_test.go'], name: 'TestFirst' },
    { expected: 1, passed: 1 },
  ],
  [{ pattern: '^Test(First|Skip)$' }, { expected: 2, passed: 1, skipped: 1 }],
  [
    { files: ['sub'], pattern: 'Last' },
    { expected: 1, passed: 1 },
  ],
])('selection %j', async (args, counts) => {
  expect(await only(args)).toMatchObject({ ...counts, notRun: 0 });
});

test('the failed ones again; a name that nobody has', async () => {
  await agent.data('run_tests', { files: ['calc_test.go'] });
  expect(await only({ failed: true })).toMatchObject({ expected: 3, failed: 3 });
  const { error } = await agent.call('run_tests', { name: 'TestPanick' });
  expect(error).toMatchObject({ name: 'test_not_found', hint: expect.stringContaining('TestPanic') });
});

test('changed since a commit: the package, and those that import it', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: ide.root });
  git('init', '-q');
  await mkdir(join(ide.root, 'user'));
  await writeFile(
    join(ide.root, 'user', 'u_test.go'),
    'package user\n\nimport (\n\t"testing"\n\n\tm "example.com/m"\n)\n\nfunc TestUser(t *testing.T) { m.Add(1, 2) }\n',
  );
  git('add', '.');
  git('commit', '-qm', 'first');
  await appendFile(join(ide.root, 'calc.go'), '\nvar changed = 1\n');
  const run = await only({ changed_since: 'HEAD', name: 'TestUser' });
  expect(run).toMatchObject({ expected: 1, passed: 1 });
  expect(await only({ changed_since: 'HEAD', pattern: '^Test' })).toMatchObject({ expected: 5, notRun: 0 });
});

test('coverage: totals in the answer, lines from get_coverage', async () => {
  expect(await only({ files: ['calc_test.go'], coverage: true })).toMatchObject({
    coverage: { lines: 4, covered: 3, percent: 75, files: 1 },
  });
  const data = await agent.data('get_coverage');
  expect(data).toMatchObject({
    format: 'go',
    total: { lines: 4, covered: 3 },
    files: [{ file: 'calc.go', uncovered: '5', uncoveredLines: [{ line: 5, text: '\t\treturn 0' }] }],
  });
});
