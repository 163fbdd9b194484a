import { chmod, link, lstat, mkdir, open, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileOperation } from '../../src/engine/workspace/edits/operations.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { errno, faultyOps } from './faultyOps.ts';
import { workbench, type Workbench } from './workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = workbench();
  await bench.write({ 'a.txt': 'a', 'b.txt': 'b' });
});
afterEach(() => bench.dispose());

const path = (name: string) => join(bench.project.root, name);
const apply = (...operations: FileOperation[]) => bench.applier.apply(bench.project, operations, { tool: 'test' });
const start = { line: 1, column: 1 };
const insert = (file: string, newText: string): FileOperation => ({
  kind: 'edit',
  path: file,
  edits: [{ range: { start, end: start }, newText }],
});

/** Makes a change, takes it back, brings it again: the tree is the same to the byte each time. */
async function thereAndBack(...operations: FileOperation[]): Promise<Record<string, string>> {
  const before = await bench.tree();
  await apply(...operations);
  const after = await bench.tree();
  const undone = await undoChanges(bench.applier, bench.history, bench.project, {}, { tool: 'undo' });
  expect(await bench.tree()).toEqual(before);
  const again = { historyId: undone.applied.historyId };
  await undoChanges(bench.applier, bench.history, bench.project, again, { tool: 'undo' });
  expect(await bench.tree()).toEqual(after);
  return after;
}

async function refused(...operations: FileOperation[]): Promise<string> {
  const before = await bench.tree();
  const error: unknown = await apply(...operations).catch((thrown: unknown) => thrown);
  expect(await bench.tree()).toEqual(before);
  expect(error).toMatchObject({ name: 'ToolError' });
  return error instanceof Error ? error.message : '';
}

describe('names', () => {
  it.each([
    ['spaces and quotes', `it's "a" name.txt`],
    ['emoji', '🎉/naïve-日本.txt'],
    ['a newline', 'two\nlines.txt'],
    ['a leading dash', '-rf'],
    ['a backslash and a percent sign', 'a\\b%2F.txt'],
    ['what looks like our own leftovers', '.sightline-x-0.new'],
    ['the longest name there is', 'n'.repeat(255)],
    ['a deep path', `${'d/'.repeat(60)}f.txt`],
  ])('of %s are written, edited, moved, deleted and brought back', async (_, name) => {
    await thereAndBack({ kind: 'create', path: name, content: 'one\n' });
    await thereAndBack(insert(name, 'zero\n'));
    await thereAndBack({ kind: 'rename', from: name, to: 'elsewhere/file' });
    await thereAndBack({ kind: 'rename', from: 'elsewhere/file', to: name });
    const tree = await thereAndBack({ kind: 'delete', path: name });
    expect(tree[name]).toBeUndefined();
  });

  it('that differ only in case are two names', async () => {
    const tree = await thereAndBack({ kind: 'rename', from: 'a.txt', to: 'A.txt' });
    expect(tree).toEqual({ 'A.txt': '644 a', 'b.txt': '644 b' });
  });

  it('too long for the file system are refused', async () => {
    expect(await refused({ kind: 'create', path: 'n'.repeat(256) })).toContain('too long');
  });
});

describe('renames', () => {
  it('in a circle swap the files', async () => {
    const tree = await thereAndBack(
      { kind: 'rename', from: 'a.txt', to: 'tmp' },
      { kind: 'rename', from: 'b.txt', to: 'a.txt' },
      { kind: 'rename', from: 'tmp', to: 'b.txt' },
    );
    expect(tree).toEqual({ 'a.txt': '644 b', 'b.txt': '644 a' });
  });

  it('in a chain move each file one further', async () => {
    const tree = await thereAndBack(
      { kind: 'rename', from: 'b.txt', to: 'c.txt' },
      { kind: 'rename', from: 'a.txt', to: 'b.txt' },
    );
    expect(tree).toEqual({ 'b.txt': '644 a', 'c.txt': '644 b' });
  });

  it('of a directory leave a program that has a file of it open with its file', async () => {
    await bench.write({ 'd/open.txt': 'before', 'd/e/other.txt': 'x' });
    const handle = await open(path('d/open.txt'), 'r+');
    await thereAndBack({ kind: 'rename', from: 'd', to: 'moved' });
    await handle.write('AFTER', 0);
    await handle.close();
    expect(await readFile(path('moved/open.txt'), 'utf8')).toBe('AFTERe');
  });

  it('that need a file to become a directory are refused in words', async () => {
    expect(
      await refused({ kind: 'delete', path: 'a.txt' }, { kind: 'create', path: 'a.txt/inner', content: '' }),
    ).toMatch(/a\.txt/);
  });
});

