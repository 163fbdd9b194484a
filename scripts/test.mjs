// Runs vitest and closes with one plain line, `N passed, N failed`, taken from vitest's own results.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = await mkdtemp(join(tmpdir(), 'sightline-test-'));
const results = join(scratch, 'results.json');
const isWholeRun = process.argv.slice(2).every((word) => word.startsWith('-'));
const env = { ...process.env, ...(isWholeRun ? { SIGHTLINE_TEST_PREPARE: '1' } : {}) };
try {
  const code = await new Promise((done, fail) => {
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${results}`,
        ...process.argv.slice(2),
      ],
      { cwd: root, stdio: 'inherit', env },
    );
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.once('error', fail);
    child.once('exit', (status) => done(status ?? 1));
  });
  process.exitCode = await close(code);
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** A suite that could not even be loaded has no failed test in it; it counts as one failure all the same. */
async function close(code) {
  const summary = await readFile(results, 'utf8').then(JSON.parse, () => undefined);
  if (summary === undefined) {
    console.log('0 passed, 1 failed');
    return 1;
  }
  const broken = summary.testResults.filter(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some((test) => test.status === 'failed'),
  );
  const skipped = summary.numPendingTests + summary.numTodoTests;
  let failed = summary.numFailedTests + broken.length;
  if (failed === 0 && code !== 0) failed = 1;
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${summary.numPassedTests} passed, ${failed} failed`);
  return failed === 0 ? code : 1;
}
