import { existsSync } from 'node:fs';
import { realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { scratchFolder } from '../../../base/scratchFolders.ts';
import { ToolError } from '../../../base/errors.ts';
import { openRepository, readGit } from '../../workspace/git/repository.ts';
import { verifyRevision } from '../../workspace/git/revisions.ts';
import type { Project } from '../../workspace/project.ts';

/** Installed packages are not part of a commit: those of the working tree are lent to it. */
const lentFolders = ['node_modules', '.venv', 'venv'];

/** Does something in a copy of the project as a commit has it, in a work tree that is gone afterwards. */
export async function inCommit<Result>(
  project: Project,
  revision: string,
  work: (copy: Project) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const repository = await openRepository(project, signal);
  if (repository === undefined)
    throw new ToolError('git_error', 'This project is in no git repository, so it has no commits to compare.');
  const hash = await verifyRevision(repository, revision, signal);
  const folder = await realpath(await scratchFolder('commit'));
  const tree = join(folder, 'tree');
  try {
    await readGit(repository, { args: ['worktree', 'add', '--detach', '--force', tree, hash] });
    const root = join(tree, relative(repository.topLevel, project.root));
    for (const place of new Set([root, tree])) await lend(place === tree ? repository.topLevel : project.root, place);
    const { id, name, stateDir, env, trusted } = project;
    return await work({ id, name, root, stateDir, env, trusted });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await readGit(repository, { args: ['worktree', 'prune'] });
  }
}

async function lend(from: string, to: string): Promise<void> {
  for (const name of lentFolders)
    if (existsSync(join(from, name)) && !existsSync(join(to, name)) && existsSync(dirname(join(to, name))))
      await symlink(join(from, name), join(to, name));
}