describe('links', () => {
  it('to files are edited through, stay links, and are renamed and deleted as links', async () => {
    await symlink('a.txt', path('link'));
    const edited = await thereAndBack(insert('link', '>'));
    expect(edited).toMatchObject({ link: 'link a.txt', 'a.txt': '644 >a' });
    expect(await thereAndBack({ kind: 'rename', from: 'link', to: 'moved' })).toMatchObject({ moved: 'link a.txt' });
    expect(await thereAndBack({ kind: 'delete', path: 'moved' })).toEqual({ 'a.txt': '644 >a', 'b.txt': '644 b' });
  });

  it('out of the project are refused as a way to write, and deleted as links', async () => {
    const outside = join(bench.project.root, '..', 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret'), 'untouched');
    await symlink(outside, path('door'));
    await symlink(join(outside, 'secret'), path('key'));
    expect(await refused(insert('door/secret', 'x'))).toContain('outside');
    expect(await refused(insert('key', 'x'))).toContain('outside');
    expect(await refused({ kind: 'create', path: 'door/new', content: '' })).toContain('outside');
    expect(await refused({ kind: 'rename', from: 'a.txt', to: 'door/a.txt' })).toContain('outside');
    const tree = await thereAndBack({ kind: 'delete', path: 'door' }, { kind: 'delete', path: 'key' });
    expect(tree).toEqual({ 'a.txt': '644 a', 'b.txt': '644 b' });
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('untouched');
  });

  it('inside a directory that moves or goes come back as links', async () => {
    await bench.write({ 'd/f': 'f' });
    await symlink('f', path('d/l'));
    await symlink('nowhere', path('d/dangling'));
    await thereAndBack({ kind: 'rename', from: 'd', to: 'e' });
    await thereAndBack({ kind: 'delete', path: 'e', recursive: true });
    await undoChanges(bench.applier, bench.history, bench.project, {}, { tool: 'undo' });
    expect(await readlink(path('e/dangling'))).toBe('nowhere');
  });

  it('that are hard are cut by an edit: the other name keeps the old content', async () => {
    await link(path('a.txt'), path('twin'));
    expect(await thereAndBack(insert('a.txt', '>'))).toMatchObject({ 'a.txt': '644 >a', twin: '644 a' });
  });
});

describe('contents', () => {
  it.each([
    ['nothing at all', Buffer.alloc(0)],
    ['no newline at the end', Buffer.from('x')],
    ['mixed line ends', Buffer.from('a\r\nb\nc\rd\n\r')],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffhä\r\n', 'utf16le')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffhä\n')],
    ['Latin-1', Buffer.from('hä\n', 'latin1')],
  ])('of %s are kept but for the edit', async (_, content) => {
    await bench.write({ 'f.txt': content });
    await thereAndBack(insert('f.txt', '+'));
    const [edited, mark] = [await readFile(path('f.txt')), content[0] === 0xff ? 2 : content[0] === 0xef ? 3 : 0];
    const inserted = mark === 2 ? Buffer.from('+', 'utf16le') : Buffer.from('+');
    expect(edited).toEqual(Buffer.concat([content.subarray(0, mark), inserted, content.subarray(mark)]));
  });

  it('that are not text are not edited, and moved and deleted to the byte', async () => {
    await bench.write({ nul: Buffer.from('a\0b\xff', 'latin1') });
    expect(await refused(insert('nul', 'x'))).toContain('not text');
    await thereAndBack({ kind: 'rename', from: 'nul', to: 'moved' });
    await thereAndBack({ kind: 'delete', path: 'moved' });
  });
});

describe('modes', () => {
  it('of read-only files are kept by an edit, and what cannot be written is refused whole', async () => {
    await chmod(path('a.txt'), 0o444);
    expect(await thereAndBack(insert('a.txt', '>'))).toMatchObject({ 'a.txt': '444 >a' });
    await chmod(path('b.txt'), 0o4755);
    await thereAndBack(insert('b.txt', '>'));
    expect((await lstat(path('b.txt'))).mode & 0o7777).toBe(0o4755);
  });

  it('of a directory that may not be written refuse the whole change', async () => {
    // Whoever may do everything is not stopped by modes: then the disk says no in their place.
    const { ops } = faultyOps(0, () => undefined);
    const rename = (from: string, to: string) =>
      to.endsWith('/b.txt') ? Promise.reject(errno('EACCES')) : ops.rename(from, to);
    const strict = workbench({ folder: join(bench.project.root, '..'), ops: { ...ops, rename } });
    const before = await bench.tree();
    const change = strict.applier.apply(strict.project, [insert('a.txt', '>'), insert('b.txt', '>')], { tool: 'test' });
    await expect(change).rejects.toMatchObject({
      code: 'write_failed',
      message: expect.stringContaining('permission'),
    });
    expect(await bench.tree()).toEqual(before);
  });
});

describe('a full disk', () => {
  it.each(['openShelf', 'record'] as const)('while the history is written (%s) never leaves half', async (step) => {
    const before = await bench.tree();
    const original = bench.history[step].bind(bench.history);
    let isFull = true;
    Object.assign(bench.history, {
      [step]: async (...args: never[]) => {
        if (isFull) throw errno('ENOSPC');
        return Reflect.apply(original, undefined, args);
      },
    });
    const outcome = await apply(insert('a.txt', '>')).then(
      () => 'made',
      (error: unknown) => error,
    );
    isFull = false;
    if (step === 'openShelf') {
      // oxlint-disable-next-line vitest/no-conditional-expect
      expect(outcome).toMatchObject({ code: 'write_failed', message: expect.stringContaining('disk is full') });
      // oxlint-disable-next-line vitest/no-conditional-expect
      expect(await bench.tree()).toEqual(before);
      return;
    }
    // The change has happened, so it is told as made; the next one completes what is missing.
    expect(outcome).toBe('made');
    await apply(insert('b.txt', '>'));
    expect(await bench.history.list(bench.project)).toHaveLength(2);
    await undoChanges(bench.applier, bench.history, bench.project, { since: new Date(0) }, { tool: 'undo' });
    expect(await bench.tree()).toEqual(before);
  });
});
