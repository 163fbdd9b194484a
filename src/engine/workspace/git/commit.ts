import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { advise, parameter, step } from '../../../base/text/advice.ts';
import { AgreementNeeded, ToolError } from '../../../base/errors.ts';
import { contentHash } from '../../../base/ids.ts';
import { headAndTail } from '../../../base/text/textBudget.ts';
import { agreedToEverything, type ChangeOrigin } from '../edits/operations.ts';
import type { RecordedRun, WorkingTree } from '../localHistory/workingTree.ts';
import { gitDiff } from './diff.ts';
import { signCount, type FilePatch } from './patch.ts';
import type { Recovery } from './recovery.ts';
import { readGit, writeGit, type GitRepository } from './repository.ts';
import { findRevision } from './revisions.ts';
import { showCommit } from './show.ts';
import { gitStatus, type GitStatus } from './status.ts';
import { conflictMarkersIn, secretsIn, type Suspicion } from './suspicions.ts';

export interface CommitRequest {
  message?: string;
  amend?: boolean;
  allowSecrets?: boolean;
  allowConflictMarkers?: boolean;
  signal?: AbortSignal;
}

export interface MadeCommit extends RecordedRun {
  commit: string;
  branch?: string;
  subject: string;
  author: string;
  files: number;
  total: { additions: number; deletions: number };
  /** Hooks that ran, and what they and git said. */
  hooks?: string[];
  output?: string;
  recovery?: Recovery;
  /** Too large together to be looked through for secrets and conflict markers. */
  unchecked?: string[];
  /** What is not in it. */
  left: GitStatus['counts'];
}

const maxOutputChars = 3000;

/** Commits what is staged. Hooks run as the person has configured them; what they change is recorded. */
export async function commitStaged(
  repository: GitRepository,
  request: CommitRequest,
  workingTree: WorkingTree,
  origin: ChangeOrigin,
): Promise<MadeCommit> {
  const { signal, amend = false } = request;
  const message = request.message?.trim() ?? '';
  if (message === '' && (!amend || request.message !== undefined))
    throw new ToolError('invalid_arguments', 'The message is empty. Nothing was committed.', {
      hint: amend ? 'Leave message out to keep the old one.' : 'Pass message.',
    });
  const [staged, status, previous] = await Promise.all([
    gitDiff(repository, { staged: true, everywhere: true, contextLines: 0, signal }),
    gitStatus(repository, signal),
    findRevision(repository, 'HEAD', signal),
  ]);
  refuseUnready(staged.files, status, amend, previous);
  refuseSuspicious(staged.files, request);
  if (amend && previous !== undefined) await demandAmendAgreement(repository, previous, request, origin);
  const hooks = await hooksOf(repository, amend, signal);
  const commit = () =>
    writeGit(repository, {
      args: [
        ...['commit', '--quiet', '--no-status', '--cleanup=whitespace'],
        ...(amend ? ['--amend'] : []),
        ...(request.message === undefined ? ['--no-edit'] : ['--file=-']),
      ],
      input: message,
      okCodes: [1, 128],
      signal,
    });
  const { result, ...recorded } =
    hooks.length === 0
      ? { result: await commit() }
      : await workingTree.recordAround(repository.project, origin, commit);
  const output = headAndTail(`${result.stdout}${result.stderr}`.trim(), maxOutputChars);
  if (result.code !== 0) throw refused(hooks, output, recorded);
  // Hooks may have staged more: what counts is what was committed.
  const [made, after] = await Promise.all([
    showCommit(repository, { revision: 'HEAD', contextLines: 0, everywhere: true, signal }),
    gitStatus(repository, signal),
  ]);
  const unchecked = staged.files.filter(({ missing }) => missing).map(({ file }) => file);
  return {
    commit: made.commit,
    subject: made.message.split('\n')[0] ?? '',
    author: `${made.author} <${made.email}>`,
    branch: after.branch,
    files: made.files.length,
    total: {
      additions: made.files.reduce((sum, file) => sum + signCount(file, '+'), 0),
      deletions: made.files.reduce((sum, file) => sum + signCount(file, '-'), 0),
    },
    ...(unchecked.length === 0 ? {} : { unchecked }),
    ...(hooks.length === 0 ? {} : { hooks }),
    ...(output === '' ? {} : { output }),
    ...(amend && previous !== undefined ? { recovery: amended(previous) } : {}),
    left: after.counts,
    ...recorded,
  };
}

