import { readGit, shownPath, type GitRepository } from './repository.ts';
import { operationIn, type GitOperation } from './operation.ts';

/** Files by what happened to them, from the root of the project. */
export interface GitChanges {
  modified?: string[];
  added?: string[];
  deleted?: string[];
  renamed?: { from: string; to: string }[];
  copied?: { from: string; to: string }[];
  /** A file became a link, or the other way round. */
  retyped?: string[];
}

export interface GitStatus {
  /** Absent when HEAD is detached. */
  branch?: string;
  /** Absent before the first commit. */
  head?: string;
  upstream?: string;
  ahead?: number;
  behind?: number;
  operation?: GitOperation;
  stashes: number;
  staged: GitChanges;
  unstaged: GitChanges;
  untracked: string[];
  conflicts: { file: string; kind: string }[];
  counts: { staged: number; unstaged: number; untracked: number; conflicts: number };
}

/** How the repository stands, in one run of git. */
export async function gitStatus(repository: GitRepository, signal?: AbortSignal): Promise<GitStatus> {
  const [{ stdout }, operation] = await Promise.all([
    readGit(repository, {
      args: [
        ...['status', '--porcelain=v2', '--branch', '--show-stash', '-z', '--untracked-files=normal'],
        // Said on the command line, because a submodule's own setting would win over ours and have it looked into.
        ...['--ignore-submodules=dirty', '--find-renames', '--', '.'],
      ],
      signal,
    }),
    operationIn(repository.gitDir),
  ]);
  const status = parseStatus(stdout, (path) => shownPath(repository, path));
  return operation === undefined ? status : { ...status, operation };
}

export function parseStatus(output: string, shown: (path: string) => string = (path) => path): GitStatus {
  const counts = { staged: 0, unstaged: 0, untracked: 0, conflicts: 0 };
  const status: GitStatus = { stashes: 0, staged: {}, unstaged: {}, untracked: [], conflicts: [], counts };
  const records = output.split('\0');
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? '';
    const kind = record[0];
    if (kind === '#') readHeader(record, status);
    else if (kind === '?') status.untracked.push(shown(record.slice(2)));
    else if (kind === 'u')
      status.conflicts.push({
        file: shown(afterFields(record, 10)),
        kind: conflictKinds[record.slice(2, 4)] ?? 'both',
      });
    else if (kind === '1' || kind === '2') {
      const file = shown(afterFields(record, kind === '1' ? 8 : 9));
      // A renamed file is followed by its old name as a record of its own.
      const from = kind === '2' ? shown(records[++index] ?? '') : undefined;
      if (addChange(status.staged, record[2], file, from)) counts.staged++;
      if (addChange(status.unstaged, record[3], file, from)) counts.unstaged++;
    }
  }
  counts.untracked = status.untracked.length;
  counts.conflicts = status.conflicts.length;
  return status;
}

const conflictKinds: Readonly<Record<string, string>> = {
  DD: 'both deleted',
  AU: 'added by us',
  UD: 'deleted by them',
  UA: 'added by them',
  DU: 'deleted by us',
  AA: 'both added',
  UU: 'both modified',
};

function addChange(changes: GitChanges, letter: string | undefined, file: string, from: string | undefined): boolean {
  if (letter === 'M') (changes.modified ??= []).push(file);
  else if (letter === 'A') (changes.added ??= []).push(file);
  else if (letter === 'D') (changes.deleted ??= []).push(file);
  else if (letter === 'T') (changes.retyped ??= []).push(file);
  else if (letter === 'R') (changes.renamed ??= []).push({ from: from ?? '', to: file });
  else if (letter === 'C') (changes.copied ??= []).push({ from: from ?? '', to: file });
  else return false;
  return true;
}

/** The rest of a record after so many fields: a name may contain spaces. */
function afterFields(record: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field++) at = record.indexOf(' ', at) + 1;
  return record.slice(at);
}

function readHeader(record: string, status: GitStatus): void {
  const [, name = '', ...rest] = record.split(' ');
  const value = rest.join(' ');
  if (name === 'stash') status.stashes = Number(value);
  if (name === 'branch.oid' && value !== '(initial)') status.head = value;
  if (name === 'branch.head' && value !== '(detached)') status.branch = value;
  if (name === 'branch.upstream') status.upstream = value;
  if (name === 'branch.ab') {
    const [ahead, behind] = rest.map((part) => Math.abs(Number(part)));
    status.ahead = ahead;
    status.behind = behind;
  }
}
