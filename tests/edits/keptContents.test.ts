import { closeSync, openSync, writeSync } from 'node:fs';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditApplier } from '../../src/engine/workspace/edits/applier.ts';
import { diskOps } from '../../src/engine/workspace/edits/fileOps.ts';
import { LocalHistory } from '../../src/engine/workspace/localHistory/localHistory.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { bigChange, bigProject } from './bigChange.ts';
import { errno, faultyOps } from './faultyOps.ts';
import { workbench, type Workbench } from './workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = workbench();
  await bench.write({ 'a.txt': 'a0', 'b.txt': 'b0' });
});
afterEach(() => bench.dispose());

/** What another process would see. */
const another = (of: Workbench = bench): Workbench => workbench({ folder: join(of.project.root, '..') });

async function write(path: string, content: string): Promise<string> {
  const applied = await bench.applier.apply(bench.project, [{ kind: 'write', path, content }], { tool: 'test' });
  return applied.historyId ?? '';
}

const undo = ({ applier, history, project }: Workbench): Promise<unknown> =>
  undoChanges(applier, history, project, {}, { tool: 'undo' });

const shelved = (of: Workbench): Promise<string[]> => readdir(join(of.project.stateDir, 'history/shelves'));

describe('what a change replaces is kept without copying it', () => {
  it('a program that still writes to the replaced file does not reach what undo brings back', async () => {
    const file = openSync(join(bench.project.root, 'a.txt'), 'r+');
    await write('a.txt', 'a1');
    writeSync(file, 'zz', 0);
    closeSync(file);
    await undo(bench);
    expect(await bench.read('a.txt')).toBe('a0');
  });

  it('a process that knows only the replaced file, and finds it written to, does not take it for the old content', async () => {
    const file = openSync(join(bench.project.root, 'a.txt'), 'r+');
    await write('a.txt', 'a1');
    writeSync(file, 'zz', 0);
    closeSync(file);
    await expect(undo(another())).rejects.toMatchObject({ code: 'history_not_found' });
    expect(await bench.read('a.txt')).toBe('a1');
  });

  it('a file with further names is copied, and writing by another name does not reach the copy', async () => {
    const elsewhere = join(bench.project.stateDir, '..', 'elsewhere');
    await link(join(bench.project.root, 'a.txt'), elsewhere);
    await write('a.txt', 'a1');
    await writeFile(elsewhere, 'zz');
    await undo(another());
    expect(await bench.read('a.txt')).toBe('a0');
    expect(await readFile(elsewhere, 'utf8')).toBe('zz');
  });
});

describe('where files cannot have a second name in the history', () => {
  const apart = { ...diskOps, hold: async (): Promise<boolean> => false };

  it('a change is made and undone to the byte, and leaves nothing beside the files', async () => {
    await bench.dispose();
    bench = workbench({ ops: apart });
    await bench.write(bigProject);
    const before = await bench.tree();
    await bench.applier.apply(bench.project, bigChange, { tool: 'test' });
    expect(Object.keys(await bench.tree()).filter((name) => name.includes('.sightline-'))).toEqual([]);
    await undo(another());
    expect(await bench.tree()).toEqual(before);
  });

  it('an error at any operation leaves all old, or all new with what is left to do done by the next start', async () => {
    await bench.dispose();
    bench = workbench();
    await bench.write(bigProject);
    const before = await bench.tree();
    const outcomes = { old: 0, new: 0 };
    for (let k = 3; k < 400; k += 3) {
      const { ops, count } = faultyOps(k, () => {
        throw errno('ENOSPC');
      });
      const failing = workbench({ folder: join(bench.project.root, '..'), ops: { ...ops, hold: apart.hold } });
      const isMade = await failing.applier.apply(failing.project, bigChange, { tool: 'test' }).then(
        () => true,
        () => false,
      );
      const next = another();
      await next.applier.recover(next.project);
      outcomes[isMade ? 'new' : 'old'] += 1;
      if (isMade) await undo(next);
      expect(await next.tree(), `failed at operation ${k}`).toEqual(before);
      if (count() < k) break;
    }
    expect(outcomes.old).toBeGreaterThan(20);
    expect(outcomes.new).toBeGreaterThan(2);
  });
});

describe('what a change has made', () => {
  it('is known to the history after the process has ended in good order, whatever became of the file', async () => {
    const history = new LocalHistory();
    Object.assign(bench, { history, applier: new EditApplier(history) });
    const id = await write('a.txt', 'a1');
    await history.dispose();
    await writeFile(join(bench.project.root, 'a.txt'), 'by hand');
    const later = another();
    const { transitions, missing } = await later.history.get(later.project, id);
    const made = await later.history.content(later.project, transitions[0]?.after?.hash ?? '');
    expect({ made: made?.toString(), missing, shelves: await shelved(later) }).toEqual({
      made: 'a1',
      missing: undefined,
      shelves: [],
    });
  });

  it('is taken from the project when the process was killed, as long as it is there', async () => {
    const id = await write('a.txt', 'a1');
    await write('b.txt', 'b1');
    await writeFile(join(bench.project.root, 'b.txt'), 'by hand');
    const later = another();
    await later.history.settle(later.project, 0);
    const [second, first] = await later.history.list(later.project);
    expect(first?.id).toBe(id);
    expect(first?.missing).toBeUndefined();
    expect(second?.missing).toEqual([second?.transitions[0]?.after?.hash]);
    expect(await shelved(later)).toEqual([]);
    await rm(join(later.project.root, 'b.txt'));
    await undoChanges(later.applier, later.history, later.project, { historyId: id }, { tool: 'undo' });
    expect(await later.read('a.txt')).toBe('a0');
  });
});
