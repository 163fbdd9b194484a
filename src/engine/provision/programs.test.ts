import { expect, test } from 'vitest';
import { compareVersions } from './programs.ts';

test.each([
  ['1.10.2', '1.9', 1],
  ['3.12', '3.9.18', 1],
  ['ms-python.debugpy-2025.8.0', 'ms-python.debugpy-2024.14.1', 1],
  ['1.8', '1.8.0', 0],
  ['0.0.85', '0.0.100', -1],
])('%s against %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
  expect(Math.sign(compareVersions(b, a))).toBe(sign === 0 ? 0 : -sign);
});
