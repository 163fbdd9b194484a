import { expect, test } from 'vitest';
import { goFailure, goPanic, testOutput } from './goFailure.ts';

test('what was logged is the message, the last line the place; what was printed is not', () => {
  const output = testOutput([
    '=== RUN   TestAdd\n',
    'printed\n',
    '    a_test.go:3: about to\n',
    '    a_test.go:9: got 1\n',
    '        want 2\n',
    '--- FAIL: TestAdd (0.00s)\n',
  ]);
  expect(goFailure(output, '/m')).toEqual({
    message: 'a_test.go:3: about to\na_test.go:9: got 1\n    want 2',
    frames: [
      { file: '/m/a_test.go', line: 9 },
      { file: '/m/a_test.go', line: 3 },
    ],
  });
});

test('testify and examples name both values', () => {
  const testify = `    a_test.go:9: 
        	Error Trace:	/m/sub/a_test.go:9
        	Error:      	Not equal: 
        	            	expected: 1
        	            	actual  : 2
        	Test:       	TestAdd
`;
  expect(goFailure(testify, '/m')).toMatchObject({
    expected: '1',
    actual: '2',
    frames: [{ file: '/m/sub/a_test.go', line: 9 }, {}],
  });
  expect(goFailure('got:\n3\nwant:\n4\n', '/m')).toMatchObject({ actual: '3', expected: '4' });
});

test('a time-out: the goroutines of the tests, not the one of the alarm', () => {
  const failure = goPanic(`panic: test timed out after 2s
	running tests:
		TestE (2s)

goroutine 5 [running]:
testing.(*M).startAlarm.func1()
	/go/src/testing/testing.go:2802 +0x354
created by time.goFunc
	/go/src/time/sleep.go:215 +0x2d

goroutine 18 [sleep]:
time.Sleep(0x34630b8a000)
	/go/src/runtime/time.go:363 +0x165
example.com/m/slow.TestE(0x2f4178d4248?)
	/m/slow/b_test.go:3 +0x1d
created by testing.(*T).Run in goroutine 1
	/go/src/testing/testing.go:2101 +0x4c5
`);
  expect(failure?.type).toBe('timeout');
  expect(failure?.message).toBe('panic: test timed out after 2s\n\trunning tests:\n\t\tTestE (2s)');
  expect(failure?.frames?.at(1)).toEqual({ file: '/m/slow/b_test.go', line: 3, function: 'slow.TestE' });
});