function refuseUnready(
  files: readonly FilePatch[],
  { counts, conflicts, operation }: GitStatus,
  amend: boolean,
  previous: string | undefined,
): void {
  if (amend && previous === undefined)
    throw new ToolError('git_error', 'There is no commit yet that could be amended. Nothing was committed.');
  if (conflicts.length > 0)
    throw new ToolError('git_error', `${conflicts.length} files are in conflict. Nothing was committed.`, {
      hint: advise`Resolve them, then ${step('gitStage')} them.`,
      data: { conflicts: conflicts.slice(0, 20) },
    });
  if (files.length > 0 || amend || operation?.kind === 'merge') return;
  const rest = [`${counts.unstaged} files are changed`, `${counts.untracked} untracked`].join(', ');
  throw new ToolError('git_error', `Nothing is staged (${rest}). Nothing was committed.`, {
    hint: advise`${step('gitStage')} with paths, hunks, ${parameter('changeId')} or ${parameter('callId')} chooses what to commit.`,
  });
}

function refuseSuspicious(files: readonly FilePatch[], request: CommitRequest): void {
  const refuse = (found: readonly Suspicion[], what: string, parameter: string) => {
    if (found.length === 0) return;
    const places = found.slice(0, 5).map(({ file, line, kind }) => `${file}:${line} (${kind})`);
    throw new ToolError('git_error', `${what}: ${places.join(', ')}. Nothing was committed.`, {
      hint: advise`Take it out and ${step('gitStage')} again, or pass ${parameter}: true if it is meant.`,
      data: { found },
    });
  };
  if (request.allowConflictMarkers !== true)
    refuse(conflictMarkersIn(files), 'Conflict markers are staged', 'allow_conflict_markers');
  if (request.allowSecrets !== true) refuse(secretsIn(files), 'What is staged looks like a secret', 'allow_secrets');
}

/** Others may have a commit that was pushed: replacing it is asked about. */
async function demandAmendAgreement(
  repository: GitRepository,
  head: string,
  request: CommitRequest,
  { agreedTo }: ChangeOrigin,
): Promise<void> {
  const { stdout } = await readGit(repository, {
    args: ['for-each-ref', '--count=3', '--format=%(refname:short)', `--contains=${head}`, 'refs/remotes'],
    signal: request.signal,
  });
  const remotes = stdout.split('\n').filter((line) => line !== '');
  const fingerprint = contentHash(JSON.stringify(['amend', head, request.message]));
  if (remotes.length === 0 || agreedTo === agreedToEverything || agreedTo === fingerprint) return;
  throw new AgreementNeeded(`${head.slice(0, 10)} is in ${remotes.join(', ')} already; nothing was amended.`, {
    fingerprint,
    shown: `the commit ${head}, which ${remotes.join(', ')} has already; others may have built on it.`,
    hint: 'Make a new commit, or call again: a person is asked about it.',
  });
}

function amended(previous: string): Recovery {
  return {
    sha: previous,
    command: `git reset --soft ${previous}`,
    call: {
      tool: 'gitBranch',
      args: { action: 'create', name: `before-amend-${previous.slice(0, 7)}`, start: previous },
    },
  };
}

const whoHint = 'A person sets it once: git config --global user.name and user.email.';
const hookHint = advise`Mend what the output says, ${step('gitStage')} the files and commit again.`;

function refused(hooks: readonly string[], output: string, { change }: RecordedRun): ToolError {
  const because = hooks.length === 0 ? '' : ` Hooks of this repository: ${hooks.join(', ')}.`;
  const changed =
    change === undefined ? '' : ` They changed ${change.transitions.length} files (history: ${change.id}).`;
  return new ToolError('git_error', `git did not commit; what was staged still is.${because}${changed}\n${output}`, {
    hint: /tell me who you are/i.test(output) ? whoHint : hooks.length === 0 ? undefined : hookHint,
  });
}

const commitHooks = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

/** The hooks that a commit will run. */
async function hooksOf(repository: GitRepository, amend: boolean, signal?: AbortSignal): Promise<string[]> {
  // As git is configured, which the settings for reading hide.
  const { stdout } = await writeGit(repository, { args: ['rev-parse', '--git-path', 'hooks'], signal });
  // A path in the configuration is meant from the top of the repository, all others from here.
  const folders = new Set(
    [repository.project.root, repository.topLevel].map((from) => resolve(from, stdout.trimEnd())),
  );
  const wanted = [...commitHooks, ...(amend ? ['post-rewrite'] : [])];
  const runnable = await Promise.all(
    wanted.flatMap((name) =>
      [...folders].map((folder) =>
        access(join(folder, name), constants.X_OK).then(
          () => [name],
          () => [],
        ),
      ),
    ),
  );
  return runnable.flat();
}
