import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const projects = join(dirname(fileURLToPath(import.meta.url)), 'projects');

describe('TypeScript', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: join(projects, 'shop') });
    agent = await ide.connect({ face: 'index' });
    reader = await ide.connect({ face: 'default' });
  });
  afterAll(() => ide.dispose());

  it('type hierarchies are built from heritage clauses, both ways', async () => {
    expect(await agent.data('ide_type_hierarchy', { symbol: 'Item' })).toEqual({
      element: { name: 'Item', kind: 'class', file: 'src/pricing.ts', line: 7 },
      supertypes: [{ name: 'Priced', kind: 'interface', file: 'src/pricing.ts', line: 2, edge: 'implements' }],
      subtypes: [
        { name: 'Book', kind: 'class', file: 'src/pricing.ts', line: 15, edge: 'extends' },
        { name: 'Toy', kind: 'class', file: 'src/pricing.ts', line: 22, edge: 'extends' },
      ],
      index: { state: 'ready' },
    });
  });

  it('call hierarchies go both ways and name methods with their class', async () => {
    expect(await reader.text('ide_call_hierarchy', { symbol: 'src/pricing.ts#total' })).toBe(
      [
        'callers of total (src/pricing.ts:32)',
        ' OrderService/total src/order.ts:12 calls at 13',
        '  report src/report.ts:4 calls at 5',
        ' (top level) src/order.ts:1 calls at 23',
        ' report src/report.ts:4 calls at 5',
        ' (top level) tests/order.test.ts:1 calls at 3',
      ].join('\n'),
    );
    const data = await agent.data('ide_call_hierarchy', { symbol: 'sampleOrder', direction: 'callees', depth: 1 });
    expect((data['calls'] as { name: string }[]).map((call) => call.name)).toEqual([
      'OrderService',
      'OrderService/add',
      'Book',
    ]);
  });

  it('finds implementations of interfaces and their methods', async () => {
    const names = async (symbol: string) =>
      ((await agent.data('ide_find_implementations', { symbol }))['implementations'] as { name: string }[]).map(
        (item) => item.name,
      );
    expect(await names('Priced')).toEqual(['Item', 'Book', 'Toy']);
    expect(await names('Priced/price')).toEqual(['Book/price', 'Toy/price']);
  });

  it('inspects a symbol', async () => {
    expect(
      await agent.data('ide_inspect_symbol', { file: 'src/order.ts', line: 13, text: 'this.discount' }),
    ).toMatchObject({
      name: 'discount',
      kind: 'property',
      container: 'OrderService',
      signature: '(property) OrderService.discount: number',
      file: 'src/order.ts',
      line: 5,
      usages: 2,
      usageFiles: 1,
    });
  });

  it('completes at a position and in a hypothetical edit that never reaches the disk', async () => {
    const before = await readFile(join(ide.root, 'src/order.ts'), 'utf8');
    const data = await agent.data('ide_code_completions', {
      file: 'src/order.ts',
      line: 19,
      column: 1,
      insert_text: '  service.',
    });
    expect((data['completions'] as { label: string }[]).map((item) => item.label)).toEqual([
      'discount',
      'add',
      'total',
    ]);
    expect(await readFile(join(ide.root, 'src/order.ts'), 'utf8')).toBe(before);
    const inPlace = await agent.data('ide_code_completions', { file: 'src/order.ts', line: 8, column: 18 });
    expect((inPlace['completions'] as { label: string }[]).map((item) => item.label)).toContain('push');
  });

  it('outlines files and finds symbols by parts of their names', async () => {
    expect(await reader.text('ide_file_structure', { file: 'src/order.ts' })).toBe(
      [
        'src/order.ts (24 lines)',
        '3-15 export class OrderService',
        ' 4 #basket: Basket = []',
        ' 5 discount = 0',
        ' 7-10 add(item: Priced): this',
        ' 12-14 total(): number',
        '17-21 export function sampleOrder(): OrderService',
        '23 export const größe = total([])',
        "23 export const after = größe + total([new Book('é')])",
      ].join('\n'),
    );
    expect(await reader.text('search_symbols', { query: 'tot' })).toBe(
      ['src/pricing.ts:32:17 function total', 'src/order.ts:12:3 method OrderService/total'].join('\n'),
    );
    // A type beats the locals that are named after it.
    expect((await reader.text('search_symbols', { query: 'item' })).split('\n')[0]).toBe(
      'src/pricing.ts:7:23 class Item',
    );
    expect(await reader.text('search_symbols', { query: 'Order.total' })).toBe(
      'src/order.ts:12:3 method OrderService/total',
    );
    expect(await reader.text('search_symbols', { query: 'total', type: 'function' })).toBe(
      'src/pricing.ts:32:17 function total',
    );
  });

  it('an outline shows what is declared, not the locals, callbacks and literals inside of code', async () => {
    await writeFile(
      join(ide.root, 'src/busy.ts'),
      [
        'export const settings = { depth: { low: 1 }, names: ["a"].map((name) => ({ name })) };',
        'const [first, second] = settings.names;',
        "describe('orders', () => {",
        "  it('adds up', () => { const sum = [1].map((one) => one + 1); });",
        '});',
        '[1, 2].forEach((each) => { const twice = each * 2; });',
        'export function outer(',
        '  options: { deep: boolean },',
        '): number {',
        '  const local = { key: 1 };',
        '  function inner() { return local.key; }',
        '  return inner();',
        '}',
        '',
      ].join('\n'),
    );
    expect(await reader.text('ide_file_structure', { file: 'src/busy.ts' })).toBe(
      [
        'src/busy.ts (14 lines)',
        '1 export const settings = { depth: { low: 1 }, names: ["a"].map((name) => ({ name })) }',
        ' 1 property depth: { low: 1 }',
        ' 1 property names: ["a"].map((name) => ({ name }))',
        '2 variable first',
        '2 variable second',
        "3-5 describe('orders')",
        " 4 it('adds up')",
        '7-13 export function outer(options: { deep: boolean }): number',
        ' 11 function inner()',
      ].join('\n'),
    );
    await rm(join(ide.root, 'src/busy.ts'));
  });

  it('documents symbols of the project and of the language', async () => {
    expect(await agent.data('get_documentation', { symbol: 'src/pricing.ts#total' })).toMatchObject({
      signature: 'function total(items: readonly Priced[]): number',
      documentation: expect.stringContaining('Adds up prices.'),
    });
    expect(await agent.data('get_documentation', { file: 'src/order.ts', line: 8, text: 'push' })).toMatchObject({
      signature: expect.stringContaining('push'),
      documentation: expect.stringContaining('Appends new elements'),
    });
  });

  it('shows problems as they are now, what changed since a checkpoint, and fixes them', async () => {
    const clean = await agent.data('ide_analyze_code', {});
    expect(clean).toMatchObject({ totalCount: 0, analysedFiles: 4, wantedFiles: 4, engines: ['typescript-go 7.0.2'] });
    const pricing = join(ide.root, 'src/pricing.ts');
    const original = await readFile(pricing, 'utf8');
    await writeFile(pricing, original.replace('total(items', 'sum(items'));
    const broken = await agent.data('ide_analyze_code', { since: clean['checkpoint'] });
    const appeared = (broken['problems'] as { file: string; code: string }[]).map(
      (item) => `${item.file} ${item.code}`,
    );
    expect(appeared.sort()).toEqual(['src/order.ts 2305', 'src/report.ts 2339', 'tests/order.test.ts 2305']);
    await writeFile(pricing, original);
    const again = await agent.data('ide_analyze_code', { since: broken['checkpoint'] });
    expect(again).toMatchObject({ totalCount: 0, problems: [], counts: {} });
    expect(again['vanished']).toHaveLength(3);
  });

  it('fixes a missing import, and all problems of a kind in one go', async () => {
    const file = join(ide.root, 'src/fixme.ts');
    await writeFile(
      file,
      'export const a = sampleOrder();\nimport { Toy, Book } from "./pricing.ts";\nexport const b = 1;\n',
    );
    const data = await agent.data('ide_analyze_code', { file: 'src/fixme.ts', severity: 'hint' });
    const problems = data['problems'] as { id: string; code: string }[];
    const missing = problems.find((problem) => problem.code === '2304');
    const { fixes } = (await agent.data('ide_list_quick_fixes', { problem_id: missing?.id })) as {
      fixes: { id: string; title: string }[];
    };
    const add = fixes.find((fix) => fix.title.includes('./order'));
    expect(add?.title).toContain('import');
    const preview = await agent.data('ide_apply_quick_fix', { fix_id: add?.id, preview: true });
    expect(preview).toMatchObject({ planId: expect.any(String), affectedFiles: ['src/fixme.ts'] });
    const applied = await agent.data('ide_apply_quick_fix', { fix_id: add?.id });
    expect(applied).toMatchObject({ success: true, historyId: expect.any(String), affectedFiles: ['src/fixme.ts'] });
    expect(await readFile(file, 'utf8')).toContain('import { sampleOrder } from');
    const after = await agent.data('ide_analyze_code', { file: 'src/fixme.ts' });
    expect(after['counts']).not.toHaveProperty('error');
  });

  it('says how complete the index is', async () => {
    expect(await agent.data('ide_index_status')).toMatchObject({
      isDumbMode: false,
      isIndexing: false,
      state: 'ready',
      languages: [{ language: 'typescript', version: '7.0.2', state: 'ready', running: true }],
    });
  });

  it('gives a symbol as a resource, by name or name path', async () => {
    const { resourceTemplates } = await agent.mcp.listResourceTemplates();
    expect(resourceTemplates.map((item) => item.uriTemplate)).toContain('symbol://{name}');
    const { contents } = await agent.mcp.readResource({ uri: 'symbol://OrderService/add' });
    const [content] = contents;
    expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '')).toMatchObject({
      name: 'add',
      kind: 'method',
      container: 'OrderService',
      usages: 1,
    });
    await expect(agent.mcp.readResource({ uri: 'symbol://NoSuchThing' })).rejects.toThrow('NoSuchThing');
  });
});
