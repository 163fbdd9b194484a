import { expect, test } from 'vitest';
import { compareRuns } from './comparison.ts';
import type { TestResult, TestRun } from './model.ts';

function runOf(id: string, selected: string | undefined, statuses: Record<string, TestResult['status']>): TestRun {
  const results = Object.entries(statuses).map(([name, status]) => ({ name, status, suite: [], durationMs: 1 }));
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length;
  return {
    id,
    batchId: id,
    runner: 'r',
    folder: '/p',
    command: 'r',
    startedAt: id,
    durationMs: 1,
    state: 'ended',
    ...(selected === undefined ? {} : { selected }),
    counts: {
      expected: results.length,
      ran: results.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: 0,
      notRun: 0,
    },
    results,
    notRun: [],
    problems: [],
    running: [],
    loading: [],
  };
}

const now = runOf('2', 'a.test.js', { one: 'passed', two: 'failed' });

test('a failing test outside of the selection before is not told as newly failing', () => {
  expect(compareRuns(now, runOf('1', 'one', { one: 'passed' }))).toMatchObject({ newlyFailing: [], stillFailing: [] });
});

test('one that passed before, or was not there in a whole run, is', () => {
  const isNew = { newlyFailing: [{ name: 'two' }] };
  expect(compareRuns(now, runOf('1', 'a.test.js', { one: 'passed', two: 'passed' }))).toMatchObject(isNew);
  expect(compareRuns(now, runOf('1', undefined, { one: 'passed' }))).toMatchObject(isNew);
});
