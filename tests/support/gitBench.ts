import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testBench, type BenchOptions, type TestBench } from './sightline.ts';

/** A whole Sightline with a project that is a git repository, and git itself to compare with. */
export interface GitBench extends TestBench {
  git(...args: string[]): string;
  read(path: string): string;
  /** Everything committed with this message. */
  commitAll(message: string): string;
}

export async function gitBench(
  options: BenchOptions & { destructive?: 'allow' | 'ask' | 'deny' } = {},
): Promise<GitBench> {
  const { destructive = 'allow', ...rest } = options;
  const bench = await testBench({ ...rest, env: { SIGHTLINE_POLICY_DESTRUCTIVE: destructive, ...options.env } });
  const git = (...args: string[]) => gitIn(bench.root, bench.home, ...args);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  return {
    ...bench,
    git,
    read: (path) => readFileSync(join(bench.root, path), 'utf8'),
    commitAll: (message) => {
      git('add', '--all');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD').trim();
    },
  };
}

export function gitIn(folder: string, home: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  });
}
