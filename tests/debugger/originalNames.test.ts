import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'src/stock.ts': `export const items: number[] = [7];
const list = ['unrelated'];
console.log(items.length + list.length);
`,
  'src/app.ts': `import { items as stock } from './stock.ts';
interface Item {
  price: number;
  qty: number;
}
export function total(list: Item[], discount: number): number {
  let sum = 0;
  for (const item of list) {
    const amount = item.price * item.qty;
    sum += amount;
  }
  const apply = (factor: number) => sum * factor;
  return apply(1 - discount) + stock.length;
}
const items: Item[] = [{ price: 2, qty: 3 }, { price: 1, qty: 1 }];
console.log(total(items, 0.5));
`,
};

describe('variables that the compiler renamed', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    const common: BuildOptions = {
      entryPoints: [join(ide.root, 'src/app.ts')],
      bundle: true,
      platform: 'node',
      sourcemap: true,
    };
    await build({ ...common, format: 'cjs', outfile: join(ide.root, 'dist/bundle.js') });
    await build({ ...common, format: 'esm', minify: true, outfile: join(ide.root, 'dist/min.mjs') });
    await build({
      ...common,
      format: 'cjs',
      minify: true,
      sourcemap: 'inline',
      outfile: join(ide.root, 'dist/min.js'),
    });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it.each(['dist/bundle.js', 'dist/min.mjs', 'dist/min.js'])('have the names of the source in %s', async (program) => {
    const bp = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 10, condition: 'item.qty === 1' });
    const started = await agent.data('start_debug_session', { program });
    expect(started).toMatchObject({
      state: 'paused',
      stop: {
        location: { line: 10, methodName: 'total' },
        variables: expect.arrayContaining([
          expect.objectContaining({ name: 'amount', value: '1' }),
          expect.objectContaining({ name: 'item', value: '{price: 1, qty: 1}' }),
          expect.objectContaining({ name: 'sum', value: '6' }),
          expect.objectContaining({ name: 'list' }),
          expect.objectContaining({ name: 'discount', value: '0.5' }),
        ]),
      },
    });
    const evaluate = async (expression: string) =>
      ((await agent.data('evaluate_expression', { expression }))['result'] as { value: string }).value;
    expect(await evaluate('list.map((item) => item.price * amount + sum)')).toBe('[8, 7]');
    expect(await evaluate('({ sum, discount })')).toBe('{sum: 6, discount: 0.5}');
    const set = await agent.data('set_variable', { variable_path: 'sum', value: 'sum + 100' });
    expect(set).toMatchObject({ oldValue: '6', newValue: '106' });
    await agent.data('remove_breakpoint', { breakpoint_id: bp['breakpointId'] });
    const ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', output: expect.stringContaining('54.5\n') });
  });

  it('are accepted by their compiled names too, and in log messages', async () => {
    const stop = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 12, temporary: true });
    const log = await agent.data('set_breakpoint', {
      file_path: 'src/app.ts',
      line: 9,
      log_message: 'qty {item.qty} of {list.length}',
    });
    const started = await agent.data('start_debug_session', { program: 'dist/bundle.js' });
    expect(started['output']).toContain('qty 3 of 2');
    const result = await agent.data('evaluate_expression', { expression: 'list2 === list' });
    expect(result).toMatchObject({ result: { value: 'true' } });
    await agent.data('stop_debug_session');
    for (const each of [log]) await agent.data('remove_breakpoint', { breakpoint_id: each['breakpointId'] });
    expect(stop).toMatchObject({ status: 'set' });
  });
});
