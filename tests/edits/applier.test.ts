import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentHash } from '../../src/base/ids.ts';
import type { TextEdit } from '../../src/engine/workspace/edits/operations.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { workbench, type Workbench } from './workbench.ts';

const origin = { tool: 'test', client: 'c1' };
let bench: Workbench;

beforeEach(async () => {
  bench = workbench();
  await bench.write({ 'a.txt': 'one\ntwo\nthree\n', 'sub/b.txt': 'bee' });
});
afterEach(() => bench.dispose());

function edit(line: number, column: number, endColumn: number, newText: string): TextEdit {
  return { range: { start: { line, column }, end: { line, column: endColumn } }, newText };
}

describe('what an edit does to the text', () => {
  it('sorts edits that come in any order and keeps insertions at one place in order', async () => {
    const edits = [edit(3, 1, 6, 'drei'), edit(1, 1, 1, 'A'), edit(1, 1, 1, 'B'), edit(1, 1, 4, 'eins')];
    await bench.applier.apply(bench.project, [{ kind: 'edit', path: 'a.txt', edits }], origin);
    expect(await bench.read('a.txt')).toBe('ABeins\ntwo\ndrei\n');
  });

  it('refuses overlapping edits and takes one that was sent twice for one', async () => {
    const overlapping = [edit(1, 1, 3, 'x'), edit(1, 2, 4, 'y')];
    await expect(
      bench.applier.apply(bench.project, [{ kind: 'edit', path: 'a.txt', edits: overlapping }], origin),
    ).rejects.toMatchObject({ code: 'edit_conflict' });
    await bench.applier.apply(
      bench.project,
      [{ kind: 'edit', path: 'a.txt', edits: [edit(2, 1, 4, 'zwei'), edit(2, 1, 4, 'zwei')] }],
      origin,
    );
    expect(await bench.read('a.txt')).toBe('one\nzwei\nthree\n');
  });

  it('keeps byte order mark, CRLF, a missing final newline and the mode', async () => {
    const file = join(bench.project.root, 'dos.txt');
    await writeFile(file, '\ufeffone\r\ntwo');
    await chmod(file, 0o755);
    await bench.applier.apply(
      bench.project,
      [{ kind: 'edit', path: 'dos.txt', edits: [edit(1, 1, 4, 'x\ny')] }],
      origin,
    );
    expect(await readFile(file, 'utf8')).toBe('\ufeffx\r\ny\r\ntwo');
    expect((await stat(file)).mode & 0o777).toBe(0o755);
    await bench.applier.apply(bench.project, [{ kind: 'write', path: 'dos.txt', content: 'new\nlines\n' }], origin);
    expect(await readFile(file, 'utf8')).toBe('\ufeffnew\r\nlines\r\n');
  });

  it('keeps UTF-16 and Latin-1, and refuses what Latin-1 cannot say', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('käse\n', 'utf16le')]);
    await bench.write({ 'u.txt': utf16, 'l.txt': Buffer.from('käse\n', 'latin1') });
    for (const path of ['u.txt', 'l.txt'])
      await bench.applier.apply(bench.project, [{ kind: 'edit', path, edits: [edit(1, 5, 5, 'ß')] }], origin);
    const expected = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('käseß\n', 'utf16le')]);
    expect(await readFile(join(bench.project.root, 'u.txt'))).toEqual(expected);
    expect(await readFile(join(bench.project.root, 'l.txt'))).toEqual(Buffer.from('käseß\n', 'latin1'));
    await expect(
      bench.applier.apply(bench.project, [{ kind: 'edit', path: 'l.txt', edits: [edit(1, 1, 1, '→')] }], origin),
    ).rejects.toMatchObject({ code: 'edit_conflict' });
  });

  it('refuses to edit binary files', async () => {
    await bench.write({ 'x.bin': Buffer.from([1, 0, 2]) });
    await expect(
      bench.applier.apply(bench.project, [{ kind: 'edit', path: 'x.bin', edits: [edit(1, 1, 1, 'x')] }], origin),
    ).rejects.toMatchObject({ code: 'binary_file' });
  });
});

