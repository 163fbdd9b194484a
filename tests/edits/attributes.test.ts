import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, readFileSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileOperation } from '../../src/engine/workspace/edits/operations.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { workbench, type Workbench } from './workbench.ts';

/** Neither Node nor the usual tools can set these everywhere; Python can, and is needed for other tests anyway. */
function python(code: string, ...args: string[]): string {
  return execFileSync('python3', ['-c', `import os, sys\n${code}`, ...args], { encoding: 'utf8' }).trim();
}
const setAttribute = (path: string, name: string, hex: string) =>
  python('os.setxattr(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]))', path, name, hex);
const attributes = (path: string) =>
  python('print(sorted((n, os.getxattr(sys.argv[1], n).hex()) for n in os.listxattr(sys.argv[1])))', path);

/** user::rw- user:1234:rwx group::r-- mask::rwx other::r--, as the kernel keeps it. */
const accessList = '0200000001000600ffffffff02000700d204000004000400ffffffff10000700ffffffff20000400ffffffff';

describe('an edit keeps', () => {
  let bench: Workbench;
  const at = (file: string) => join(bench.project.root, file);
  const edits = (...files: string[]): FileOperation[] =>
    files.map((path) => ({ kind: 'write', path, content: 'new\n' }));

  beforeEach(async () => {
    bench = workbench();
    await bench.write({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'run.sh': 'x\n' });
  });
  afterEach(() => bench.dispose());

  it('extended attributes, access lists, owner and mode, and so does taking it back', async () => {
    setAttribute(at('a.txt'), 'user.note', 'c0ffee');
    setAttribute(at('b.txt'), 'system.posix_acl_access', accessList);
    chmodSync(at('run.sh'), 0o4750);
    // Only the system's administrator can give files away.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(at('run.sh'), 1234, 5678);
    if (isRoot) chmodSync(at('run.sh'), 0o4750);
    const look = () =>
      ['a.txt', 'b.txt', 'run.sh'].map((file) => {
        const { uid, gid, mode } = statSync(at(file));
        return [attributes(at(file)), uid, gid, (mode & 0o7777).toString(8)];
      });
    const before = look();
    expect(before.map(([list]) => list)).toEqual([
      "[('user.note', 'c0ffee')]",
      `[('system.posix_acl_access', '${accessList}')]`,
      '[]',
    ]);
    const { historyId } = await bench.applier.apply(bench.project, edits('a.txt', 'b.txt', 'run.sh'), { tool: 'x' });
    expect(look()).toEqual(before);
    await undoChanges(bench.applier, bench.history, bench.project, { historyId }, { tool: 'undo' });
    expect(look()).toEqual(before);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a\n');
  });

  it('access lists also when many files change at once', async () => {
    const many = Array.from({ length: 60 }, (_, number) => `f${number}.txt`);
    await bench.write(Object.fromEntries(many.map((file) => [file, 'old\n'])));
    setAttribute(at('f7.txt'), 'system.posix_acl_access', accessList);
    await bench.applier.apply(bench.project, edits(...many), { tool: 'x' });
    expect(attributes(at('f7.txt'))).toContain(accessList);
    expect(readFileSync(at('f59.txt'), 'utf8')).toBe('new\n');
  });

  it('the content of other names, and says so', async () => {
    linkSync(at('a.txt'), at('twin.txt'));
    const notes: string[] = [];
    await bench.applier.apply(bench.project, edits('a.txt'), { tool: 'x', tell: (note) => void notes.push(note) });
    expect(readFileSync(at('twin.txt'), 'utf8')).toBe('a\n');
    expect(notes).toEqual(['Hard links: the other names of a.txt (2 names) keep the old content']);
  });

  it('everything when there is no room for its own notes, and says that the disk refused', async () => {
    await rm(bench.project.stateDir, { recursive: true, force: true });
    await writeFile(bench.project.stateDir, 'no folder');
    const failed = bench.applier.apply(bench.project, edits('a.txt'), { tool: 'x' });
    await expect(failed).rejects.toMatchObject({ code: 'write_failed' });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a\n');
  });
});
