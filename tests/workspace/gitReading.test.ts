import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gitBench, type GitBench } from '../support/gitBench.ts';

/** The five tools that read, in one repository with a short history. */
let bench: GitBench;
let first: string;
let second: string;

const original = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');

beforeAll(async () => {
  bench = await gitBench({
    files: { 'src/a.txt': `${original}\n`, 'old name.txt': 'x\ny\nz\n', 'data.bin': Buffer.from([0, 1, 2]) },
  });
  first = bench.commitAll('first commit\n\nWith a body.');
  bench.write('src/a.txt', `${original.replace('line 3', 'line three')}\n`);
  bench.git('mv', 'old name.txt', 'new name.txt');
  second = bench.commitAll('second: rename and a needle');
  bench.git('branch', 'other', first);
});

afterAll(() => bench.dispose());

test('git_status tells what is staged, changed, renamed and untracked, and the text is short', async () => {
  bench.git('mv', 'new name.txt', 'third name.txt');
  bench.write('src/a.txt', 'changed\n');
  bench.write('fresh/one.txt', '1');
  const data = await bench.data('git_status');
  expect(data).toMatchObject({
    branch: 'main',
    head: second,
    stashes: 0,
    staged: { renamed: [{ from: 'new name.txt', to: 'third name.txt' }] },
    unstaged: { modified: ['src/a.txt'] },
    untracked: ['fresh/'],
    counts: { staged: 1, unstaged: 1, untracked: 1, conflicts: 0 },
  });
  expect((await bench.call('git_status')).text).toContain('staged, renamed 1: "new name.txt" → "third name.txt"');
  bench.git('reset', '-q', '--hard');
  bench.git('clean', '-qfd');
  expect((await bench.call('git_status')).text).toBe(`main at ${second.slice(0, 12)}\nclean`);
});

test('git_status of 40 changed files costs at most 700 tokens', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `src/engine/workspace/area${index % 4}/component${index}.ts`);
  for (const name of names) bench.write(name, '1');
  bench.git('add', ...names.slice(0, 20));
  const { text, data } = await bench.call('git_status');
  bench.git('add', '.');
  const staged = (await bench.call('git_status')).text;
  expect(data).toMatchObject({ counts: { staged: 20, untracked: 20 } });
  for (const one of [text, staged]) expect(encode(one).length).toBeLessThanOrEqual(700);
  expect(encode(JSON.stringify(data)).length).toBeLessThanOrEqual(900);
  expect(staged).toContain('component39.ts');
  bench.git('reset', '-q', '--hard');
});

