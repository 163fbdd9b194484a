import type { TestRef, TestResult, TestRun } from './model.ts';

/** How a run differs from an earlier one of the same package. */
export interface Comparison {
  before: string;
  newlyFailing: TestResult[];
  fixed: TestResult[];
  stillFailing: TestResult[];
  /** In the earlier run and no longer there; empty when either run was of a selection. */
  vanished: TestRef[];
  added: TestRef[];
}

interface FlakyTest {
  test: TestRef;
  failed: number;
  of: number;
}

function testKey({ file = '', suite, name }: TestRef): string {
  return JSON.stringify([file, suite, name]);
}

export function compareRuns(now: TestRun, before: TestRun): Comparison {
  const earlier = new Map(before.results.map((result) => [testKey(result), result]));
  const present = new Set([...now.results, ...now.notRun.flatMap(({ tests }) => tests)].map(testKey));
  const failing = now.results.filter(({ status }) => status === 'failed');
  const didFail = (result: TestResult) => earlier.get(testKey(result))?.status === 'failed';
  const areWhole = now.selected === undefined && before.selected === undefined && now.state === 'ended';
  // Of a file that could not be loaded nobody knows what is in it.
  const unloaded = new Set(now.notRun.flatMap(({ files = [] }) => files));
  const isKnown = ({ file }: TestRef) => now.counts.expected > 0 && (file === undefined || !unloaded.has(file));
  return {
    before: before.id,
    // A selection says nothing about the tests outside of it: they may have failed for long.
    newlyFailing: failing.filter(
      (result) => !didFail(result) && (before.selected === undefined || earlier.has(testKey(result))),
    ),
    stillFailing: failing.filter(didFail),
    fixed: now.results.filter((result) => result.status === 'passed' && didFail(result)),
    vanished: areWhole ? before.results.filter((result) => !present.has(testKey(result)) && isKnown(result)) : [],
    added: areWhole ? now.results.filter((result) => !earlier.has(testKey(result))) : [],
  };
}

/** The latest earlier run that says something about this one's tests: of the same package, whole when this one is. */
export function runBefore(run: TestRun, history: readonly TestRun[]): TestRun | undefined {
  const same = history.filter(
    (each) =>
      each.batchId !== run.batchId &&
      each.folder === run.folder &&
      each.runner === run.runner &&
      each.startedAt < run.startedAt,
  );
  if (run.selected === undefined) return same.find((each) => each.selected === undefined) ?? same[0];
  const keys = new Set(run.results.map(testKey));
  return same.find((each) => each.results.some((result) => keys.has(testKey(result))));
}

/** Tests with both outcomes in the repetitions of one batch, and those that passed only when run again by the runner. */
export function flakyTests(runs: readonly TestRun[]): FlakyTest[] {
  const tallies = new Map<string, FlakyTest & { passed: number }>();
  for (const result of runs.flatMap(({ results }) => results)) {
    if (result.status === 'skipped') continue;
    const key = testKey(result);
    const tally = tallies.get(key) ?? { test: result, failed: 0, passed: 0, of: 0 };
    const retries = result.retries ?? 0;
    tally.of += 1 + retries;
    tally.failed += retries + (result.status === 'failed' ? 1 : 0);
    tally.passed += result.status === 'passed' ? 1 : 0;
    tallies.set(key, tally);
  }
  return [...tallies.values()]
    .filter(({ failed, passed }) => failed > 0 && passed > 0)
    .toSorted((a, b) => b.failed / b.of - a.failed / a.of)
    .map(({ test, failed, of }) => ({ test, failed, of }));
}

export function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
