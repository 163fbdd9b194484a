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

  it('them for two hundred files at once, one of them moved and edited, and so does taking it back', async () => {
    const many = Array.from({ length: 200 }, (_, number) => `f${number}.txt`);
    await bench.write(Object.fromEntries(many.map((file) => [file, 'old\n'])));
    python(
      'for n in range(200): os.setxattr(f"{sys.argv[1]}/f{n}.txt", "user.note", b"%d" % n)\n' +
        'os.setxattr(f"{sys.argv[1]}/f199.txt", "system.posix_acl_access", bytes.fromhex(sys.argv[2]))\n' +
        'os.chmod(f"{sys.argv[1]}/f7.txt", 0o711)\n' +
        'if os.getuid() == 0: os.chown(f"{sys.argv[1]}/f8.txt", 1234, 5678)',
      bench.project.root,
      accessList,
    );
    // By the note, so that a file is known wherever it is.
    const look = () =>
      python(
        'for d, _, names in os.walk(sys.argv[1]):\n' +
          '  for n in names:\n' +
          '    p = os.path.join(d, n); s = os.stat(p); x = {k: os.getxattr(p, k).hex() for k in os.listxattr(p)}\n' +
          '    if "user.note" in x: print(sorted(x.items()), oct(s.st_mode), s.st_uid, s.st_gid)',
        bench.project.root,
      )
        .split('\n')
        .sort();
    const before = look();
    expect(before).toHaveLength(200);
    expect(before.filter((line) => line.includes(accessList))).toHaveLength(1);
    const change: FileOperation[] = [
      ...edits(...many.slice(0, 199)),
      { kind: 'rename', from: 'f199.txt', to: 'lib/moved.txt' },
      { kind: 'write', path: 'lib/moved.txt', content: 'moved and new\n' },
    ];
    const { historyId } = await bench.applier.apply(bench.project, change, { tool: 'x' });
    expect(readFileSync(at('f198.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(at('lib/moved.txt'), 'utf8')).toBe('moved and new\n');
    expect(look()).toEqual(before);
    await undoChanges(bench.applier, bench.history, bench.project, { historyId }, { tool: 'undo' });
    expect(readFileSync(at('f199.txt'), 'utf8')).toBe('old\n');
    expect(look()).toEqual(before);
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