describe('git_diff', () => {
  test('shows hunks with ids, and nothing of what is staged', async () => {
    const lines = original.replace('line 3', 'line three').split('\n');
    lines[9] = 'ten';
    lines[24] = 'twenty-five';
    bench.write('src/a.txt', `${lines.join('\n')}\n`);
    bench.write('new name.txt', 'x\nY\nz\n');
    bench.git('add', 'new name.txt');
    const { files, total } = (await bench.data('git_diff')) as { files: DiffFile[]; total: unknown };
    expect(files).toMatchObject([{ file: 'src/a.txt', change: 'modified', additions: 2, deletions: 2 }]);
    expect(total).toEqual({ additions: 2, deletions: 2 });
    const [one, two] = files[0]?.hunks ?? [];
    expect(one?.text).toContain('-line 10\n+ten');
    expect(two?.header).toMatch(/^@@ -22,7 \+22,7 @@/);
    expect(one?.id).toMatch(/^h[0-9a-f]{8}$/);
    expect(one?.id).not.toBe(two?.id);
    expect(await bench.data('git_diff', { staged: true })).toMatchObject({ files: [{ file: 'new name.txt' }] });
    expect((await bench.call('git_diff')).text).toContain(`${one?.id} @@ -7,7 +7,7 @@`);
  });

  test('counts only, words only, one path only, and what is elsewhere when there is nothing', async () => {
    const stat = await bench.data('git_diff', { stat: true });
    expect(stat['files']).toEqual([{ file: 'src/a.txt', change: 'modified', additions: 2, deletions: 2 }]);
    const words = (await bench.data('git_diff', { word: true })) as { files: DiffFile[] };
    expect(words.files[0]?.hunks?.[1]?.text).toContain('[-line 25-]{+twenty-five+}');
    expect(await bench.data('git_diff', { paths: ['new name.txt'] })).toMatchObject({ files: [] });
    bench.write('fresh/new.txt', 'n\n');
    expect((await bench.call('git_diff', { paths: ['fresh/new.txt'] })).text).toContain(
      'nothing to compare with: fresh/new.txt',
    );
    bench.git('clean', '-qfd');
    bench.git('checkout', '-q', 'src/a.txt');
    expect((await bench.call('git_diff')).text).toBe(
      'Note: There are 1 staged, 0 unstaged and 0 untracked files.\nNo difference.',
    );
    bench.git('reset', '-q', '--hard');
  });

  test('between revisions, with renames and without ids', async () => {
    const data = (await bench.data('git_diff', { range: `${first}..main` })) as { files: DiffFile[] };
    expect(data.files).toMatchObject([
      { file: 'new name.txt', from: 'old name.txt', change: 'renamed', additions: 0 },
      { file: 'src/a.txt', change: 'modified' },
    ]);
    expect(data.files[1]?.hunks?.[0]?.id).toBeUndefined();
    expect(await bench.data('git_diff', { range: 'main...other' })).toMatchObject({ files: [] });
  });

  test('what has no room is counted and named, and whole hunks are shown', async () => {
    bench.write('src/a.txt', `${original.replaceAll('line', 'row'.repeat(100))}\n`);
    bench.write('new name.txt', 'x\nY\nz\n');
    const data = (await bench.data('git_diff', { max_chars: 2000 })) as { files: DiffFile[]; leftOut: unknown };
    expect(data.files[0]?.hunks?.[0]?.text).toContain('+Y');
    expect(data.files[1]).toMatchObject({ additions: 30, deletions: 30 });
    expect(data.files[1]?.hunks?.[0]?.text).toBeUndefined();
    expect(data.leftOut).toEqual({ hunks: 1, files: ['src/a.txt'] });
    // What is left out is chosen, never cut off.
    for (const [tool, max_chars] of [
      ['git_diff', 600],
      ['git_diff', 2000],
      ['git_show', 700],
      ['git_show', 1500],
    ] as const)
      expect((await bench.call(tool, { max_chars })).text).not.toContain('Left out to fit');
    bench.git('reset', '-q', '--hard');
  });
});

interface DiffFile {
  file: string;
  additions?: number;
  hunks?: { id?: string; header: string; text?: string }[];
}

describe('git_log', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['all', {}, ['second: rename and a needle', 'first commit']],
    ['message', { grep: 'NEEDLE' }, ['second: rename and a needle']],
    ['message by pattern', { grep: '^first.*t$', regex: true }, ['first commit']],
    ['no pattern unless told', { grep: 'first.*t' }, []],
    ['author', { author: 'ada' }, ['second: rename and a needle', 'first commit']],
    ['nobody', { author: 'bob' }, []],
    ['text', { search: 'line three' }, ['second: rename and a needle']],
    ['text by pattern', { search: 'line th.ee', regex: true }, ['second: rename and a needle']],
    ['path', { paths: ['new name.txt'] }, ['second: rename and a needle']],
    ['across renames', { paths: ['new name.txt'], follow: true }, ['second: rename and a needle', 'first commit']],
    ['range', { range: 'other..main' }, ['second: rename and a needle']],
    ['since', { since: '2 days ago' }, ['second: rename and a needle', 'first commit']],
    ['until', { until: '2001-01-01' }, []],
    ['limit', { limit: 1 }, ['second: rename and a needle']],
  ])('%s', async (_, args, subjects) => {
    const { commits, hasMore } = (await bench.data('git_log', args)) as {
      commits: { subject: string }[];
      hasMore: boolean;
    };
    expect(commits.map(({ subject }) => subject)).toEqual(subjects);
    expect(hasMore).toBe(args['limit'] === 1);
  });

  test('draws a graph', async () => {
    const { text } = await bench.call('git_log', { graph: true });
    expect(text).toMatch(/^\* [0-9a-f]{12} \d{4}-\d\d-\d\d Ada: second: rename and a needle \(HEAD -> main\)\n\* /);
  });

  test('a time that git would take for now is refused', async () => {
    expect((await bench.call('git_log', { since: 'the dawn of time' })).error).toMatchObject({
      code: 'invalid_arguments',
    });
  });
});

