import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleJson } from '../../../base/text/textBudget.ts';
import { fitFailure } from './fitFailure.ts';
import { renderProgress } from './renderProgress.ts';
import type { Progress, StopData } from './shapes.ts';

const forms = ['json', 'text'] as const;
const readerOf = (form: 'json' | 'text') => ({ root: '/home/ann', form, seeMore: 'get_variables' });

function failure(names: readonly string[], value: string): Progress & { stop: StopData } {
  return {
    state: 'paused',
    stop: {
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
        ...(name === 'result' || name === 'expected' ? { isRead: true } : {}),
      })),
      stack: ['test_order tests/test_order.py:42'],
      exception: {
        type: 'AssertionError',
        message: 'assert [5, 7, 3, 10] == [5, 7, 3, 11, 8, 10, ...]',
        uncaught: false,
      },
    },
  };
}

function sizeIn(form: 'json' | 'text', progress: Progress): number {
  return (form === 'json' ? visibleJson(progress) : renderProgress(progress)).length;
}

describe('a stop at a failure', () => {
  it('stays small whatever the locals are, with those of the failing line always there', () => {
    const names = ['five', 'seven', 'three', 'eleven', 'eight', 'two', 'nine', 'ten', 'expected', 'result'];
    for (const form of forms)
      for (const value of ['Node(…)', `Node(${'x'.repeat(230)})`, 'y'.repeat(1000)]) {
        const fitted = fitFailure(failure(names, value), readerOf(form), 150);
        expect(sizeIn(form, fitted)).toBeLessThan(1350);
        const shown = fitted.stop?.variables.map((variable) => variable.name) ?? [];
        expect(shown).toContain('result');
        expect(shown).toContain('expected');
        expect(shown.length + (fitted.stop?.moreVariables ?? 0)).toBe(names.length);
        const isWhole = shown.length === names.length;
        expect(fitted.stop?.leftOut?.includes('see get_variables') ?? isWhole).toBe(true);
      }
  });

  it('stays below 1,500 characters whatever its parts are', () => {
    const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength });
    const parts = fc.record({
      names: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,30}$/), { maxLength: 20 }),
      value: text(800),
      message: text(700),
      code: text(400),
      details: fc.dictionary(text(80), text(500), { maxKeys: 6 }),
      output: fc.option(text(4000), { nil: undefined }),
      folder: fc.stringMatching(/^[a-z/]{0,60}$/),
      reason: fc.constantFrom('exception', 'pause'),
    });
    fc.assert(
      fc.property(parts, fc.constantFrom(...forms), (made, form) => {
        const base = failure(made.names, made.value);
        const file = `/home/ann/${made.folder}/test_order.py`;
        const frame = `test_order ${made.folder}/test_order.py:42`;
        const stop = {
          ...base.stop,
          reason: made.reason,
          location: { file, line: 42, methodName: 'test_order' },
          source: base.stop.source.map((line) => line + made.code),
          stack: [frame, frame, frame, frame],
          moreFrames: 30,
          ...(made.reason === 'pause'
            ? { exception: undefined }
            : { exception: { type: 'Error', message: made.message, uncaught: true, details: made.details } }),
        };
        const fitted = fitFailure({ ...base, stop, output: made.output }, readerOf(form), 150);
        expect(sizeIn(form, fitted) + 150).toBeLessThanOrEqual(1500);
      }),
      { numRuns: 150 },
    );
  });

  it('shows more of everything when the caller has room for it', () => {
    const names = Array.from({ length: 30 }, (_, index) => `name${index}`);
    const many = failure([...names, 'result', 'expected'], 'x'.repeat(200));
    const calls = Array.from({ length: 12 }, (_, index) => `caller${index}(n=${'y'.repeat(100)}) a.py:${index}: f(n)`);
    const whole = { ...many, stop: { ...many.stop, calls } };
    for (const form of forms) {
      const usual = fitFailure(whole, readerOf(form)).stop;
      const more = fitFailure(whole, { ...readerOf(form), maxChars: 9000 });
      expect(more.stop?.variables.length).toBeGreaterThan((usual?.variables.length ?? 0) + 10);
      expect(more.stop?.calls).toEqual(calls);
      expect(sizeIn(form, more)).toBeLessThanOrEqual(9000);
      expect(usual?.leftOut).toMatch(/^\d+ variables \(name\d+, .*\), \d+ callers; see get_variables$/);
    }
  });

  it('keeps the end of what was printed, and says how much is gone', () => {
    const output = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const fitted = fitFailure({ ...failure(['result'], '1'), output }, readerOf('json'));
    expect(fitted.output).toMatch(/^line \d+\n(?:line \d+\n)*line 299$/);
    expect(fitted.outputDropped).toBe(output.length - (fitted.output?.length ?? 0));
  });

  it('is left as it is when it is small, and so is every other stop', () => {
    const small = failure(['result'], '1');
    expect(fitFailure(small, readerOf('json')).stop?.variables).toEqual(small.stop.variables);
    const large = failure(['a', 'b'], 'z'.repeat(2000));
    const other = { ...large, stop: { ...large.stop, reason: 'breakpoint', exception: undefined } };
    expect(fitFailure(other, readerOf('json'))).toBe(other);
  });
});
