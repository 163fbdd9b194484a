import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;

const library = `pub mod inner;
/// Adds.
///
/// \`\`\`
/// assert_eq!(demo::add(1, 2), 3);
/// \`\`\`
///
/// \`\`\`
/// assert_eq!(demo::add(1, 2), 4);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        println!("test tests::fails ... ok");
        assert_eq!(add(1, 2), 3);
    }

    #[test]
    fn fails() {
        println!("before");
        assert_eq!(add(1, 1), 3, "sum");
    }

    #[test]
    #[ignore = "slow"]
    fn later() {}
}
`;

beforeAll(async () => {
  ide = await startSightline({
    // Whoever has it set would get frames that others do not.
    env: { RUST_BACKTRACE: '0', RUSTUP_HOME: process.env['RUSTUP_HOME'] },
    project: {
      'Cargo.toml':
        '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n\n[[test]]\nname = "own"\nharness = false\n',
      'src/lib.rs': library,
      'src/inner.rs': '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n',
      'tests/api.rs':
        '#[test]\nfn raw() {\n    use std::io::Write;\n    std::io::stdout().write_all(b"no line end").unwrap();\n}\n',
      'tests/crash.rs': '#[test]\nfn aborts() {\n    std::process::abort();\n}\n',
      'tests/own.rs': 'fn main() {\n    println!("by itself");\n}\n',
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

test('unit, integration and documentation tests, a main of its own and a crash: each is counted', async () => {
  const run = await only({});
  expect(run).toMatchObject({
    runner: 'cargo test',
    state: 'ended',
    // tests::{adds, fails, later}, inner::tests::adds; raw; aborts; own; two examples.
    expected: 9,
    passed: 5,
    failed: 2,
    skipped: 1,
    notRun: 1,
    skippedWhy: [{ reason: 'slow', count: 1 }],
  });
  expect(run['failures']).toEqual([
    expect.objectContaining({
      test: 'tests > fails',
      at: 'src/lib.rs:26',
      error: 'panic',
      message: 'assertion `left == right` failed: sum\n  left: 2\n right: 3',
      failedAt: 'src/lib.rs:28',
      output: 'before',
    }),
    expect.objectContaining({ test: 'doc > add (line 8)', at: 'src/lib.rs:8' }),
  ]);
  expect(run['notRunWhy']).toMatchObject([
    {
      reason: 'crash',
      why: 'The process with the tests of tests/crash.rs was ended by SIGABRT before all had a result.',
      tests: ['aborts'],
    },
  ]);
});

test.each([
  [{ name: 'tests::adds' }, { expected: 1, passed: 1 }],
  [{ files: ['src/inner.rs'] }, { expected: 1, passed: 1 }],
  [
    { files: ['src/lib.rs'], line: 28 },
    { expected: 1, failed: 1 },
  ],
  [{ pattern: 'raw|later' }, { expected: 2, passed: 1, skipped: 1 }],
])('selection %j', async (args, counts) => {
  expect(await only(args)).toMatchObject({ ...counts, notRun: 0 });
});

test('the failed ones again; the list of the binaries themselves', async () => {
  await agent.data('run_tests', { files: ['src/lib.rs'] });
  expect(await only({ failed: true })).toMatchObject({ expected: 1, failed: 1 });
  const list = await agent.data('list_tests', { collect: true });
  // All but the examples in the documentation.
  expect(list).toMatchObject({ total: 7, packages: [{ runner: 'cargo test', tests: 7 }] });
});

test('coverage with the tools of the toolchain, or the word how to get them', async () => {
  const sysroot = execFileSync('rustc', ['--print', 'target-libdir'], { encoding: 'utf8' }).trim();
  const hasTools = existsSync(join(sysroot, '..', 'bin', 'llvm-profdata'));
  const run = await only({ files: ['src/lib.rs'], name: 'tests::adds', coverage: true });
  expect(run).toMatchObject(
    hasTools
      ? { passed: 1, coverage: { files: 2 } }
      : { coverage: { problem: 'rustup component add llvm-tools brings what measures Rust' } },
  );
});

test('what does not compile is told where it is', async () => {
  await writeFile(join(ide.root, 'src', 'inner.rs'), 'pub fn broken() -> i32 {\n    nope()\n}\n');
  const run = await only({});
  expect(run).toMatchObject({
    state: 'ended',
    expected: 5,
    notRun: 5,
    notRunWhy: [
      {
        reason: 'collection',
        why: expect.stringContaining('E0425: cannot find function `nope` in this scope'),
        at: 'src/inner.rs:2',
      },
      { reason: 'collection', why: 'it does not compile', count: 5 },
    ],
  });
});
