import { readFile, symlink, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { foreignFormatters, installed } from '../harness/foreignTool.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
let ide: RunningSightline | undefined;
afterEach(() => ide?.dispose());

async function withOxlint(trusted: boolean, files: Record<string, string> = {}): Promise<RunningSightline> {
  const started = await startSightline({
    trusted,
    project: {
      'package.json': '{"type":"module"}',
      '.oxlintrc.json': '{"rules":{"eslint/no-debugger":"error"}}',
      'a.js': 'export const a = 1;\ndebugger;\n',
      ...files,
    },
  });
  await mkdir(join(started.root, 'node_modules', '.bin'), { recursive: true });
  await symlink(
    join(repository, 'node_modules', '.bin', 'oxlint'),
    join(started.root, 'node_modules', '.bin', 'oxlint'),
  );
  return started;
}

describe('linters that a project uses', () => {
  it('oxlint problems stand beside those of the language server', async () => {
    ide = await withOxlint(true);
    const agent = await ide.connect({ face: 'index' });
    const data = await agent.data('ide_analyze_code', { file: 'a.js' });
    expect(data['engines']).toEqual(['typescript-go 7.0.2', 'oxlint']);
    expect(data['problems']).toMatchObject([
      { file: 'a.js', line: 2, severity: 'error', source: 'oxlint', code: 'eslint(no-debugger)' },
    ]);
    await writeFile(join(ide.root, 'a.js'), 'export const a = 1;\n');
    const after = await agent.data('ide_analyze_code', { since: data['checkpoint'] });
    expect(after).toMatchObject({ totalCount: 0, vanished: [{ source: 'oxlint' }] });
  });

  it('nothing of the project runs when it is not trusted', async () => {
    ide = await withOxlint(false);
    const agent = await ide.connect({ face: 'index' });
    expect(await agent.data('ide_analyze_code', { file: 'a.js' })).toMatchObject({
      engines: ['typescript-go 7.0.2'],
      totalCount: 0,
    });
  });

  it('Ruff problems stand beside those of the Python server', async () => {
    await ensureEngine('ty');
    await ensureEngine('ruff');
    ide = await startSightline({
      env: { SIGHTLINE_CACHE: testCacheDir },
      project: { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n', 'a.py': 'import os\n\nvalue = 1\n' },
    });
    const agent = await ide.connect({ face: 'index' });
    const data = await agent.data('ide_analyze_code', {});
    expect(data['engines']).toEqual(['ty 0.0.100', 'Ruff']);
    expect(data['problems']).toMatchObject([
      { file: 'a.py', line: 1, column: 8, severity: 'warning', source: 'Ruff', code: 'F401' },
    ]);
  }, 180_000);
});

/** A fix of one kind everywhere: shown first, made, taken back byte by byte, and made again. */
async function previewedAndTakenBack(
  agent: TestClient,
  root: string,
  fixId: string | undefined,
  expected: { fixed: number; files: string[] },
): Promise<void> {
  const texts = () => Promise.all(expected.files.map((name) => readFile(join(root, name), 'utf8')));
  const before = await texts();
  const fix = { fix_id: fixId, scope: 'project' };
  const counts = { success: true, fixed: expected.fixed, skipped: 0 };
  const preview = await agent.data('ide_apply_quick_fix', { ...fix, preview: true });
  expect(preview).toMatchObject({ ...counts, planId: expect.any(String) });
  expect(await texts()).toEqual(before);
  const applied = await agent.data('apply_plan', { plan_id: preview['planId'] });
  const after = await texts();
  for (const [index, text] of after.entries()) expect(text).not.toBe(before[index]);
  await agent.data('undo', { history_id: applied['historyId'] });
  expect(await texts()).toEqual(before);
  expect(await agent.data('ide_apply_quick_fix', fix)).toMatchObject(counts);
  expect(await texts()).toEqual(after);
}

describe('fixes of linters', () => {
  let project: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('ty');
    await ensureEngine('ruff');
    project = await startSightline({
      env: { SIGHTLINE_CACHE: testCacheDir },
      project: {
        'package.json': '{"type":"module"}',
        'eslint.config.js': "export default [{ rules: { eqeqeq: 'warn', 'no-extra-boolean-cast': 'error' } }];\n",
        'biome.json':
          '{"linter":{"rules":{"preset":"none","style":{"useConst":"warn"}}},"files":{"includes":["*.js","!eslint.config.js"]}}',
        'ruff.toml': '[lint]\nselect = ["F401", "E711"]\n',
        'a.js': 'let é = "😀"; let b = 2;\nif (!!é == b) console.log(é);\nif (!!b) console.log(b);\n',
        'b.js': 'let c = 1;\nif (!!c) console.log(c);\n',
        'a.py': 's = "😀é"; import os\nimport sys\nprint(s == None)\n',
        'b.py': 'import json\n',
      },
    });
    await mkdir(join(project.root, 'node_modules', '.bin'), { recursive: true });
    const programs = join(await installed(foreignFormatters.npm), '.bin');
    for (const name of ['eslint', 'biome'])
      await symlink(join(programs, name), join(project.root, 'node_modules', '.bin', name));
    agent = await project.connect({ face: 'index' });
  }, 300_000);
  afterAll(() => project.dispose());

  const problemsOf = async (source: string, args: Record<string, unknown> = {}): Promise<Found[]> => {
    const { problems } = (await agent.data('ide_analyze_code', args)) as { problems: Found[] };
    return problems.filter((problem) => problem.source === source);
  };
  const fixesOf = async (args: Record<string, unknown>): Promise<Offered[]> =>
    ((await agent.data('ide_list_quick_fixes', args)) as { fixes: Offered[] }).fixes;
  const fileText = (name: string) => readFile(join(project.root, name), 'utf8');

  it('every linter of the project has its say, with places as editors count them', async () => {
    const data = (await agent.data('ide_analyze_code', {})) as { problems: Found[]; engines: string[]; index: unknown };
    expect(data.engines).toEqual(expect.arrayContaining(['ESLint', 'Biome', 'Ruff']));
    expect(data.index).toEqual({ state: 'ready' });
    const shown = data.problems
      .filter(({ source }) => /ESLint|Biome|Ruff/.test(source))
      .map(({ source, file, line, column, code }) => `${source} ${file}:${line}:${column} ${code}`);
    expect(shown.sort()).toEqual([
      'Biome a.js:1:1 lint/style/useConst',
      'Biome a.js:1:15 lint/style/useConst',
      'Biome b.js:1:1 lint/style/useConst',
      'ESLint a.js:2:9 eqeqeq',
      'ESLint a.js:3:5 no-extra-boolean-cast',
      'ESLint b.js:2:5 no-extra-boolean-cast',
      'Ruff a.py:1:19 F401',
      'Ruff a.py:2:8 F401',
      'Ruff a.py:3:12 E711',
      'Ruff b.py:1:8 F401',
    ]);
  });

  it('a suggestion of ESLint, and its fixes of one kind in the whole project', async () => {
    const comparison = (await problemsOf('ESLint', { file: 'a.js' })).find(({ code }) => code === 'eqeqeq');
    const offered = await fixesOf({ problem_id: comparison?.id });
    expect(offered).toMatchObject([{ title: "Use '===' instead of '=='.", file: 'a.js', line: 2 }]);
    await agent.data('ide_apply_quick_fix', { fix_id: offered[0]?.id });
    expect(await fileText('a.js')).toContain('if (!!é === b)');
    const cast = (await problemsOf('ESLint')).find(({ code }) => code === 'no-extra-boolean-cast');
    await previewedAndTakenBack(agent, project.root, `${cast?.id}/1`, { fixed: 2, files: ['a.js', 'b.js'] });
    expect(await fileText('a.js')).toContain('if (b) console');
    expect(await fileText('b.js')).toContain('if (c) console');
    expect(await problemsOf('ESLint')).toEqual([]);
  });

  it('Biome fixes all of one kind, in the whole project', async () => {
    const [first] = await problemsOf('Biome', { file: 'a.js' });
    const offered = await fixesOf({ problem_id: first?.id });
    expect(offered).toMatchObject([{ title: 'Fix all lint/style/useConst problems of the file' }]);
    await previewedAndTakenBack(agent, project.root, offered[0]?.id, { fixed: 3, files: ['a.js', 'b.js'] });
    expect(await fileText('a.js')).toMatch(/^const é = "😀"; const b = 2;\n/);
    expect(await fileText('b.js')).toMatch(/^const c = 1;\n/);
    expect(await problemsOf('Biome')).toEqual([]);
  });

  it('Ruff: the fix of a line, a preview for the file, all of the kind in the project', async () => {
    const unused = (await problemsOf('Ruff', { file: 'a.py' })).filter(({ code }) => code === 'F401');
    const offered = await fixesOf({ file: 'a.py', line: 2 });
    expect(offered.filter(({ title }) => title.startsWith('Remove unused import'))).toMatchObject([
      { title: 'Remove unused import: `sys`', file: 'a.py', line: 2, preferred: true },
    ]);
    const fix = `${unused[0]?.id}/1`;
    const preview = await agent.data('ide_apply_quick_fix', { fix_id: fix, scope: 'file', preview: true });
    expect(preview).toMatchObject({ fixed: 2, planId: expect.any(String) });
    expect(await fileText('a.py')).toContain('import os');
    await previewedAndTakenBack(agent, project.root, fix, { fixed: 3, files: ['a.py', 'b.py'] });
    expect(await fileText('a.py')).not.toContain('import');
    expect(await fileText('b.py')).toBe('');
    expect((await problemsOf('Ruff')).map(({ code }) => code)).toEqual(['E711']);
  });
});

