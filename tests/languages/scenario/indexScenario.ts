import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Findings } from './findings.ts';
import { columnOf, lineOf, type ScenarioLanguage } from './languages.ts';

/** The tools of the code index on the same shop, navigation first, then what changes files; each change is taken back. */
export async function indexScenario(language: ScenarioLanguage, root: string, found: Findings): Promise<void> {
  const { main, cart, total, percent } = language;
  const inCart = (mark: string) => lineOf(root, cart, mark);
  const inMain = (mark: string) => lineOf(root, main, mark);
  const call = { file: main, line: inMain('call'), text: `${total}(` };
  const half = { file: main, line: inMain('half'), text: `${percent}(` };
  const text = (file: string) => readFileSync(join(root, file), 'utf8');

  await found.step('ide_find_references', async () => {
    let answer = await found.data('ide_find_references', call);
    // Until a server knows the whole project every answer says so.
    const isReady = () => (answer['index'] as { state: string }).state === 'ready';
    for (let asked = 1; asked < 20 && !isReady(); asked++) answer = await found.data('ide_find_references', call);
    expect(answer).toMatchObject({ index: { state: 'ready' } });
    expect(JSON.stringify(answer)).toContain(`"line":${inMain('call')}`);
    expect(JSON.stringify(answer)).toContain(cart);
  });
  await found.step('ide_find_definition', async () => {
    const answer = await found.data('ide_find_definition', half);
    expect(answer).toMatchObject({ line: inCart('percent') - 1 });
  });
  await found.step('ide_call_hierarchy', async () => {
    const answer = JSON.stringify(await found.data('ide_call_hierarchy', call));
    expect(answer).toMatch(/main/i);
  });
  await found.step('ide_call_hierarchy: callees', async () => {
    const place = { file: main, line: inMain('first') - 1, text: 'main', direction: 'callees' };
    const answer = JSON.stringify(await found.data('ide_call_hierarchy', place));
    expect(answer).toContain(percent);
  });
  const { base } = language;
  if (base === undefined) {
    found.absent('ide_type_hierarchy', 'C has no subtypes');
    found.absent('ide_find_implementations', 'C has no subtypes');
  } else {
    await found.step('ide_type_hierarchy', async () => {
      const answer = JSON.stringify(await found.data('ide_type_hierarchy', { symbol: base.symbol }));
      expect(answer).toContain(base.subtype);
    });
    await found.step('ide_find_implementations', async () => {
      const answer = await found.data('ide_find_implementations', { symbol: base.symbol });
      expect(JSON.stringify(answer)).toContain(base.subtype);
    });
  }
  await found.step('ide_inspect_symbol', async () =>
    expect(JSON.stringify(await found.data('ide_inspect_symbol', half))).toContain(percent),
  );
  await found.step('ide_code_completions', async () => {
    const line = inCart('divide');
    const column = columnOf(root, cart, line, 'product') + 'prod'.length;
    const answer = await found.data('ide_code_completions', { file: cart, line, column });
    expect(JSON.stringify(answer)).toContain('product');
  });
  await found.step('ide_file_structure', async () => {
    const answer = JSON.stringify(await found.data('ide_file_structure', { file: cart }));
    for (const name of [total, percent]) expect(answer).toContain(name);
  });
  await found.step('ide_project_structure', async () =>
    expect(JSON.stringify(await found.data('ide_project_structure')).length).toBeGreaterThan(20),
  );
  await found.step('ide_list_dependencies', async () => {
    await found.data('ide_list_dependencies');
  });
  await found.step('ide_index_status', async () =>
    expect(await found.data('ide_index_status')).toMatchObject({ state: 'ready' }),
  );
  await found.step('ide_analyze_code', async () => {
    const answer = JSON.stringify(await found.data('ide_analyze_code', { file: language.broken.file }));
    expect(answer).toMatch(language.broken.problem);
    expect(JSON.stringify(await found.data('ide_analyze_code', { file: main }))).not.toContain('"severity":"error"');
  });
  let fixId: string | undefined;
  await found.step('ide_list_quick_fixes', async () => {
    const answer = await found.data('ide_list_quick_fixes', { file: language.broken.file });
    const fixes = (answer['fixes'] ?? []) as { id?: string; fixId?: string }[];
    expect(fixes.length).toBeGreaterThan(0);
    fixId = fixes[0]?.id ?? fixes[0]?.fixId;
  });
  await found.step('ide_apply_quick_fix', async () => {
    const before = text(language.broken.file);
    await found.data('ide_apply_quick_fix', { fix_id: fixId });
    expect(text(language.broken.file)).not.toBe(before);
    await found.data('undo');
    expect(text(language.broken.file)).toBe(before);
  });
  await refactorings(language, root, found);
}

async function refactorings(
  { main, cart, total, percent }: ScenarioLanguage,
  root: string,
  found: Findings,
): Promise<void> {
  const text = (file: string) => readFileSync(join(root, file), 'utf8');
  /** One that is made, looked at, and taken back. */
  const changed = async (row: string, tool: string, args: Record<string, unknown>, file: string, made: RegExp) =>
    found.step(row, async () => {
      const before = text(file);
      await found.data(tool, args);
      expect(text(file), row).toMatch(made);
      await found.data('undo');
      expect(text(file)).toBe(before);
    });
  const product = lineOf(root, cart, 'product');
  const add = lineOf(root, cart, 'add');
  await changed(
    'ide_refactor_rename',
    'ide_refactor_rename',
    { file: main, line: lineOf(root, main, 'half'), text: `${percent}(`, new_name: `${percent}age` },
    cart,
    new RegExp(`${percent}age\\(`),
  );
  await changed(
    'ide_refactor_extract_method',
    'ide_refactor_extract_method',
    { file: cart, start_line: add, end_line: add, new_name: 'summed' },
    cart,
    /summed\(/,
  );
  const start = columnOf(root, cart, product, 'sum * part');
  await changed(
    'ide_refactor_extract_variable',
    'ide_refactor_extract_variable',
    {
      file: cart,
      start_line: product,
      end_line: product,
      start_column: start,
      end_column: start + 'sum * part'.length,
      new_name: 'whole',
    },
    cart,
    /whole/,
  );
  await changed(
    'ide_refactor_inline',
    'ide_refactor_inline',
    { file: cart, line: lineOf(root, cart, 'divide'), text: 'product' },
    cart,
    /sum \* part\)? \/ 100/,
  );
  await changed(
    'ide_refactor_safe_delete',
    'ide_refactor_safe_delete',
    { file: cart, line: lineOf(root, cart, 'unused'), text: 'unused' },
    cart,
    /^(?![\s\S]*@unused)/,
  );
  const extension = cart.slice(cart.lastIndexOf('.'));
  const folder = cart.slice(0, cart.lastIndexOf('/') + 1);
  await found.step('ide_refactor_move: symbol', async () => {
    const target = `${folder}sums${extension}`;
    const line =
      text(cart)
        .split('\n')
        .findIndex((each) => each.includes(`${total}(`)) + 1;
    await found.data('ide_refactor_move', { file: cart, line, text: `${total}(`, target_file: target });
    expect(text(target)).toContain(total);
    await found.data('undo');
  });
  await found.step('ide_refactor_move: file', async () => {
    const target = `${folder}basket${extension}`;
    await found.data('ide_refactor_move', { file: cart, target_file: target });
    expect(text(target)).toContain(total);
    await found.data('undo');
  });
}
