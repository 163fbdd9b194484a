import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFile, rm, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const projects = join(dirname(fileURLToPath(import.meta.url)), 'projects');

/** `file:line type` of every usage, the form in which these tests compare. */
function places(data: Record<string, unknown>): string[] {
  const usages = data['usages'] as { file: string; line: number; column: number; type: string }[];
  return usages.map((usage) => `${usage.file}:${usage.line}:${usage.column} ${usage.type}`);
}

describe('TypeScript', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: join(projects, 'shop') });
    agent = await ide.connect({ face: 'index' });
  });
  afterAll(() => ide.dispose());

  it('the first answer after a cold start is complete, tests outside of every tsconfig included', async () => {
    const data = await agent.data('ide_find_references', { file: 'src/pricing.ts', line: 32, column: 17 });
    expect(data['totalCount']).toBe(8);
    expect(data['index']).toEqual({ state: 'ready' });
    expect(data['symbol']).toMatchObject({ name: 'total', kind: 'function', file: 'src/pricing.ts', line: 32 });
    expect(places(data)).toEqual([
      'src/pricing.ts:32:17 DECLARATION',
      'src/order.ts:1:16 IMPORT',
      'src/order.ts:13:12 METHOD_CALL',
      'src/order.ts:23:22 METHOD_CALL',
      'src/order.ts:23:62 METHOD_CALL',
      'src/report.ts:5:50 METHOD_CALL',
      'tests/order.test.ts:1:10 IMPORT',
      'tests/order.test.ts:3:5 METHOD_CALL',
    ]);
  });

  it('every way of pointing at a symbol finds the same one', async () => {
    for (const address of [
      { file: 'src/report.ts', line: 5, text: 'pricing.total' },
      { file: 'src/report.ts', line: 7, text: 'pricing.total' },
      { file: 'src/pricing.ts', symbol: 'total' },
      { symbol: 'src/pricing.ts#total' },
      { symbol: 'src/order.ts:13:12' },
      { file: 'src/pricing.ts', line: 32, column: 15 },
    ]) {
      expect(await agent.data('ide_find_definition', address)).toMatchObject({
        file: 'src/pricing.ts',
        line: 32,
        column: 17,
        symbolName: 'total',
        kind: 'function',
        startLine: 28,
        endLine: 36,
        documentation: expect.stringContaining('Adds up prices.'),
      });
    }
  });

  it('an ambiguous name lists its meanings, and their handles work', async () => {
    const { error } = await agent.call('ide_find_references', { symbol: 'total' });
    expect(error).toMatchObject({ name: 'ambiguous_symbol' });
    const candidates = error?.data?.['candidates'] as { symbol: string; handle: string }[];
    expect(candidates.map((candidate) => candidate.symbol).sort()).toEqual(['OrderService/total', 'total']);
    const method = candidates.find((candidate) => candidate.symbol === 'OrderService/total');
    const data = await agent.data('ide_find_references', { symbol: method?.handle });
    expect(places(data)).toEqual(['src/order.ts:12:3 DECLARATION', 'src/report.ts:5:28 METHOD_CALL']);
    expect(await agent.data('ide_find_references', { symbol: 'OrderService.total' })).toMatchObject({ totalCount: 2 });
  });

  it('filters by kind and path, and pages with exact totals', async () => {
    const symbol = 'src/pricing.ts#total';
    const calls = await agent.data('ide_find_references', { symbol, kinds: ['call'], path: 'src/**' });
    expect(calls).toMatchObject({
      totalCount: 4,
      files: [
        { file: 'src/order.ts', count: 3 },
        { file: 'src/report.ts', count: 1 },
      ],
    });
    const page = await agent.data('ide_find_references', { symbol, offset: 3, limit: 2 });
    expect(page).toMatchObject({ totalCount: 8, nextOffset: 5 });
    expect(places(page)).toEqual(['src/order.ts:23:22 METHOD_CALL', 'src/order.ts:23:62 METHOD_CALL']);
  });

  it('says what is wrong with an address and what to do', async () => {
    expect((await agent.call('ide_find_definition', { symbol: 'noSuchThing' })).error).toMatchObject({
      name: 'symbol_not_found',
      code: -32003,
    });
    expect((await agent.call('ide_find_definition', { file: 'src/nope.ts', line: 1, column: 1 })).error).toMatchObject({
      name: 'file_not_found',
      code: -32002,
    });
    expect(
      (await agent.call('ide_find_definition', { file: 'src/order.ts', line: 999, column: 1 })).error,
    ).toMatchObject({ name: 'symbol_not_found' });
    expect(
      (await agent.call('ide_find_definition', { file: 'src/order.ts', line: 3, text: 'nothing like this' })).error,
    ).toMatchObject({ name: 'text_not_found' });
    expect((await agent.call('ide_find_definition', {})).error).toMatchObject({ name: 'invalid_arguments' });
  });

  it('a word in a comment has no references to count, and a keyword means what it introduces', async () => {
    const comment = { file: 'src/pricing.ts', line: 1, text: 'Something' };
    for (const tool of ['ide_find_references', 'ide_find_definition', 'ide_inspect_symbol'])
      expect((await agent.call(tool, comment)).error, tool).toMatchObject({ name: 'symbol_not_found' });
    expect(
      await agent.data('ide_inspect_symbol', { file: 'src/pricing.ts', line: 15, text: 'export class' }),
    ).toMatchObject({ name: 'Book', kind: 'class', notes: [expect.stringContaining('"Book" after it was taken')] });
  });
});

