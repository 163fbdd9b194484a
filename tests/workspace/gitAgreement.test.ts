import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { gitIn } from '../support/gitBench.ts';

/** Through a real client on the workspace face: what a person is asked about, and that nothing happens without them. */
let ide: RunningSightline;
let agent: TestClient;
let base: string;
const questions: string[] = [];
let approve = true;

const git = (...args: string[]) => gitIn(ide.root, ide.home, ...args);
const write = (path: string, content: string) => {
  mkdirSync(dirname(join(ide.root, path)), { recursive: true });
  writeFileSync(join(ide.root, path), content);
};
const commitAll = (message: string) => {
  git('add', '-A');
  git('commit', '-qm', message);
  return git('rev-parse', 'HEAD').trim();
};

beforeAll(async () => {
  ide = await startSightline({ project: { 'a.txt': 'a\n', '.gitignore': 'x\n' } });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  base = commitAll('base');
  agent = await ide.connect({
    face: 'workspace',
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', async (request) => {
        questions.push(request.params.message);
        return { action: 'accept', content: { approve } };
      }),
  });
});

beforeEach(() => {
  git('checkout', '-q', '-f', '-B', 'main', base);
  git('clean', '-qfd');
  questions.length = 0;
  approve = true;
});

afterAll(() => ide.dispose());

const tools = ['status', 'diff', 'log', 'show', 'blame', 'stage', 'unstage', 'commit', 'branch', 'stash'];

test('the face lists the ten tools, and an ordinary day needs no person', async () => {
  expect(await agent.listTools()).toEqual(expect.arrayContaining(tools.map((name) => `git_${name}`)));
  write('a.txt', 'a\nb\n');
  write('src/n.txt', 'n\n');
  expect(await agent.data('git_status')).toMatchObject({ counts: { unstaged: 1, untracked: 1 } });
  await agent.data('git_stage', { paths: ['.'] });
  const { commit } = await agent.data('git_commit', { message: 'work' });
  expect(await agent.data('git_log', { limit: 1 })).toMatchObject({
    commits: [{ commit: String(commit).slice(0, 12), subject: 'work' }],
  });
  await agent.data('git_commit', { amend: true, message: 'better words' });
  await agent.data('git_branch', { action: 'switch', name: 'side', start: 'HEAD~1' });
  expect(existsSync(join(ide.root, 'src/n.txt'))).toBe(false);
  write('a.txt', 'side\n');
  await agent.data('git_stash', { action: 'push' });
  await agent.data('git_stash', { action: 'pop' });
  write('.envrc', 'x\n');
  await agent.data('git_stash', { action: 'push', paths: ['a.txt'], include_untracked: true });
  git('stash', 'clear');
  expect(questions).toEqual([]);
});

interface Case {
  what: string;
  prepare: () => void;
  tool: string;
  args: () => Record<string, unknown>;
  /** What must not change when the person refuses. */
  state: () => string;
  shows: RegExp;
}

const stash = () => git('stash', 'list', '--format=%H');
const cases: Case[] = [
  {
    what: 'deleting a branch',
    prepare: () => git('branch', '-f', 'doomed'),
    tool: 'git_branch',
    args: () => ({ action: 'delete', name: 'doomed' }),
    state: () => git('branch', '--list', 'doomed'),
    shows: /git_branch \(destructive\).*doomed/,
  },
  {
    what: 'dropping a stash',
    prepare: () => {
      write('a.txt', 'stashed\n');
      git('stash', '-q');
    },
    tool: 'git_stash',
    args: () => ({ action: 'drop', stash: '0' }),
    state: stash,
    shows: /git_stash \(destructive\).*drop/,
  },
  {
    what: 'switching over changes',
    prepare: () => {
      git('branch', '-f', 'elsewhere');
      write('a.txt', 'work\n');
    },
    tool: 'git_branch',
    args: () => ({ action: 'switch', name: 'elsewhere', force: true }),
    state: () => readFileSync(join(ide.root, 'a.txt'), 'utf8'),
    shows: /git_branch \(destructive\).*elsewhere/,
  },
  {
    what: 'amending a commit that was pushed',
    prepare: () => git('update-ref', 'refs/remotes/origin/main', 'HEAD'),
    tool: 'git_commit',
    args: () => ({ amend: true, message: 'changed' }),
    state: () => git('rev-parse', 'HEAD'),
    shows: /It changes the commit [0-9a-f]{40}, which origin\/main has already/,
  },
  {
    what: 'switching to a branch that brings a task of an editor',
    prepare: () => {
      write('.vscode/tasks.json', '{"run": "evil"}\n');
      commitAll('task');
      git('branch', '-f', 'task');
      git('reset', '-q', '--hard', base);
    },
    tool: 'git_branch',
    args: () => ({ action: 'switch', name: 'task' }),
    state: () => String(existsSync(join(ide.root, '.vscode/tasks.json'))),
    shows: /\.vscode\/tasks\.json, which other programs execute later[^]*\+\{"run": "evil"\}/,
  },
  {
    what: 'bringing back a stash with a hook',
    prepare: () => {
      write('.husky/pre-commit', 'evil\n');
      git('add', '-A');
      git('stash', '-q');
    },
    tool: 'git_stash',
    args: () => ({ action: 'pop' }),
    state: () => String(existsSync(join(ide.root, '.husky/pre-commit'))) + stash(),
    shows: /\.husky\/pre-commit[^]*\+evil/,
  },
  {
    what: 'bringing back a stash with a new file that is executed',
    prepare: () => {
      write('.husky/pre-commit', 'evil\n');
      git('stash', '-q', '-u');
    },
    tool: 'git_stash',
    args: () => ({ action: 'apply' }),
    state: () => String(existsSync(join(ide.root, '.husky/pre-commit'))),
    shows: /\.husky\/pre-commit[^]*\+evil/,
  },
  {
    what: 'bringing back a stash with both',
    prepare: () => {
      write('.vscode/tasks.json', '{}\n');
      git('add', '-A');
      write('.husky/pre-commit', 'evil\n');
      git('stash', '-q', '-u');
    },
    tool: 'git_stash',
    args: () => ({ action: 'pop' }),
    state: () => String(existsSync(join(ide.root, '.husky/pre-commit'))) + stash(),
    shows: /\.vscode\/tasks\.json, \.husky\/pre-commit, which[^]*\+\{\}[^]*\+evil/,
  },
  {
    what: 'stashing away what is executed',
    prepare: () => write('.envrc', 'x\n'),
    tool: 'git_stash',
    args: () => ({ action: 'push', include_untracked: true }),
    state: () => String(existsSync(join(ide.root, '.envrc'))) + stash(),
    shows: /\.envrc, which other programs execute later/,
  },
];

describe.each(cases)('$what', ({ prepare, tool, args, state, shows }) => {
  test('is asked about, refused without a yes, and done with one', async () => {
    prepare();
    const before = state();
    approve = false;
    const { error } = await agent.call(tool, args());
    expect(error).toMatchObject({ name: 'approval_denied' });
    expect(state()).toBe(before);
    expect(questions).toEqual([expect.stringMatching(shows)]);
    approve = true;
    await agent.data(tool, args());
    expect(state()).not.toBe(before);
    git('stash', 'clear');
    git('update-ref', '-d', 'refs/remotes/origin/main');
  });
});
