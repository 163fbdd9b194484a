// Runs vitest and closes with one plain line, `N passed, N failed`, taken from vitest's own results. Nothing is run a second time.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { matrixInDocs, matrixOf } from './clientMatrix.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const words = process.argv.slice(2);
const isWholeRun = words.every((word) => word.startsWith('-'));

const scratch = await mkdtemp(join(tmpdir(), 'sightline-test-'));
try {
  const { passed, failed, skipped } = await run(words, isWholeRun ? { SIGHTLINE_TEST_PREPARE: '1' } : {});
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** A suite that could not even be loaded has no failed test in it; it counts as one failure. */
async function run(args, environment) {
  const results = join(scratch, 'results.json');
  const code = await vitest(
    ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...args],
    environment,
  );
  const summary = await readFile(results, 'utf8').then(JSON.parse, () => undefined);
  if (summary === undefined) return { passed: 0, failed: 1, skipped: 0 };
  if (isWholeRun) console.log(`longest files:\n${longestFiles(summary).join('\n')}`);
  const failed = summary.testResults
    .filter((suite) => suite.status === 'failed')
    .reduce((sum, suite) => sum + Math.max(failedTests(suite).length, 1), 0);
  if (isWholeRun && failed === 0 && matrixOf(summary) !== matrixInDocs()) {
    console.log(`docs/clients.md shows another matrix of clients than this run. It must be:\n${matrixOf(summary)}`);
    return { passed: summary.numPassedTests, failed: 1, skipped: 0 };
  }
  return {
    passed: summary.numPassedTests,
    // Something besides the tests went wrong, an error nobody caught for one.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: summary.numPendingTests + summary.numTodoTests,
  };
}

/** What tests/longestFirst.ts should name, and where a run can become shorter. */
function longestFiles({ testResults }) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 15)
    .map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${name}`);
}

function failedTests({ assertionResults }) {
  return assertionResults.filter((test) => test.status === 'failed');
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
