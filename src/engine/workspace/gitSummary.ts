import { openRepository, readGit } from './git.ts';
import type { Project } from './project.ts';

export interface GitSummary {
  /** Absent when HEAD is detached. */
  branch?: string;
  /** Absent before the first commit. */
  head?: string;
  upstream?: string;
  ahead?: number;
  behind?: number;
  staged: number;
  changed: number;
  untracked: number;
  conflicts: number;
}

/** How the repository stands; undefined when the project is in none. */
export async function gitSummary(project: Project, signal?: AbortSignal): Promise<GitSummary | undefined> {
  const repository = await openRepository(project, signal);
  if (repository === undefined) return undefined;
  const { stdout } = await readGit(repository, {
    args: ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=dirty'],
    signal,
  });
  return parseStatus(stdout);
}

export function parseStatus(output: string): GitSummary {
  const summary: GitSummary = { staged: 0, changed: 0, untracked: 0, conflicts: 0 };
  const records = output.split('\0');
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? '';
    const [kind = '', state = ''] = record.split(' ', 2);
    if (kind === '#') readHeader(record, summary);
    else if (kind === '?') summary.untracked++;
    else if (kind === 'u') summary.conflicts++;
    else if (kind === '1' || kind === '2') {
      if (state[0] !== '.') summary.staged++;
      if (state[1] !== '.') summary.changed++;
      // A renamed file is followed by its old name as a record of its own.
      if (kind === '2') index++;
    }
  }
  return summary;
}

function readHeader(record: string, summary: GitSummary): void {
  const [, name = '', ...rest] = record.split(' ');
  const value = rest.join(' ');
  if (name === 'branch.oid' && value !== '(initial)') summary.head = value;
  if (name === 'branch.head' && value !== '(detached)') summary.branch = value;
  if (name === 'branch.upstream') summary.upstream = value;
  if (name === 'branch.ab') {
    const [ahead, behind] = rest.map((part) => Math.abs(Number(part)));
    summary.ahead = ahead;
    summary.behind = behind;
  }
}
