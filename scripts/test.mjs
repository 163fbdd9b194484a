// Runs vitest and closes with one plain line, `N passed, N failed`, taken from vitest's own results. In a whole run, a few files with
// failures are run once more, alone: what passes then has failed for want of the machine's time. It is named, and counts as passed.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const words = process.argv.slice(2);
const isWholeRun = words.every((word) => word.startsWith('-'));
/** More than these are no accident. */
const maxFilesAgain = 2;

const scratch = await mkdtemp(join(tmpdir(), 'sightline-test-'));
try {
  const first = await run(words, isWholeRun ? { SIGHTLINE_TEST_PREPARE: '1' } : {});
  const files = first.failures.map(({ file }) => file);
  let { passed, failed } = first;
  if (isWholeRun && files.length > 0 && files.length <= maxFilesAgain && !first.isIncomplete) {
    console.log(`\nAgain, alone: ${files.join(', ')}`);
    const second = await run([...words, '--maxWorkers=1', ...files], {});
    if (second.failed === 0 && second.passed >= first.failures.reduce((sum, one) => sum + one.tests.length, 0)) {
      for (const { file, tests } of first.failures)
        for (const test of tests) console.log(`UNSTEADY, passed only when run again alone: ${file} > ${test}`);
      passed += failed;
      failed = 0;
    }
  }
  if (first.skipped > 0) console.log(`${first.skipped} skipped`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** One run of vitest, and what came of it. A suite that could not even be loaded has no failed test in it; it counts as one failure. */
async function run(args, environment) {
  const results = join(await mkdtemp(join(scratch, 'run-')), 'results.json');
  const code = await vitest(
    ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...args],
    environment,
  );
  const summary = await readFile(results, 'utf8').then(JSON.parse, () => undefined);
  if (summary === undefined) return { passed: 0, failed: 1, skipped: 0, failures: [], isIncomplete: true };
  const failures = summary.testResults
    .filter((suite) => suite.status === 'failed')
    .map((suite) => ({ file: relative(root, suite.name), tests: failedTests(suite) }));
  const failed = failures.reduce((sum, { tests }) => sum + tests.length, 0);
  return {
    passed: summary.numPassedTests,
    // Something besides the tests went wrong, an error nobody caught for one.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: summary.numPendingTests + summary.numTodoTests,
    failures,
    isIncomplete: failed === 0 && code !== 0,
  };
}

function failedTests({ assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
  return failed.length > 0 ? failed : ['(the file as a whole)'];
}

function vitest(args, environment) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    const pass = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
    child.once('error', fail);
    child.once('exit', (status) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, pass);
      done(status ?? 1);
    });
  });
}
