import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

const shop = join(import.meta.dirname, 'projects/rustShop');

describe('Rust through gdb', { timeout: 240_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let prober: TestClient;
  beforeAll(async () => {
    await ensureEngine('gdb');
    ide = await startSightline({ project: shop });
    agent = await ide.connect({ face: 'debugger' });
    prober = await ide.connect({ face: 'probe' });
  }, 400_000);
  afterAll(() => ide.dispose());

  it('builds a package, stops at a condition, shows values as Rust writes them, evaluates, changes, and shows a panic', async () => {
    await agent.data('set_breakpoint', {
      file_path: 'src/lib.rs',
      line: 31,
      condition: 'item.quantity == 2',
      hit_condition: '1',
    });
    const started = await agent.data('start_debug_session', { program: 'src/main.rs', wait_ms: 40_000 });
    expect(started).toMatchObject({
      state: 'paused',
      stop: { reason: 'breakpoint', location: { file: `${ide.root}/src/lib.rs`, line: 31, methodName: 'shop::total' } },
    });
    const { variables } = await agent.data('get_variables', {});
    const shown = Object.fromEntries(
      (variables as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
    );
    expect(shown).toMatchObject({
      items: '[{name: "pen", cents: 150, quantity: 2}]',
      discount: 'None',
      item: '{name: "pen", cents: 150, quantity: 2}',
      sum: '0',
    });
    const value = async (expression: string) =>
      (await agent.data('evaluate_expression', { expression }))['result'] as { value: string };
    expect(await value('items.len()')).toMatchObject({ value: '1' });
    expect(await value('items[0].name')).toMatchObject({ value: '"pen"' });
    expect(await agent.data('set_variable', { variable_path: 'sum', value: '7' })).toMatchObject({ newValue: '7' });
    expect(await agent.data('step_over')).toMatchObject({ stop: { location: { line: 30 } } });
    const failed = await agent.data('resume_execution', { wait_ms: 20_000 });
    expect(failed).toMatchObject({
      stop: {
        reason: 'exception',
        location: { line: 36, methodName: 'shop::total' },
        exception: { type: 'panic', message: 'attempt to subtract with overflow' },
      },
    });
    expect(failed['output']).toContain('attempt to subtract with overflow');
    expect(await agent.data('resume_execution', { wait_ms: 20_000 })).toMatchObject({ exitCode: 101 });
  });

  it('runs one test and shows its panic in one call; a wrong name is told the nearest; errors of the compiler have their places', async () => {
    const text = await prober.text('debug_probe', { test: 'src/lib.rs::takes_a_percentage_off' });
    expect(text).toContain('Stopped (exception) at src/lib.rs:60 in shop::tests::takes_a_percentage_off');
    expect(text).toContain('assertion `left == right` failed\n  left: 1100\n right: 900');
    expect(text.length).toBeLessThan(1000);
    const asserted = await prober.text('debug_probe', { test: 'src/lib.rs::finds_the_dearest' });
    expect(asserted).toMatch(/^ {2}items\(\) = \[.*\]\n {2}dearest\(.*\) = \(2, 1\.5\)$/m);
    expect(asserted).not.toContain('Output:');
    const wrong = await prober.call('debug_probe', { test: 'src/lib.rs::takes_percentage_off' });
    expect(wrong.error).toMatchObject({
      name: 'test_not_found',
      hint: expect.stringContaining('tests::takes_a_percentage_off'),
    });
    await writeFile(join(ide.root, 'src/main.rs'), 'fn main() {\n    let x: i32 = "a";\n}\n');
    const broken = await prober.call('debug_probe', { program: 'src/main.rs' });
    expect(broken.error?.name).toBe('launch_failed');
    expect(JSON.stringify(broken.error)).toContain('src/main.rs:2:18: E0308: mismatched types');
    await rm(join(ide.root, 'src/main.rs'));
    await cp(join(shop, 'src/main.rs'), join(ide.root, 'src/main.rs'));
  });

  it('answers about the whole project from the first question on, renames across files, and extracts', async () => {
    await ensureEngine('rust-analyzer');
    const index = await ide.connect({ face: 'index', output: 'text' });
    const total = { file: 'src/lib.rs', line: 28, column: 8 };
    expect(await index.text('ide_find_references', total)).toMatch(/^6 references to function total in 2 files/);
    expect(
      await index.text('ide_find_implementations', { file: 'src/lib.rs', line: 18, text: 'pub trait Priced' }),
    ).toContain('src/lib.rs:22');
    expect(await index.text('ide_call_hierarchy', total)).toContain('main src/main.rs:3');
    const renamed = await index.text('ide_refactor_rename', { ...total, new_name: 'grand_total' });
    expect(renamed).toContain('Done: rename total to grand_total: 6 places in 2 files.');
    const extracted = await index.text('ide_refactor_extract_variable', {
      file: 'src/lib.rs',
      start_line: 24,
      start_column: 9,
      end_line: 24,
      end_column: 46,
      new_name: 'cost',
      preview: true,
    });
    expect(extracted).toContain('let cost');
  });

  it('tells what only the compiler finds, and that it was asked', async () => {
    await writeFile(
      join(ide.root, 'src/main.rs'),
      'fn main() {\n    let text = String::from("é");\n    let moved = text;\n    println!("{} {}", text, moved);\n}\n',
    );
    const index = await ide.connect({ face: 'index', output: 'both' });
    const analysed = () => index.data('ide_analyze_code', { file: 'src/main.rs' });
    // A first check that is not over in time says so, and goes on with the next question.
    await expect.poll(async () => (await analysed())['index'], { timeout: 120_000 }).toMatchObject({ state: 'ready' });
    const answer = await analysed();
    expect(JSON.stringify(answer)).toContain('E0382');
  });
});
