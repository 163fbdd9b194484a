import { readFile, writeFile } from 'node:fs/promises';
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
  'src/prices.ts': `import { items as list } from './stock.ts';
const items = [1, 2];
export function first(): number {
  return list[0]! + items[0]!;
}
console.log(list.length, items.length);
first();
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
          expect.objectContaining({ name: 'item', value: '#1 {price: 1, qty: 1}' }),
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

  it.each(['dist/iife.js', 'dist/bundle.js', 'dist/min.js'])(
    'have the name they were imported under in %s',
    async (program) => {
      await build({
        entryPoints: [join(ide.root, 'src/prices.ts')],
        bundle: true,
        platform: 'node',
        sourcemap: true,
        format: program.includes('iife') ? 'iife' : 'cjs',
        minify: program.includes('min'),
        outfile: join(ide.root, program.replace('dist/', 'dist/prices-')),
      });
      const top = await agent.data('set_breakpoint', { file_path: 'src/prices.ts', line: 6 });
      const inner = await agent.data('set_breakpoint', { file_path: 'src/prices.ts', line: 4 });
      const evaluate = async (expression: string) =>
        ((await agent.data('evaluate_expression', { expression }))['result'] as { value: string }).value;
      const names = async () =>
        ((await agent.data('get_variables', { scope: 'all' }))['variables'] as { name: string; value: string }[])
          .filter(({ value }) => value.startsWith('['))
          .map(({ name, value }) => `${name}=${value}`)
          .toSorted();
      await agent.data('start_debug_session', { program: program.replace('dist/', 'dist/prices-') });
      // Here `list` is an import, and `items` one's own; where they are declared, `list` is something else.
      expect(await evaluate('[list, items]')).toBe('[[7], [1, 2]]');
      expect(await names()).toEqual(expect.arrayContaining(['items=[1, 2]', 'list=[7]']));
      await agent.data('resume_execution');
      expect(await evaluate('[list, items]')).toBe('[[7], [1, 2]]');
      expect(await names()).toEqual(expect.arrayContaining(['items=[1, 2]', 'list=[7]']));
      await agent.data('stop_debug_session');
      for (const each of [top, inner]) await agent.data('remove_breakpoint', { breakpoint_id: each['breakpointId'] });
    },
  );

  it('are imports that a compiler made members of', async () => {
    for (const name of ['stock', 'prices'])
      await build({
        entryPoints: [join(ide.root, `src/${name}.ts`)],
        sourcemap: true,
        format: 'cjs',
        platform: 'node',
        outfile: join(ide.root, `lib/${name}.ts.js`),
      });
    const file = join(ide.root, 'lib/prices.ts.js');
    await writeFile(file, (await readFile(file, 'utf8')).replace('./stock.ts"', './stock.ts.js"'));
    const inner = await agent.data('set_breakpoint', {
      file_path: 'src/prices.ts',
      line: 4,
      condition: 'items.length',
    });
    await agent.data('start_debug_session', { program: 'lib/prices.ts.js' });
    const answer = await agent.data('evaluate_expression', { expression: '[list, items, list.length]' });
    expect(answer).toMatchObject({ result: { value: '[[7], [1, 2], 1]' } });
    await agent.data('stop_debug_session');
    await agent.data('remove_breakpoint', { breakpoint_id: inner['breakpointId'] });
  });

  it('keep their compiled names in a script that is too large to be read, which the stop says', async () => {
    await writeFile(
      join(ide.root, 'src/big.ts'),
      `import './app.ts';\nexport const pad = '${'x'.repeat(3_100_000)}';\n`,
    );
    const outfile = join(ide.root, 'dist/big.js');
    const common = { bundle: true, platform: 'node', sourcemap: true, minify: true, outfile } as const;
    await build({ ...common, format: 'cjs', entryPoints: [join(ide.root, 'src/big.ts')] });
    const set = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 13 });
    const started = await agent.data('start_debug_session', { program: 'dist/big.js' });
    expect(started).toMatchObject({
      stop: {
        location: { line: 13 },
        description: 'names of variables are the compiled ones, since the script has 3.1 million characters',
      },
    });
    await agent.data('stop_debug_session');
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
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
