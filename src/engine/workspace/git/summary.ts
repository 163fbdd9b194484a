import type { Project } from '../project.ts';
import { openRepository } from './repository.ts';
import { gitStatus, type GitStatus } from './status.ts';

/** How a repository stands in a few numbers. */
export interface GitSummary extends Pick<GitStatus, 'branch' | 'head' | 'upstream' | 'ahead' | 'behind'> {
  staged: number;
  changed: number;
  untracked: number;
  conflicts: number;
}

/** Undefined when the project is in no repository. */
export async function gitSummary(project: Project, signal?: AbortSignal): Promise<GitSummary | undefined> {
  const repository = await openRepository(project, signal);
  if (repository === undefined) return undefined;
  const { branch, head, upstream, ahead, behind, counts } = await gitStatus(repository, signal);
  const { staged, unstaged: changed, untracked, conflicts } = counts;
  return { branch, head, upstream, ahead, behind, staged, changed, untracked, conflicts };
}
