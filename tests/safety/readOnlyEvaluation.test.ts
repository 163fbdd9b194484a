import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCacheDir } from '../support/engines.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { sideEffectPrograms } from './sideEffects.ts';

/** Where evaluation is read-only, a condition or a log message changes as little as `evaluate` does. */
let bench: TestBench;
beforeAll(async () => {
  const files = Object.values(sideEffectPrograms).map(({ file, source, statement, harmful }) => [
    file,
    source.replace('//here', harmful.map(() => statement).join('\n')),
  ]);
  bench = await testBench({
    files: { 'package.json': '{}', ...Object.fromEntries(files) },
    env: { SIGHTLINE_EVALUATION_MODE: 'read_only', SIGHTLINE_CACHE: testCacheDir },
  });
});
afterAll(() => bench.dispose());

describe.each(Object.entries(sideEffectPrograms))('read-only evaluation in %s', (_name, program) => {
  const { file, source, harmful, harmless, after } = program;
  const first = source.split('\n').indexOf('//here') + 1;

  /** One breakpoint on each line. */
  async function outcomeOf(breakpoints: readonly Record<string, string>[]) {
    const ids: unknown[] = [];
    for (const [index, breakpoint] of breakpoints.entries()) {
      const set = await bench.call('set_breakpoint', { file_path: file, line: first + index, ...breakpoint });
      if (set.data !== undefined) ids.push(set.data['breakpointId']);
    }
    let state = await bench.data('start_debug_session', { program: file, wait_ms: 30_000 });
    let stops = 0;
    let output = '';
    for (; state['state'] !== 'stopped'; state = await bench.data('resume_execution', { wait_ms: 30_000 })) {
      output += JSON.stringify(state);
      stops++;
    }
    output += JSON.stringify(state);
    for (const id of ids) await bench.data('remove_breakpoint', { breakpoint_id: id });
    return { output, stops, set: ids.length, result: readFileSync(join(bench.root, 'result.txt'), 'utf8').trim() };
  }

  test('nothing that a condition names changes the program', async () => {
    const { result, set } = await outcomeOf(harmful.map((condition) => ({ condition })));
    expect(result).toBe(after);
    expect(set).toBeGreaterThan(harmful.length / 2);
  }, 120_000);

  test('nothing that a log message names changes the program', async () => {
    const { result } = await outcomeOf(harmful.map((expression) => ({ log_message: `<{${expression}}>` })));
    expect(result).toBe(after);
  }, 120_000);

  test('what only reads still decides where to stop and what to log', async () => {
    for (const condition of harmless) {
      const { stops } = await outcomeOf([{ condition }]);
      expect([condition, stops]).toEqual([condition, condition.includes('> 0') ? 2 : 1]);
    }
    const { output, stops } = await outcomeOf([{ condition: harmless[0] ?? '', log_message: 'at {i} of {data}' }]);
    expect(stops).toBe(0);
    expect(output).toMatch(/at 1 of \{/);
  }, 120_000);

  test('an exception breakpoint is no way around it', async () => {
    const condition = harmful[0] ?? '';
    const set = await bench.call('set_exception_breakpoint', { condition, caught: true, uncaught: true });
    const { result } = await outcomeOf([]);
    expect(result).toBe(after);
    if (set.data !== undefined) await bench.data('remove_breakpoint', { breakpoint_id: set.data['breakpointId'] });
  });
});
