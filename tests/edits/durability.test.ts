import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskOps, type FileOps } from '../../src/engine/workspace/edits/fileOps.ts';
import { bigChange, bigProject } from './bigChange.ts';
import { workbench, type Workbench } from './workbench.ts';

/*
 * A killed process loses nothing that it has handed to the system, so killing tests cannot tell whether anything reached the disk.
 * What a power failure leaves depends on the order of syncs and renames: that order is looked at here.
 */

interface Step {
  what: keyof FileOps | 'record';
  /** Of what gets a name, the name; else what it is done to. */
  path: string;
  /** Inside the project, not the journal. */
  isProject: boolean;
}

let bench: Workbench;
let steps: Step[];

beforeEach(async () => {
  steps = [];
  bench = workbench({ ops: logged() });
  const record = bench.history.record.bind(bench.history);
  const noted: typeof record = async (...args) => {
    await record(...args);
    steps.push({ what: 'record', path: '', isProject: false });
  };
  Object.assign(bench.history, { record: noted });
  await bench.write(bigProject);
  await bench.applier.apply(bench.project, bigChange, { tool: 'test' });
});
afterEach(() => bench.dispose());

/** Each operation is noted when it is done: what comes later in the list was begun later, or beside it. */
function logged(): FileOps {
  const real = (path: string): string => {
    const parent = fs.existsSync(dirname(path)) ? fs.realpathSync(dirname(path)) : dirname(path);
    return path.startsWith('/proc/self/fd/') && dirname(path) === '/proc/self/fd'
      ? fs.realpathSync(path)
      : join(parent, path.slice(dirname(path).length + 1));
  };
  const note = async <T>(what: keyof FileOps, path: string, work: () => Promise<T>): Promise<T> => {
    const shown = real(path);
    const result = await work();
    steps.push({ what, path: shown, isProject: shown.startsWith(bench.project.root) });
    return result;
  };
  return {
    writeNew: (path, bytes, mode) => note('writeNew', path, () => diskOps.writeNew(path, bytes, mode)),
    copyAttributes: diskOps.copyAttributes,
    makeSymlink: (target, path) => note('makeSymlink', path, () => diskOps.makeSymlink(target, path)),
    hold: (path, as) => note('hold', as, () => diskOps.hold(path, as)),
    syncContent: (path) => note('syncContent', path, () => diskOps.syncContent(path)),
    keep: (path, as) => note('keep', as, () => diskOps.keep(path, as)),
    publish: (from, to) => note('publish', to, () => diskOps.publish(from, to)),
    rename: (from, to) => note('rename', to, () => diskOps.rename(from, to)),
    unlink: (path) => note('unlink', path, () => diskOps.unlink(path)),
    mkdir: (path) => note('mkdir', path, () => diskOps.mkdir(path)),
    rmdir: (path) => note('rmdir', path, () => diskOps.rmdir(path)),
    syncDirectory: (path) => note('syncDirectory', path, () => diskOps.syncDirectory(path)),
  };
}

const indexOf = (is: (step: Step) => boolean): number => {
  const found = steps.findIndex(is);
  if (found === -1) throw new Error('There is no such step.');
  return found;
};
const isJournal = (step: Step, state: string): boolean => step.what === 'rename' && step.path.endsWith(`.${state}`);
const visible = new Set(['publish', 'rename', 'unlink', 'rmdir']);
const isOurs = ({ path }: Step): boolean => /\.sightline-[^/]*$/.test(path);

