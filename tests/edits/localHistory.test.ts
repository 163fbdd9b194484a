import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileOperation } from '../../src/engine/workspace/edits/operations.ts';
import { undoChanges, type UndoRequest } from '../../src/engine/workspace/localHistory/undo.ts';
import { workbench, type Workbench } from './workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = workbench();
  await bench.write({ 'a.txt': 'a0', 'b.txt': 'b0' });
});
afterEach(() => bench.dispose());

async function write(path: string, content: string, client = 'c1', callId?: string): Promise<string> {
  const operation: FileOperation = { kind: 'write', path, content };
  const applied = await bench.applier.apply(bench.project, [operation], { tool: 'write_file', client, callId });
  return applied.historyId ?? '';
}

function undo(request: UndoRequest, client = 'c1') {
  return undoChanges(bench.applier, bench.history, bench.project, request, { tool: 'undo', client });
}

describe('local history', () => {
  it('lists changes latest first with who made them', async () => {
    const first = await write('a.txt', 'a1', 'c1', 'call-1');
    const second = await write('b.txt', 'b1', 'c2', 'call-2');
    expect((await bench.history.list(bench.project)).map((change) => change.id)).toEqual([second, first]);
    expect((await bench.history.list(bench.project, { client: 'c2' })).map((change) => change.id)).toEqual([second]);
    expect((await bench.history.list(bench.project, { callId: 'call-1' })).map((one) => one.id)).toEqual([first]);
  });

  it('writes nothing and remembers nothing when the content is the same', async () => {
    expect(await write('a.txt', 'a0')).toBe('');
    expect(await bench.history.list(bench.project)).toEqual([]);
  });

  it('undoes, and undoes the undo', async () => {
    await write('a.txt', 'a1');
    const { applied } = await undo({});
    expect(await bench.read('a.txt')).toBe('a0');
    await undo({ historyId: applied.historyId });
    expect(await bench.read('a.txt')).toBe('a1');
  });

  it('without arguments takes back change after change of this client only', async () => {
    await write('a.txt', 'a1');
    await write('a.txt', 'a2');
    await write('b.txt', 'b1', 'c2');
    await undo({});
    expect(await bench.read('a.txt')).toBe('a1');
    await undo({});
    expect(await bench.read('a.txt')).toBe('a0');
    expect(await bench.read('b.txt')).toBe('b1');
    await expect(undo({})).rejects.toMatchObject({ code: 'history_not_found' });
  });

  it('takes back a call, a client, or everything since a time, in one step', async () => {
    await write('a.txt', 'a1', 'c1', 'call-1');
    await write('b.txt', 'b1', 'c1', 'call-1');
    await undo({ callId: 'call-1' });
    expect([await bench.read('a.txt'), await bench.read('b.txt')]).toEqual(['a0', 'b0']);
    const from = await write('a.txt', 'x1', 'c1');
    await write('a.txt', 'x2', 'c1');
    await write('c.txt', 'x3', 'c2');
    const since = new Date((await bench.history.get(bench.project, from)).time);
    await undo({ since });
    expect(await bench.tree()).toEqual({ 'a.txt': '644 a0', 'b.txt': '644 b0' });
  });

  it('refuses with all three sides when the file moved on, and names the later change', async () => {
    const first = await write('a.txt', 'a1');
    const later = await write('a.txt', 'a2');
    const failure = await undo({ historyId: first }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'undo_conflict',
      hint: expect.stringContaining(later),
      data: { files: [{ file: 'a.txt', now: 'changed since', laterChanges: [later] }] },
    });
    expect(JSON.stringify(failure)).toContain('-a1');
    expect(await bench.read('a.txt')).toBe('a2');
  });

  it('goes back and forth as often as one likes, and knows what is undone', async () => {
    const first = await write('a.txt', 'a1');
    const undone = await undo({ historyId: first });
    const again = await undo({ historyId: undone.applied.historyId });
    expect(await bench.read('a.txt')).toBe('a1');
    expect([...(await bench.history.undoneIds(bench.project))]).toEqual([undone.applied.historyId]);
    const third = await undo({ historyId: again.applied.historyId });
    expect(await bench.read('a.txt')).toBe('a0');
    expect((await bench.history.undoneIds(bench.project)).has(first)).toBe(true);
    expect(third.applied.origin.summary).toBe('undo of undo of undo of write_file');
    await expect(undo({ historyId: first })).rejects.toMatchObject({
      code: 'history_not_found',
      message: expect.stringContaining('taken back already'),
      hint: expect.toSatisfy((hint) => String(hint).includes(undone.applied.historyId ?? '-')),
    });
  });

  it('since a time brings back the state of that time, undos of earlier changes included', async () => {
    const before = await write('a.txt', 'a1', 'c1');
    const { applied } = await undo({ historyId: before });
    await write('b.txt', 'b1', 'c2');
    await undo({ since: applied.time });
    expect([await bench.read('a.txt'), await bench.read('b.txt')]).toEqual(['a1', 'b0']);
  });

  it('leaves alone what is already as before, and goes on to the change before it', async () => {
    await write('b.txt', 'b1', 'c1');
    const both = await bench.applier.apply(
      bench.project,
      [
        { kind: 'write', path: 'a.txt', content: 'a1' },
        { kind: 'write', path: 'b.txt', content: 'b2' },
        { kind: 'create', path: 'new/deep/c.txt' },
      ],
      { tool: 'test', client: 'c1' },
    );
    await writeFile(join(bench.project.root, 'a.txt'), 'a0');
    await rm(join(bench.project.root, 'new'), { recursive: true });
    await undo({ historyId: both.historyId });
    expect(await bench.tree()).toEqual({ 'a.txt': '644 a0', 'b.txt': '644 b1' });
    await writeFile(join(bench.project.root, 'b.txt'), 'b0');
    expect((await undo({}, 'c1')).applied.plan.transitions).toEqual([]);
    await expect(undo({}, 'c1')).rejects.toMatchObject({ code: 'history_not_found' });
  });

  it('explains a folder or another mode in the place of a file, and never names what is settled', async () => {
    const first = await write('a.txt', 'a1');
    await undo({ historyId: await write('a.txt', 'a2') });
    await chmod(join(bench.project.root, 'a.txt'), 0o755);
    await expect(undo({ historyId: first })).rejects.toMatchObject({
      code: 'undo_conflict',
      hint: expect.stringContaining('not made through Sightline'),
      data: { files: [{ madeSince: 'mode 644 to 755', laterChanges: [] }] },
    });
    await rm(join(bench.project.root, 'a.txt'));
    await mkdir(join(bench.project.root, 'a.txt'));
    await expect(undo({ historyId: first })).rejects.toMatchObject({ data: { files: [{ now: 'a folder' }] } });
  });

  it('refuses when another program changed or deleted the file, and touches none of the others', async () => {
    const applied = await bench.applier.apply(
      bench.project,
      [
        { kind: 'write', path: 'a.txt', content: 'a1' },
        { kind: 'write', path: 'b.txt', content: 'b1' },
      ],
      { tool: 'test' },
    );
    await writeFile(join(bench.project.root, 'a.txt'), 'by hand');
    await expect(undo({ historyId: applied.historyId })).rejects.toMatchObject({ code: 'undo_conflict' });
    await rm(join(bench.project.root, 'a.txt'));
    await expect(undo({ historyId: applied.historyId })).rejects.toMatchObject({
      code: 'undo_conflict',
      data: { files: [{ now: 'deleted' }] },
    });
    expect(await bench.read('b.txt')).toBe('b1');
  });

  it('drops the oldest first when it grows past its limits, and says so when asked for them', async () => {
    await bench.dispose();
    bench = workbench({ limits: { maxBytes: 1e9, maxAgeMs: 1e9, maxChanges: 3, maxFiles: 1e9 } });
    await bench.write({ 'a.txt': 'a0' });
    const ids = [];
    for (let i = 1; i <= 5; i++) ids.push(await write('a.txt', `a${i}`));
    await bench.history.trim(bench.project);
    expect((await bench.history.list(bench.project)).map((change) => change.id)).toEqual(ids.slice(2).reverse());
    await expect(undo({ historyId: ids[0] })).rejects.toMatchObject({ code: 'history_not_found' });
  });

  it('keeps to its limits however few changes each process makes, and compresses what was kept as it was', async () => {
    await write('a.txt', 'a1');
    await write('a.txt', 'a2');
    const limits = { maxBytes: 1e9, maxAgeMs: 1e9, maxChanges: 1e9, maxFiles: 1 };
    const later = workbench({ folder: join(bench.project.root, '..'), limits });
    await later.history.settle(later.project, 0);
    expect(await later.history.list(later.project)).toHaveLength(1);
    expect(await readdir(join(bench.project.stateDir, 'history/shelves'))).toEqual([]);
    await undoChanges(later.applier, later.history, later.project, {}, { tool: 'undo', client: 'c1' });
    expect(await bench.read('a.txt')).toBe('a1');
  });

  it('survives records that are cut short, and sets them aside', async () => {
    const broken = await write('a.txt', 'a1');
    await write('b.txt', 'b1');
    const fresh = workbench({ folder: join(bench.project.root, '..') });
    await writeFile(join(bench.project.stateDir, 'history/changes', `${broken}.json`), '{"format":1,"id"');
    expect(await fresh.history.list(fresh.project)).toHaveLength(1);
    await expect(fresh.history.get(fresh.project, broken)).rejects.toMatchObject({ code: 'history_not_found' });
  });
});