describe('JavaScript without any configuration', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: join(projects, 'webapp') });
    agent = await ide.connect({ face: 'index' });
  });
  afterAll(() => ide.dispose());

  it('finds uses across CommonJS, ES modules and JSX', async () => {
    const data = await agent.data('ide_find_references', { file: 'lib/format.js', line: 6, text: 'formatPrice' });
    expect(data['index']).toEqual({ state: 'ready' });
    const files = data['files'] as { file: string; count: number }[];
    expect(files.map((item) => item.file).sort()).toEqual([
      'lib/format.js',
      'lib/legacy.js',
      'src/Price.jsx',
      'src/main.mjs',
    ]);
    const component = await agent.data('ide_find_references', { symbol: 'Price' });
    expect(places(component)).toContain('src/App.jsx:5:6 METHOD_CALL');
    expect(component['totalCount']).toBe(5);
  });
});

describe('what changes on disk', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  const symbol = 'src/pricing.ts#total';
  const total = async () => (await agent.data('ide_find_references', { symbol }))['totalCount'];
  beforeAll(async () => {
    ide = await startSightline({ project: join(projects, 'shop') });
    agent = await ide.connect({ face: 'index' });
    await agent.data('ide_find_references', { symbol });
  });
  afterAll(() => ide.dispose());

  it('edits, new files, renames and deletes by other programs are in the very next answer', async () => {
    expect(await total()).toBe(8);
    const extra = join(ide.root, 'src/extra.ts');
    await writeFile(extra, "import { total } from './pricing.ts';\nexport const a = total([]);\n");
    expect(await total()).toBe(10);
    await writeFile(extra, "import { total } from './pricing.ts';\nexport const a = total([]) + total([]);\n");
    expect(await total()).toBe(11);
    await rm(extra);
    expect(await total()).toBe(8);
    const loose = join(ide.root, 'tests/loose.ts');
    await writeFile(loose, "import { total } from '../src/pricing.ts';\ntotal([]);\n");
    expect(await total()).toBe(10);
    await rm(loose);
    expect(await total()).toBe(8);
    const pricing = join(ide.root, 'src/pricing.ts');
    await writeFile(pricing, `\n\n${await readFile(pricing, 'utf8')}`);
    expect(await agent.data('ide_find_definition', { symbol: 'src/report.ts:5:50' })).toMatchObject({ line: 34 });
  });

  it('a server killed in the middle fails that call by name; the next one works again', async () => {
    const [server] = ide.sightline.engines.code.pool.servers;
    process.kill(server?.pid ?? 0, 'SIGSTOP');
    const asked = agent.call('ide_find_references', { symbol: 'src/report.ts:5:50' });
    await expect.poll(() => server?.client.connection.pendingCount).toBeGreaterThan(0);
    process.kill(server?.pid ?? 0, 'SIGKILL');
    const killedAt = Date.now();
    const { error } = await asked;
    expect(Date.now() - killedAt).toBeLessThan(10_000);
    expect(error).toMatchObject({ name: 'engine_failed', message: expect.stringContaining('killed by SIGKILL') });
    expect(await total()).toBe(8);
    expect(ide.sightline.engines.code.pool.servers[0]?.pid).not.toBe(server?.pid);
  });
});
