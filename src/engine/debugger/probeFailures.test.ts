import { expect, it } from 'vitest';
import { pythonFailedTests } from '../workspace/testRunners/pythonRunners.ts';
import type { ProbeHit } from './probe.ts';
import { otherFailures } from './probeFailures.ts';

const printed = `
FAILED test_shop.py::test_first - assert 99.9 == 90
FAILED test_shop.py::test_second[50-50] - assert 99.5 == 50
ERROR test_shop.py::test_third - RuntimeError: no database
3 failed in 0.02s
`;

function stoppedAt(message: string): ProbeHit[] {
  const stop = { reason: 'exception', exception: { type: 'Error', message, details: [] } };
  return [{ report: { stop }, outputCursor: 0, expressions: {} } as unknown as ProbeHit];
}

it('the one that was stopped at is not among the others, wherever it is listed', () => {
  const listed = pythonFailedTests(printed);
  expect(listed).toHaveLength(3);
  expect(otherFailures(listed, stoppedAt('assert 99.5 == 50\n +  where 99.5 = f()'))).toEqual([listed[0], listed[2]]);
  expect(otherFailures(listed, stoppedAt('no database'))).toEqual(listed.slice(0, 2));
  expect(otherFailures(listed, [])).toEqual([]);
});

it('unittest lists them with their class', () => {
  const output = 'FAIL: test_a (test_shop.TestShop.test_a)\n----\nERROR: test_b (test_shop.TestShop.test_b) (p=2)\n';
  expect(pythonFailedTests(output)).toEqual([
    'test_a (test_shop.TestShop.test_a)',
    'test_b (test_shop.TestShop.test_b) (p=2)',
  ]);
});
