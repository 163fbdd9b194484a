import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openRepository, readGit } from '../../src/engine/workspace/git/repository.ts';
import { verifyRevision } from '../../src/engine/workspace/git/revisions.ts';
import { parseStatus } from '../../src/engine/workspace/git/status.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { testBench, type TestBench } from '../support/sightline.ts';

let bench: TestBench;

afterEach(() => bench.dispose());

function git(...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@x.org', ...args], {
    cwd: bench.root,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

function project(trusted: boolean): Project {
  return {
    id: 'p',
    name: 'p',
    root: bench.root,
    stateDir: bench.home,
    env: { PATH: process.env['PATH'], HOME: bench.home },
    trusted,
  };
}

test('get_project_info tells branch, head and what changed', async () => {
  bench = await testBench({ files: { 'package.json': '{"engines": {"node": ">=20"}}', 'a.ts': '1', 'b.ts': '1' } });
  git('init', '-q', '-b', 'trunk');
  git('add', 'package.json', 'a.ts');
  git('commit', '-qm', 'first');
  bench.write('a.ts', '2');
  bench.write('c.ts', '1');
  git('add', 'c.ts');
  const data = await bench.data('get_project_info');
  expect(data).toMatchObject({
    trusted: true,
    buildSystems: ['npm'],
    runtimes: [{ runtime: 'node', version: '>=20', source: 'package.json' }],
    git: { branch: 'trunk', head: git('rev-parse', 'HEAD').trim(), staged: 1, changed: 1, untracked: 1, conflicts: 0 },
  });
  expect((await bench.call('get_project_info')).text).toContain('git: trunk at ');
});

test('a project without a repository has no git state, and no problem', async () => {
  bench = await testBench({ files: { 'package.json': '{}' } });
  const data = await bench.data('get_project_info');
  expect(data['git']).toBeUndefined();
  expect(data['problems']).toBeUndefined();
});

test('nothing that the repository names is run', async () => {
  bench = await testBench({
    inProject: false,
    files: { 'a.txt': 'one\n', '.gitattributes': '*.txt filter=evil diff=evil\n*.bin filter=other\n', 'x.bin': 'x' },
  });
  const canary = join(bench.root, '..', 'canary');
  const run = `touch ${canary}; cat`;
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  for (const [key, value] of [
    ['core.fsmonitor', `${run} >/dev/null; false`],
    ['core.hooksPath', 'hooks'],
    ['core.pager', run],
    ['diff.external', run],
    ['diff.evil.textconv', run],
    ['diff.evil.command', run],
    ['filter.evil.clean', run],
    ['filter.evil.smudge', run],
    ['filter.evil.required', 'true'],
    ['filter.other.process', run],
    ['log.showSignature', 'true'],
    ['gpg.program', run],
    ['credential.helper', `!${run}`],
    ['core.sshCommand', run],
    ['core.editor', run],
  ] as const)
    git('config', key, value);
  mkdirSync(join(bench.root, 'hooks'));
  for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman'])
    writeFileSync(join(bench.root, 'hooks', hook), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  bench.write('a.txt', 'two\n');
  bench.write('x.bin', 'y');
  const repository = await openRepository(project(false));
  if (repository === undefined) throw new Error('no repository');
  const head = await verifyRevision(repository, 'HEAD');
  const reads = [
    ['status', '--porcelain=v2', '-z'],
    ['diff', '--no-ext-diff', '--no-textconv'],
    ['log', '-p', '--no-ext-diff', '--no-textconv', head],
    ['show', '--no-ext-diff', '--no-textconv', head],
    ['blame', '--no-textconv', '--porcelain', '--', 'a.txt'],
  ];
  for (const args of reads) expect((await readGit(repository, { args })).stdout.length).toBeGreaterThan(0);
  const info = await bench.call('get_project_info', { project_path: bench.root });
  expect(info.data).toMatchObject({ trusted: false, git: { branch: 'main', changed: 2 } });
  expect(existsSync(canary)).toBe(false);
  // The same repository does run them for git itself, so the canary is alive.
  git('status');
  expect(existsSync(canary)).toBe(true);
});

test('a repository around or beside an untrusted project is not used', async () => {
  bench = await testBench({ files: { 'inner/package.json': '{}' } });
  git('init', '-q');
  const inner = { ...project(false), root: join(bench.root, 'inner') };
  await expect(openRepository(inner)).rejects.toMatchObject({ code: 'project_not_trusted' });
  expect(await openRepository({ ...inner, trusted: true })).toMatchObject({ topLevel: bench.root });
});

test.each(['--output=/tmp/x', '-O', 'HEAD; touch x', '$(touch x)', '', 'no-such', 'a\0b', '--exec=x', 'HEAD:a.txt'])(
  'the revision %j is no revision',
  async (revision) => {
    bench = await testBench({ files: { 'a.txt': '' } });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'x');
    const repository = await openRepository(project(false));
    if (repository === undefined) throw new Error('no repository');
    await expect(verifyRevision(repository, revision)).rejects.toMatchObject({
      code: expect.stringMatching(/git_error|invalid_arguments/),
    });
  },
);

test('renames and conflicts are counted once', async () => {
  bench = await testBench();
  expect(
    parseStatus(
      '# branch.oid (initial)\0# branch.head main\0# branch.ab +2 -3\x002 R. N... 1 1 1 a b R100 new\0old\0? x\0u UU N... 1 1 1 1 a b c f\0',
    ),
  ).toMatchObject({
    branch: 'main',
    ahead: 2,
    behind: 3,
    staged: { renamed: [{ from: 'old', to: 'new' }] },
    untracked: ['x'],
    conflicts: [{ file: 'f', kind: 'both modified' }],
    counts: { staged: 1, unstaged: 0, untracked: 1, conflicts: 1 },
  });
});
