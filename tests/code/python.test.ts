import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const projects = join(dirname(fileURLToPath(import.meta.url)), 'projects');

describe('Python', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    await ensureEngine('ty');
    ide = await startSightline({ project: join(projects, 'inventory'), env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'index' });
    reader = await ide.connect({ face: 'default' });
  }, 180_000);
  afterAll(() => ide.dispose());

  it('the first answer after a cold start is complete', async () => {
    expect(await reader.text('ide_find_references', { symbol: 'total_weight' })).toBe(
      [
        '5 references to function total_weight in 3 files',
        'inventory/stock.py',
        ' 29: def total_weight(articles: list[Article]) -> float:',
        'inventory/truck.py',
        ' 1 import',
        ' 11: if total_weight([*self.load, article]) > self.capaci…',
        'tests/test_truck.py',
        ' 1 import',
        ' 8: assert total_weight(truck.load) > 2',
      ].join('\n'),
    );
    const usages = (await agent.data('ide_find_references', { symbol: 'Article' }))['usages'] as { type: string }[];
    expect(usages.map((usage) => usage.type).sort()).toEqual([
      'DECLARATION',
      'IMPORT',
      'INHERITANCE',
      'INHERITANCE',
      'TYPE_USE',
      'TYPE_USE',
      'TYPE_USE',
    ]);
  });

  it('definitions lead into the project and the standard library', async () => {
    expect(
      await agent.data('ide_find_definition', { file: 'tests/test_truck.py', line: 6, text: 'loaded' }),
    ).toMatchObject({
      file: 'inventory/truck.py',
      line: 16,
      endLine: 19,
      kind: 'function',
      symbolName: 'loaded',
    });
    const library = await agent.data('ide_find_definition', { file: 'inventory/stock.py', line: 31, text: 'sum' });
    expect(library).toMatchObject({ library: true, symbolName: 'sum', file: expect.stringMatching(/builtins\.pyi$/) });
  });

  it('hierarchies, implementations and symbols', async () => {
    const types = await agent.data('ide_type_hierarchy', { symbol: 'Article', depth: 1 });
    expect((types['subtypes'] as { name: string }[]).map((item) => item.name)).toEqual(['Brick', 'Feather']);
    expect((types['supertypes'] as { name: string }[]).map((item) => item.name)).toEqual(['ABC']);
    expect(await reader.text('ide_call_hierarchy', { symbol: 'total_weight' })).toContain(
      'Truck/put inventory/truck.py:10 calls at 11',
    );
    const found = await agent.data('ide_find_implementations', { symbol: 'Article/weight' });
    expect((found['implementations'] as { name: string }[]).map((item) => item.name)).toEqual(
      expect.arrayContaining(['Brick/weight', 'Feather/weight']),
    );
    expect(await reader.text('search_symbols', { query: 'weigh' })).toContain(
      'inventory/stock.py:29:5 function total_weight',
    );
    expect(await agent.data('ide_inspect_symbol', { symbol: 'Truck/put' })).toMatchObject({
      kind: 'method',
      container: 'Truck',
      usages: 2,
    });
  });

  it('completes in a hypothetical edit', async () => {
    const data = await agent.data('ide_code_completions', {
      file: 'inventory/truck.py',
      line: 19,
      column: 1,
      insert_text: '    truck.',
    });
    const labels = (data['completions'] as { label: string }[]).map((item) => item.label);
    expect(labels).toEqual(expect.arrayContaining(['capacity', 'load', 'put']));
  });

  it('problems follow an edit by another program, in dependents too, and vanish with it', async () => {
    const clean = await agent.data('ide_analyze_code', {});
    expect(clean).toMatchObject({ totalCount: 0, analysedFiles: 4, engines: ['ty 0.0.100'] });
    const stock = join(ide.root, 'inventory/extra.py');
    await writeFile(stock, 'from .stock import total_weight\n\nvalue: str = total_weight([])\nmissing()\n');
    const broken = await agent.data('ide_analyze_code', { since: clean['checkpoint'] });
    expect((broken['problems'] as { file: string; line: number }[]).map((item) => `${item.file}:${item.line}`)).toEqual(
      ['inventory/extra.py:3', 'inventory/extra.py:4'],
    );
    expect(await agent.data('ide_find_references', { symbol: 'total_weight' })).toMatchObject({ totalCount: 7 });
    await rm(stock);
    expect(await agent.data('ide_find_references', { symbol: 'total_weight' })).toMatchObject({ totalCount: 5 });
    expect((await agent.data('ide_analyze_code', { since: broken['checkpoint'] }))['vanished']).toHaveLength(2);
  });
});
