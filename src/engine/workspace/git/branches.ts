import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../edits/operations.ts';
import type { RecordedRun, WorkingTree } from '../localHistory/workingTree.ts';
import { demandGitAgreement } from './agreement.ts';
import { shellWord, type Recovery } from './recovery.ts';
import { readGit, writeGit, type GitRepository } from './repository.ts';
import { findRevision, verifyBranchName, verifyRevision } from './revisions.ts';
import { dropEntry } from './stashes.ts';

interface Branch {
  name: string;
  commit: string;
  date: string;
  subject: string;
  current?: boolean;
  upstream?: string;
  /** `[ahead 1, behind 2]`, `[gone]`. */
  track?: string;
  /** Another working tree has it checked out. */
  worktree?: string;
}

const branchFormat = [
  '%(refname)',
  '%(objectname)',
  '%(committerdate:short)',
  '%(HEAD)',
  '%(upstream:short)',
  '%(upstream:track)',
  '%(worktreepath)',
  '%(symref)',
  '%(contents:subject)',
].join('%00');

/** Latest first. */
export async function listBranches(
  repository: GitRepository,
  options: { remote?: boolean; limit: number; signal?: AbortSignal },
): Promise<{ current?: string; branches: Branch[]; hasMore: boolean }> {
  const { signal, limit } = options;
  const [{ stdout }, current] = await Promise.all([
    readGit(repository, {
      args: [
        ...['for-each-ref', `--count=${limit + 1}`, '--sort=-committerdate', `--format=${branchFormat}`],
        ...['refs/heads', ...(options.remote === true ? ['refs/remotes'] : [])],
      ],
      signal,
    }),
    currentBranch(repository, signal),
  ]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const branches = lines.slice(0, limit).flatMap((line): Branch[] => {
    const [ref = '', commit = '', date = '', head, upstream = '', track = '', worktree = '', symref, ...subject] =
      line.split('\0');
    if (symref !== '') return [];
    const isElsewhere = worktree !== '' && head !== '*' && worktree !== repository.topLevel;
    return [
      {
        name: ref.replace(/^refs\/(heads|remotes)\//, ''),
        commit,
        date,
        subject: subject.join(''),
        ...(head === '*' ? { current: true } : {}),
        ...(upstream === '' ? {} : { upstream }),
        ...(track === '' ? {} : { track: track.replaceAll(/[[\]]/g, '') }),
        ...(isElsewhere ? { worktree } : {}),
      },
    ];
  });
  return { ...(current === undefined ? {} : { current }), branches, hasMore: lines.length > limit };
}

/** Undefined when HEAD is detached. A branch without a commit is one too. */
async function currentBranch(repository: GitRepository, signal?: AbortSignal): Promise<string | undefined> {
  const { stdout, code } = await readGit(repository, {
    args: ['symbolic-ref', '--quiet', '--short', 'HEAD'],
    okCodes: [1],
    signal,
  });
  return code === 0 ? stdout.trim() : undefined;
}

export async function createBranch(
  repository: GitRepository,
  request: { name: string; start?: string; signal?: AbortSignal },
): Promise<{ name: string; commit: string }> {
  const { signal } = request;
  const name = await verifyBranchName(repository, request.name, signal);
  const start = await startPoint(repository, request.start ?? 'HEAD', signal);
  await writeGit(repository, { args: ['branch', '--end-of-options', name, start.text], signal });
  return { name, commit: start.commit };
}

/** A branch of a remote is named as such, so that the new branch follows it; everything else by its commit. */
async function startPoint(
  repository: GitRepository,
  start: string,
  signal?: AbortSignal,
): Promise<{ text: string; commit: string }> {
  const commit = await verifyRevision(repository, start, signal);
  const { stdout } = await readGit(repository, {
    args: ['rev-parse', '--verify', '--quiet', '--symbolic-full-name', '--end-of-options', start],
    okCodes: [1, 128],
    signal,
  });
  const full = stdout.trim().split('\n').at(-1) ?? '';
  return { text: full.startsWith('refs/remotes/') ? full : commit, commit };
}

interface SwitchRequest {
  name: string;
  /** Where a new branch of that name begins. */
  start?: string;
  /** Changes that are in the way are discarded. They are kept as a stash. */
  force?: boolean;
  signal?: AbortSignal;
}

interface Switched extends RecordedRun {
  branch?: string;
  commit: string;
  from?: string;
  recovery?: Recovery;
}

export async function switchBranch(
  repository: GitRepository,
  request: SwitchRequest,
  workingTree: WorkingTree,
  origin: ChangeOrigin,
): Promise<Switched> {
  const { signal, force = false } = request;
  const target = await switchTarget(repository, request);
  const [from, head] = await Promise.all([currentBranch(repository, signal), findRevision(repository, 'HEAD', signal)]);
  if (head !== undefined)
    await demandGitAgreement(
      repository,
      { comparisons: [force ? ['-R', target.commit] : [head, target.commit]] },
      origin,
      signal,
    );
  const kept = force && head !== undefined ? await keepChanges(repository, from ?? head, signal) : undefined;
  const { result, ...recorded } = await workingTree.recordAround(repository.project, origin, () =>
    writeGit(repository, {
      args: ['switch', '--quiet', ...(force ? ['--discard-changes'] : []), ...target.args],
      okCodes: [1, 128],
      signal,
    }),
  );
  if (result.code !== 0) {
    if (kept !== undefined) await dropEntry(repository, kept.sha, signal);
    throw notSwitched(result.stderr);
  }
  return {
    branch: await currentBranch(repository, signal),
    commit: target.commit,
    from: from ?? head,
    ...(kept === undefined ? {} : { recovery: kept }),
    ...recorded,
  };
}

async function switchTarget(
  repository: GitRepository,
  { name, start, signal }: SwitchRequest,
): Promise<{ args: string[]; commit: string }> {
  const isBranch = name !== '' && !name.startsWith('-') && !name.includes('\0');
  const own = isBranch ? await findRevision(repository, `refs/heads/${name}`, signal) : undefined;
  if (own !== undefined) {
    if (start !== undefined)
      throw new ToolError('invalid_arguments', `There is a branch ${name} already; start is for a new one.`, {
        hint: 'Leave start out, or choose another name.',
      });
    return { args: ['--no-guess', '--end-of-options', name], commit: own };
  }
  if (start !== undefined) {
    const fresh = await verifyBranchName(repository, name, signal);
    const { text, commit } = await startPoint(repository, start, signal);
    return { args: ['--create', fresh, '--end-of-options', text], commit };
  }
  const remotes = isBranch ? await remotesWith(repository, name, signal) : [];
  const [only] = remotes;
  if (only !== undefined && remotes.length === 1) {
    const fresh = await verifyBranchName(repository, name, signal);
    const commit = await verifyRevision(repository, only, signal);
    return { args: ['--create', fresh, '--track', '--end-of-options', only], commit };
  }
  const commit = await findRevision(repository, name, signal);
  if (commit !== undefined) return { args: ['--detach', commit], commit };
  throw new ToolError('git_error', `There is no branch, tag or commit "${name.slice(0, 200)}". Nothing was changed.`, {
    hint: advise`${step('gitBranch')} lists the branches; with start (a revision) a new one is made and switched to.`,
    ...(remotes.length > 1 ? { data: { remotes } } : {}),
  });
}

async function remotesWith(repository: GitRepository, name: string, signal?: AbortSignal): Promise<string[]> {
  const { stdout } = await readGit(repository, {
    args: ['for-each-ref', '--format=%(refname)', 'refs/remotes'],
    signal,
  });
  return stdout.split('\n').filter((ref) => ref.split('/').slice(3).join('/') === name);
}

/** What would be discarded, as a stash; undefined when there is nothing. */
async function keepChanges(
  repository: GitRepository,
  where: string,
  signal?: AbortSignal,
): Promise<Recovery | undefined> {
  const made = await writeGit(repository, { args: ['stash', 'create'], signal });
  const sha = made.stdout.trim();
  if (sha === '') return undefined;
  const message = `discarded when leaving ${where}`;
  await writeGit(repository, { args: ['stash', 'store', '--message', message, sha], signal });
  return {
    sha,
    command: `git stash apply --index ${sha}`,
    call: { tool: 'gitStash', args: { action: 'apply', stash: sha } },
  };
}

function notSwitched(stderr: string): ToolError {
  const said = stderr.trim().replace(/^(error|fatal): /, '');
  const isNew = /untracked/i.test(said);
  const isChanged = /would be overwritten|local changes/.test(said);
  return new ToolError('git_error', `Not switched: ${said.slice(0, 2000)}`, {
    hint: isNew
      ? advise`Move the file, or ${step('gitStash', { action: 'push', includeUntracked: true })} first; force does not discard new files.`
      : isChanged
        ? advise`${step('gitCommit')} or ${step('gitStash', { action: 'push' })} first, or pass force: true to discard the changes (a person is asked).`
        : undefined,
  });
}

/** The branch goes; its commits stay reachable by the answer. */
export async function deleteBranch(
  repository: GitRepository,
  request: { name: string; force?: boolean; signal?: AbortSignal },
): Promise<{ name: string; commit: string; recovery: Recovery }> {
  const { signal } = request;
  const name = await verifyBranchName(repository, request.name, signal);
  const commit = await findRevision(repository, `refs/heads/${name}`, signal);
  if (commit === undefined)
    throw new ToolError('git_error', `There is no branch ${name}. Nothing was changed.`, {
      hint: advise`${step('gitBranch')} lists them.`,
    });
  const result = await writeGit(repository, {
    args: ['branch', '--delete', ...(request.force === true ? ['--force'] : []), '--end-of-options', name],
    okCodes: [1, 128],
    signal,
  });
  if (result.code !== 0) {
    const said = result.stderr.trim().replace(/^error: /, '');
    const isUnmerged = said.includes('not fully merged');
    throw new ToolError(
      'git_error',
      isUnmerged ? `${name} has commits that are nowhere else. Nothing was changed.` : said,
      {
        hint: isUnmerged ? 'Merge it, or pass force: true; the answer then says how it comes back.' : undefined,
      },
    );
  }
  return {
    name,
    commit,
    recovery: {
      sha: commit,
      command: `git branch ${shellWord(name)} ${commit}`,
      call: { tool: 'gitBranch', args: { action: 'create', name, start: commit } },
    },
  };
}
