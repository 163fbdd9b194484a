import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../base/logger.ts';
import { TreeWatcher } from './treeWatcher.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('the tree watcher', () => {
  it('sees every write that ended before it was asked', async () => {
    const { root, watcher } = await tree();
    for (let round = 0; round < 30; round++) {
      await writeFile(join(root, 'src/a.ts'), `round ${round}`);
      expect(await watcher.takeChanges()).toEqual({
        files: [{ path: join(root, 'src/a.ts'), kind: 'changed' }],
        dependencies: false,
      });
      expect((await watcher.takeChanges()).files).toEqual([]);
    }
  });

  it('tells created, renamed and deleted files and folders apart', async () => {
    const { root, watcher } = await tree();
    await mkdir(join(root, 'new/deep'), { recursive: true });
    await writeFile(join(root, 'new/deep/b.ts'), '');
    expect((await watcher.takeChanges()).files).toEqual([{ path: join(root, 'new/deep/b.ts'), kind: 'created' }]);
    await writeFile(join(root, 'new/deep/b.ts'), 'x');
    expect((await watcher.takeChanges()).files).toEqual([{ path: join(root, 'new/deep/b.ts'), kind: 'changed' }]);
    await rename(join(root, 'new'), join(root, 'newer'));
    expect((await watcher.takeChanges()).files).toEqual([
      { path: join(root, 'new/deep/b.ts'), kind: 'deleted' },
      { path: join(root, 'newer/deep/b.ts'), kind: 'created' },
    ]);
    await rm(join(root, 'newer'), { recursive: true });
    expect((await watcher.takeChanges()).files).toEqual([{ path: join(root, 'newer/deep/b.ts'), kind: 'deleted' }]);
  });

  it('keeps seeing a folder that was deleted and made anew', async () => {
    const { root, watcher } = await tree();
    await mkdir(join(root, 'src/deep'));
    await writeFile(join(root, 'src/deep/gone.ts'), '');
    await writeFile(join(root, 'src/deep/kept.ts'), '');
    await watcher.takeChanges();
    await rm(join(root, 'src'), { recursive: true });
    await mkdir(join(root, 'src/deep'), { recursive: true });
    await writeFile(join(root, 'src/deep/kept.ts'), 'x');
    const kinds = new Map((await watcher.takeChanges()).files.map(({ path, kind }) => [path, kind]));
    expect(kinds).toEqual(
      new Map([
        [join(root, 'src/a.ts'), 'deleted'],
        [join(root, 'src/deep/gone.ts'), 'deleted'],
        [join(root, 'src/deep/kept.ts'), 'changed'],
      ]),
    );
    await watcher.takeChanges();
    await writeFile(join(root, 'src/deep/kept.ts'), 'y');
    expect((await watcher.takeChanges()).files).toEqual([{ path: join(root, 'src/deep/kept.ts'), kind: 'changed' }]);
  });

  it('reports installed packages, not what happens inside them', async () => {
    const { root, watcher } = await tree();
    await writeFile(join(root, 'node_modules/left-pad/index.js'), 'changed');
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: false });
    await writeFile(join(root, 'node_modules/.package-lock.json'), '{}');
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: true });
    await rm(join(root, 'node_modules'), { recursive: true });
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: true });
    await mkdir(join(root, 'node_modules'));
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: true });
    await mkdir(join(root, 'node_modules/zod'));
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: true });
    await mkdir(join(root, '.venv/lib/python3.12/site-packages'), { recursive: true });
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: true });
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: false });
    await mkdir(join(root, '.venv/lib/python3.12/site-packages/requests'));
    expect(await watcher.takeChanges()).toEqual({ files: [], dependencies: true });
  });
});

async function tree() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tree-watcher-')));
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'src'));
  await mkdir(join(root, 'node_modules/left-pad'), { recursive: true });
  await writeFile(join(root, 'src/a.ts'), '');
  const watcher = new TreeWatcher(root, silentLogger);
  cleanups.push(() => watcher.dispose());
  await watcher.start();
  return { root, watcher };
}
