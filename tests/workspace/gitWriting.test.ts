import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { repositoryOf } from '../../src/engine/workspace/git/repository.ts';
import { commitPatiently } from '../../src/engine/workspace/git/slowCommits.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { gitBench, type GitBench } from '../support/gitBench.ts';

/** Staging, committing, branches and stashes, in one repository that is put back after each test. */
let bench: GitBench;
let base: string;
const partialRuns = Number(process.env['PARTIAL_RUNS'] ?? 6);

const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const text = (changes: Record<number, string> = {}) =>
  `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;

beforeAll(async () => {
  bench = await gitBench({ files: { 'a.txt': text(), 'b.txt': 'b\n', '.gitignore': 'ignored\n' } });
  base = bench.commitAll('base');
});

afterEach(() => {
  bench.git('checkout', '-q', '-f', '-B', 'main', base);
  bench.git('clean', '-qfdx');
  bench.git('stash', 'clear');
  rmSync(join(bench.root, '.git/hooks'), { recursive: true, force: true });
});

afterAll(() => bench.dispose());

async function hunkIds(args: Record<string, unknown> = {}): Promise<string[]> {
  const { files } = (await bench.data('git_diff', args)) as { files: { hunks?: { id: string }[] }[] };
  return files.flatMap(({ hunks = [] }) => hunks.map(({ id }) => id));
}

function historyOf(data: Record<string, unknown>): string {
  return (data['changed'] as { historyId: string }).historyId;
}

async function openProject(): Promise<Project> {
  await bench.data('git_status');
  const project = bench.sightline.projects.list().find(({ root }) => root === bench.root);
  if (project === undefined) throw new Error('The project is not open.');
  return project;
}

interface WithRecovery {
  recovery: { sha: string; command: string; call: { tool: string; args: Record<string, unknown> } };
}

/** Both ways back that an answer names are really gone. */
async function comeBack({ recovery }: WithRecovery): Promise<void> {
  await bench.data(recovery.call.tool, recovery.call.args);
}

describe('git_stage and git_unstage', () => {
  test('paths: new, changed and deleted files, and back', async () => {
    bench.write('a.txt', text({ 1: 'one' }));
    bench.write('new/n.txt', 'n\n');
    bench.git('rm', '-q', '--cached', 'b.txt');
    bench.git('reset', '-q');
    writeFileSync(join(bench.root, 'b.txt'), '');
    const { staged } = await bench.data('git_stage', { paths: ['a.txt', 'new', 'b.txt'] });
    expect(staged).toEqual([
      { file: 'a.txt', change: 'modified', additions: 1, deletions: 1 },
      { file: 'b.txt', change: 'modified', additions: 0, deletions: 1 },
      { file: 'new/n.txt', change: 'added', additions: 1, deletions: 0 },
    ]);
    const rest = await bench.data('git_unstage', { paths: ['new', 'b.txt'] });
    expect(rest).toMatchObject({ staged: [{ file: 'a.txt' }], unstaged: 1, untracked: 1 });
    expect(bench.git('diff', '--cached', '--name-only')).toBe('a.txt\n');
  });

  test('hunks by their ids, which stay when others are staged', async () => {
    bench.write('a.txt', text({ 2: 'two', 20: 'twenty', 38: 'thirty-eight' }));
    const ids = await hunkIds();
    await bench.data('git_stage', { hunks: [ids[1]] });
    expect(bench.git('show', ':a.txt')).toBe(text({ 20: 'twenty' }));
    expect(await hunkIds()).toEqual([ids[0], ids[2]]);
    await bench.data('git_stage', { hunks: [ids[0], ids[2]] });
    expect(bench.git('show', ':a.txt')).toBe(text({ 2: 'two', 20: 'twenty', 38: 'thirty-eight' }));
    const staged = await hunkIds({ staged: true });
    await bench.data('git_unstage', { hunks: [staged[0], staged[2]] });
    expect(bench.git('show', ':a.txt')).toBe(text({ 20: 'twenty' }));
    const { error } = await bench.call('git_stage', { hunks: ['h00000000', ids[0]] });
    expect(error).toMatchObject({ code: 'git_error', message: expect.stringContaining('has no hunk h00000000') });
    expect(bench.git('show', ':a.txt')).toBe(text({ 20: 'twenty' }));
  });

  test('lines: some of a hunk, replacements with what they replace, deletions, and back', async () => {
    bench.write('a.txt', text({ 10: 'ten', 11: 'eleven', 12: 'twelve' }));
    await bench.data('git_stage', { file_path: 'a.txt', start_line: 11 });
    expect(bench.git('show', ':a.txt')).toBe(text({ 11: 'eleven' }));
    await bench.data('git_stage', { file_path: 'a.txt', start_line: 10, end_line: 12 });
    expect(bench.git('show', ':a.txt')).toBe(text({ 10: 'ten', 11: 'eleven', 12: 'twelve' }));
    await bench.data('git_unstage', { file_path: 'a.txt', start_line: 12 });
    expect(bench.git('show', ':a.txt')).toBe(text({ 10: 'ten', 11: 'eleven' }));
    bench.git('reset', '-q', '--hard');
    bench.write('a.txt', text().replace('line 5\n', '').replace('line 30\n', 'line 30\nadded\n'));
    await bench.data('git_stage', { file_path: 'a.txt', start_line: 5 });
    expect(bench.git('show', ':a.txt')).toBe(text().replace('line 5\n', ''));
    const { error } = await bench.call('git_stage', { file_path: 'a.txt', start_line: 15, end_line: 16 });
    expect(error?.message).toContain('no unstaged change of a tracked file in lines 15-16');
  });

  test('any lines of any change: what is staged in parts is whole in the end, and can be taken back', async () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    const file = fc
      .tuple(words, fc.boolean())
      .map(([all, isOpen]) => `${all.join('\n')}${isOpen || all.length === 0 ? '' : '\n'}`);
    const cases = fc.sample(fc.tuple(file, file, fc.nat(12), fc.nat(4)), { numRuns: partialRuns });
    for (const [old, fresh, start, length] of cases) {
      bench.write('p.txt', old);
      bench.git('add', 'p.txt');
      bench.git('commit', '-q', '--allow-empty', '-m', 'p');
      bench.write('p.txt', fresh);
      const shown = JSON.stringify([old, fresh, start + 1, start + 1 + length]);
      const part = { file_path: 'p.txt', start_line: start + 1, end_line: start + 1 + length };
      for (const args of [part, { ...part, start_line: 1, end_line: 100 }]) {
        const { error } = await bench.call('git_stage', args);
        expect(error?.message ?? 'There is no unstaged change', shown).toContain('There is no unstaged change');
      }
      expect(bench.git('show', ':p.txt'), shown).toBe(fresh);
      for (const args of [part, { ...part, start_line: 1, end_line: 100 }]) {
        const { error } = await bench.call('git_unstage', args);
        expect(error?.message ?? 'Nothing is staged', shown).toContain('Nothing is staged');
      }
      expect(bench.git('show', ':p.txt'), shown).toBe(old);
    }
  });

  test('a staged new file loses some lines, or goes from the index whole', async () => {
    bench.write('n.txt', 'one\ntwo\nthree\n');
    bench.git('add', 'n.txt');
    await bench.data('git_unstage', { file_path: 'n.txt', start_line: 2 });
    expect(bench.git('show', ':n.txt')).toBe('one\nthree\n');
    await bench.data('git_unstage', { hunks: await hunkIds({ staged: true }) });
    expect(bench.git('ls-files', 'n.txt')).toBe('');
    expect(bench.read('n.txt')).toBe('one\ntwo\nthree\n');
  });

  test('exactly what one change changed, whatever else has changed in the same file', async () => {
    const edit = await bench.data('edit_file', { file_path: 'a.txt', old_text: 'line 5\n', new_text: 'five\n' });
    bench.write('a.txt', bench.read('a.txt').replace('line 30', 'mine, not the change'));
    await bench.data('git_stage', { change_id: edit['historyId'] });
    expect(bench.git('show', ':a.txt')).toBe(text({ 5: 'five' }));
    // The index has other lines now: only the difference is applied.
    const second = await bench.call('edit_file', { file_path: 'a.txt', old_text: 'line 20\n', new_text: 'twenty\n' });
    const written = await bench.call('write_file', { file_path: 'deep/new.txt', content: 'n\n' });
    await bench.data('git_stage', { call_id: second.callId });
    await bench.data('git_stage', { call_id: written.callId });
    expect(bench.git('show', ':a.txt')).toBe(text({ 5: 'five', 20: 'twenty' }));
    expect(bench.git('diff', '--cached', '--name-only')).toBe('a.txt\ndeep/new.txt\n');
    expect(bench.git('diff', '--name-only')).toBe('a.txt\n');
    // The index has something else where the change was made.
    const third = await bench.data('edit_file', {
      file_path: 'a.txt',
      old_text: 'mine, not the change',
      new_text: 'x',
    });
    const { error } = await bench.call('git_stage', { change_id: third['historyId'] });
    expect(error).toMatchObject({ code: 'git_error', message: expect.stringContaining('Nothing was staged') });
    expect((await bench.call('git_stage', { change_id: 'nonsense' })).error?.code).toBe('history_not_found');
    expect((await bench.call('git_stage', { call_id: 'nonsense' })).error?.code).toBe('history_not_found');
  });

  test('a change that moved a file is staged as such', async () => {
    const project = await openProject();
    const operations = [{ kind: 'rename', from: 'a.txt', to: 'moved/a.txt' } as const];
    const { edits } = bench.sightline.engines;
    const plan = await edits.plan(project, operations);
    const { historyId } = await edits.apply(project, plan, { tool: 'test' });
    await bench.data('git_stage', { change_id: historyId });
    expect(await bench.data('git_status')).toMatchObject({
      staged: { renamed: [{ from: 'a.txt', to: 'moved/a.txt' }] },
      counts: { unstaged: 0, untracked: 0 },
    });
  });

  test('nothing said, ignored files and missing files are refused in words', async () => {
    bench.write('ignored', 'x');
    expect((await bench.call('git_stage')).error).toMatchObject({ code: 'invalid_arguments' });
    expect((await bench.call('git_stage', { paths: ['ignored'] })).error?.message).toContain('ignored');
    expect((await bench.call('git_stage', { paths: ['no-such'] })).error?.message).toContain('did not match any files');
    expect((await bench.call('git_stage', { start_line: 3 })).error).toMatchObject({ code: 'invalid_arguments' });
  });
});

describe('git_commit', () => {
  const hook = (name: string, script: string) => {
    bench.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(join(bench.root, '.git/hooks', name), 0o755);
  };

  test('commits what is staged and tells what is left', async () => {
    bench.write('a.txt', text({ 1: 'one' }));
    bench.write('b.txt', 'B\n');
    bench.git('add', 'a.txt');
    const data = await bench.data('git_commit', { message: '# no comment\n\nbody "quoted" $(x)\n' });
    expect(data).toMatchObject({
      commit: bench.git('rev-parse', 'HEAD').trim(),
      branch: 'main',
      author: 'Ada <ada@example.org>',
      files: 1,
      total: { additions: 1, deletions: 1 },
      left: { staged: 0, unstaged: 1 },
    });
    expect(bench.git('log', '-1', '--format=%B')).toBe('# no comment\n\nbody "quoted" $(x)\n\n');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an empty message', { message: ' \n ' }, 'message is empty'],
    ['no message', {}, 'message is empty'],
    ['nothing staged', { message: 'x' }, 'Nothing is staged (1 files are changed, 1 untracked)'],
  ])('refuses %s', async (_, args, words) => {
    bench.write('b.txt', 'B\n');
    bench.write('u.txt', 'u\n');
    expect((await bench.call('git_commit', args)).error?.message).toContain(words);
    expect(bench.git('rev-parse', 'HEAD').trim()).toBe(base);
  });

  test.each<[string, string, string]>([
    ['GitHub token', `token = ghp_${'a1B2'.repeat(9)}`, 'allow_secrets'],
    ['private key', '-----BEGIN RSA PRIVATE KEY-----', 'allow_secrets'],
    ['AWS key', 'AKIAIOSFODNN7EXAMPLE', 'allow_secrets'],
    ['random password', 'DB_PASSWORD=x9Kf83ZpQ2mW7vTn4RbY6c', 'allow_secrets'],
    ['marker', '<<<<<<< HEAD', 'allow_conflict_markers'],
    ['marker', '>>>>>>> other', 'allow_conflict_markers'],
  ])('refuses a %s unless told: %s', async (_, added, allowed) => {
    bench.write('b.txt', `b\nplain\n${added}\n`);
    bench.git('add', '.');
    const { error } = await bench.call('git_commit', { message: 'x' });
    expect(error?.message).toContain('b.txt:3');
    expect(error?.hint).toContain(allowed);
    expect(JSON.stringify(error)).not.toContain(added.slice(-12));
    await bench.data('git_commit', { message: 'x', [allowed]: true });
  });

  test('what is too large to be looked through is named', async () => {
    bench.write('big.txt', `${'x'.repeat(100)}\n`.repeat(85_000));
    bench.git('add', '.');
    const { text } = await bench.call('git_commit', { message: 'big' });
    expect(text).toContain('Too large to be looked through for secrets: big.txt');
  });

  test('commits what only resembles secrets and markers', async () => {
    const harmless = ['const apiKey = process.env.SOME_API_KEY_NAME_2;', 'Title', '=======', 'password: string;'];
    bench.write('b.txt', `${harmless.join('\n')}\n`);
    bench.git('add', '.');
    await bench.data('git_commit', { message: 'x' });
  });

  test('hooks run: their output is shown, what they change is recorded, and what they refuse is not committed', async () => {
    hook('pre-commit', 'echo formatting ü; echo formatted > b.txt; git add "b*"');
    hook('commit-msg', 'grep -q good "$1" || { echo "the message is bad" >&2; exit 1; }');
    bench.write('a.txt', text({ 1: 'one' }));
    bench.git('add', 'a.txt');
    const refused = await bench.call('git_commit', { message: 'evil' });
    expect(refused.error?.message).toMatch(/did not commit; what was staged still is[^]*the message is bad/);
    expect(bench.git('rev-parse', 'HEAD').trim()).toBe(base);
    bench.git('checkout', '-q', 'HEAD', '--', 'b.txt');
    const made = await bench.data('git_commit', { message: 'good' });
    expect(made).toMatchObject({ files: 2, hooks: ['pre-commit', 'commit-msg'], changed: { files: ['b.txt'] } });
    expect(made['output']).toContain('formatting ü');
    const { changes } = await bench.data('list_changes', { limit: 1 });
    expect(changes).toMatchObject([
      { historyId: historyOf(made), tool: 'git_commit', files: ['b.txt'], observed: true },
    ]);
  });

  test('a commit that is taken back ends its hooks, leaves no lock, and what was staged still is', async () => {
    const started = join(bench.root, '..', 'started');
    hook('pre-commit', `sleep 300 & echo $! > ${started}.new; mv ${started}.new ${started}; wait`);
    bench.write('b.txt', 'B\n');
    bench.git('add', 'b.txt');
    const stop = new AbortController();
    const { client, sightline } = bench;
    const call = sightline.backend.callTool({
      tool: 'git_commit',
      args: { message: 'slow' },
      client,
      signal: stop.signal,
    });
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 20_000 });
    stop.abort();
    expect((await call).error?.code).toBe('cancelled');
    const pid = Number(readFileSync(started, 'utf8'));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 5000 });
    await vi.waitFor(() => expect(existsSync(join(bench.root, '.git/index.lock'))).toBe(false), { timeout: 5000 });
    expect(await bench.data('git_status')).toMatchObject({ head: base, staged: { modified: ['b.txt'] } });
  });

  test('hooks that take longer than a call may: the commit goes on, and the same call gets it', async () => {
    const gate = join(bench.root, '..', 'gate');
    hook('pre-commit', `while [ ! -e ${gate} ]; do sleep 0.05; done; echo done at last`);
    bench.write('b.txt', 'B\n');
    bench.git('add', 'b.txt');
    const project = await openProject();
    const repository = await repositoryOf(project);
    const commit = (message: string, patienceMs: number) =>
      commitPatiently(repository, { message, patienceMs }, bench.sightline.engines.workingTree, { tool: 'test' });
    await expect(commit('slow', 300)).rejects.toMatchObject({
      code: 'timeout',
      hint: expect.toSatisfy((hint) => String(hint).includes('again')),
    });
    await expect(commit('another', 300)).rejects.toMatchObject({ message: expect.stringContaining('is under way') });
    expect(bench.git('rev-parse', 'HEAD').trim()).toBe(base);
    const waiting = commit('slow', 20_000);
    writeFileSync(gate, '');
    expect(await waiting).toMatchObject({ subject: 'slow', output: 'done at last', files: 1 });
    expect(bench.git('log', '--format=%s', `${base}..`)).toBe('slow\n');
    // Done is done: the same words later are another commit.
    await expect(commit('slow', 20_000)).rejects.toMatchObject({
      message: expect.stringContaining('Nothing is staged'),
    });
    rmSync(gate);
    bench.write('b.txt', 'BB\n');
    bench.git('add', 'b.txt');
    await expect(commit('unseen', 300)).rejects.toMatchObject({ code: 'timeout' });
    writeFileSync(gate, '');
    await vi.waitFor(() => expect(bench.git('log', '--format=%s', `${base}..`)).toBe('unseen\nslow\n'), {
      timeout: 20_000,
    });
    expect(await commit('unseen', 20_000)).toMatchObject({ commit: bench.git('rev-parse', 'HEAD').trim() });
    bench.write('b.txt', 'BBB\n');
    bench.git('add', 'b.txt');
    await commit('unseen', 20_000);
    expect(bench.git('log', '--format=%s', `${base}..`)).toBe('unseen\nunseen\nslow\n');
  });

  test('who nobody has told git about is told how', async () => {
    bench.git('config', 'user.useConfigOnly', 'true');
    bench.git('config', '--unset', 'user.email');
    bench.write('b.txt', 'B\n');
    bench.git('add', 'b.txt');
    const { error } = await bench.call('git_commit', { message: 'x' });
    bench.git('config', 'user.email', 'ada@example.org');
    expect(error?.hint).toContain('git config --global user.name');
  });

  test('amending keeps the message or changes it, and the answer brings the old commit back', async () => {
    bench.write('a.txt', text({ 1: 'one' }));
    bench.git('add', 'a.txt');
    await bench.data('git_commit', { message: 'first words' });
    const old = bench.git('rev-parse', 'HEAD').trim();
    bench.write('b.txt', 'B\n');
    bench.git('add', 'b.txt');
    const data = (await bench.data('git_commit', { amend: true })) as unknown as WithRecovery & { subject: string };
    expect(data.subject).toBe('first words');
    expect(data.recovery.sha).toBe(old);
    await comeBack(data);
    expect(bench.git('rev-parse', `before-amend-${old.slice(0, 7)}`).trim()).toBe(old);
    bench.git('branch', '-qD', `before-amend-${old.slice(0, 7)}`);
    bench.git(...data.recovery.command.split(' ').slice(1));
    expect(bench.git('rev-parse', 'HEAD').trim()).toBe(old);
    expect(bench.git('diff', '--cached', '--name-only')).toBe('b.txt\n');
    expect(await bench.data('git_commit', { amend: true, message: 'other words' })).toMatchObject({
      subject: 'other words',
    });
  });
});

describe('git_branch', () => {
  test('create, switch, list, delete, and back', async () => {
    expect(await bench.data('git_branch', { action: 'create', name: 'topic/ä', start: 'HEAD' })).toMatchObject({
      name: 'topic/ä',
      commit: base,
    });
    await bench.data('git_branch', { action: 'switch', name: 'topic/ä' });
    bench.write('a.txt', text({ 1: 'topic' }));
    const work = bench.commitAll('topic work');
    const back = await bench.data('git_branch', { action: 'switch', name: 'main' });
    expect(back).toMatchObject({ name: 'main', from: 'topic/ä', changed: { files: ['a.txt'] } });
    expect(bench.read('a.txt')).toBe(text());
    // What git changed is local history like anything else.
    await bench.data('undo', { history_id: historyOf(back) });
    expect(bench.read('a.txt')).toBe(text({ 1: 'topic' }));
    bench.git('checkout', '-q', '-f');
    const { branches, current } = await bench.data('git_branch');
    expect(current).toBe('main');
    expect(branches).toMatchObject([
      { name: 'topic/ä', commit: work.slice(0, 12) },
      { name: 'main', current: true },
    ]);
    const unmerged = await bench.call('git_branch', { action: 'delete', name: 'topic/ä' });
    expect(unmerged.error).toMatchObject({ code: 'git_error', hint: expect.stringContaining('force') });
    const gone = (await bench.data('git_branch', {
      action: 'delete',
      name: 'topic/ä',
      force: true,
    })) as unknown as WithRecovery;
    expect(bench.git('branch', '--list', 'topic/ä')).toBe('');
    await comeBack(gone);
    expect(bench.git('rev-parse', 'topic/ä').trim()).toBe(work);
    bench.git('branch', '-qD', 'topic/ä');
  });

  test('switching over changes is refused, and forced it keeps them', async () => {
    await bench.data('git_branch', { action: 'switch', name: 'side', start: 'main' });
    bench.write('a.txt', text({ 1: 'side' }));
    bench.commitAll('side');
    bench.git('switch', '-q', 'main');
    bench.write('a.txt', text({ 1: 'my work' }));
    bench.write('b.txt', 'staged\n');
    bench.git('add', 'b.txt');
    const refused = await bench.call('git_branch', { action: 'switch', name: 'side' });
    expect(refused.error?.message).toContain('would be overwritten');
    expect(bench.read('a.txt')).toBe(text({ 1: 'my work' }));
    const forced = (await bench.data('git_branch', {
      action: 'switch',
      name: 'side',
      force: true,
    })) as unknown as WithRecovery;
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual([text({ 1: 'side' }), 'b\n']);
    bench.git('switch', '-q', 'main');
    await comeBack(forced);
    expect([bench.read('a.txt'), bench.git('show', ':b.txt')]).toEqual([text({ 1: 'my work' }), 'staged\n']);
    bench.git('reset', '-q', '--hard');
    bench.git(...forced.recovery.command.split(' ').slice(1));
    expect(bench.read('a.txt')).toBe(text({ 1: 'my work' }));
  });

  test('a new file in the way is not lost, forced or not', async () => {
    await bench.data('git_branch', { action: 'switch', name: 'tracks', start: 'main' });
    bench.write('u.txt', 'theirs\n');
    bench.commitAll('tracks u');
    bench.git('switch', '-q', 'main');
    bench.write('u.txt', 'mine, never committed\n');
    bench.write('b.txt', 'B\n');
    for (const force of [false, true]) {
      const { error } = await bench.call('git_branch', { action: 'switch', name: 'tracks', force });
      expect(error).toMatchObject({
        message: expect.stringMatching(/untracked/i),
        hint: expect.stringContaining('include_untracked'),
      });
      expect([bench.read('u.txt'), bench.read('b.txt')]).toEqual(['mine, never committed\n', 'B\n']);
    }
    expect(bench.git('stash', 'list')).toBe('');
  });

  test('a tag or commit detaches, a name that is none says so', async () => {
    bench.git('tag', '-f', 'v1');
    expect((await bench.call('git_branch', { action: 'switch', name: 'v1' })).text).toContain('a detached HEAD');
    expect((await bench.call('git_status')).text).toContain('detached at');
    expect((await bench.call('git_branch')).text).toContain('HEAD is detached');
    expect((await bench.call('git_branch', { action: 'switch', name: 'nope' })).error?.message).toContain(
      'no branch, tag or commit',
    );
    expect((await bench.call('git_branch', { action: 'create', name: 'a b' })).error?.code).toBe('invalid_arguments');
    expect((await bench.call('git_branch', { action: 'delete' })).error?.code).toBe('invalid_arguments');
  });
});

describe('git_stash', () => {
  test('push, list, apply, drop and back', async () => {
    bench.write('a.txt', text({ 1: 'one' }));
    bench.write('b.txt', 'staged\n');
    bench.git('add', 'b.txt');
    bench.write('u.txt', 'u\n');
    const pushed = await bench.data('git_stash', { action: 'push', message: 'my "work" $x', include_untracked: true });
    expect(pushed).toMatchObject({ message: 'On main: my "work" $x', changed: { files: ['a.txt', 'b.txt', 'u.txt'] } });
    expect(existsSync(join(bench.root, 'u.txt'))).toBe(false);
    expect(await bench.data('git_stash')).toMatchObject({ stashes: [{ index: 0, message: 'On main: my "work" $x' }] });
    expect((await bench.call('git_status')).text).toContain('stashes: 1');
    const applied = await bench.data('git_stash', { action: 'apply' });
    expect(applied).toMatchObject({ kept: true, index: true, changed: { count: 3 } });
    expect(bench.git('show', ':b.txt')).toBe('staged\n');
    await bench.data('undo', { history_id: historyOf(applied) });
    expect([bench.read('a.txt'), existsSync(join(bench.root, 'u.txt'))]).toEqual([text(), false]);
    bench.git('reset', '-q', '--hard');
    const dropped = (await bench.data('git_stash', { action: 'drop', stash: '0' })) as unknown as WithRecovery;
    expect(bench.git('stash', 'list')).toBe('');
    await comeBack(dropped);
    expect([bench.read('a.txt'), bench.read('u.txt')]).toEqual([text({ 1: 'one' }), 'u\n']);
    expect(dropped.recovery.command).toBe(`git stash store -m 'On main: my "work" $x' ${dropped.recovery.sha}`);
    bench.git('stash', 'store', '-m', 'again', dropped.recovery.sha);
    expect(bench.git('stash', 'list')).toContain('again');
  });

  test('pop brings back and drops; with conflicts it says so and keeps the stash', async () => {
    bench.write('a.txt', text({ 1: 'one' }));
    bench.write('b.txt', 'B\n');
    await bench.data('git_stash', { action: 'push', paths: ['a.txt'] });
    expect(bench.read('b.txt')).toBe('B\n');
    const popped = (await bench.data('git_stash', { action: 'pop' })) as unknown as WithRecovery;
    expect([bench.read('a.txt'), bench.git('stash', 'list')]).toEqual([text({ 1: 'one' }), '']);
    expect(bench.git('cat-file', '-t', popped.recovery.sha)).toBe('commit\n');
    await bench.data('git_stash', { action: 'push' });
    bench.write('a.txt', text({ 1: 'another' }));
    bench.commitAll('another');
    const conflicted = await bench.data('git_stash', { action: 'pop' });
    expect(conflicted).toMatchObject({ kept: true, conflicts: ['a.txt'] });
    expect(bench.git('stash', 'list')).not.toBe('');
    expect(await bench.data('git_status')).toMatchObject({ conflicts: [{ file: 'a.txt', kind: 'both modified' }] });
    expect((await bench.call('git_commit', { message: 'x' })).error?.message).toContain('in conflict');
  });

  test('nothing to stash, and a stash that is none', async () => {
    expect((await bench.call('git_stash', { action: 'push' })).error?.message).toContain('no changes of tracked files');
    expect((await bench.call('git_stash', { action: 'pop' })).error?.message).toBe('There are no stashes.');
    expect((await bench.call('git_stash', { action: 'drop', stash: base })).error?.message).toBe(
      'There are no stashes.',
    );
  });
});
