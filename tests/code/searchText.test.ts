import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
let reader: TestClient;
beforeAll(async () => {
  ide = await startSightline({
    project: {
      'package.json': '{}',
      '.gitignore': 'dist\n',
      'dist/built.js': 'total()\n',
      'node_modules/x/index.js': 'total()\n',
      'src/cart.ts': [
        'export class Cart {',
        '  // total of all items',
        '  total(): number {',
        "    console.log('total', this.total.name, `the total`);",
        '    return 1;',
        '  }',
        '}',
        '',
      ].join('\n'),
      'src/report.py': 'def report():\n    """total of it"""\n    return total  # total\n',
      'docs/notes.md': 'the total and the Total\n',
      'src/wide.js': `var a = "${'x'.repeat(5000)}"; total(1); total(2)\n`,
    },
  });
  agent = await ide.connect({ face: 'workspace' });
  reader = await ide.connect({ face: 'all' });
});
afterAll(() => ide.dispose());

interface Match {
  file: string;
  line: number;
  kind?: string;
  enclosing?: string;
  text: string;
}

async function search(args: Record<string, unknown>): Promise<{ rows: string[]; data: Record<string, unknown> }> {
  const data = await agent.data('search_text', args);
  const rows = (data['matches'] as Match[]).map(({ file, line, kind, enclosing }) =>
    `${file}:${line} ${kind ?? '?'} ${enclosing ?? ''}`.trimEnd(),
  );
  return { rows, data };
}

it('finds text in every file that git does not ignore, each with its kind and what it stands in', async () => {
  const { rows, data } = await search({ pattern: 'total', whole_word: true });
  expect(rows).toEqual([
    'docs/notes.md:1 ?',
    'src/cart.ts:2 comment Cart',
    'src/cart.ts:3 code Cart',
    'src/cart.ts:4 string Cart/total',
    'src/cart.ts:4 code Cart/total',
    'src/cart.ts:4 string Cart/total',
    'src/report.py:2 string report',
    'src/report.py:3 code report',
    'src/report.py:3 comment report',
    'src/wide.js:1 code',
    'src/wide.js:1 code',
  ]);
  expect(data).toMatchObject({ totalCount: 11, filesCount: 4 });
  expect(data['nextOffset']).toBeUndefined();
  expect((await search({ pattern: 'total', path: 'node_modules/x' })).rows).toEqual(['node_modules/x/index.js:1 code']);
});

it('keeps one kind, and says what it could not judge', async () => {
  const comments = await search({ pattern: 'total', in: 'comments' });
  expect(comments.rows).toEqual(['src/cart.ts:2 comment Cart', 'src/report.py:3 comment report']);
  expect(comments.data).toMatchObject({ totalCount: 2, incomplete: expect.stringContaining('1 more in .md files') });
  const strings = await search({ pattern: 'total', in: 'strings', globs: ['*.ts'] });
  expect(strings.rows).toHaveLength(2);
  expect(strings.data['incomplete']).toBeUndefined();
});

it('counts everything while it shows a page, and shows long lines around the match', async () => {
  const { data } = await search({ pattern: 'total', ignore_case: true, limit: 2 });
  expect(data).toMatchObject({ totalCount: 12, nextOffset: 2 });
  const next = await search({ pattern: 'total', ignore_case: true, limit: 2, offset: 2 });
  expect(next.rows).toEqual(['src/cart.ts:2 comment Cart', 'src/cart.ts:3 code Cart']);
  const wide = await search({ pattern: 'total(2)', literal: true });
  const [match] = wide.data['matches'] as Match[];
  expect(match?.text.length).toBeLessThan(300);
  expect(match?.text).toContain('total(2)');
  const text = await reader.text('search_text', { pattern: 'total\\(\\d\\)', path: 'src' });
  expect(text).toContain('2 matches in 1 file\nsrc/wide.js\n 1: …');
  // Each is shown in the part of the line that it stands in.
  expect(text.match(/ 1: /g)).toHaveLength(2);
});

it('refuses what cannot be searched for with the way out, and leaves the project to nobody', async () => {
  const unclosed = await agent.call('search_text', { pattern: 'total(' });
  expect(unclosed.error?.message).toContain('unclosed group');
  expect(unclosed.error?.hint).toContain('literal: true');
  const outside = await agent.call('search_text', { pattern: 'x', path: '../..' });
  expect(outside.error?.name).toBe('path_outside_project');
  expect((await search({ pattern: '--files', literal: true })).data['totalCount']).toBe(0);
  expect((await search({ pattern: 'Cart \\{\\n  // total', globs: ['*.ts'] })).rows).toEqual(['src/cart.ts:1 code']);
});
