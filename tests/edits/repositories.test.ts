import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  removeDirectory,
  startSightline,
  temporaryDirectory,
  type RunningSightline,
  type TestClient,
} from '../harness/harness.ts';
import { treeOf } from './workbench.ts';

/** Programs that are run in repositories as people have them: what they did is taken back to the byte, or it is said what is not. */

let ide: RunningSightline;
let agent: TestClient;
const folders: string[] = [];

beforeAll(async () => {
  // The run configurations of these projects lie in .vscode, which undo touches only with a person's consent.
  ide = await startSightline({ env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'allow' } });
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(async () => {
  await agent.close();
  await ide.dispose();
  for (const folder of folders) await removeDirectory(folder);
});

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args], {
    cwd: root,
    stdio: 'pipe',
    encoding: 'utf8',
  }).trim();

function write(root: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

async function project(files: Record<string, string | Buffer>, commit = true): Promise<string> {
  const root = await temporaryDirectory('repository');
  folders.push(root);
  write(root, {
    '.vscode/launch.json': JSON.stringify({
      configurations: [{ name: 'go', type: 'node', request: 'launch', program: `${root}/.vscode/go.cjs` }],
    }),
    '.vscode/go.cjs': '',
    ...files,
  });
  if (commit) {
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'first');
  }
  await open(root);
  return root;
}

const open = (root: string) => ide.sightline.projects.open(root, { env: process.env, trustedByStart: true });

interface Changed {
  historyId?: string;
  files: string[];
  filesCount: number;
  leftOut?: { why: string; count: number; files: string[] }[];
  notes?: string[];
}

const isOurs = (name: string) => !/(^|\/)\.git(\/|$)/.test(name);

/** The tree without git's own files. */
async function files(root: string): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await treeOf(root)).filter(([name]) => isOurs(name)));
}

/** Runs a shell script in the project and takes it back; the answer of the run, and whether every byte and mode is as before. */
async function runAndUndo(root: string, script: string, client = agent) {
  write(root, {
    '.vscode/go.cjs': `process.chdir(${JSON.stringify(root)});\nrequire('node:child_process').execFileSync('sh', ['-ec', ${JSON.stringify(script)}], { stdio: 'inherit' });\n`,
  });
  const before = await files(root);
  const answer = await client.data('run_configuration', { name: 'go', project_path: root, wait_ms: 30_000 });
  expect(answer).toMatchObject({ state: 'stopped', exitCode: 0 });
  const changed = answer['changed'] as Changed | undefined;
  if (changed?.historyId !== undefined) {
    await client.data('undo', { history_id: changed.historyId, project_path: root });
  }
  return { changed, before, after: await files(root) };
}

async function expectTakenBack(root: string, script: string): Promise<Changed> {
  const { changed, before, after } = await runAndUndo(root, script);
  expect(after).toEqual(before);
  if (changed === undefined) throw new Error('Nothing was recorded.');
  return changed;
}

