import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFiles } from './fileListing.ts';
import type { Project } from './project.ts';

let root: string;
let project: Project;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-list-')));
  const files = [
    'src/a.ts',
    'src/deep/b.ts',
    'src/ignored.ts',
    'README.md',
    '.env.example',
    'node_modules/x/i.js',
    'we ird\nname.txt',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  writeFileSync(join(root, '.gitignore'), 'node_modules\nsrc/ignored.ts\n');
  symlinkSync('/etc', join(root, 'outside'));
  execFileSync('git', ['init', '-q'], { cwd: root });
  project = { id: 'p', name: 'p', root, stateDir: root, env: { PATH: process.env['PATH'] }, trusted: false };
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('what git ignores is left out, hidden files are not, links are not followed', async () => {
  expect(await listFiles(project)).toEqual({
    files: ['.env.example', '.gitignore', 'README.md', 'src/a.ts', 'src/deep/b.ts', 'we ird\nname.txt'],
    capped: false,
  });
});

test('a glob never brings back what is ignored', async () => {
  expect((await listFiles(project, { globs: ['*.ts'] })).files).toEqual(['src/a.ts', 'src/deep/b.ts']);
  expect((await listFiles(project, { globs: ['src/ignored.ts', '**/*.js'] })).files).toEqual([]);
});

test('a folder, and the ignored files when asked for', async () => {
  expect((await listFiles(project, { folder: join(root, 'src') })).files).toEqual(['src/a.ts', 'src/deep/b.ts']);
  const all = await listFiles(project, { includeIgnored: true, globs: ['*.{ts,js}'] });
  expect(all.files).toEqual(['node_modules/x/i.js', 'src/a.ts', 'src/deep/b.ts', 'src/ignored.ts']);
});

test('a cancelled listing ends', async () => {
  await expect(listFiles(project, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'CancelledError' });
});
