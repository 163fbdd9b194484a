import type * as fileSystem from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { TreeWatcher } from '../../src/engine/code/treeWatcher.ts';
import { removeDirectory, startSightline, temporaryProject, type RunningSightline } from '../harness/harness.ts';

/** How many folders the machine still watches before it runs out of handles, and how it says so. */
const machine = vi.hoisted(() => ({ handles: 0, code: 'ENOSPC' }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof fileSystem>();
  const watch = (...args: Parameters<typeof fs.watch>) => {
    if (machine.handles-- <= 0)
      throw Object.assign(new Error(`${machine.code}: no watch handles left`), { code: machine.code });
    return fs.watch(...args);
  };
  return { ...fs, watch };
});

const projects = join(dirname(fileURLToPath(import.meta.url)), 'projects');
let ide: RunningSightline | undefined;
let watcher: TreeWatcher | undefined;
let root: string | undefined;
afterEach(async () => {
  await ide?.dispose();
  watcher?.dispose();
  if (root !== undefined) await removeDirectory(root);
  ide = undefined;
  root = undefined;
});

describe('a machine without watch handles', () => {
  it.each(['ENOSPC', 'EMFILE'])(
    '%s: every change is still seen, of sources and of installed packages',
    async (code) => {
      machine.handles = 2;
      machine.code = code;
      root = await temporaryProject({ 'src/a.ts': '', 'src/deep/b.ts': '', 'node_modules/x/index.js': '' });
      watcher = new TreeWatcher(root, silentLogger);
      await watcher.start();
      expect(watcher.mode).toBe('comparing');
      const changes = async () => {
        const { files, dependencies } = (await watcher?.takeChanges()) ?? { files: [], dependencies: false };
        return [
          ...files.map(({ kind, path }) => `${kind} ${path.slice(root?.length)}`),
          ...(dependencies ? ['packages'] : []),
        ];
      };
      await changes();
      expect(await changes()).toEqual([]);
      await writeFile(join(root, 'src/a.ts'), 'x');
      expect(await changes()).toEqual(['changed /src/a.ts']);
      await rename(join(root, 'src/deep'), join(root, 'src/deeper'));
      expect((await changes()).sort()).toEqual(['created /src/deeper/b.ts', 'deleted /src/deep/b.ts']);
      await mkdir(join(root, 'node_modules/y'));
      expect(await changes()).toEqual(['packages']);
      await rm(join(root, 'src'), { recursive: true });
      expect((await changes()).sort()).toEqual(['deleted /src/a.ts', 'deleted /src/deeper/b.ts']);
    },
  );

  it('answers stay fresh, and the status says how', async () => {
    machine.handles = 1;
    ide = await startSightline({ project: join(projects, 'shop') });
    const agent = await ide.connect({ face: 'index' });
    const total = async () =>
      (await agent.data('ide_find_references', { symbol: 'src/pricing.ts#total' }))['totalCount'];
    expect(await total()).toBe(8);
    const extra = join(ide.root, 'src/extra.ts');
    await writeFile(extra, "import { total } from './pricing.ts';\nexport const a: string = total([]);\n");
    expect(await total()).toBe(10);
    expect(await agent.data('ide_analyze_code', { file: 'src/extra.ts' })).toMatchObject({ totalCount: 1 });
    await writeFile(extra, (await readFile(extra, 'utf8')).replace('string', 'number'));
    expect(await agent.data('ide_analyze_code', { file: 'src/extra.ts' })).toMatchObject({ totalCount: 0 });
    await rm(extra);
    expect(await total()).toBe(8);
    expect(await agent.data('ide_index_status')).toMatchObject({
      watching: expect.stringContaining('files are compared on every question'),
    });
  });
});
