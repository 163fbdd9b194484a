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

  it('takes a package that is missing in one more file for known, but not a file', () => {
    const missing = (file: string, module: string) => ({
      ...{ file, line: 1, column: 1, code: 'TS2307' },
      message: `Cannot find module '${module}' or its corresponding type declarations.`,
    });
    const twice = (module: string) => [missing('a.ts', module), missing('b.ts', module)];
    expect(compareProblems([missing('a.ts', 'left-out')], twice('left-out')).appeared).toEqual([]);
    expect(compareProblems([missing('a.ts', './lost')], twice('./lost')).appeared).toEqual([missing('b.ts', './lost')]);
    expect(compareProblems([], twice('left-out')).appeared).toEqual(twice('left-out'));
  });
});
