import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureEngine, testCacheDir } from '../support/engines.ts';
import {
  removeDirectory,
  startSightline,
  temporaryDirectory,
  type RunningSightline,
  type TestClient,
} from '../harness/harness.ts';

/*
 * A language server that loads longer than any client waits: a program named `ty` on PATH, which is how Sightline finds that server,
 * tells its progress and answers nothing until it has loaded. What a client sees then is the same for every slow server.
 */
let tools: string;
let running: RunningSightline;
let client: TestClient;

beforeAll(async () => {
  await ensureEngine('rope');
  tools = await temporaryDirectory('tools');
  await writeFile(join(tools, 'ty'), slowServer());
  await chmod(join(tools, 'ty'), 0o755);
  running = await startSightline({
    project: {
      'shop.py': 'class Item:\n    def price(self):\n        return 1\n\n\ndef total():\n    return Item().price()\n',
      'left.py': 'def twin():\n    return 1\n',
      'right.py': 'def twin():\n    return 2\n',
      'book.py': 'from shop import Item, total\n\n\nclass Book(Item):\n    pass\n\n\nprint(total())\n',
    },
    env: { PATH: `${tools}:${process.env['PATH'] ?? ''}`, SIGHTLINE_CACHE: testCacheDir },
  });
  client = await running.connect({ face: 'index' });
});

afterAll(async () => {
  await running.dispose();
  await removeDirectory(tools);
});

const total = { file: 'shop.py', line: 6, column: 5 };
const item = { file: 'shop.py', line: 1, column: 7 };
const questions: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ['ide_find_references', total, { totalCount: 3 }],
  ['ide_find_definition', total, { file: 'shop.py', line: 6 }],
  ['get_documentation', total, { symbol: 'total', file: 'shop.py', line: 6 }],
  ['search_symbols', { query: 'total' }, { symbols: [expect.objectContaining({ name: 'total' })] }],
  ['ide_inspect_symbol', total, { name: 'total', file: 'shop.py', usages: 2 }],
  ['ide_call_hierarchy', total, { calls: [expect.objectContaining({ file: 'book.py', callLines: [8] })] }],
  ['ide_type_hierarchy', item, { subtypes: [expect.objectContaining({ name: 'Book', file: 'book.py' })] }],
  ['ide_find_implementations', item, { implementations: [expect.objectContaining({ name: 'Book' })] }],
  ['ide_file_structure', { file: 'shop.py' }, { symbols: [{ name: 'Item' }, { name: 'total' }], textual: true }],
  ['ide_code_completions', { file: 'book.py', line: 8, column: 9 }, { totalCount: expect.any(Number) }],
];

// It takes as long as the patience of a call, and nothing but waits.
it('every question is answered within 45 seconds with what is known, marked, and in full once the server has loaded', async () => {
  const told: (string | undefined)[] = [];
  const startedAt = Date.now();
  // A change would miss what the server has not seen: it is refused, and previewed only when that is asked for.
  const rename = { ...total, new_name: 'sum_up' };
  const refused = client.call('ide_refactor_rename', rename, { timeoutMs: 50_000 });
  const forced = client.call('ide_refactor_rename', { ...rename, force: true, preview: true }, { timeoutMs: 50_000 });
  const several = client.call('ide_find_references', { symbol: 'twin' }, { timeoutMs: 50_000 });
  const early = await Promise.all(
    questions.map(([name, args]) =>
      client.call(name, args, { timeoutMs: 50_000, onProgress: (message) => told.push(message) }),
    ),
  );
  expect((await refused).error).toMatchObject({
    name: 'index_not_ready',
    message: expect.stringContaining('Nothing was changed.'),
    hint: expect.stringContaining('force: true'),
  });
  // What a name means is known as far as the text tells: there may be more.
  expect((await several).error).toMatchObject({
    name: 'ambiguous_symbol',
    message: expect.stringContaining('2 symbols so far; there may be more (index indexing)'),
  });
  expect((await forced).data).toMatchObject({
    planId: expect.any(String),
    affectedFiles: ['book.py', 'shop.py'],
    index: { state: 'indexing', detail: expect.stringContaining('still loading') },
  });
  expect(Date.now() - startedAt).toBeLessThan(45_000);
  for (const [at, [name, , known]] of questions.entries())
    expect(early[at], name).toMatchObject({
      error: undefined,
      data: {
        ...known,
        index: { state: 'indexing', partial: true, detail: expect.stringMatching(/Indexing \d+ %.*found by text/) },
      },
    });
  expect(told.some((message) => /Indexing \d+ %/.test(message ?? ''))).toBe(true);
  expect(await client.data('ide_index_status')).toMatchObject({ isIndexing: true });
  await writeFile(join(running.root, 'loaded'), '');
  expect(await client.data('ide_find_references', total)).toMatchObject({ totalCount: 3, index: { state: 'ready' } });
  expect(await client.data('ide_index_status')).toMatchObject({ isIndexing: false, state: 'ready' });
});

function slowServer(): string {
  const server = join(import.meta.dirname, 'fakeServer', 'toyServer.mjs');
  const options = JSON.stringify({ extension: '.py', loadedBy: 'loaded' });
  return `#!${process.execPath}
if (process.argv[2] === '--version') console.log('ty 0.0.100');
else if (process.argv[2] === 'check') console.log('[]');
else {
  process.argv[2] = ${JSON.stringify(options)};
  import(${JSON.stringify(server)});
}
`;
}
