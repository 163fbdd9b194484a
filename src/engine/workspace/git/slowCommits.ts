import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../edits/operations.ts';
import type { WorkingTree } from '../localHistory/workingTree.ts';
import { commitStaged, type CommitRequest, type MadeCommit } from './commit.ts';
import type { GitRepository } from './repository.ts';
import { gitStatus } from './status.ts';

/** Longer than any hook that somebody waits for. */
const maxCommitMs = 15 * 60_000;

interface CommitUnderWay {
  key: string;
  work: Promise<MadeCommit>;
  outcome?: 'made' | 'failed';
  stop: AbortController;
}

/** By the folder of the repository; ended ones until somebody asks. */
const underWay = new Map<string, CommitUnderWay>();

/**
 * Commits, and waits no longer than the caller can: hooks may take minutes. The commit then goes on, and the same call made again gets its
 * outcome. A caller who takes the call back while it waits ends the commit.
 */
export async function commitPatiently(
  repository: GitRepository,
  request: CommitRequest & { patienceMs: number },
  workingTree: WorkingTree,
  origin: ChangeOrigin,
): Promise<MadeCommit> {
  const { patienceMs, signal, ...wanted } = request;
  const key = JSON.stringify([wanted, origin.agreedTo]);
  const current = await joinable(repository, key, signal);
  const commit =
    current ??
    begin(repository, key, (stop) => commitStaged(repository, { ...wanted, signal: stop }, workingTree, origin));
  const takeBack = () => commit.stop.abort(signal?.reason);
  signal?.addEventListener('abort', takeBack, { once: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    const patience = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, patienceMs, undefined)));
    const made = await Promise.race([commit.work, patience]);
    if (made === undefined) throw stillRunning();
    return made;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', takeBack);
    if (commit.outcome !== undefined && underWay.get(repository.gitDir) === commit) underWay.delete(repository.gitDir);
  }
}

function begin(
  repository: GitRepository,
  key: string,
  work: (stop: AbortSignal) => Promise<MadeCommit>,
): CommitUnderWay {
  const stop = new AbortController();
  const tooLong = setTimeout(() => stop.abort(new ToolError('timeout', 'The hooks took too long.')), maxCommitMs);
  tooLong.unref();
  const commit: CommitUnderWay = { key, stop, work: work(stop.signal) };
  const end = (outcome: 'made' | 'failed') => {
    clearTimeout(tooLong);
    commit.outcome = outcome;
  };
  commit.work.then(
    () => end('made'),
    () => end('failed'),
  );
  underWay.set(repository.gitDir, commit);
  return commit;
}

/** The commit of the same call, if it is still at work or its outcome is still how things stand. */
async function joinable(
  repository: GitRepository,
  key: string,
  signal: AbortSignal | undefined,
): Promise<CommitUnderWay | undefined> {
  const commit = underWay.get(repository.gitDir);
  if (commit === undefined) return undefined;
  if (commit.outcome === undefined) {
    if (commit.key === key) return commit;
    throw new ToolError('git_error', 'A commit is under way in this repository: its hooks still run.', {
      hint: advise`Call ${step('gitCommit')} with the arguments of that commit to wait for it.`,
    });
  }
  if (commit.key !== key) return undefined;
  if (commit.outcome === 'failed') return commit;
  // The same words again, after other work, are another commit.
  const [made, { head, counts }] = await Promise.all([commit.work, gitStatus(repository, signal)]);
  return head === made.commit && counts.staged === 0 ? commit : undefined;
}

function stillRunning(): ToolError {
  return new ToolError('timeout', 'The hooks of this commit still run; it goes on by itself.', {
    hint: advise`Call ${step('gitCommit')} again with the same arguments: it waits on and tells the outcome.`,
  });
}