test('git_show tells a commit, a file, a folder and a missing file of a revision', async () => {
  const commit = await bench.data('git_show', { revision: first });
  expect(commit).toMatchObject({
    commit: first,
    author: 'Ada <ada@example.org>',
    message: 'first commit\n\nWith a body.',
    files: [
      { file: 'data.bin', change: 'added', binary: true },
      { file: 'old name.txt', change: 'added', additions: 3 },
      { file: 'src/a.txt', additions: 30 },
    ],
  });
  const file = await bench.data('git_show', { revision: 'HEAD~1', file_path: 'src/a.txt', start_line: 3, end_line: 4 });
  expect(file['entry']).toMatchObject({ kind: 'file', content: 'line 3\nline 4', totalLines: 30 });
  expect(await bench.data('git_show', { file_path: '.' })).toMatchObject({
    entry: { kind: 'folder', entries: ['data.bin', 'new name.txt', 'src/'] },
  });
  expect((await bench.call('git_show', { file_path: 'old name.txt' })).error).toMatchObject({ code: 'file_not_found' });
  expect(await bench.data('git_show', { paths: ['data.bin'] })).toMatchObject({ commit: second, files: [] });
});

test('git_blame groups lines, ignores commits and follows moved lines', async () => {
  const all = await bench.data('git_blame', { file_path: 'src/a.txt' });
  expect(all['blocks']).toMatchObject([
    { lines: '1-2', commit: first.slice(0, 12) },
    { lines: '3', commit: second.slice(0, 12) },
    { lines: '4-30', commit: first.slice(0, 12) },
  ]);
  expect(all['commits']).toMatchObject({
    [first.slice(0, 12)]: { author: 'Ada', summary: 'first commit' },
    [second.slice(0, 12)]: { summary: 'second: rename and a needle' },
  });
  expect((await bench.call('git_blame', { file_path: 'src/a.txt' })).text).toMatch(/\n4-30 [0-9a-f]{12}$/);
  const narrow = await bench.data('git_blame', { file_path: 'src/a.txt', start_line: 3, end_line: 3 });
  expect(narrow['blocks']).toMatchObject([{ lines: '3', text: ['line three'] }]);
  const through = await bench.data('git_blame', { file_path: 'src/a.txt', ignore_revs: ['main'] });
  expect(through).toMatchObject({ blocks: [{ lines: '1-30' }], ignoredCommits: 1 });
  bench.write('.git-blame-ignore-revs', `# formatting\n${second}\nnot a commit\n`);
  expect(await bench.data('git_blame', { file_path: 'src/a.txt' })).toMatchObject({ ignoredCommits: 1 });
  bench.write('.git-blame-ignore-revs', `${'1'.repeat(40)}\n`);
  expect((await bench.data('git_blame', { file_path: 'src/a.txt' }))['ignoredCommits']).toBeUndefined();
  const moved =
    'a long enough line that was moved to another file entirely\nand a second one beside it, also long enough\n';
  bench.write('from.txt', `${moved}rest\n`);
  bench.git('rm', '-q', '--cached', '--ignore-unmatch', '.git-blame-ignore-revs');
  bench.commitAll('third');
  bench.write('from.txt', 'rest\n');
  bench.write('to.txt', moved);
  bench.commitAll('move');
  const traced = await bench.data('git_blame', { file_path: 'to.txt', moved: true });
  expect(traced['blocks']).toMatchObject([{ from: { file: 'from.txt', line: 1 } }]);
  expect(Object.values(traced['commits'] ?? {})).toMatchObject([{ summary: 'third' }]);
  bench.write('to.txt', `${moved}mine\n`);
  expect((await bench.call('git_blame', { file_path: 'to.txt' })).text).toContain('3 not committed');
});
