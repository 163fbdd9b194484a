import { expect } from 'vitest';
import type { Findings } from './findings.ts';
import { lineOf, type ScenarioLanguage } from './languages.ts';

/** The questions to a whole run. */
export async function askScenario(
  { main, cart, total, percent, failure }: ScenarioLanguage,
  root: string,
  found: Findings,
): Promise<void> {
  const inCart = (mark: string) => lineOf(root, cart, mark);
  const failing = { program: main, args: ['fail'], wait_ms: 40_000 };

  await found.step('debug_probe: failure', async () => {
    const text = await found.text('debug_probe', failing);
    expect(text).toContain(failure);
    expect(text).toContain(`${cart}:${inCart('fail')}`);
    expect(text.length).toBeLessThan(1100);
  });
  await found.step('debug_probe: second hit', async () => {
    const text = await found.text('debug_probe', {
      program: main,
      breakpoints: [{ file: cart, line: inCart('add'), hit_condition: '2', expressions: ['sum + cost'] }],
      wait_ms: 40_000,
    });
    expect(text).toContain('sum + cost => 1000');
  });
  await found.step('debug_hypotheses', async () => {
    const text = await found.text('debug_hypotheses', {
      ...failing,
      probes: [
        { at: { file: cart, line: inCart('return') }, expression: 'sum == 1000' },
        { at: { file: cart, line: inCart('add') }, expression: 'cost > 500' },
      ],
    });
    expect(text).toContain('h1: CONFIRMED  sum == 1000');
    expect(text).toMatch(/h2: REJECTED {2}cost > 500: \d of \d not/);
  });
  await found.step('debug_until', async () => {
    const text = await found.text('debug_until', {
      ...failing,
      expression: 'sum > 900',
      focus: { files: [cart], functions: [total] },
    });
    expect(text).toContain(`${cart}:`);
  });
  await found.step('debug_try', async () => {
    const text = await found.text('debug_try', {
      program: main,
      at: { file: cart, line: inCart('divide') },
      set: { product: '12300' },
      wait_ms: 40_000,
    });
    expect(text).toContain('123');
  });
  await found.step('debug_explain', async () => {
    const text = await found.text('debug_explain', failing);
    expect(text).toContain(failure);
  });
  await found.step('debug_who_changed', async () => {
    const text = await found.text('debug_who_changed', { ...failing, expression: `${cart} sum` });
    expect(text).toMatch(/0 → 1000|300 → 1000/);
  });
  await found.step('debug_trace', async () => {
    const text = await found.text('debug_trace', failing);
    expect(text).toMatch(new RegExp(`${percent}\\(`));
  });
  await found.step('debug_compare', async () => {
    const text = await found.text('debug_compare', {
      a: { program: main },
      b: { program: main, args: ['fail'] },
      wait_ms: 40_000,
    });
    expect(text).toContain('101');
  });
}