describe('what a power failure could lose', () => {
  it('the journal is on the disk before the project is touched', () => {
    const prepared = indexOf((step) => isJournal(step, 'prepared'));
    const first = indexOf(({ isProject }) => isProject);
    const synced = steps
      .slice(prepared, first)
      .some(({ what, path }) => what === 'syncDirectory' && path.endsWith('/journal'));
    expect({ isWrittenFirst: prepared < first, synced }).toEqual({ isWrittenFirst: true, synced: true });
    expect(steps[prepared - 1]).toMatchObject({
      what: 'writeNew',
      path: expect.stringMatching(/journal\/\w+\.writing$/),
    });
  });

  it('all new contents, and the old ones for undo, are there before the first of them can be seen', () => {
    const first = indexOf((step) => step.isProject && visible.has(step.what) && !isOurs(step));
    const lastStaged = steps.findLastIndex(
      ({ what, isProject }) => isProject && (what === 'writeNew' || what === 'keep'),
    );
    expect(lastStaged).toBeLessThan(first);
    const [held, synced] = (['hold', 'syncContent'] as const).map((wanted) => {
      expect(steps.findLastIndex(({ what }) => what === wanted)).toBeLessThan(first);
      return steps.filter(({ what }) => what === wanted).map(({ path }) => path);
    });
    expect(held?.length).toBeGreaterThan(20);
    expect(synced?.toSorted()).toEqual(held?.toSorted());
  });

  it('every directory with a new, renamed or removed name is synced before the change counts as made', () => {
    const committed = indexOf((step) => isJournal(step, 'committed'));
    const before = steps.slice(0, committed);
    const removed = new Set(before.filter(({ what }) => what === 'rmdir').map(({ path }) => path));
    const touched = new Set(
      before
        .filter(
          (step) =>
            step.what === 'hold' ||
            (step.isProject && (visible.has(step.what) || step.what === 'mkdir') && !isOurs(step)),
        )
        .map(({ path }) => dirname(path))
        .filter((path) => !removed.has(path)),
    );
    const unsynced = [...touched].filter((directory) => {
      const last = before.findLastIndex(
        (step) =>
          (step.isProject || step.what === 'hold') &&
          step.what !== 'syncDirectory' &&
          !isOurs(step) &&
          dirname(step.path) === directory,
      );
      return !before.slice(last).some(({ what, path }) => what === 'syncDirectory' && path === directory);
    });
    expect(touched.size).toBeGreaterThan(4);
    expect(unsynced.map((path) => relative(bench.project.root, path))).toEqual([]);
  });

  it('what is needed to take it back goes only after the commit is on the disk and in the history', () => {
    const committed = indexOf((step) => isJournal(step, 'committed'));
    const synced =
      committed +
      steps.slice(committed).findIndex(({ what, path }) => what === 'syncDirectory' && path.endsWith('/journal'));
    const recorded = indexOf(({ what }) => what === 'record');
    const firstForgotten = indexOf((step) => step.what === 'unlink' && isOurs(step));
    const journalGone = indexOf((step) => step.what === 'unlink' && step.path.endsWith('.committed'));
    expect(synced).toBeGreaterThan(committed);
    expect(firstForgotten).toBeGreaterThan(synced);
    expect(firstForgotten).toBeGreaterThan(recorded);
    expect(journalGone).toBe(steps.length - 1);
  });

  it('a new file is synced when all of it is there, and so are the old contents for undo', async () => {
    const synced: number[] = [];
    const { fsync, fdatasync } = fs;
    const noting = (sync: typeof fsync): typeof fsync =>
      Object.assign(
        (file: number, done: (error: NodeJS.ErrnoException | null) => void) => {
          synced.push(fs.fstatSync(file).size);
          sync(file, done);
        },
        { __promisify__: sync.__promisify__ },
      );
    const path = join(bench.project.root, 'fresh');
    try {
      Object.assign(fs, { fsync: noting(fsync), fdatasync: noting(fdatasync) });
      syncBuiltinESMExports();
      await diskOps.writeNew(path, Buffer.from('four'), 0o640);
      expect(synced).toEqual([4]);
      await diskOps.syncContent(path);
      expect(synced).toEqual([4, 4]);
    } finally {
      Object.assign(fs, { fsync, fdatasync });
      syncBuiltinESMExports();
    }
    expect(fs.statSync(path).mode & 0o777).toBe(0o640);
  });
});
