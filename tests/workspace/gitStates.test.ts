import { chmodSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolAnswer } from '../../src/server/answer.ts';
import { gitIn } from '../support/gitBench.ts';
import { testBench, type TestBench } from '../support/sightline.ts';

/** Repositories in every state that they are met in, each a project of its own, all in one process. */
let bench: TestBench;

beforeAll(async () => {
  bench = await testBench({ env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'allow' } });
});

afterAll(() => bench.dispose());

class Repository {
  readonly root: string;
  readonly #client;

  constructor(name: string, options: { init?: boolean } = {}) {
    this.root = join(dirname(bench.root), 'repositories', name);
    mkdirSync(this.root, { recursive: true });
    this.#client = bench.connect({ cwd: this.root });
    if (options.init === false) return;
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.org');
  }

  git(...args: string[]): string {
    return gitIn(this.root, bench.home, ...args);
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  commitAll(message: string): string {
    this.git('add', '-A');
    this.git('commit', '-qm', message);
    return this.git('rev-parse', 'HEAD').trim();
  }

  call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    return bench.sightline.backend.callTool({ tool, args, client: this.#client });
  }

  async data(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await this.call(tool, args);
    if (answer.data === undefined) throw new Error(`${tool} failed: ${answer.text}`);
    return answer.data;
  }
}

test('no repository: every tool says so', async () => {
  const none = new Repository('none', { init: false });
  const calls: [string, Record<string, unknown>][] = [
    ...['git_status', 'git_diff', 'git_log', 'git_show', 'git_branch', 'git_stash'].map((tool): [string, object] => [
      tool,
      {},
    ]),
    ['git_blame', { file_path: 'x' }],
    ['git_stage', { paths: ['.'] }],
    ['git_unstage', { paths: ['.'] }],
    ['git_commit', { message: 'x' }],
  ] as [string, Record<string, unknown>][];
  for (const [tool, args] of calls)
    expect((await none.call(tool, args)).error, tool).toMatchObject({
      code: 'git_error',
      message: `${none.root} is in no git repository.`,
    });
});

test('before the first commit', async () => {
  const unborn = new Repository('unborn');
  unborn.write('a.txt', 'a\n');
  expect((await unborn.call('git_status')).text).toBe('main at no commit yet\nuntracked 1: a.txt');
  expect((await unborn.call('git_log')).text).toBe('No commits.');
  expect((await unborn.call('git_branch')).text).toBe('no commit yet on main');
  expect((await unborn.call('git_show')).error?.message).toContain('names no commit');
  expect((await unborn.call('git_stash', { action: 'push' })).error?.message).toContain('Before the first commit');
  expect((await unborn.call('git_commit', { amend: true })).error?.message).toContain('no commit yet');
  await unborn.data('git_stage', { paths: ['.'] });
  expect(await unborn.data('git_diff', { staged: true })).toMatchObject({
    files: [{ file: 'a.txt', change: 'added' }],
  });
  expect(await unborn.data('git_unstage', { paths: ['a.txt'] })).toMatchObject({ staged: [], untracked: 1 });
  await unborn.data('git_stage', { paths: ['a.txt'] });
  expect(await unborn.data('git_commit', { message: 'first' })).toMatchObject({ branch: 'main', files: 1 });
});

describe('operations in progress', () => {
  let repository: Repository;

  beforeAll(() => {
    repository = new Repository('operations');
    repository.write('f.txt', 'base\n');
    repository.commitAll('base');
    repository.git('switch', '-qc', 'other');
    repository.write('f.txt', 'other\n');
    repository.commitAll('other');
    repository.git('switch', '-q', 'main');
    repository.write('f.txt', 'mine\n');
    repository.commitAll('mine');
  });

  test.each([
    ['merge', ['merge', 'other'], ['merge', '--abort']],
    ['cherry-pick', ['cherry-pick', 'other'], ['cherry-pick', '--abort']],
    ['revert', ['revert', '--no-edit', 'HEAD~1'], ['revert', '--abort']],
    ['rebase', ['rebase', 'other'], ['rebase', '--abort']],
  ])('%s', async (kind, start, abort) => {
    expect(() => repository.git(...start)).toThrow('Command failed');
    const { operation, conflicts } = await repository.data('git_status');
    expect(operation).toMatchObject({ kind });
    expect(conflicts).toMatchObject([{ file: 'f.txt' }]);
    const { text } = await repository.call('git_status');
    expect(text).toContain(`(git ${kind} --continue | --abort)`);
    const { files } = await repository.data('git_diff');
    expect(files).toMatchObject([{ file: 'f.txt', change: 'conflict' }]);
    expect((await repository.call('git_commit', { message: 'x' })).error?.message).toContain('in conflict');
    expect((await repository.call('git_branch', { action: 'switch', name: 'other' })).error?.code).toBe('git_error');
    repository.git(...abort);
  });

  test('a rebase tells its branch, step and base; a bisect is told too', async () => {
    expect(() => repository.git('rebase', 'other')).toThrow('Command failed');
    const onto = repository.git('rev-parse', 'other').trim();
    expect(await repository.data('git_status')).toMatchObject({
      operation: { branch: 'main', onto, step: 1, steps: 1 },
    });
    // Resolved and staged, it is committed like anything else.
    repository.write('f.txt', 'both\n');
    await repository.data('git_stage', { paths: ['f.txt'] });
    expect(await repository.data('git_status')).toMatchObject({ conflicts: [] });
    repository.git('rebase', '--abort');
    repository.git('bisect', 'start');
    expect((await repository.call('git_status')).text).toContain(
      'in progress: bisect of main (git bisect good | bad | reset)',
    );
    repository.git('bisect', 'reset');
  });

  test('a merge that is resolved is committed although nothing may be left to stage', async () => {
    expect(() => repository.git('merge', 'other')).toThrow('Command failed');
    repository.write('f.txt', 'mine\n');
    await repository.data('git_stage', { paths: ['f.txt'] });
    const { commit } = await repository.data('git_commit', { message: 'merged' });
    expect(await repository.data('git_show', { revision: commit })).toMatchObject({
      parents: [expect.anything(), expect.anything()],
    });
    expect((await repository.call('git_show')).text).toContain('against the first');
  });
});

test('ahead, behind, a pushed commit, a branch of the remote, and one that is gone', async () => {
  const remote = new Repository('remote');
  remote.write('a.txt', '1\n');
  remote.commitAll('one');
  remote.git('branch', 'feature');
  const clone = new Repository('clone', { init: false });
  clone.git('clone', '-q', remote.root, '.');
  clone.git('config', 'user.name', 'Ada');
  clone.git('config', 'user.email', 'ada@example.org');
  remote.write('a.txt', '2\n');
  remote.commitAll('two');
  clone.git('fetch', '-q');
  clone.write('b.txt', 'b\n');
  clone.commitAll('local');
  expect((await clone.call('git_status')).text).toContain(', 1 ahead and 1 behind origin/main');
  const { branches } = await clone.data('git_branch', { remote: true });
  expect(branches).toContainEqual(expect.objectContaining({ name: 'main', track: 'ahead 1, behind 1' }));
  expect(branches).toContainEqual(expect.objectContaining({ name: 'origin/feature' }));
  expect(await clone.data('git_branch', { action: 'switch', name: 'feature' })).toMatchObject({ name: 'feature' });
  expect(clone.git('rev-parse', '--abbrev-ref', 'feature@{u}').trim()).toBe('origin/feature');
  remote.git('branch', '-qD', 'feature');
  clone.git('fetch', '-q', '--prune');
  expect((await clone.call('git_status')).text).toContain(', origin/feature is gone');
});

test('a working tree of its own, a folder of a repository, and a submodule', async () => {
  const main = new Repository('whole');
  main.write('packages/one/package.json', '{}\n');
  main.write('packages/one/a.txt', 'a\n');
  main.write('packages/two/b.txt', 'b\n');
  main.commitAll('base');
  const tree = new Repository('worktree', { init: false });
  main.git('worktree', 'add', '-q', tree.root, '-b', 'side');
  tree.write('packages/one/a.txt', 'A\n');
  expect(await tree.data('git_status')).toMatchObject({
    branch: 'side',
    unstaged: { modified: ['packages/one/a.txt'] },
  });
  expect((await main.data('git_branch'))['branches']).toContainEqual(
    expect.objectContaining({ name: 'side', worktree: tree.root }),
  );
  expect((await main.call('git_branch', { action: 'switch', name: 'side' })).error?.message).toContain('already');

  const part = new Repository('whole/packages/one', { init: false });
  part.write('a.txt', 'x\ny\n');
  main.write('packages/two/b.txt', 'B\n');
  expect(await part.data('git_status')).toMatchObject({ unstaged: { modified: ['a.txt'] }, counts: { unstaged: 1 } });
  const { files } = (await part.data('git_diff')) as { files: { file: string; hunks: { id: string }[] }[] };
  expect(files).toMatchObject([{ file: 'a.txt' }]);
  await part.data('git_stage', { hunks: [files[0]?.hunks[0]?.id] });
  expect(main.git('show', ':packages/one/a.txt')).toBe('x\ny\n');
  main.git('reset', '-q');
  const edit = await part.data('edit_file', { file_path: 'a.txt', old_text: 'y', new_text: 'z' });
  main.git('add', 'packages/one');
  main.git('commit', '-qm', 'x');
  const again = await part.data('edit_file', { file_path: 'a.txt', old_text: 'z', new_text: 'Z' });
  await part.data('git_stage', { change_id: again['historyId'] });
  expect(main.git('show', ':packages/one/a.txt')).toBe('x\nZ\n');
  expect(edit['historyId']).not.toBe(again['historyId']);
  main.git('add', 'packages/two');
  expect(await part.data('git_commit', { message: 'from a folder' })).toMatchObject({ files: 2 });
  expect(await part.data('git_show', { file_path: 'a.txt' })).toMatchObject({ entry: { content: 'x\nZ' } });
  expect(await part.data('git_blame', { file_path: 'a.txt' })).toMatchObject({ file: 'a.txt' });
  expect((await part.data('git_blame', { file_path: 'a.txt' }))['blocks']).not.toContainEqual(
    expect.objectContaining({ from: expect.anything() }),
  );

  const inner = new Repository('inner');
  inner.write('s.txt', 's\n');
  inner.commitAll('inner');
  main.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.root, 'sub');
  expect(await main.data('git_diff', { staged: true })).toMatchObject({
    files: [{ file: '.gitmodules' }, { file: 'sub', mode: 'submodule' }],
  });
  main.git('commit', '-qm', 'submodule');
  const sub = new Repository('whole/sub', { init: false });
  sub.write('s.txt', 'S\n');
  expect(await sub.data('git_status')).toMatchObject({ unstaged: { modified: ['s.txt'] } });
  expect(await main.data('git_status')).toMatchObject({ counts: { unstaged: 0 } });
  sub.git('commit', '-qam', 'moved on');
  expect(await main.data('git_status')).toMatchObject({ unstaged: { modified: ['sub'] } });
  expect(await main.data('git_show', { file_path: 'sub' })).toMatchObject({ entry: { kind: 'submodule' } });
});

test('a repository that moves, goes or comes between two calls is noticed', async () => {
  const outer = new Repository('moving');
  outer.write('part/package.json', '{}\n');
  outer.commitAll('base');
  const part = new Repository('moving/part', { init: false });
  // Old enough to be remembered.
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (let round = 0; round < 2; round++)
    expect(await part.data('git_status')).toMatchObject({ branch: 'main', counts: { untracked: 0 } });
  part.git('init', '-q', '-b', 'own');
  expect(await part.data('git_status')).toMatchObject({ branch: 'own', untracked: ['package.json'] });
  rmSync(join(part.root, '.git'), { recursive: true });
  expect(await part.data('git_status')).toMatchObject({ branch: 'main' });
  outer.git('config', 'core.worktree', bench.home);
  expect((await part.call('git_status')).error?.message).toContain('has its working tree elsewhere');
  rmSync(join(outer.root, '.git'), { recursive: true });
  expect((await part.call('git_status')).error?.message).toContain('is in no git repository');
});

test('a bare repository is read, and the rest is refused in words', async () => {
  const source = new Repository('source');
  source.write('a.txt', 'a\n');
  const commit = source.commitAll('base');
  const bare = new Repository('bare', { init: false });
  bare.git('clone', '-q', '--bare', source.root, '.');
  expect((await bare.call('git_status')).error?.message).toContain('is a bare repository');
  expect((await bare.call('git_stage', { paths: ['.'] })).error?.message).toContain('is a bare repository');
  expect(await bare.data('git_log')).toMatchObject({ commits: [{ subject: 'base' }] });
  expect(await bare.data('git_show')).toMatchObject({ commit, files: [{ file: 'a.txt' }] });
  expect(await bare.data('git_blame', { file_path: 'a.txt', revision: 'HEAD' })).toMatchObject({
    blocks: [{ lines: '1' }],
  });
  expect((await bare.call('git_blame', { file_path: 'a.txt' })).error?.message).toContain('needs a revision');
  await bare.data('git_branch', { action: 'create', name: 'made' });
  expect(bare.git('rev-parse', 'made').trim()).toBe(commit);
});

describe('names and contents', () => {
  const names = [
    'with space.txt',
    'quote".txt',
    "apostrophe'.txt",
    'back\\slash.txt',
    'new\nline.txt',
    'tab\there.txt',
    'ünïcode–日本.txt',
    '-dash.txt',
    '--output=x.txt',
    ':(top)magic.txt',
    '*.txt',
    '[a]?.txt',
    'a => b.txt',
    'trailing ',
  ];
  let repository: Repository;

  beforeAll(() => {
    repository = new Repository('names');
    for (const name of names) repository.write(`dir/${name}`, '1\n2\n3\n');
    repository.commitAll('all names');
  });

  test('all of them at once', async () => {
    const files = names.map((name) => `dir/${name}`);
    for (const file of files) repository.write(file, '1\nchanged\n3\n');
    const { unstaged } = (await repository.data('git_status')) as { unstaged: { modified: string[] } };
    expect(unstaged.modified.sort()).toEqual([...files].sort());
    const diff = (await repository.data('git_diff', { paths: files })) as {
      files: { file: string; hunks: { id: string }[] }[];
    };
    expect(diff.files.map(({ file }) => file).sort()).toEqual([...files].sort());
    const hunks = diff.files.flatMap((file) => file.hunks.map(({ id }) => id));
    expect((await repository.data('git_stage', { hunks }))['staged']).toHaveLength(names.length);
    expect((await repository.data('git_unstage', { hunks }))['staged']).toEqual([]);
    expect((await repository.data('git_stage', { paths: files }))['staged']).toHaveLength(names.length);
    expect((await repository.data('git_unstage', { paths: files }))['staged']).toEqual([]);
    const pushed = await repository.data('git_stash', { action: 'push', paths: files.slice(1) });
    expect(pushed).toMatchObject({ changed: { count: names.length - 1 } });
    expect(repository.git('diff', '--name-only', '-z')).toBe(`${files[0] ?? ''}\0`);
    await repository.data('git_stash', { action: 'pop' });
    expect(repository.git('diff', '--name-only', '-z').split('\0')).toHaveLength(names.length + 1);
  });

  test.each(names)('%j by itself', async (name) => {
    const file = `dir/${name}`;
    expect((await repository.data('git_stage', { paths: [file] }))['staged']).toMatchObject([{ file, additions: 1 }]);
    await repository.data('git_unstage', { file_path: file, start_line: 2 });
    expect(await repository.data('git_show', { file_path: file })).toMatchObject({
      entry: { file, content: '1\n2\n3' },
    });
    expect((await repository.data('git_log', { paths: [file] }))['commits']).toHaveLength(1);
    const { blocks } = await repository.data('git_blame', { file_path: file });
    expect(blocks).toMatchObject([{ lines: '1' }, { lines: '2' }, { lines: '3' }]);
    expect(blocks).not.toContainEqual(expect.objectContaining({ from: expect.anything() }));
  });

  test('links, modes, binary files, CRLF, pointers of git-lfs, no line end, latin-1', async () => {
    const kinds = new Repository('kinds');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
    kinds.write('.gitattributes', '*.lfs filter=lfs diff=lfs merge=lfs -text\n');
    kinds.write('big.lfs', pointer);
    kinds.write('crlf.txt', 'a\r\nb\r\nc\r\n');
    kinds.write('latin.txt', Buffer.from('caf\xe9\nx\n', 'latin1'));
    kinds.write('open.txt', 'a\nb');
    kinds.write('run.sh', 'x\n');
    kinds.write('picture.bin', Buffer.from([0, 1, 2]));
    kinds.write('target.txt', 't\n');
    symlinkSync('target.txt', join(kinds.root, 'link'));
    symlinkSync('/etc/hostname', join(kinds.root, 'away'));
    symlinkSync('nowhere', join(kinds.root, 'dangling'));
    await kinds.data('git_stage', { paths: ['.'] });
    await kinds.data('git_commit', { message: 'all' });
    expect(await kinds.data('git_show', { file_path: 'big.lfs' })).toMatchObject({ entry: { lfsSize: 12345 } });
    expect(await kinds.data('git_show', { file_path: 'away' })).toMatchObject({
      entry: { kind: 'link', content: '/etc/hostname' },
    });
    kinds.write('crlf.txt', 'a\r\nB\r\nc\r\n');
    kinds.write('latin.txt', Buffer.from('caf\xe9\nX\n', 'latin1'));
    kinds.write('open.txt', 'a\nB');
    kinds.write('picture.bin', Buffer.from([0, 1, 3]));
    chmodSync(join(kinds.root, 'run.sh'), 0o755);
    unlinkSync(join(kinds.root, 'link'));
    symlinkSync('open.txt', join(kinds.root, 'link'));
    unlinkSync(join(kinds.root, 'target.txt'));
    symlinkSync('open.txt', join(kinds.root, 'target.txt'));
    unlinkSync(join(kinds.root, 'dangling'));
    const { files } = (await kinds.data('git_diff')) as {
      files: { file: string; hunks?: { id: string; text: string }[] }[];
    };
    expect(files).toMatchObject([
      { file: 'crlf.txt', additions: 1 },
      { file: 'dangling', change: 'deleted' },
      { file: 'latin.txt', additions: 1 },
      { file: 'link', change: 'modified' },
      { file: 'open.txt', additions: 1 },
      { file: 'picture.bin', binary: true },
      { file: 'run.sh', mode: 'file → executable', additions: 0 },
      { file: 'target.txt', change: 'retyped', mode: 'file → link' },
    ]);
    const hunks = files.filter(({ file }) => /^(crlf|latin|open)/.test(file)).map(({ hunks: own }) => own?.[0]?.id);
    await kinds.data('git_stage', { hunks });
    for (const name of ['crlf.txt', 'latin.txt', 'open.txt'])
      expect(kinds.git('hash-object', '--no-filters', name)).toBe(kinds.git('rev-parse', `:${name}`));
    await kinds.data('git_unstage', { file_path: 'open.txt', start_line: 2 });
    expect(kinds.git('show', ':open.txt')).toBe('a\nb');
    // The link itself is staged, whatever it leads to, and one that is gone too.
    await kinds.data('git_stage', { paths: ['link', 'target.txt', 'dangling', 'run.sh', 'picture.bin'] });
    expect(kinds.git('ls-files', '--stage', 'link', 'target.txt', 'run.sh').replaceAll(/ .*\t/g, ' ')).toBe(
      '120000 link\n100755 run.sh\n120000 target.txt\n',
    );
    await kinds.data('git_commit', { message: 'changed' });
    expect(kinds.git('status', '--short')).toBe(' M open.txt\n');
    rmSync(join(kinds.root, 'away'));
    const undone = await kinds.data('git_stash', { action: 'push' });
    expect(undone).toMatchObject({ changed: { files: ['away', 'open.txt'] } });
  });

  test('line ends that git converts: a change is staged as git keeps it', async () => {
    const converted = new Repository('converted');
    converted.git('config', 'core.autocrlf', 'true');
    converted.write('a.txt', 'a\r\nb\r\nc\r\n');
    converted.commitAll('base');
    const edit = await converted.data('edit_file', { file_path: 'a.txt', old_text: 'b', new_text: 'B' });
    await converted.data('git_stage', { change_id: edit['historyId'] });
    expect(converted.git('show', ':a.txt')).toBe('a\nB\nc\n');
    expect(converted.git('status', '--short')).toBe('M  a.txt\n');
  });
});
