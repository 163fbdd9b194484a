import { describe, expect, it } from 'vitest';
import { fitFailure } from './fitFailure.ts';
import { renderStop } from './renderProgress.ts';
import type { StopData } from './shapes.ts';

function failure(names: readonly string[], value: string): StopData {
  return {
    reason: 'exception',
    breakpointId: 'bp_uncaught',
    location: { file: '/home/ann/project/tests/test_order.py', line: 42, className: null, methodName: 'test_order' },
    source: [
      '    40 |     ]',
      '    41 |',
      '>>> 42 |     assert result == expected',
      '    43 |',
      `    44 | ${'x'.repeat(500)}`,
    ],
    variables: names.map((name, index) => ({
      name,
      value: name === 'result' ? '[5, 7, 3, 10]' : value,
      type: 'Node',
      hasChildren: true,
      id: `v${index}`,
    })),
    stack: ['test_order tests/test_order.py:42'],
    exception: {
      type: 'AssertionError',
      message: 'assert [5, 7, 3, 10] == [5, 7, 3, 11, 8, 10, ...]',
      uncaught: false,
    },
  };
}

describe('a stop at a failure', () => {
  it('stays small whatever the locals are, with those of the failing line first', () => {
    const names = ['five', 'seven', 'three', 'eleven', 'eight', 'two', 'nine', 'ten', 'expected', 'result'];
    for (const value of ['Node(…)', `Node(${'x'.repeat(230)})`, 'y'.repeat(1000)]) {
      const fitted = fitFailure(failure(names, value));
      expect(JSON.stringify(fitted).length).toBeLessThan(1100);
      expect(renderStop(fitted).join('\n').length).toBeLessThan(1200);
      const shown = fitted.variables.map((variable) => variable.name);
      expect(shown.length === names.length || shown[0] === 'expected').toBe(true);
      expect(shown).toContain('result');
      expect(shown.length + (fitted.moreVariables ?? 0)).toBe(names.length);
      expect(fitted.variables.every((variable) => variable.id !== undefined)).toBe(true);
    }
  });

  it('is left as it is when it is small, and so is every other stop', () => {
    const small = failure(['result'], '1');
    expect(fitFailure(small).variables).toEqual(small.variables);
    const { exception: _exception, ...other } = failure(['a', 'b'], 'z'.repeat(2000));
    expect(fitFailure(other)).toBe(other);
  });
});
