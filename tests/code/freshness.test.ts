import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

interface Language {
  name: string;
  files: Record<string, string>;
  /** Where the symbol `helper` is declared. */
  declaredIn: string;
  /** A file that uses it `uses` times besides importing it. */
  using(uses: number): string;
  /** Names of files with code. */
  extension: string;
}

const uses = (count: number) => Array.from({ length: count }, () => 'helper()').join(' + ');
const languages: Language[] = [
  {
    name: 'TypeScript',
    extension: 'ts',
    declaredIn: 'helper.ts',
    files: {
      'package.json': '{"type":"module"}',
      'tsconfig.json': '{"compilerOptions":{"module":"nodenext","target":"es2022","strict":true,"types":[]}}',
      'helper.ts': 'export function helper(): number {\n  return 1;\n}\n',
    },
    using: (count) => `import { helper } from './helper.js';\nexport const value: number = ${uses(count)};\n`,
  },
  {
    name: 'JavaScript',
    extension: 'js',
    declaredIn: 'helper.js',
    files: { 'package.json': '{"type":"module"}', 'helper.js': 'export function helper() {\n  return 1;\n}\n' },
    using: (count) => `import { helper } from './helper.js';\nexport const value = ${uses(count)};\n`,
  },
  {
    name: 'Python',
    extension: 'py',
    declaredIn: 'helper.py',
    files: {
      'pyproject.toml': '[project]\nname = "x"\nversion = "1"\n',
      'helper.py': 'def helper() -> int:\n    return 1\n',
    },
    using: (count) => `from helper import helper\nvalue: int = ${uses(count)}\n`,
  },
];

let ide: RunningSightline | undefined;
beforeAll(() => ensureEngine('ty'), 180_000);
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
});

describe.each(languages)('$name: what is on disk is in the next answer', (language) => {
  const { extension, declaredIn } = language;
  let agent: TestClient;
  let root: string;
  const use = (count: number, name = `use.${extension}`) => writeFile(join(root, name), language.using(count));
  const total = async () => {
    const data = await agent.data('ide_find_references', { symbol: `${declaredIn}#helper` });
    expect(data['index']).toEqual({ state: 'ready' });
    return data['totalCount'];
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      stdio: 'ignore',
    });

  it('edits, renames, deletes, checkouts of branches, and changes while a question is under way', async () => {
    ide = await startSightline({ project: language.files, env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'index' });
    ({ root } = ide);
    expect(await total()).toBe(1);
    await use(1);
    expect(await total()).toBe(3);
    await use(3);
    expect(await total()).toBe(5);
    await rename(join(root, `use.${extension}`), join(root, `used.${extension}`));
    const renamed = await agent.data('ide_find_references', { symbol: `${declaredIn}#helper` });
    expect(renamed['files']).toEqual([
      { file: declaredIn, count: 1 },
      { file: `used.${extension}`, count: 4 },
    ]);

    git('init', '-b', 'main');
    git('add', '.');
    git('commit', '-m', 'one');
    git('checkout', '-b', 'other');
    await use(2, `more.${extension}`);
    await rm(join(root, `used.${extension}`));
    git('add', '-A');
    git('commit', '-m', 'two');
    expect(await total()).toBe(4);
    git('checkout', 'main');
    expect(await total()).toBe(5);
    git('checkout', 'other');
    expect(await total()).toBe(4);

    // Asked before the change, answered whenever: what is asked after the change never gets the older answer.
    for (let round = 3; round < 8; round++) {
      const before = total();
      await use(round, `more.${extension}`);
      expect(await total()).toBe(round + 2);
      expect([round + 1, round + 2]).toContain(await before);
    }

    await writeFile(join(root, declaredIn), `\n\n${language.files[declaredIn] ?? ''}`);
    expect(
      await agent.data('ide_find_definition', { file: `more.${extension}`, line: 2, text: 'helper' }),
    ).toMatchObject({ file: declaredIn, line: 3 });
    await rm(join(root, declaredIn));
    expect((await agent.call('ide_find_definition', { symbol: `${declaredIn}#helper` })).error).toMatchObject({
      name: 'file_not_found',
    });
    await writeFile(join(root, declaredIn), language.files[declaredIn] ?? '');
    expect(await total()).toBe(9);
  });

  it('files that nobody knew: new folders, ignored ones, and none at all', async () => {
    ide = await startSightline({
      project: { ...language.files, '.gitignore': 'generated/\n' },
      env: { SIGHTLINE_CACHE: testCacheDir },
    });
    agent = await ide.connect({ face: 'index' });
    ({ root } = ide);
    expect(await total()).toBe(1);
    await mkdir(join(root, 'fresh/deep'), { recursive: true });
    await writeFile(
      join(root, `fresh/deep/alone.${extension}`),
      extension === 'py' ? 'def solo():\n    pass\n\nsolo()\n' : 'function solo() {}\nsolo();\n',
    );
    expect(await agent.data('ide_find_references', { symbol: `fresh/deep/alone.${extension}#solo` })).toMatchObject({
      totalCount: 2,
      index: { state: 'ready' },
    });
    await mkdir(join(root, 'generated'));
    await writeFile(
      join(root, `generated/made.${extension}`),
      extension === 'py' ? 'def made():\n    pass\n\nmade()\n' : 'function made() {}\nmade();\n',
    );
    const ignored = await agent.data('ide_find_references', { file: `generated/made.${extension}`, symbol: 'made' });
    expect(ignored).toMatchObject({ totalCount: 2 });
    const unsaved = await agent.call('ide_find_references', { file: `unsaved.${extension}`, line: 1, column: 1 });
    expect(unsaved.error).toMatchObject({ name: 'file_not_found' });
  });
});
