import { appendFile, chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { WorkingTree } from '../../src/engine/workspace/localHistory/workingTree.ts';
import { workbench, type Workbench } from './workbench.ts';

let bench: Workbench;
let tree: WorkingTree;
beforeEach(async () => {
  bench = workbench();
  tree = new WorkingTree(bench.history);
  await bench.write({
    '.gitignore': 'out/\n',
    'a.txt': 'a0',
    'b.txt': 'b0',
    'run.sh': '#!/bin/sh\n',
    'out/x': 'ignored',
  });
});
afterEach(() => bench.dispose());

const origin = { tool: 'run_command', client: 'c1' };
const path = (name: string) => join(bench.project.root, name);

describe('what programs do to the working tree', () => {
  it('is recorded as one change and can be taken back to the byte', async () => {
    const before = await bench.tree();
    const { change } = await tree.recordAround(bench.project, origin, async () => {
      await writeFile(path('a.txt'), 'a1');
      await rm(path('b.txt'));
      await writeFile(path('new.txt'), 'new');
      await chmod(path('run.sh'), 0o755);
    });
    expect(change).toMatchObject({ observed: true, changesCount: 4 });
    await undoChanges(bench.applier, bench.history, bench.project, {}, { tool: 'undo', client: 'c1' });
    expect(await bench.tree()).toEqual(before);
  });

  it('leaves out what git ignores and what did not change', async () => {
    const { change } = await tree.recordAround(bench.project, origin, () => writeFile(path('out/x'), 'built'));
    expect(change).toBeUndefined();
  });

  it('is recorded too when the program fails', async () => {
    const failing = tree.recordAround(bench.project, origin, async () => {
      await writeFile(path('a.txt'), 'half');
      throw new Error('exit 1');
    });
    await expect(failing).rejects.toThrow('exit 1');
    expect(await bench.history.list(bench.project)).toHaveLength(1);
  });

  it('does not count changes that Sightline itself made meanwhile', async () => {
    const { change } = await tree.recordAround(bench.project, origin, async () => {
      await bench.applier.apply(bench.project, [{ kind: 'write', path: 'a.txt', content: 'edited' }], {
        tool: 'write_file',
      });
      await bench.applier.apply(bench.project, [{ kind: 'write', path: 'b.txt', content: 'edited' }], {
        tool: 'write_file',
      });
      await appendFile(path('b.txt'), ' and run');
    });
    expect(change?.transitions.map((one) => one.path)).toEqual([path('b.txt')]);
    await undoChanges(bench.applier, bench.history, bench.project, { historyId: change?.id }, { tool: 'undo' });
    expect(await bench.read('b.txt')).toBe('edited');
  });

  it('names but does not pretend to restore what was too large to keep', async () => {
    const small = new WorkingTree(bench.history, {
      limits: { maxFiles: 100, maxFileBytes: 4, maxTotalBytes: 1000, maxFirstLookMs: 1000 },
    });
    const { change } = await small.recordAround(bench.project, origin, async () => {
      await writeFile(path('run.sh'), 'much longer than four bytes');
      await writeFile(path('a.txt'), 'a1');
    });
    expect(change?.transitions.map((one) => one.path)).toEqual([path('a.txt')]);
  });
});
