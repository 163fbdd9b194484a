import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, expect, it } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';

let ide: RunningSightline | undefined;
afterEach(() => ide?.dispose());

/** A project with so many uses of one function, spread over modules of ordinary names and lines of ordinary length. */
function projectWith(uses: number, files: number): Record<string, string> {
  const project: Record<string, string> = {
    'package.json': '{"type":"module"}',
    'tsconfig.json': '{"compilerOptions":{"module":"nodenext","target":"es2022","types":[]},"include":["packages"]}',
    'packages/core/src/parsing/validate.ts':
      'export function validateInput(value: unknown, label: string): string {\n  return `${label}:${String(value)}`;\n}\n',
  };
  const names = [
    'orders',
    'customers',
    'invoices',
    'payments',
    'shipping',
    'catalogue',
    'sessions',
    'reports',
    'settings',
    'exports',
  ];
  const perFile = Math.floor((uses - 1) / files);
  let left = uses - 1;
  for (let file = 0; file < files; file++) {
    const count = file === files - 1 ? left : perFile;
    left -= count;
    const lines = Array.from(
      { length: count - 1 },
      (_unused, index) =>
        `  const ${names[index % 10] ?? 'item'}${index} = validateInput(request.body.${names[(index + 3) % 10] ?? 'item'}, 'field ${index}');`,
    );
    const folder = `packages/${names[file % 7] ?? 'misc'}/src/${file % 3 === 0 ? 'handlers' : 'services'}`;
    project[`${folder}/${names[file % 10] ?? 'file'}${file}.ts`] = [
      "import { validateInput } from '../../../core/src/parsing/validate.js';",
      'export function handle(request: { body: Record<string, unknown> }): void {',
      ...lines,
      '}',
      '',
    ].join('\n');
  }
  return project;
}

it('13 references cost at most 220 tokens, all of them shown', async () => {
  ide = await startSightline({ project: projectWith(13, 3) });
  const agent = await ide.connect({ face: 'default' });
  const text = await agent.text('ide_find_references', { symbol: 'validateInput' });
  expect(text).toContain('13 references to function validateInput in 4 files');
  expect(text.match(/^ \d+/gm)).toHaveLength(13);
  expect(countTokens(text)).toBeLessThanOrEqual(220);
});

it('424 references cost at most 1,500 tokens, with the exact total and the count of every file', async () => {
  ide = await startSightline({ project: projectWith(424, 60) });
  const agent = await ide.connect({ face: 'default' });
  const text = await agent.text('ide_find_references', { symbol: 'validateInput' });
  expect(text).toContain('424 references to function validateInput in 61 files');
  const counts = [...(text.split('\n25 of 424')[0]?.matchAll(/\.ts (\d+)/g) ?? [])].map((match) => Number(match[1]));
  expect(counts).toHaveLength(61);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(424);
  expect(countTokens(text)).toBeLessThanOrEqual(1500);
});