describe('files and directories', () => {
  it('creates, renames, edits and deletes in the order asked, seeing earlier steps', async () => {
    const change = await bench.applier.apply(
      bench.project,
      [
        { kind: 'create', path: 'new/deep/c.txt', content: 'sea' },
        { kind: 'rename', from: 'new/deep/c.txt', to: 'new/d.txt' },
        { kind: 'edit', path: 'new/d.txt', edits: [edit(1, 1, 4, 'dee')] },
        { kind: 'rename', from: 'a.txt', to: 'moved/a.txt' },
        { kind: 'delete', path: 'sub/b.txt' },
      ],
      origin,
    );
    expect(await bench.tree()).toEqual({
      'moved/a.txt': '644 one\ntwo\nthree\n',
      'new/d.txt': '644 dee',
      sub: 'empty directory',
    });
    expect(change.plan.moves).toHaveLength(1);
  });

  it('swaps two files', async () => {
    await bench.applier.apply(
      bench.project,
      [
        { kind: 'rename', from: 'a.txt', to: 't' },
        { kind: 'rename', from: 'sub/b.txt', to: 'a.txt' },
        { kind: 'rename', from: 't', to: 'sub/b.txt' },
      ],
      origin,
    );
    expect(await bench.tree()).toEqual({ 'a.txt': '644 bee', 'sub/b.txt': '644 one\ntwo\nthree\n' });
  });

  it('moves and deletes directories whole, and undo brings them back, empty ones and links included', async () => {
    await bench.write({ 'dir/x/1': '1', 'dir/2': '2' });
    await mkdir(join(bench.project.root, 'dir/empty'));
    await symlink('2', join(bench.project.root, 'dir/link'));
    const before = await bench.tree();
    await bench.applier.apply(bench.project, [{ kind: 'rename', from: 'dir', to: 'other/place' }], origin);
    expect(await bench.tree()).toMatchObject({
      'other/place/x/1': '644 1',
      'other/place/link': 'link 2',
      'other/place/empty': 'empty directory',
    });
    expect(await bench.tree()).not.toHaveProperty('dir');
    await undoChanges(bench.applier, bench.history, bench.project, {}, origin);
    expect(await bench.tree()).toEqual(before);
    await bench.applier.apply(bench.project, [{ kind: 'delete', path: 'dir', recursive: true }], origin);
    expect(Object.keys(await bench.tree()).sort()).toEqual(['a.txt', 'sub/b.txt']);
    await undoChanges(bench.applier, bench.history, bench.project, {}, origin);
    expect(await bench.tree()).toEqual(before);
  });

  it('edits the target of a link and keeps the link', async () => {
    await symlink('a.txt', join(bench.project.root, 'ln'));
    await bench.applier.apply(bench.project, [{ kind: 'write', path: 'ln', content: 'through' }], origin);
    expect(await bench.tree()).toMatchObject({ ln: 'link a.txt', 'a.txt': '644 through' });
  });

  it.each([
    ['a path that climbs out', '../outside.txt'],
    ['an absolute path elsewhere', '/etc/passwd'],
    ['the root itself', '.'],
    ['a sibling with the same beginning', '../project-2/x'],
  ])('refuses %s', async (_what, path) => {
    await expect(
      bench.applier.apply(bench.project, [{ kind: 'write', path, content: 'x' }], origin),
    ).rejects.toMatchObject({ code: 'path_outside_project' });
  });

  it('refuses paths that leave the project through a link, dangling links and NUL', async () => {
    await symlink('/tmp', join(bench.project.root, 'out'));
    await symlink('/tmp/nothing-there-sightline', join(bench.project.root, 'dangling'));
    for (const [path, code] of Object.entries({ 'out/x': 'path_outside_project', dangling: 'file_not_found' }))
      await expect(
        bench.applier.apply(bench.project, [{ kind: 'write', path, content: 'x' }], origin),
      ).rejects.toMatchObject({ code });
    await expect(
      bench.applier.apply(bench.project, [{ kind: 'write', path: 'a\0b', content: 'x' }], origin),
    ).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('never replaces an existing file by a creation or a rename unless told', async () => {
    for (const operation of [
      { kind: 'create', path: 'a.txt' } as const,
      { kind: 'rename', from: 'sub/b.txt', to: 'a.txt' } as const,
    ])
      await expect(bench.applier.apply(bench.project, [operation], origin)).rejects.toMatchObject({
        code: 'edit_conflict',
      });
  });
});

describe('guards', () => {
  it('refuses when the file is another version than the one demanded', async () => {
    const hash = contentHash('one\ntwo\nthree\n');
    await writeFile(join(bench.project.root, 'a.txt'), 'other');
    await expect(
      bench.applier.apply(bench.project, [{ kind: 'write', path: 'a.txt', content: 'x', expectedHash: hash }], origin),
    ).rejects.toMatchObject({ code: 'file_changed' });
    await expect(
      bench.applier.apply(bench.project, [{ kind: 'write', path: 'a.txt', content: 'x', expectedHash: null }], origin),
    ).rejects.toMatchObject({ code: 'file_changed' });
    expect(await bench.read('a.txt')).toBe('other');
  });

  it('refuses a plan once one of its files has changed, and changes none of the others', async () => {
    const plan = await bench.applier.plan(bench.project, [
      { kind: 'write', path: 'a.txt', content: 'A' },
      { kind: 'write', path: 'sub/b.txt', content: 'B' },
    ]);
    await writeFile(join(bench.project.root, 'sub/b.txt'), 'moved on');
    await expect(bench.applier.apply(bench.project, plan, origin)).rejects.toMatchObject({ code: 'file_changed' });
    expect(await bench.tree()).toEqual({ 'a.txt': '644 one\ntwo\nthree\n', 'sub/b.txt': '644 moved on' });
  });

  it('refuses when a directory became a link after the plan was made', async () => {
    const plan = await bench.applier.plan(bench.project, [{ kind: 'write', path: 'sub/b.txt', content: 'B' }]);
    const { root } = bench.project;
    await mkdir(join(root, '../elsewhere'));
    await writeFile(join(root, '../elsewhere/b.txt'), 'bee');
    await rename(join(root, 'sub'), join(root, 'sub2'));
    await symlink('../elsewhere', join(root, 'sub'));
    await expect(bench.applier.apply(bench.project, plan, origin)).rejects.toMatchObject({
      code: 'path_outside_project',
    });
    expect(await readFile(join(root, '../elsewhere/b.txt'), 'utf8')).toBe('bee');
  });

  it('lets only one of two clients win who edit the same version', async () => {
    const expectedHash = contentHash('bee');
    const results = await Promise.allSettled(
      ['first', 'second'].map((content) =>
        bench.applier.apply(bench.project, [{ kind: 'write', path: 'sub/b.txt', content, expectedHash }], origin),
      ),
    );
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(['first', 'second']).toContain(await bench.read('sub/b.txt'));
  });
});
