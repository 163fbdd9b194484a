import { describe, expect, it } from 'vitest';
import { compareProblems } from './model.ts';

describe('compareProblems', () => {
  it('takes an error for the same when the checker only guesses now at what was meant', () => {
    const at = { file: 'a.ts', line: 1, column: 1 };
    const before = [{ ...at, code: 'TS2304', message: "Cannot find name 'Card'." }];
    const after = [{ ...at, code: 'TS2552', message: "Cannot find name 'Card'. Did you mean 'card'?" }];
    expect(compareProblems(before, after)).toEqual({ appeared: [], vanished: [] });
    expect(compareProblems([], after).appeared).toEqual(after);
  });
});
