import { gitPath, readGit, shownPath, type GitRepository } from './repository.ts';
import { parsePatch, type FilePatch } from './patch.ts';
import { verifyRange } from './revisions.ts';

interface DiffRequest {
  staged?: boolean;
  /** `a`, `a..b` or `a...b`. */
  range?: string;
  /** Canonical. */
  paths?: readonly string[];
  contextLines?: number;
  words?: boolean;
  /** Of the whole repository, also where the project is a folder of it. */
  everywhere?: boolean;
  signal?: AbortSignal;
}

interface GitDiff {
  files: FilePatch[];
  /** Commits that are compared; without `to`, with what is in the working tree or the index. */
  from?: string;
  to?: string;
  truncated: boolean;
}

const maxDiffBytes = 8_000_000;

/** Neither programs that a repository names nor its submodules are asked; names are from the root of the project. */
export const plainDiff: readonly string[] = [
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--relative', '--src-prefix=a/'],
  ...['--dst-prefix=b/', '--ignore-submodules=dirty', '--submodule=short', '--raw', '-p', '--abbrev=12'],
];

export async function gitDiff(repository: GitRepository, request: DiffRequest): Promise<GitDiff> {
  const { signal } = request;
  const range = request.range === undefined ? undefined : await verifyRange(repository, request.range, signal);
  const sides = range === undefined ? [] : sidesOf(range);
  const isWorkingTree = range === undefined && request.staged !== true;
  const { bytes, truncated } = await readGit(repository, {
    args: [
      'diff',
      ...plainDiff.filter((option) => request.everywhere !== true || option !== '--relative'),
      `-U${request.contextLines ?? 3}`,
      ...(request.words === true ? ['--word-diff=porcelain'] : []),
      ...(request.staged === true ? ['--cached'] : []),
      // A file in conflict is compared with our side of it.
      ...(isWorkingTree ? ['--ours'] : []),
      ...sides,
      ...['--', ...(request.paths ?? []).map((path) => gitPath(repository, path))],
    ],
    maxBytes: maxDiffBytes,
    signal,
  });
  const parsed = parsePatch(bytes, truncated);
  const files =
    request.everywhere === true ? parsed.map((file) => ({ ...file, file: shownPath(repository, file.file) })) : parsed;
  const compared = range === undefined ? {} : { from: range.from ?? range.to, to: range.from && range.to };
  return { files, ...compared, truncated };
}

function sidesOf({ from, to, symmetric }: { from?: string; to: string; symmetric: boolean }): string[] {
  if (from === undefined) return [to];
  return symmetric ? [`${from}...${to}`] : [from, to];
}
