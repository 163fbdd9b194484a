import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/server/clients.ts';
import type { JsonSchema } from '../../src/tools/defineTool.ts';
import { gitTools } from '../../src/tools/git/gitTools.ts';
import { gitIn } from '../support/gitBench.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { mutatedArguments } from '../support/toolArguments.ts';

/**
 * The promise about git: whatever a caller writes is never an option, whatever a repository's configuration names is never run by reading
 * and never by anything in a project that nobody trusts, and nothing outside of the project is read.
 */
let bench: TestBench;
let marks: string;
let outside: string;
const secret = 'TOP-SECRET-LINE';

beforeAll(async () => {
  bench = await testBench({ inProject: false, env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'allow' } });
  marks = join(bench.root, '..', 'marks');
  outside = join(bench.root, '..', 'outside');
  mkdirSync(marks);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), `${secret}\n`);
});

afterAll(() => bench.dispose());

function folder(name: string): string {
  const path = join(bench.root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function put(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function repository(name: string): string {
  const root = folder(name);
  const git = (...args: string[]) => gitIn(root, bench.home, ...args);
  git('init', '-q', '-b', 'main');
  put(root, 'a.txt', 'one\ntwo\n');
  put(root, 'dir/b.txt', 'b\n');
  put(root, '.gitattributes', '*.txt diff=evil filter=evil merge=evil\nb.txt filter=a=b\n');
  git('add', '.');
  git('commit', '-qm', 'base');
  put(root, 'a.txt', 'one\nTWO\n');
  git('commit', '-qam', 'second');
  git('branch', 'other', 'HEAD~1');
  put(root, 'a.txt', 'one\nstashed\n');
  git('stash', '-q');
  put(root, 'a.txt', 'one\nchanged\n');
  put(root, 'dir/b.txt', 'B\n');
  return root;
}

interface Call {
  tool: string;
  args: Record<string, unknown>;
}

const readers: Call[] = [
  { tool: 'git_status', args: {} },
  { tool: 'git_diff', args: {} },
  { tool: 'git_diff', args: { word: true } },
  { tool: 'git_diff', args: { staged: true } },
  { tool: 'git_diff', args: { range: 'other..main' } },
  { tool: 'git_diff', args: { range: 'main', paths: ['.'] } },
  { tool: 'git_log', args: { graph: true } },
  { tool: 'git_log', args: { paths: ['a.txt'], follow: true } },
  { tool: 'git_log', args: { search: 'TWO' } },
  { tool: 'git_show', args: {} },
  { tool: 'git_show', args: { file_path: 'a.txt' } },
  { tool: 'git_blame', args: { file_path: 'a.txt' } },
  { tool: 'git_blame', args: { file_path: 'a.txt', moved: true, revision: 'main' } },
  { tool: 'git_branch', args: { remote: true } },
  { tool: 'git_stash', args: {} },
  { tool: 'get_project_info', args: {} },
];

const writers: Call[] = [
  { tool: 'git_stage', args: { paths: ['.'] } },
  { tool: 'git_stage', args: { file_path: 'a.txt', start_line: 2 } },
  { tool: 'git_unstage', args: { paths: ['.'] } },
  { tool: 'git_branch', args: { action: 'create', name: 'fresh' } },
  { tool: 'git_branch', args: { action: 'switch', name: 'other', force: true } },
  { tool: 'git_branch', args: { action: 'delete', name: 'other', force: true } },
  { tool: 'git_stash', args: { action: 'push' } },
  { tool: 'git_stash', args: { action: 'apply' } },
  { tool: 'git_stash', args: { action: 'drop' } },
];

/** Programs that a repository's configuration can name. Each leaves a mark of its own. */
function traps(mark: (name: string) => string): Record<string, string> {
  const run = (name: string) => `touch ${mark(name)}`;
  return {
    'core.fsmonitor': `${run('fsmonitor')}; false`,
    'core.pager': run('pager'),
    'core.editor': run('editor'),
    'core.askPass': run('askpass'),
    'core.sshCommand': run('ssh'),
    'core.gitProxy': run('proxy'),
    'core.alternateRefsCommand': run('alternate'),
    'pager.log': run('pager-log'),
    'pager.diff': run('pager-diff'),
    'sequence.editor': run('sequence'),
    'interactive.diffFilter': run('interactive'),
    'diff.external': run('external'),
    'diff.evil.command': run('driver'),
    'diff.evil.textconv': `${run('textconv')}; cat`,
    'diff.evil.cachetextconv': 'true',
    'filter.evil.clean': `${run('clean')}; cat`,
    'filter.evil.smudge': `${run('smudge')}; cat`,
    'filter.evil.required': 'true',
    'filter.a=b.clean': `${run('equals')}; cat`,
    'filter.a=b.process': run('equals-process'),
    'filter.With Space.clean': run('space'),
    'filter.dotted.name.clean': run('dotted'),
    'filter.back\\slash".process': run('quote'),
    'merge.evil.driver': run('merge'),
    'credential.helper': `!${run('credential')}`,
    'log.showSignature': 'true',
    'gpg.program': run('gpg'),
    'gpg.ssh.program': run('gpg-ssh'),
    'gpg.ssh.defaultKeyCommand': run('gpg-key'),
    'commit.gpgSign': 'true',
    'trailer.evil.command': run('trailer'),
    'trailer.evil.cmd': run('trailer-cmd'),
    'alias.status': `!${run('alias')}`,
    'alias.log': `!${run('alias-log')}`,
    'submodule.recurse': 'true',
    'submodule.sub.update': `!${run('submodule')}`,
    'submodule.sub.url': `ext::sh -c "${run('submodule-url')}"`,
    'submodule.sub.ignore': 'none',
    'protocol.ext.allow': 'always',
    'remote.origin.url': `ext::sh -c "${run('remote')}"`,
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': run('uploadpack'),
    'extensions.partialClone': 'origin',
    'core.repositoryFormatVersion': '1',
    'tar.evil.command': run('tar'),
    'man.evil.cmd': run('man'),
    'uploadpack.packObjectsHook': run('pack'),
  };
}

function armed(name: string): { root: string; own: string } {
  const root = repository(name);
  const own = join(marks, name);
  mkdirSync(own, { recursive: true });
  const mark = (what: string) => join(own, what);
  mkdirSync(join(root, 'hooks'));
  const hooks = [
    'post-index-change',
    'pre-commit',
    'commit-msg',
    'post-commit',
    'post-checkout',
    'reference-transaction',
  ];
  for (const hook of [...hooks, 'pre-auto-gc', 'fsmonitor-watchman', 'prepare-commit-msg']) {
    put(root, `hooks/${hook}`, `#!/bin/sh\ntouch ${mark(`hook-${hook}`)}\n`);
    chmodSync(join(root, 'hooks', hook), 0o755);
  }
  for (const [key, value] of Object.entries({ ...traps(mark), 'core.hooksPath': 'hooks' }))
    gitIn(root, bench.home, '-c', 'core.fsmonitor=false', 'config', '--file', '.git/config', key, value);
  return { root, own };
}

describe('in a project that nobody trusts', () => {
  test('whatever its configuration names, reading runs nothing and writing is refused', async () => {
    const { root, own } = armed('untrusted');
    const tree = readdirSync(join(root, '.git')).sort();
    for (const { tool, args } of readers) {
      const answer = await bench.call(tool, { ...args, project_path: root });
      expect(answer.error, `${tool} ${JSON.stringify(args)}: ${answer.text}`).toBeUndefined();
      expect(readdirSync(own), `${tool} ${JSON.stringify(args)}`).toEqual([]);
    }
    const head = readFileSync(join(root, '.git/HEAD'), 'utf8');
    for (const { tool, args } of [...writers, { tool: 'git_commit', args: { message: 'x' } }]) {
      const { error } = await bench.call(tool, { ...args, project_path: root });
      // Without anything staged a commit does not get as far as that.
      expect(error?.code, tool).toMatch(
        tool === 'git_commit' ? /^(git_error|project_not_trusted)$/ : /^project_not_trusted$/,
      );
    }
    expect(readdirSync(own)).toEqual([]);
    expect(readFileSync(join(root, '.git/HEAD'), 'utf8')).toBe(head);
    expect(readdirSync(join(root, '.git')).sort()).toEqual(tree);
  });

  test('an object that is missing is not fetched', async () => {
    const { root, own } = armed('partial');
    const blob = gitIn(root, bench.home, '-c', 'core.fsmonitor=false', 'rev-parse', 'HEAD:a.txt').trim();
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    for (const { tool, args } of readers) await bench.call(tool, { ...args, project_path: root });
    const missing = await bench.call('git_show', { file_path: 'a.txt', project_path: root });
    expect(missing.error).toMatchObject({ code: 'git_error', hint: expect.stringContaining('partial clone') });
    expect(readdirSync(own)).toEqual([]);
  });
});

test('the traps are real: git itself runs what they name', () => {
  const { root, own } = armed('control');
  for (const args of [
    ['status'],
    ['diff', '--', 'a.txt'],
    ['blame', 'a.txt'],
    ['log', '-p', '-1'],
    ['update-ref', 'refs/heads/made', 'HEAD'],
    ['commit', '-m', 'x'],
  ]) {
    try {
      gitIn(root, bench.home, ...args);
    } catch {
      // Some traps make git fail; what counts is that they ran.
    }
  }
  for (const name of ['fsmonitor', 'driver', 'textconv', 'equals-process', 'clean', 'hook-reference-transaction'])
    expect(readdirSync(own), name).toContain(name);
});

describe('what lies outside is not read', () => {
  const ways: Record<string, (root: string) => void> = {
    'a working tree elsewhere': (root) => gitIn(root, bench.home, 'config', 'core.worktree', outside),
    'a git folder elsewhere': (root) => {
      renameSync(join(root, '.git'), join(outside, 'moved.git'));
      put(root, '.git', `gitdir: ${join(outside, 'moved.git')}\n`);
    },
    'a git folder behind a link': (root) => {
      renameSync(join(root, '.git'), join(outside, 'linked.git'));
      symlinkSync(join(outside, 'linked.git'), join(root, '.git'));
    },
    'a common folder elsewhere': (root) => {
      mkdirSync(join(outside, 'common'), { recursive: true });
      for (const name of ['objects', 'refs', 'config'])
        renameSync(join(root, '.git', name), join(outside, 'common', name));
      put(root, '.git/commondir', join(outside, 'common'));
    },
    'objects of another repository': (root) => put(root, '.git/objects/info/alternates', `# x\n${privateObjects()}\n`),
    'objects behind a link': (root) => {
      renameSync(join(root, '.git/objects'), join(outside, 'objects'));
      symlinkSync(join(outside, 'objects'), join(root, '.git/objects'));
    },
  };

  function privateObjects(): string {
    const own = join(outside, 'private');
    if (!existsSync(own)) {
      mkdirSync(own);
      gitIn(own, bench.home, 'init', '-q', '-b', 'main');
      put(own, 'secret.txt', `${secret}\n`);
      gitIn(own, bench.home, 'add', '.');
      gitIn(own, bench.home, 'commit', '-qm', secret);
    }
    return join(own, '.git/objects');
  }

  test.each(Object.entries(ways))('%s', async (name, arrange) => {
    const root = repository(`outside ${name}`);
    arrange(root);
    const hidden = existsSync(join(outside, 'private'))
      ? gitIn(join(outside, 'private'), bench.home, 'rev-parse', 'HEAD').trim()
      : 'main';
    for (const { tool, args } of [...readers, { tool: 'git_show', args: { revision: hidden } }]) {
      if (tool === 'get_project_info') continue;
      const answer = await bench.call(tool, { ...args, project_path: root });
      expect(answer.error?.code, `${tool}: ${answer.text}`).toMatch(/^(git_error|project_not_trusted)$/);
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });

  test('nor where a person trusts the project and its working tree is said to be elsewhere', async () => {
    const root = repository('trusted elsewhere');
    gitIn(root, bench.home, 'config', 'core.worktree', outside);
    const client = bench.connect({ cwd: root });
    for (const { tool, args } of [...readers, ...writers]) {
      if (tool === 'get_project_info') continue;
      const answer = await bench.sightline.backend.callTool({ tool, args, client });
      expect(answer.error?.message, tool).toContain('has its working tree elsewhere');
    }
    expect(readdirSync(outside)).toContain('secret.txt');
  });

  test('files that the configuration or the tree points to', async () => {
    const root = repository('pointers');
    const file = join(outside, 'secret.txt');
    const settings = {
      'mailmap.file': file,
      'blame.ignoreRevsFile': file,
      'diff.orderFile': file,
      'core.excludesFile': file,
      'core.attributesFile': file,
      'commit.template': file,
    };
    for (const [key, value] of Object.entries(settings)) gitIn(root, bench.home, 'config', key, value);
    symlinkSync(file, join(root, '.git-blame-ignore-revs'));
    symlinkSync(file, join(root, '.mailmap'));
    rmSync(join(root, 'dir'), { recursive: true });
    mkdirSync(join(outside, 'dir'));
    writeFileSync(join(outside, 'dir/b.txt'), `${secret}\n`);
    symlinkSync(join(outside, 'dir'), join(root, 'dir'));
    rmSync(join(root, 'a.txt'));
    symlinkSync(file, join(root, 'a.txt'));
    for (const { tool, args } of readers) {
      const answer = await bench.call(tool, { ...args, project_path: root });
      expect(answer.error, `${tool}: ${answer.text}`).toBeUndefined();
      expect(JSON.stringify(answer), tool).not.toContain(secret);
    }
    // A configuration that includes what is no configuration is an error without its text.
    writeFileSync(join(outside, 'broken.txt'), `${secret} = [\n= ${secret}\n`);
    gitIn(root, bench.home, 'config', 'include.path', join(outside, 'broken.txt'));
    const broken = await bench.call('git_status', { project_path: root });
    expect(broken.error?.code).toBe('git_error');
    expect(JSON.stringify(broken)).not.toContain(secret);
  });
});

test('a repository inside the repository is not entered by reading, trusted or not', async () => {
  const root = repository('holder');
  const { root: inner, own } = armed('holder/inner');
  const blob = gitIn(root, bench.home, 'hash-object', '-w', 'a.txt').trim();
  gitIn(root, bench.home, 'update-index', '--add', '--cacheinfo', `100644,${blob},inner/a.txt`);
  put(inner, 'a.txt', 'changed\n');
  const bare = join(root, 'embedded');
  mkdirSync(bare);
  gitIn(bare, bench.home, 'init', '-q', '--bare', '.');
  for (const [key, value] of Object.entries(traps((name) => join(own, `bare-${name}`))))
    gitIn(bare, bench.home, 'config', '--file', 'config', key, value);
  const paths = ['inner', 'embedded', 'embedded/HEAD', 'inner/a.txt'];
  const inside = paths.flatMap((path) => [
    { tool: 'git_diff', args: { paths: [path] } },
    { tool: 'git_log', args: { paths: [path] } },
    { tool: 'git_blame', args: { file_path: path } },
  ]);
  for (const { tool, args } of [...readers, ...inside, ...writers])
    await bench.call(tool, { ...args, project_path: root });
  expect(readdirSync(own)).toEqual([]);
  const client = bench.connect({ cwd: root });
  for (const { tool, args } of [...readers, ...inside]) await bench.sightline.backend.callTool({ tool, args, client });
  expect(readdirSync(own)).toEqual([]);
});

describe('no text that a caller writes is an option, a pattern or a program', () => {
  let root: string;
  let client: Client;
  let canary: string;

  beforeAll(() => {
    root = repository('trusted');
    gitIn(root, bench.home, 'config', 'user.name', 'Ada');
    gitIn(root, bench.home, 'config', 'user.email', 'ada@example.org');
    client = bench.connect({ cwd: root });
    canary = join(marks, 'canary');
  });

  interface Place {
    parameter: string;
    put(text: string): unknown;
  }

  function places(schema: JsonSchema): Place[] {
    return Object.entries(schema.properties ?? {}).flatMap(([parameter, inner]): Place[] => {
      if (inner.enum !== undefined) return [];
      if (inner.type === 'string') return [{ parameter, put: (text) => text }];
      if (inner.type === 'array' && inner.items?.type === 'string') return [{ parameter, put: (text) => [text] }];
      return [];
    });
  }

  /** What else a call must say so that the text gets as far as git. */
  function companions(tool: string, parameter: string): Record<string, unknown>[] {
    if (tool === 'git_blame') return [{ file_path: 'a.txt' }];
    if (tool === 'git_commit') return [{}, { amend: true }];
    if (tool === 'git_branch') return ['create', 'switch', 'delete'].map((action) => ({ action, name: 'made' }));
    if (tool === 'git_log' && /author|grep|search/.test(parameter)) return [{}, { regex: true }];
    if (tool === 'git_stash' && parameter === 'stash') return ['apply', 'drop'].map((action) => ({ action }));
    if (tool === 'git_stash') return [{ action: 'push' }];
    return parameter === 'file_path' && tool !== 'git_show' ? [{ start_line: 1 }] : [{}];
  }

  const tools = gitTools.filter((tool) => places(tool.inputSchema).length > 0);

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s', async (name, tool) => {
    const file = join(outside, 'secret.txt');
    const texts = [
      `--output=${canary}`,
      `-O${file}`,
      `--exec=touch ${canary}`,
      `--contents=${file}`,
      `--pathspec-from-file=${file}`,
      '--no-index',
      `HEAD\n--output=${canary}`,
      `:(exclude)$(touch ${canary})`,
    ];
    for (const place of places(tool.inputSchema))
      for (const base of companions(name, place.parameter))
        await Promise.all(
          texts.map(async (text) => {
            const args = { ...base, [place.parameter]: place.put(text) };
            const answer = await bench.sightline.backend.callTool({ tool: name, args, client });
            const shown = `${JSON.stringify(args)}: ${answer.text}`;
            expect(answer.error?.code, shown).not.toBe('internal_error');
            expect(JSON.stringify(answer), shown).not.toContain(secret);
          }),
        );
    expect(existsSync(canary)).toBe(false);
    expect(readdirSync(root).filter((entry) => entry.startsWith('-'))).toEqual([]);
    expect(
      gitIn(root, bench.home, 'for-each-ref', '--format=%(refname)')
        .split('\n')
        .filter((ref) => ref.includes('/-')),
    ).toEqual([]);
    gitIn(root, bench.home, 'fsck', '--strict');
  });

  test.each(gitTools.map((tool) => [tool.name, tool] as const))(
    '%s answers whatever it is sent',
    async (name, tool) => {
      const hints = {
        file_path: 'a.txt',
        paths: ['a.txt'],
        start_line: 2,
        name: 'made',
        message: 'm',
        revision: 'HEAD',
      };
      const sent = [...mutatedArguments(tool, hints, canary, 20261117, 20), ...long(tool.inputSchema)];
      for (const args of sent) {
        const { error, text } = await bench.sightline.backend.callTool({ tool: name, args, client });
        const shown = `${JSON.stringify(args)?.slice(0, 200)}: ${text.slice(0, 300)}`;
        expect(error?.code ?? '', shown).not.toMatch(/internal_error|engine_missing/);
      }
      expect(existsSync(canary)).toBe(false);
    },
  );

  /** Longer than the system lets a program be given. */
  function long(schema: JsonSchema): unknown[] {
    return places(schema).map((place) => ({ action: 'push', [place.parameter]: place.put('x'.repeat(200_000)) }));
  }
});
