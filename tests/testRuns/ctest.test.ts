import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

/** GoogleTest told to CTest one by one, as whole programs of which one dies, and tests that are none of it. */
const project = {
  'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)
project(demo CXX)
enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(calc_test calc_test.cpp)
target_link_libraries(calc_test GTest::gtest_main)
gtest_discover_tests(calc_test)
add_executable(whole_test whole_test.cpp)
target_link_libraries(whole_test GTest::gtest_main)
add_test(NAME whole COMMAND whole_test)
add_test(NAME plain_good COMMAND \${CMAKE_COMMAND} -E true)
add_test(NAME plain_bad COMMAND \${CMAKE_COMMAND} -E cat /none/there)
add_test(NAME missing COMMAND not_there)
add_test(NAME off COMMAND \${CMAKE_COMMAND} -E true)
set_tests_properties(off PROPERTIES DISABLED TRUE)
`,
  'calc_test.cpp': `#include <gtest/gtest.h>
#include <stdexcept>
int divide(int a, int b) {
  if (b == 0) throw std::invalid_argument("by zero");
  return a / b;
}
TEST(Calc, Divides) { EXPECT_EQ(divide(4, 2), 2); }
TEST(Calc, Wrong) {
  EXPECT_EQ(divide(9, 3), 4) << "nine";
}
TEST(Calc, Throws) { divide(1, 0); }
TEST(Calc, Skips) { GTEST_SKIP() << "not here"; }
class Many : public testing::TestWithParam<int> {};
TEST_P(Many, Positive) { EXPECT_GT(GetParam(), 0); }
INSTANTIATE_TEST_SUITE_P(All, Many, testing::Values(1, 2));
`,
  'whole_test.cpp': `#include <gtest/gtest.h>
#include <cstdlib>
TEST(Whole, One) {}
TEST(Whole, Dies) { if (getenv("ALIVE") == nullptr) abort(); }
TEST(Whole, After) {}
`,
};

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  ide = await startSightline({ project });
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

/** Compilers take longer than a call may on a busy machine. */
async function run(args: Record<string, unknown>): Promise<Record<string, unknown>> {
  for (let next = args; ;) {
    const data = await agent.data('run_tests', next);
    const { runs } = data as { runs: Record<string, unknown>[] };
    expect(runs).toHaveLength(1);
    if (data['verdict'] !== 'running') return runs[0] ?? {};
    next = { run_id: runs[0]?.['runId'] };
  }
}

test('tests of CTest and in them those of GoogleTest: each is counted, also behind a crash', async () => {
  const result = await run({});
  expect(result).toMatchObject({
    runner: 'ctest',
    state: 'ended',
    // Calc 4, Many 2, Whole 3, and four that are no GoogleTest.
    expected: 13,
    passed: 5,
    failed: 3,
    skipped: 2,
    notRun: 3,
    skippedWhy: [
      { reason: 'not here', count: 1 },
      { reason: 'Disabled', count: 1 },
    ],
  });
  expect(result['failures']).toMatchObject([
    {
      test: 'Calc > Wrong',
      at: 'calc_test.cpp:8',
      message: expect.stringContaining('Which is: 3'),
      failedAt: 'calc_test.cpp:9',
      code: 'EXPECT_EQ(divide(9, 3), 4) << "nine";',
    },
    { test: 'Calc > Throws', at: 'calc_test.cpp:11', message: expect.stringContaining('"by zero"') },
    { test: 'plain_bad', message: expect.stringContaining('/none/there') },
  ]);
  expect(result['notRunWhy']).toMatchObject([
    {
      reason: 'crash',
      why: 'The program of whole died while Whole.Dies ran.',
      tests: ['Whole > Dies', 'Whole > After'],
    },
    { reason: 'collection', why: 'Unable to find executable: not_there', tests: ['missing'] },
  ]);
}, 180_000);

test.each([
  [{ name: 'Calc.Divides' }, { expected: 1, passed: 1 }],
  [{ name: 'Many > Positive' }, { expected: 2, passed: 2 }],
  [{ name: 'plain_good' }, { expected: 1, passed: 1 }],
  // In a program that is one test to CTest.
  [{ name: 'Whole.After' }, { expected: 1, passed: 1 }],
  [
    { files: ['calc_test.cpp'], line: 9 },
    { expected: 1, failed: 1 },
  ],
])(
  'selection %j',
  async (args, counts) => {
    expect(await run(args)).toMatchObject({ ...counts, notRun: 0 });
  },
  120_000,
);

test('the failed ones again; the list of the programs themselves; what does not compile', async () => {
  await run({ files: ['calc_test.cpp'] });
  expect(await run({ failed: true })).toMatchObject({ expected: 2, failed: 2 });
  const list = await agent.data('list_tests', { collect: true });
  expect(list).toMatchObject({ total: 13, packages: [{ runner: 'ctest', tests: 13 }] });
  await writeFile(join(ide.root, 'whole_test.cpp'), 'int main() { return nope; }\n');
  expect(await run({})).toMatchObject({
    state: 'ended',
    notRunWhy: [
      { reason: 'collection', at: 'whole_test.cpp:1' },
      { reason: 'collection', why: 'it does not compile' },
    ],
  });
}, 180_000);
