import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { treeOf } from './workbench.ts';

const files = {
  'package.json': '{"type":"module"}\n',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","noEmit":true},"include":["src"]}\n',
  'src/a.ts': 'export function alpha(x: number): number {\n  return x + 1;\n}\n',
  'src/b.ts': "import { alpha } from './a.js';\nexport const b = alpha(1);\n",
  'src/c.ts': "import { alpha } from './a.js';\nexport const c = alpha(2);\n",
  'src/dir/d.ts':
    "import { alpha } from '../a.js';\nexport const d = alpha(3);\nexport const e = 4;\nexport const f = 5;\n",
  'src/dir/plain.ts': 'export const plain = 3;\n',
  'src/shape.ts': 'interface Shape {\n  name: string;\n}\nexport class Square implements Shape {}\n',
};

let ide: RunningSightline;
let agent: TestClient;
let before: Record<string, string>;
beforeAll(async () => {
  ide = await startSightline({ project: files });
  agent = await ide.connect({ face: 'index' });
  before = await treeOf(ide.root);
});
afterAll(() => ide.dispose());
beforeEach(async () => {
  for (const [file, content] of Object.entries(files)) await writeFile(join(ide.root, file), content);
});

const rename = { file: 'src/a.ts', line: 1, text: 'alpha', new_name: 'beta', preview: true };
const read = (file: string) => readFile(join(ide.root, file), 'utf8');

async function previewed(tool: string, args: Record<string, unknown>) {
  const data = await agent.data(tool, args);
  return { id: String(data['planId']), data };
}

