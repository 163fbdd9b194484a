import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listQuickFixes, quickFixOperations } from '../../src/engine/code/problems/quickFixes.ts';
import { EditApplier } from '../../src/engine/workspace/edits/applier.ts';
import { LocalHistory } from '../../src/engine/workspace/localHistory/localHistory.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';
import { fixer } from './fakeServer/fixer.ts';
import { toyProject, type ToyProject } from './fakeServer/toyProject.ts';

describe('quick fixes in every way servers offer them', () => {
  let project: ToyProject;
  const history = new LocalHistory();
  const applier = new EditApplier(history);
  beforeAll(async () => {
    project = await toyProject({ 'fix.json': '{}', 'a.fix': 'one bad\r\ntwo' }, [fixer]);
  });
  afterAll(() => project.dispose());

  const operationsFor = async (title: string, scope: 'problem' | 'file' = 'problem') => {
    const { workspace } = project;
    await workspace.sync();
    const fixes = await listQuickFixes(workspace, workspace.problems, { path: join(project.root, 'a.fix') }, {});
    const fix = fixes.find((one) => one.title === title);
    if (fix === undefined) throw new Error(`no fix "${title}" among ${fixes.map((one) => one.title).join(', ')}`);
    return (await quickFixOperations(workspace, workspace.problems, fix.id, scope, {})).operations;
  };

  it.each([
    ['by edit', 'one good\r\ntwo'],
    ['by resolving', 'one resolved\r\ntwo'],
    ['by command', 'one done\r\ntwo'],
    ['by bare command', 'one bare\r\ntwo'],
    ['by snippet', 'one f(a, b)\r\ntwo'],
    ['by new file', 'one moved\r\ntwo'],
  ])('%s', async (title, after) => {
    const { project: opened } = project.workspace;
    const applied = await applier.apply(opened, await operationsFor(title), { tool: 'ide_apply_quick_fix' });
    expect(await readFile(join(project.root, 'a.fix'), 'utf8')).toBe(after);
    const made = await readFile(join(project.root, 'made.fix'), 'utf8').catch(() => 'none');
    expect(made).toBe(title === 'by new file' ? 'made\n' : 'none');
    await undoChanges(applier, history, opened, { historyId: applied.historyId }, { tool: 'undo' });
    expect(await readFile(join(project.root, 'a.fix'), 'utf8')).toBe('one bad\r\ntwo');
  });

  it('fixes all problems of a kind in a file', async () => {
    await writeFile(join(project.root, 'a.fix'), 'bad and bad\nbad\n');
    const operations = await operationsFor('by edit', 'file');
    await applier.apply(project.workspace.project, operations, { tool: 'ide_apply_quick_fix' });
    expect(await readFile(join(project.root, 'a.fix'), 'utf8')).toBe('good and good\ngood\n');
    await writeFile(join(project.root, 'a.fix'), 'one bad\r\ntwo');
  });

  it('refuses what lies outside of the project and what is disabled, with the reason', async () => {
    const outside = await operationsFor('outside');
    await expect(applier.apply(project.workspace.project, outside, { tool: 'x' })).rejects.toThrow(/outside/);
    await expect(operationsFor('not now')).rejects.toThrow('there is a reason');
  });
});

