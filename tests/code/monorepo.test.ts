import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline | undefined;
const worktrees: string[] = [];
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
  for (const path of worktrees.splice(0)) await rm(path, { recursive: true, force: true });
});

const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, types: [] };
const tsconfig = (extra: object, options: object = {}) =>
  JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, ...extra });

async function start(files: Record<string, string>): Promise<{ root: string; agent: TestClient }> {
  ide = await startSightline({ project: files });
  return { root: ide.root, agent: await ide.connect({ face: 'index' }) };
}

async function counts(agent: TestClient, symbol: string): Promise<Record<string, number>> {
  const data = await agent.data('ide_find_references', { symbol });
  expect(data['index']).toEqual({ state: 'ready' });
  const files = data['files'] as { file: string; count: number }[];
  return Object.fromEntries(files.map(({ file, count }) => [file, count]));
}

describe('monorepos', () => {
  it('workspaces linked into node_modules, a solution of project references, nested packages, tests with a tsconfig of their own', async () => {
    const { root, agent } = await start({
      'package.json': '{"private":true,"workspaces":["packages/*","packages/app/plugins/*"]}',
      'tsconfig.json': '{"files":[],"references":[{"path":"packages/core"},{"path":"packages/app"}]}',
      'packages/core/package.json': '{"name":"@x/core","type":"module","exports":"./src/index.ts"}',
      'packages/core/tsconfig.json': tsconfig({ include: ['src'] }, { composite: true, outDir: 'dist' }),
      'packages/core/src/index.ts': "export { helper } from './helper.js';\n",
      'packages/core/src/helper.ts': 'export function helper(): number {\n  return 1;\n}\n',
      'packages/core/test/helper.test.ts': "import { helper } from '../src/helper.js';\nhelper();\n",
      'packages/core/tsconfig.test.json': tsconfig({ include: ['test'], references: [{ path: '.' }] }),
      'packages/app/package.json': '{"name":"@x/app","type":"module","dependencies":{"@x/core":"*"}}',
      'packages/app/tsconfig.json': tsconfig(
        { include: ['src'], references: [{ path: '../core' }] },
        { composite: true, outDir: 'dist' },
      ),
      'packages/app/src/main.ts': "import { helper } from '@x/core';\nexport const app = helper() + helper();\n",
      'packages/app/plugins/one/package.json': '{"name":"@x/one","type":"module","dependencies":{"@x/core":"*"}}',
      'packages/app/plugins/one/index.js': "import { helper as h } from '@x/core';\nh();\n",
    });
    await mkdir(join(root, 'node_modules/@x'), { recursive: true });
    await symlink('../../packages/core', join(root, 'node_modules/@x/core'));
    const expected = {
      'packages/core/src/helper.ts': 1,
      'packages/core/src/index.ts': 1,
      'packages/core/test/helper.test.ts': 2,
      'packages/app/src/main.ts': 3,
      'packages/app/plugins/one/index.js': 3,
    };
    expect(await counts(agent, 'packages/core/src/helper.ts#helper')).toEqual(expected);
    expect(
      await agent.data('ide_find_definition', { file: 'packages/app/src/main.ts', line: 2, text: 'helper' }),
    ).toMatchObject({ file: 'packages/core/src/helper.ts', line: 1 });
    // A package that comes later, with a configuration of its own.
    await mkdir(join(root, 'packages/late/src'), { recursive: true });
    await writeFile(join(root, 'packages/late/package.json'), '{"name":"@x/late","type":"module"}');
    await writeFile(join(root, 'packages/late/tsconfig.json'), tsconfig({ include: ['src'] }));
    await writeFile(join(root, 'packages/late/src/late.ts'), "import { helper } from '@x/core';\nhelper();\n");
    expect(await counts(agent, 'packages/core/src/helper.ts#helper')).toEqual({
      ...expected,
      'packages/late/src/late.ts': 2,
    });
  });

  it('several tsconfigs over the same folder: each file is judged by the one that includes it', async () => {
    const { agent } = await start({
      'package.json': '{"type":"module"}',
      'tsconfig.json': '{"files":[],"references":[{"path":"./tsconfig.app.json"},{"path":"./tsconfig.spec.json"}]}',
      'tsconfig.app.json': tsconfig(
        { include: ['src'], exclude: ['**/*.spec.ts'] },
        { composite: true, noEmit: false },
      ),
      'tsconfig.spec.json': tsconfig(
        { include: ['**/*.spec.ts'], references: [{ path: './tsconfig.app.json' }] },
        { composite: true, strict: false },
      ),
      'src/a.ts': 'export const shared = (x: string) => x;\n',
      'src/a.spec.ts': "import { shared } from './a.js';\nfunction loose(x) {\n  return shared(x);\n}\nloose('');\n",
    });
    expect(await counts(agent, 'src/a.ts#shared')).toEqual({ 'src/a.ts': 1, 'src/a.spec.ts': 2 });
    expect(await agent.data('ide_analyze_code', { file: 'src/a.spec.ts' })).toMatchObject({ totalCount: 0 });
  });

  it('a git worktree inside of the project or beside it is code of its own', async () => {
    const files = {
      'package.json': '{"type":"module"}',
      'tsconfig.json': tsconfig({ include: ['src'] }),
      '.gitignore': 'trees/\n',
      'src/a.ts': 'export function helper(): number {\n  return 1;\n}\n',
      'src/b.ts': "import { helper } from './a.js';\nhelper();\n",
    };
    const { root, agent } = await start(files);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: root,
        stdio: 'ignore',
      });
    git('init', '-b', 'main');
    git('add', '.');
    git('commit', '-m', 'one');
    const beside = `${root}-worktree`;
    worktrees.push(beside);
    git('worktree', 'add', '-b', 'inside', 'trees/inside');
    git('worktree', 'add', '-b', 'beside', beside);
    const own = { 'src/a.ts': 1, 'src/b.ts': 2 };
    expect(await counts(agent, 'src/a.ts#helper')).toEqual(own);
    for (const [path, uses] of [
      [join(root, 'trees/inside'), 3],
      [beside, 4],
    ] as const) {
      const calls = Array.from({ length: uses }, () => 'helper();').join(' ');
      await writeFile(join(path, 'src/b.ts'), `import { helper } from './a.js';\n${calls}\n`);
      const data = await agent.data('ide_find_references', { symbol: 'src/a.ts#helper', project_path: path });
      expect(data).toMatchObject({ totalCount: uses + 2, index: { state: 'ready' } });
    }
    const data = await agent.data('ide_find_references', { symbol: 'src/a.ts#helper', project_path: root });
    expect(data).toMatchObject({ totalCount: 3 });
  });
});