describe('plans', () => {
  it('leave out what is excluded, say so, and tell the errors that follow', async () => {
    const { id } = await previewed('ide_refactor_rename', rename);
    const applied = await agent.data('apply_plan', { plan_id: id, exclude: ['src/c.ts'] });
    expect(applied).toMatchObject({
      summary: expect.stringMatching(/^1 error that was not there before: src\/c\.ts:1 .*, without src\/c\.ts$/),
      affectedFiles: ['src/a.ts', 'src/b.ts', 'src/dir/d.ts'],
      diagnostics: { appeared: [{ file: 'src/c.ts', line: 1 }], vanished: [] },
    });
    await agent.data('undo', { history_id: applied['historyId'] });
    expect(await treeOf(ide.root)).toEqual(before);
  });

  it('refuse to exclude what they do not contain, or everything, and stay usable', async () => {
    const { id } = await previewed('ide_refactor_rename', rename);
    const strange = await agent.call('apply_plan', { plan_id: id, exclude: ['src/c.ts', 'src/typo.ts'] });
    expect(strange.error).toMatchObject({
      name: 'invalid_arguments',
      message: 'src/typo.ts is no part of this plan. Nothing was changed.',
      data: { files: ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/dir/d.ts'] },
    });
    const all = await agent.call('apply_plan', { plan_id: id, exclude: ['src'] });
    expect(all.error).toMatchObject({ name: 'invalid_arguments', message: expect.stringContaining('All files') });
    expect(await treeOf(ide.root)).toEqual(before);
    const { historyId } = await agent.data('apply_plan', { plan_id: id });
    expect((await agent.call('apply_plan', { plan_id: id })).error).toMatchObject({ name: 'plan_not_found' });
    await agent.data('undo', { history_id: historyId });
  });

  it('go stale with any of their files, and say what to do', async () => {
    const { id } = await previewed('ide_refactor_rename', rename);
    await writeFile(join(ide.root, 'src/c.ts'), `${files['src/c.ts']}// more\n`);
    const stale = await agent.call('apply_plan', { plan_id: id });
    expect(stale.error).toMatchObject({
      name: 'file_changed',
      message: expect.stringContaining('src/c.ts'),
      hint: expect.stringContaining('preview again'),
    });
    expect(await read('src/a.ts')).toBe(files['src/a.ts']);
  });

  it('show a moved file that changes as one file, and never make half of its move', async () => {
    const { id, data } = await previewed('ide_refactor_move', {
      file: 'src/dir',
      target_directory: 'src/moved',
      preview: true,
    });
    expect(data['affectedFiles']).toEqual(['src/moved/dir/d.ts', 'src/moved/dir/plain.ts']);
    expect(data['diff']).toBe(
      [
        'rename from src/dir/d.ts',
        'rename to src/moved/dir/d.ts',
        '--- a/src/dir/d.ts',
        '+++ b/src/moved/dir/d.ts',
        '@@ -1,4 +1,4 @@',
        "-import { alpha } from '../a.js';",
        "+import { alpha } from '../../a.js';",
        ' export const d = alpha(3);',
        ' export const e = 4;',
        ' export const f = 5;',
        'rename from src/dir/plain.ts',
        'rename to src/moved/dir/plain.ts',
        '',
      ].join('\n'),
    );
    const { historyId } = await agent.data('apply_plan', { plan_id: id, exclude: ['src/moved/dir/d.ts'] });
    expect(await read('src/dir/d.ts')).toBe(files['src/dir/d.ts']);
    expect(await read('src/moved/dir/plain.ts')).toBe(files['src/dir/plain.ts']);
    await agent.data('undo', { history_id: historyId });
    expect(await treeOf(ide.root)).toEqual(before);
  });

  it('are taken back by themselves when the preview asked for that', async () => {
    const { id } = await previewed('ide_refactor_rename', { ...rename, rollback_on_error: true });
    const { error } = await agent.call('apply_plan', { plan_id: id, exclude: ['src/c.ts'] });
    expect(error).toMatchObject({ name: 'refactoring_conflict', message: expect.stringContaining('taken back') });
    expect(await treeOf(ide.root)).toEqual(before);
  });

  it('of quick fixes tell the errors that come and go, as the fixes themselves do', async () => {
    const { fixes } = (await agent.data('ide_list_quick_fixes', { file: 'src/shape.ts' })) as {
      fixes: { id: string }[];
    };
    const { id } = await previewed('ide_apply_quick_fix', { fix_id: fixes[0]?.id, preview: true });
    const applied = await agent.data('apply_plan', { plan_id: id });
    expect(applied).toMatchObject({
      summary: expect.stringMatching(/^1 error that was not there before: .* Done nevertheless: Implement interface/),
      diagnostics: { appeared: [{ file: 'src/shape.ts' }], vanished: [{ file: 'src/shape.ts' }] },
    });
    await agent.data('undo', { history_id: applied['historyId'] });
  });

  it('no fix may mean that nobody looked: then it is said', async () => {
    await writeFile(join(ide.root, 'notes.txt'), 'bad\n');
    const { fixes, notes } = await agent.data('ide_list_quick_fixes', { file: 'notes.txt' });
    expect(fixes).toEqual([]);
    expect(String(notes)).toContain('notes.txt was not analysed');
    await writeFile(join(ide.root, 'src/none.ts'), 'export const n: number = "x";\n');
    const none = await agent.data('ide_list_quick_fixes', { file: 'src/none.ts' });
    expect(String(none['notes'])).toContain('src/none.ts has 1 problem');
  });

  it('one fix that mends several problems counts for all of them', async () => {
    await writeFile(join(ide.root, 'src/uses.ts'), 'alpha(1);\nalpha(2);\nexport {};\n');
    const { fixes } = (await agent.data('ide_list_quick_fixes', { file: 'src/uses.ts' })) as {
      fixes: { id: string; title: string }[];
    };
    const add = fixes.find(({ title }) => title.startsWith('Add import'));
    expect(await agent.data('ide_apply_quick_fix', { fix_id: add?.id, scope: 'file' })).toMatchObject({
      success: true,
      fixed: 2,
      skipped: 0,
    });
    expect(await read('src/uses.ts')).toMatch(/^import \{ alpha \} from '\.\/a\.js';\n+alpha\(1\);/);
  });
});