describe('quick fixes of real servers and linters', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('ty');
    await ensureEngine('ruff');
    ide = await startSightline({
      project: {
        'package.json': '{"type":"module"}',
        'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","noUnusedLocals":true}}',
        'lib.ts': 'export const limit = 1;\n',
        'a.ts': 'export const twice = limit * 2;\n',
        'ruff.toml': '[lint]\nselect = ["F401", "UP032"]\n',
        'b.py': 'import os\nimport sys\n\nname = "ü𝄞"\nprint("{} {}".format(sys.platform, name))\n',
      },
      env: { SIGHTLINE_CACHE: testCacheDir },
    });
    agent = await ide.connect({ face: 'index' });
  }, 180_000);
  afterAll(async () => {
    await agent.close();
    await ide.dispose();
  });

  const fixOf = async (file: string, title: RegExp): Promise<string> => {
    const { fixes } = (await agent.data('ide_list_quick_fixes', { file })) as {
      fixes: { id: string; title: string }[];
    };
    const found = fixes.find((fix) => title.test(fix.title));
    if (found === undefined) throw new Error(`none of ${fixes.map((fix) => fix.title).join(', ')}`);
    return found.id;
  };

  it('TypeScript: previewed, carried out, taken back', async () => {
    const fix_id = await fixOf('a.ts', /import/i);
    const preview = await agent.data('ide_apply_quick_fix', { fix_id, preview: true });
    expect(await readFile(join(ide.root, 'a.ts'), 'utf8')).not.toContain('import');
    const applied = await agent.data('apply_plan', { plan_id: preview['planId'] });
    expect(await readFile(join(ide.root, 'a.ts'), 'utf8')).toMatch(/^import \{ limit \} from ["']\.\/lib\.js["'];/);
    await agent.data('undo', { history_id: applied['historyId'] });
    expect(await readFile(join(ide.root, 'a.ts'), 'utf8')).toBe('export const twice = limit * 2;\n');
  });

  it('TypeScript: what only the classic compiler fixes, for one problem and for all of a kind', async () => {
    const interfaces = 'interface Store {\n  put(key: string): void;\n}\nexport class Memory implements Store {}\n';
    const unused = 'const one = 1;\nconst two = 2;\nexport {};\n';
    await writeFile(join(ide.root, 'store.ts'), interfaces);
    await writeFile(join(ide.root, 'unused1.ts'), unused);
    await writeFile(join(ide.root, 'unused2.ts'), unused);
    const implement = await fixOf('store.ts', /Implement interface/);
    expect(await agent.data('ide_apply_quick_fix', { fix_id: implement })).toMatchObject({
      success: true,
      diagnostics: { appeared: [], vanished: [{ file: 'store.ts', line: 4 }] },
    });
    expect(await readFile(join(ide.root, 'store.ts'), 'utf8')).toContain('put(key: string): void {');
    const fix_id = await fixOf('unused1.ts', /Remove unused declaration for: 'one'/);
    expect(await agent.data('ide_apply_quick_fix', { fix_id, scope: 'project' })).toMatchObject({
      fixed: 4,
    });
    for (const file of ['unused1.ts', 'unused2.ts'])
      expect(await readFile(join(ide.root, file), 'utf8')).toBe('export {};\n');
  });

  it('TypeScript: a fix that only trades one error for another says so first', async () => {
    const text = 'interface Shelf {\n  put(key: string): void;\n}\nexport class Wood extends Shelf {}\n';
    await writeFile(join(ide.root, 'shelf.ts'), text);
    const applied = await agent.data('ide_apply_quick_fix', { fix_id: await fixOf('shelf.ts', /'implements'/) });
    expect(applied).toMatchObject({
      success: false,
      message: expect.stringMatching(
        /^1 error that was not there before: shelf\.ts:4 Class 'Wood' incorrectly implements .* Applied nevertheless: "/s,
      ),
      diagnostics: { appeared: [{ file: 'shelf.ts', line: 4 }], vanished: [{ file: 'shelf.ts', line: 4 }] },
    });
    await agent.data('undo', { history_id: applied['historyId'] });
    expect(await readFile(join(ide.root, 'shelf.ts'), 'utf8')).toBe(text);
  });

  it('TypeScript: what both compilers fix, as the classic one does', async () => {
    await mkdir(join(ide.root, 'scripts'));
    const files = {
      'package.json': '{"type":"commonjs"}',
      'tsconfig.json':
        '{"compilerOptions":{"module":"commonjs","allowJs":true,"checkJs":true,"noEmit":true,"types":[]}}',
      'shapes.js': 'export default class Shape {}\nexport const sides = 3;\nexport const angles = 2;\n',
      'use.js': "var { sides } = require('./shapes');\n\nconsole.log(new Shape(), sides);\n",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(ide.root, 'scripts', name), text);
    await agent.data('ide_apply_quick_fix', { fix_id: await fixOf('scripts/use.js', /Update import/) });
    expect(await readFile(join(ide.root, 'scripts/use.js'), 'utf8')).toContain('{ sides, default: Shape }');
  });

  it('Ruff: the fix of one problem, in characters of any width', async () => {
    await agent.data('ide_apply_quick_fix', { fix_id: await fixOf('b.py', /unused import/i) });
    await agent.data('ide_apply_quick_fix', { fix_id: await fixOf('b.py', /f-string/i) });
    expect(await readFile(join(ide.root, 'b.py'), 'utf8')).toBe(
      'import sys\n\nname = "ü𝄞"\nprint(f"{sys.platform} {name}")\n',
    );
  });
});
