import { expect, test } from 'vitest';
import { libtestLine } from './libtestLines.ts';
import { rustFailure } from './rustFailure.ts';
import { testsIn } from './rustSource.ts';

test('tests as the source shows them, with the modules around them', () => {
  const text = `#[test]
fn top() {}

fn helper() {}

mod outer {
    mod inner {
        #[tokio::test(flavor = "multi_thread")]
        #[ignore]
        async fn deep() {}
    }

    #[test] fn one_line() {}
}
#[cfg(test)]
fn not_one() {}
`;
  expect(testsIn(text, 'a.rs', ['a']).map(({ path, line }) => `${path.join('::')}:${line}`)).toEqual([
    'a::top:2',
    'a::outer::inner::deep:10',
    'a::outer::one_line:13',
  ]);
});

test.each([
  ['test a::b ... ok', { kind: 'verdict', name: 'a::b', status: 'passed' }],
  ['printed past libtesttest a::b ... FAILED', { kind: 'verdict', name: 'a::b', status: 'failed' }],
  ['test a::b - should panic ... ok', { kind: 'verdict', name: 'a::b', status: 'passed' }],
  ['test a::b ... ignored, too slow', { kind: 'verdict', name: 'a::b', status: 'skipped', reason: 'too slow' }],
  ['test a::b has been running for over 60 seconds', { kind: 'slow', name: 'a::b' }],
  ['test somebody::else ... ok', { kind: 'other' }],
  ['running 2 tests', { kind: 'count', count: 2 }],
  ['---- a::b stdout ----', { kind: 'details', name: 'a::b' }],
])('%s', (line, expected) => {
  expect(libtestLine(line, (name) => name === 'a::b')).toEqual(expected);
});

test('panics of today and of old compilers', () => {
  const today = `said
thread 'tests::x' (12) panicked at src/lib.rs:35:9:
assertion \`left == right\` failed: sum
  left: 2
 right: 3
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace
`;
  expect(rustFailure(today)).toEqual({
    type: 'panic',
    message: 'assertion `left == right` failed: sum\n  left: 2\n right: 3',
    frames: [{ file: 'src/lib.rs', line: 35, column: 9 }],
  });
  expect(rustFailure("thread 'x' panicked at 'boom', src/lib.rs:3:5\nnote: y\n")).toMatchObject({
    message: 'boom',
    frames: [{ file: 'src/lib.rs', line: 3 }],
  });
  expect(rustFailure('Error: "no"\n')).toEqual({ message: 'Error: "no"', frames: [] });
});