describe('what a program did is taken back to the byte and the mode', () => {
  it('in a tree without git: links, modes, empty files, names with spaces, folders made and folders moved', async () => {
    const root = await project(
      { 'src/a.txt': 'a', 'src/deep/b.bin': Buffer.from([0, 255, 13, 10]), 'run me.sh': '#' },
      false,
    );
    symlinkSync('src/a.txt', join(root, 'link'));
    chmodSync(join(root, 'run me.sh'), 0o750);
    const changed = await expectTakenBack(
      root,
      'mv src lib; mkdir -p new/empty; : > new/empty/file; chmod 600 "run me.sh"; ln -sfn lib/deep link; ln -s x new/dangling',
    );
    expect(changed.leftOut).toBeUndefined();
    expect(changed.files).toEqual([
      'lib/a.txt',
      'lib/deep/b.bin',
      'link',
      'new/dangling',
      'new/empty/file',
      'run me.sh',
      'src/a.txt',
      'src/deep/b.bin',
    ]);
  });

  it('in a repository with a submodule and a repository inside it', async () => {
    const library = await project({ 'lib.c': 'int x;\n' });
    const root = await project({ 'main.c': 'int main;\n' });
    git(root, 'submodule', 'add', '-q', library, 'third/lib');
    git(root, 'commit', '-q', '-am', 'submodule');
    mkdirSync(join(root, 'nested'));
    git(join(root, 'nested'), 'init', '-q');
    write(root, { 'nested/own.txt': 'own', 'nested/.gitignore': 'ignored\n', 'nested/ignored': 'i' });
    const changed = await expectTakenBack(
      root,
      'echo more >> third/lib/lib.c; rm main.c; echo x > nested/own.txt; echo y > nested/made',
    );
    expect(changed).toMatchObject({ files: ['main.c', 'nested/made', 'nested/own.txt', 'third/lib/lib.c'] });
  });

  it('in a linked worktree and a sparse checkout', async () => {
    const main = await project({ 'a/one.txt': 'one\n', 'b/two.txt': 'two\n' });
    const folder = await temporaryDirectory('worktree');
    folders.push(folder);
    const root = join(folder, 'tree');
    git(main, 'worktree', 'add', '-q', '--no-checkout', root);
    git(root, 'sparse-checkout', 'set', 'a', '.vscode');
    git(root, 'checkout', '-q');
    write(root, {
      '.vscode/launch.json': readFileSync(join(root, '.vscode/launch.json'), 'utf8').replaceAll(main, root),
    });
    await open(root);
    const changed = await expectTakenBack(root, 'git sparse-checkout disable 2>&1; echo x >> a/one.txt');
    expect(changed).toMatchObject({ files: ['a/one.txt', 'b/two.txt'] });
  });

  it('where git keeps other bytes than the files have: line endings and large-file pointers', async () => {
    const root = await project({ '.gitattributes': '*.txt text eol=crlf\n*.dat filter=large\n' });
    git(root, 'config', 'filter.large.clean', "sed 's/.*/pointer/'");
    git(root, 'config', 'filter.large.smudge', "sed 's/.*/the large content/'");
    write(root, { 'crlf.txt': 'one\r\ntwo\r\n', 'big.dat': 'the large content\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'second');
    const changed = await expectTakenBack(root, 'rm crlf.txt; echo x > big.dat');
    expect(changed).toMatchObject({ files: ['big.dat', 'crlf.txt'] });
  });

  it('after a checkout, with what git itself keeps named', async () => {
    const root = await project({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    git(root, 'switch', '-q', '-c', 'topic');
    git(root, 'rm', '-q', '-r', 'sub');
    write(root, { 'a.txt': 'topic\n', 'c.txt': 'c\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'topic');
    git(root, 'switch', '-q', 'main');
    const changed = await expectTakenBack(root, 'git stash -q; git checkout -q topic');
    expect(changed.files).toEqual(expect.arrayContaining(['a.txt', 'c.txt', 'sub/b.txt']));
    expect(changed.notes?.join('\n')).toMatch(
      /git went from main \w{8} to topic \w{8}; undo brings back files, not git's own state/,
    );
    expect(changed.notes?.join('\n')).toMatch(/latest stash is \w{8} now/);
  });

  it('after a rebase with a stash', async () => {
    const root = await project({ 'a.txt': '1\n2\n3\n4\n5\n', 'dirty.txt': 'clean\n' });
    git(root, 'switch', '-q', '-c', 'topic');
    write(root, { 'a.txt': '1\n2\n3\n4\nfive\n' });
    git(root, 'commit', '-q', '-am', 'topic');
    git(root, 'switch', '-q', 'main');
    write(root, { 'a.txt': 'one\n2\n3\n4\n5\n' });
    git(root, 'commit', '-q', '-am', 'main');
    git(root, 'switch', '-q', 'topic');
    write(root, { 'dirty.txt': 'dirty\n' });
    const changed = await expectTakenBack(
      root,
      'git -c user.name=t -c user.email=t@t rebase -q --autostash main 2>&1; echo more >> dirty.txt',
    );
    expect(changed.files).toEqual(['a.txt', 'dirty.txt']);
    expect(changed.notes?.[0]).toMatch(/git went from topic \w{8} to topic \w{8}/);
  });
});

describe('what cannot be taken back is said', () => {
  it('files that were hidden before the program made git see them are left alone', async () => {
    const root = await project({ '.gitignore': '.env\nbuilt/\n', '.env': 'SECRET=1', 'built/x': 'x', 'a.txt': 'a\n' });
    write(root, { '.env': 'SECRET=1', 'built/x': 'x' });
    const { changed, before, after } = await runAndUndo(root, 'rm .gitignore; echo b > a.txt; mv built/x built/y');
    expect(changed?.files).toEqual(['.gitignore', 'a.txt']);
    expect(changed?.leftOut).toEqual([
      {
        why: 'there before it ran, but ignored by git or elsewhere then; left alone',
        count: 2,
        files: ['.env', 'built/y'],
      },
    ]);
    expect(after).toEqual({ ...omit(before, 'built/x'), 'built/y': before['built/x'] });
  });

  it('a repository that is deleted', async () => {
    const root = await project({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    write(root, { 'b.txt': 'not committed' });
    const { changed, after } = await runAndUndo(root, 'rm -rf .git; rm a.txt b.txt');
    expect(changed?.notes).toEqual(['The git repository is gone; undo cannot bring it back.']);
    expect(changed?.leftOut).toEqual([
      { why: 'their content before was in git, which no longer has it', count: 1, files: ['a.txt'] },
    ]);
    expect(after['b.txt']).toMatch(/not committed$/);
  });

  it('files above the size that is kept', async () => {
    const root = await project({ 'small.txt': 's' }, false);
    write(root, { 'large.bin': Buffer.alloc(9 * 1024 * 1024, 7) });
    const { changed, after } = await runAndUndo(root, 'rm large.bin small.txt');
    expect(changed?.files).toEqual(['small.txt']);
    expect(changed?.leftOut).toEqual([
      { why: 'too large, or too many at once, to be kept', count: 1, files: ['large.bin'] },
    ]);
    expect(after['small.txt']).toBeDefined();
    const { text } = await agent.call('list_changes', { project_path: root });
    expect(text).toContain('large.bin');
  });

  it('a program of which a part writes on after its end', async () => {
    const root = await project({ 'a.txt': 'a\n', 'log.txt': '' });
    write(root, {
      '.vscode/go.cjs': `process.chdir(${JSON.stringify(root)});
        const fs = require('node:fs');
        fs.writeFileSync('a.txt', 'b');
        const child = require('node:child_process').spawn(process.execPath, ['-e', "setInterval(() => require('fs').appendFileSync('log.txt', 'x'), 5); setTimeout(() => process.exit(), 4000)"], { detached: true, stdio: 'ignore' });
        child.unref();
        setTimeout(() => {}, 300);\n`,
    });
    const answer = await agent.data('run_configuration', { name: 'go', project_path: root, wait_ms: 30_000 });
    const { files: named, historyId } = answer['changed'] as Changed;
    expect(named).toEqual(['a.txt', 'log.txt']);
    // The log has moved on since, or the undo wins the race and the writer begins anew; never is its work lost in silence.
    const { error } = await agent.call('undo', { history_id: historyId, project_path: root });
    expect([undefined, 'undo_conflict']).toContain(error?.name);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(error === undefined ? 'a\n' : 'b');
  });
});

describe('many files and many clients', () => {
  it('two clients run programs at once: every change is recorded once, and each takes back its own', async () => {
    const root = await project({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    write(root, {
      '.vscode/launch.json': JSON.stringify({
        configurations: ['a', 'b'].map((name) => ({
          name,
          type: 'node',
          request: 'launch',
          program: `${root}/.vscode/${name}.cjs`,
        })),
      }),
      ...Object.fromEntries(
        ['a', 'b'].map((name) => [
          `.vscode/${name}.cjs`,
          `require('fs').appendFileSync(${JSON.stringify(join(root, `${name}.txt`))}, 'more');\nsetTimeout(() => {}, 200);`,
        ]),
      ),
    });
    const before = await files(root);
    const other = await ide.connect({ face: 'workspace', name: 'other' });
    const answers = await Promise.all([
      agent.data('run_configuration', { name: 'a', project_path: root, wait_ms: 30_000 }),
      other.data('run_configuration', { name: 'b', project_path: root, wait_ms: 30_000 }),
    ]);
    const recorded = answers.flatMap((answer) => (answer['changed'] as Changed | undefined)?.files ?? []);
    expect(recorded.sort()).toEqual(['a.txt', 'b.txt']);
    for (const client of [agent, other]) await client.call('undo', { project_path: root });
    expect(await files(root)).toEqual(before);
  });

  it('a large tree that git does not know costs little, and is taken back', async () => {
    const root = await project({ 'a.txt': 'a\n' });
    for (let folder = 0; folder < 100; folder++) {
      mkdirSync(join(root, `data/${folder}`), { recursive: true });
      for (let file = 0; file < 30; file++)
        writeFileSync(join(root, `data/${folder}/${file}.txt`), `${folder} ${file}`);
    }
    const changed = await expectTakenBack(root, 'rm -r data/7; echo x > data/8/new.txt; mv data/9 data/moved');
    expect(changed.filesCount).toBe(91);
    expect(changed.leftOut).toBeUndefined();
  });
});

function omit(record: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
