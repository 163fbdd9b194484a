import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { NextestEvents } from '../../src/engine/workspace/testRunners/rust/nextestEvents.ts';
import type { TestEvent } from '../../src/engine/workspace/tests/model.ts';

/** What cargo-nextest 0.9.151 wrote about a crate with a failure, an abort, a flaky test and one that is ended for its time. */
const recorded = (name: string) => fileURLToPath(new URL(`recorded/${name}`, import.meta.url));
// The formatter has broken it into lines; nextest writes one.
const list = JSON.stringify(JSON.parse(readFileSync(recorded('nextestList.json'), 'utf8')));
const library = '/project/target/debug/deps/shop_cart-145b3f473f3853c6';

const shown = (event: TestEvent): string => {
  if (event.type === 'collected') return `${event.type} ${[...event.test.suite, event.test.name].join('::')}`;
  if (event.type !== 'ended') return event.type;
  const { test: of, status, retries = 0, failures = [] } = event;
  const why = failures.map(({ message }) => ` (${message.split('\n', 1)[0]})`).join('');
  return `${[...of.suite, of.name].join('::')} ${status}${retries > 0 ? ` after ${retries + 1} attempts` : ''}${why}`;
};

test('the list is what is to be run, and what nextest says at the end counts', async () => {
  const reader = new NextestEvents('/project', recorded('nextestRun.jsonl'), [], () => true);
  expect(reader.line(list).map(shown)).toEqual([
    'runner',
    'collected tests::adds',
    'collected tests::deep::crashes',
    'collected tests::deep::returns_error',
    'collected tests::panics',
    'collected tests::passes',
    'collected tests::slow',
    'collected flaky',
    'collected hangs',
  ]);
  expect(reader.line(`@sightline@ started 0 ${library}\ttests::deep::crashes`).map(shown)).toEqual(['started']);
  expect(reader.line(`@sightline@ ended 134 ${library}\ttests::deep::crashes`).map(shown)).toEqual([
    'tests::deep::crashes failed',
  ]);
  reader.line('@sightline@ over 100');
  expect((await reader.end()).map(shown)).toEqual([
    'tests::deep::crashes failed after 2 attempts (Its process was ended by SIGABRT.)',
    'tests::deep::returns_error failed after 2 attempts (Error: "no")',
    'tests::panics passed',
    'tests::slow skipped',
    'tests::passes passed',
    'tests::adds failed after 2 attempts (assertion `left == right` failed: sum)',
    'flaky passed after 2 attempts',
    'hangs failed after 2 attempts (time limit exceeded (nextest ended it))',
    'over',
  ]);
});

test('of a run that was killed all is known that had ended, and an ignored test that nobody chose is none of it', async () => {
  const reader = new NextestEvents('/project', '/nowhere', [], (name) => name === 'tests::passes');
  expect(reader.line(list).at(-1)).toEqual({ type: 'deselected', count: 1 });
  expect(reader.line(`@sightline@ ended 0 ${library}\ttests::passes`).map(shown)).toEqual(['tests::passes passed']);
  expect(await reader.end()).toEqual([]);
  const ignored = new NextestEvents('/project', '/nowhere', [], (name) => name === 'tests::slow');
  ignored.line(list);
  ignored.line('@sightline@ over 4');
  expect((await ignored.end()).map(shown)).toEqual(['tests::slow skipped', 'over']);
});
