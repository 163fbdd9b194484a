import { advise, parameter, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../edits/operations.ts';
import type { RecordedRun, WorkingTree } from '../localHistory/workingTree.ts';
import { demandGitAgreement } from './agreement.ts';
import { shellWord, type Recovery } from './recovery.ts';
import { pathspecs, readGit, writeGit, type GitRepository } from './repository.ts';
import { findRevision, verifyRevision } from './revisions.ts';
import { gitStatus } from './status.ts';

interface Stash {
  index: number;
  commit: string;
  date: string;
  message: string;
}

export async function listStashes(repository: GitRepository, signal?: AbortSignal): Promise<Stash[]> {
  if ((await findRevision(repository, 'refs/stash', signal)) === undefined) return [];
  const { stdout } = await readGit(repository, {
    args: [
      'log',
      '--walk-reflogs',
      '--no-show-signature',
      '--no-mailmap',
      '--format=%H%x00%cI%x00%gs',
      'refs/stash',
      '--',
    ],
    signal,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const [commit = '', date = '', message = ''] = line.split('\0');
      return { index, commit, date, message };
    });
}

interface Stashed extends RecordedRun {
  stash: Stash;
}

export async function pushStash(
  repository: GitRepository,
  request: { message?: string; paths?: readonly string[]; untracked?: boolean; signal?: AbortSignal },
  workingTree: WorkingTree,
  origin: ChangeOrigin,
): Promise<Stashed> {
  const { signal, message, paths = [] } = request;
  if (message?.includes('\0') === true) throw new ToolError('invalid_arguments', 'A message cannot contain NUL.');
  const head = await findRevision(repository, 'HEAD', signal);
  if (head === undefined) throw new ToolError('git_error', 'Before the first commit nothing can be stashed.');
  const change = {
    comparisons: [['-R', head]],
    untracked: request.untracked,
    ...(paths.length === 0 ? {} : { paths }),
  };
  await demandGitAgreement(repository, change, origin, signal);
  const before = await findRevision(repository, 'refs/stash', signal);
  const { result: _, ...recorded } = await workingTree.recordAround(repository.project, origin, () =>
    writeGit(repository, {
      args: [
        ...['stash', 'push', '--quiet'],
        ...(request.untracked === true ? ['--include-untracked'] : []),
        ...(message === undefined || message === '' ? [] : [`--message=${message}`]),
        ...(paths.length === 0 ? [] : ['--pathspec-from-file=-', '--pathspec-file-nul']),
      ],
      input: pathspecs(repository, paths),
      signal,
    }),
  );
  const [stash] = await listStashes(repository, signal);
  if (stash === undefined || stash.commit === before)
    throw new ToolError('git_error', 'There are no changes of tracked files to stash. Nothing was changed.', {
      hint: advise`${parameter('includeUntracked')}: true takes new files too.`,
    });
  return { stash, ...recorded };
}

interface AppliedStash extends RecordedRun {
  commit: string;
  message?: string;
  /** Whether it is still in the list. */
  kept: boolean;
  conflicts: string[];
  /** What was staged is so again. */
  index: boolean;
  recovery?: Recovery;
}

/** Conflicts are an outcome, not a failure: the files have markers then, and the stash is kept. */
export async function applyStash(
  repository: GitRepository,
  request: { stash?: string; drop: boolean; signal?: AbortSignal },
  workingTree: WorkingTree,
  origin: ChangeOrigin,
): Promise<AppliedStash> {
  const { signal, drop } = request;
  const found = await chooseStash(repository, request.stash, !drop, signal);
  const untracked = await findRevision(repository, `${found.commit}^3`, signal);
  const comparisons = [
    [`${found.commit}^1`, found.commit],
    ...(untracked === undefined ? [] : [[await emptyTree(repository), untracked]]),
  ];
  await demandGitAgreement(repository, { comparisons }, origin, signal);
  const apply = (withIndex: boolean) =>
    writeGit(repository, {
      args: ['stash', 'apply', '--quiet', ...(withIndex ? ['--index'] : []), found.commit],
      okCodes: [1, 128],
      signal,
    });
  const { result, ...recorded } = await workingTree.recordAround(repository.project, origin, async () => {
    const first = await apply(true);
    if (first.code === 0) return { ...first, index: true };
    // What was staged conflicts: the files alone may still fit.
    return /conflicts in index/i.test(first.stderr)
      ? { ...(await apply(false)), index: false }
      : { ...first, index: false };
  });
  const { conflicts } = await gitStatus(repository, signal);
  if (result.code !== 0 && (conflicts.length === 0 || recorded.change === undefined)) throw notApplied(result.stderr);
  const isDropped = drop && result.code === 0;
  if (isDropped) await dropEntry(repository, found.commit, signal);
  return {
    commit: found.commit,
    message: found.message,
    kept: found.index !== undefined && !isDropped,
    conflicts: result.code === 0 ? [] : conflicts.map(({ file }) => file),
    index: result.index,
    ...(isDropped ? { recovery: recoveryOf(found) } : {}),
    ...recorded,
  };
}

export async function dropStash(
  repository: GitRepository,
  request: { stash?: string; signal?: AbortSignal },
): Promise<{ commit: string; message?: string; recovery: Recovery }> {
  const found = await chooseStash(repository, request.stash, false, request.signal);
  await dropEntry(repository, found.commit, request.signal);
  return { commit: found.commit, message: found.message, recovery: recoveryOf(found) };
}

/** By its commit: another program may have pushed one meanwhile, and numbers shift. */
export async function dropEntry(repository: GitRepository, commit: string, signal?: AbortSignal): Promise<void> {
  const entry = (await listStashes(repository, signal)).find((stash) => stash.commit === commit);
  if (entry === undefined) throw new ToolError('git_error', `The stash ${commit.slice(0, 10)} is gone already.`);
  await writeGit(repository, { args: ['stash', 'drop', '--quiet', `stash@{${entry.index}}`], signal });
}

type ChosenStash = Pick<Stash, 'commit'> & Partial<Stash>;

/** A number, `stash@{n}` or a commit; the latest when nothing is said. Only applying takes a commit that is in no list. */
async function chooseStash(
  repository: GitRepository,
  wanted: string | undefined,
  isAnyCommit: boolean,
  signal?: AbortSignal,
): Promise<ChosenStash> {
  const stashes = await listStashes(repository, signal);
  const number = /^(?:stash@\{)?(\d{1,6})\}?$/.exec(wanted ?? '0')?.[1];
  const isHash = wanted !== undefined && /^[0-9a-f]{7,64}$/.test(wanted);
  const listed =
    (isHash ? stashes.find(({ commit }) => commit.startsWith(wanted)) : undefined) ??
    (number === undefined ? undefined : stashes[Number(number)]);
  if (listed !== undefined) return listed;
  if (isAnyCommit && isHash) return { commit: await verifyRevision(repository, wanted, signal) };
  throw new ToolError(
    'git_error',
    stashes.length === 0 ? 'There are no stashes.' : `There is no stash "${(wanted ?? '0').slice(0, 100)}".`,
    { hint: stashes.length === 0 ? undefined : advise`${step('gitStash')} lists them: pass a number or the commit.` },
  );
}

function recoveryOf({ commit, message }: ChosenStash): Recovery {
  return {
    sha: commit,
    command: `git stash store -m ${shellWord(message ?? 'dropped')} ${commit}`,
    call: { tool: 'gitStash', args: { action: 'apply', stash: commit } },
  };
}

function notApplied(stderr: string): ToolError {
  const said = stderr.trim().replace(/^(error|fatal): /, '');
  return new ToolError('git_error', `Not applied, the stash is kept: ${said.slice(0, 2000)}`, {
    hint: /overwritten|already exists/.test(said)
      ? advise`${step('gitCommit')} or ${step('gitStash', { action: 'push' })} the changes in the way first.`
      : undefined,
  });
}

async function emptyTree(repository: GitRepository): Promise<string> {
  const { stdout } = await readGit(repository, { args: ['hash-object', '-t', 'tree', '--stdin'] });
  return stdout.trim();
}
