import { rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { WorkingTree } from '../../src/engine/workspace/localHistory/workingTree.ts';
import { errno, faultyOps } from './faultyOps.ts';
import { workbench, type Workbench } from './workbench.ts';

const folders: Workbench[] = [];
afterAll(async () => {
  for (const bench of folders) await bench.dispose();
});

/** A project in which a program has put a folder where a file was, and a file where a folder was. */
async function swapped(): Promise<{ bench: Workbench; before: Record<string, string>; after: Record<string, string> }> {
  const bench = workbench();
  folders.push(bench);
  await bench.write({ 'kept.txt': 'one', 'folder/deep/a.txt': 'a', 'folder/b.txt': 'b', 'other.txt': 'o' });
  const before = await bench.tree();
  const { root } = bench.project;
  await new WorkingTree(bench.history).recordAround(bench.project, { tool: 'run' }, async () => {
    rmSync(join(root, 'kept.txt'));
    mkdirSync(join(root, 'kept.txt/deep'), { recursive: true });
    writeFileSync(join(root, 'kept.txt/deep/inner.txt'), 'inner');
    rmSync(join(root, 'folder'), { recursive: true });
    writeFileSync(join(root, 'folder'), 'a file now');
  });
  return { bench, before, after: await bench.tree() };
}

describe('a file and a folder that change places', () => {
  it('are taken back, done again, and taken back again', async () => {
    const { bench, before, after } = await swapped();
    const undo = async (historyId?: string) =>
      undoChanges(bench.applier, bench.history, bench.project, { historyId }, { tool: 'undo' });
    const first = await undo();
    expect(await bench.tree()).toEqual(before);
    await undo(first.applied.historyId);
    expect(await bench.tree()).toEqual(after);
    await undo();
    expect(await bench.tree()).toEqual(before);
  });

  it('a folder that holds more than the change put there is left alone', async () => {
    const { bench } = await swapped();
    await bench.write({ 'kept.txt/mine.txt': 'mine' });
    const now = await bench.tree();
    await expect(undoChanges(bench.applier, bench.history, bench.project, {}, { tool: 'undo' })).rejects.toThrow(
      /Nothing was changed/,
    );
    expect(await bench.tree()).toEqual(now);
  });

  it.each(['back', 'forth'])('stopped at any file operation on the way %s, leave all old or all new', async (way) => {
    const { bench, before, after } = await swapped();
    const undo = async (applier: Workbench['applier'], historyId?: string) =>
      (await undoChanges(applier, bench.history, bench.project, { historyId }, { tool: 'undo' })).applied.historyId;
    let last = way === 'forth' ? await undo(bench.applier) : undefined;
    const [from, to] = way === 'forth' ? [before, after] : [after, before];
    let reached = 0;
    for (let k = 1; ; k++) {
      // From the k-th on nothing works any more, so that the way back is left to the next start.
      let isBroken = false;
      const fault = () => {
        isBroken = true;
        throw errno('EIO');
      };
      const folder = join(bench.project.root, '..');
      const { applier } = workbench({ folder, ops: faultyOps(k, fault, true).ops });
      const made = await undo(applier, last).catch(() => undefined);
      const again = workbench({ folder });
      await again.applier.recover(again.project);
      const tree = await bench.tree();
      const isNew = JSON.stringify(tree) === JSON.stringify(to);
      expect(tree, `stopped at operation ${k}`).toEqual(isNew ? to : from);
      if (isNew && !isBroken) break;
      if (!isNew) continue;
      reached += 1;
      const latest = (await bench.history.list(bench.project))[0]?.id ?? made;
      last = await undo(again.applier, latest);
    }
    expect(reached).toBeGreaterThan(0);
  });
});