describe('fixes of oxlint, which tells them as a language server only', () => {
  let project: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    project = await withOxlint(true, {
      '.oxlintrc.json':
        '{"categories":{"correctness":"off"},"rules":{"no-debugger":"error","eqeqeq":"warn","no-empty":"warn","no-extra-boolean-cast":"warn"}}',
      'a.js':
        'export const é = "😀"; debugger; debugger;\nif (!!é == "x") console.log(é);\nif (!!é) console.log(1);\ntry { console.log(2); } catch {}\n',
      'b.ts': 'export const b: number = 1;\nif (!!b) {\n  debugger;\n  console.log(b);\n}\n',
    });
    agent = await project.connect({ face: 'index' });
  });
  afterAll(() => project.dispose());

  const problems = async (code: string): Promise<Found[]> => {
    const data = (await agent.data('ide_analyze_code', {})) as { problems: Found[] };
    return data.problems.filter((problem) => problem.source === 'oxlint' && problem.code === `eslint(${code})`);
  };
  const fixesOf = async (args: Record<string, unknown>): Promise<Offered[]> =>
    ((await agent.data('ide_list_quick_fixes', args)) as { fixes: Offered[] }).fixes;

  it('one problem of two on a line, told by its place', async () => {
    const [, second] = await problems('no-debugger');
    expect(second).toMatchObject({ file: 'a.js', line: 1, column: 34 });
    const offered = await fixesOf({ problem_id: second?.id });
    expect(offered).toMatchObject([{ title: 'Remove the debugger statement' }]);
    await agent.data('ide_apply_quick_fix', { fix_id: offered[0]?.id });
    expect(await readFile(join(project.root, 'a.js'), 'utf8')).toMatch(/^export const é = "😀"; debugger; \n/);
  });

  it('all of a kind in the project, shown first, taken back and made again', async () => {
    const [first] = await problems('no-debugger');
    await previewedAndTakenBack(agent, project.root, `${first?.id}/1`, { fixed: 2, files: ['a.js', 'b.ts'] });
    expect(await problems('no-debugger')).toEqual([]);
    const [cast] = await problems('no-extra-boolean-cast');
    await previewedAndTakenBack(agent, project.root, `${cast?.id}/1`, { fixed: 2, files: ['a.js', 'b.ts'] });
    expect(await readFile(join(project.root, 'a.js'), 'utf8')).toContain('\nif (é) console');
  });

  it('a rule without a fix says so', async () => {
    const [empty] = await problems('no-empty');
    expect(await fixesOf({ problem_id: empty?.id })).toEqual([]);
    const refused = await agent.call('ide_apply_quick_fix', { fix_id: `${empty?.id}/1` });
    expect(refused.error).toMatchObject({ name: 'refactoring_not_available' });
    expect(refused.text).toContain('oxlint has no fix for eslint(no-empty)');
  });
});

interface Found {
  id: string;
  source: string;
  code?: string;
  file: string;
  line: number;
  column: number;
}

interface Offered {
  id: string;
  title: string;
}
