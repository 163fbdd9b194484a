import { relative } from 'node:path';
import { advise, parameter, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { gitDiff } from './diff.ts';
import { signCount, type FilePatch } from './patch.ts';
import { partOf, patchOf, type LineRange } from './patchParts.ts';
import { gitPath, pathspecs, readGit, writeGit, type GitRepository } from './repository.ts';
import { gitStatus } from './status.ts';

/** What to put into the index, or to take out of it. */
export interface StagedPart {
  /** Canonical. */
  paths?: readonly string[];
  /** Ids of hunks, as the difference shows them. */
  hunks?: readonly string[];
  /** Lines of the file in `lines`. */
  lines?: LineRange & { path: string };
  signal?: AbortSignal;
}

interface StagedFile {
  file: string;
  change: FilePatch['change'];
  additions: number;
  deletions: number;
  binary?: boolean;
}

/** What the next commit would contain, and what it would not. */
export interface IndexState {
  staged: StagedFile[];
  unstaged: number;
  untracked: number;
  warnings?: string[];
}

export async function stage(repository: GitRepository, part: StagedPart): Promise<IndexState> {
  demandSomething(part);
  const said: string[] = [];
  if (part.paths !== undefined && part.paths.length > 0) {
    const { stderr } = await writeGit(repository, {
      args: ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'],
      input: pathspecs(repository, part.paths),
      signal: part.signal,
    });
    said.push(...warningsIn(stderr));
  }
  if (part.hunks !== undefined || part.lines !== undefined) await applyParts(repository, part, 'stage');
  return { ...(await indexState(repository, part.signal)), ...(said.length === 0 ? {} : { warnings: said }) };
}

export async function unstage(repository: GitRepository, part: StagedPart): Promise<IndexState> {
  demandSomething(part);
  if (part.paths !== undefined && part.paths.length > 0)
    await writeGit(repository, {
      args: ['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'],
      input: pathspecs(repository, part.paths),
      signal: part.signal,
    });
  if (part.hunks !== undefined || part.lines !== undefined) await applyParts(repository, part, 'unstage');
  return indexState(repository, part.signal);
}

function demandSomething({ paths, hunks, lines }: StagedPart): void {
  if ((paths?.length ?? 0) + (hunks?.length ?? 0) > 0 || lines !== undefined) return;
  throw new ToolError('invalid_arguments', 'It is not said what is meant. Nothing was changed.', {
    hint: advise`Pass paths (["."] for everything), hunks (ids of ${step('gitDiff')}), or ${parameter('filePath')} with ${parameter('startLine')} and ${parameter('endLine')}.`,
  });
}

async function applyParts(repository: GitRepository, part: StagedPart, way: 'stage' | 'unstage'): Promise<void> {
  const { signal } = part;
  const staged = way === 'unstage';
  // Without ids only one file is looked at.
  const paths = part.hunks === undefined && part.lines !== undefined ? [part.lines.path] : undefined;
  const { files } = await gitDiff(repository, { staged, paths, signal });
  const appliedTo = staged ? 'new' : 'old';
  const wanted = new Set(part.hunks ?? []);
  const patches: string[] = [];
  for (const file of files) {
    const lines =
      part.lines !== undefined && gitPath(repository, part.lines.path) === file.file ? part.lines : undefined;
    const hunks = file.hunks.flatMap((hunk) => {
      if (wanted.delete(hunk.id)) return [hunk];
      const some = lines === undefined ? undefined : partOf(hunk, lines, appliedTo);
      return some === undefined ? [] : [some];
    });
    if (hunks.length === 0) continue;
    const isWhole = hunks.every((hunk, index) => hunk === file.hunks[index]);
    patches.push(patchOf(file, hunks, isWhole && hunks.length === file.hunks.length));
  }
  if (wanted.size > 0) throw unknownHunks([...wanted], files, staged);
  if (patches.length === 0) throw nothingThere(part, staged);
  await applyToIndex(repository, patches.join(''), staged, signal);
}

/** All of it or none. */
export async function applyToIndex(
  repository: GitRepository,
  patch: string,
  isReverse: boolean,
  signal?: AbortSignal,
): Promise<void> {
  // Patches name files from the root of the project; git reads them from the top of the repository.
  const folder = relative(repository.topLevel, repository.project.root);
  await writeGit(repository, {
    args: [
      ...['apply', '--cached', '--whitespace=nowarn', ...(isReverse ? ['--reverse'] : [])],
      ...[...(folder === '' ? [] : [`--directory=${folder}`]), '-'],
    ],
    input: Buffer.from(patch, 'latin1'),
    signal,
  });
}

function unknownHunks(ids: readonly string[], files: readonly FilePatch[], staged: boolean): ToolError {
  const known = files.flatMap((file) => file.hunks.map((hunk) => `${hunk.id} (${file.file}:${hunk.newStart})`));
  const diff = staged ? 'staged difference' : 'difference between index and working tree';
  return new ToolError('git_error', `The ${diff} has no hunk ${ids.join(', ')}. Nothing was changed.`, {
    hint: advise`${known.length === 0 ? 'It is empty. ' : ''}${step('gitDiff')} ${staged ? '{"staged": true} ' : ''}shows the ids; a hunk that changed has a new one.`,
    data: { hunks: known.slice(0, 20) },
  });
}

function nothingThere({ lines }: StagedPart, staged: boolean): ToolError {
  const where = lines === undefined ? '' : ` in lines ${lines.start}-${lines.end}`;
  const what = staged ? 'Nothing is staged' : 'There is no unstaged change of a tracked file';
  return new ToolError('git_error', `${what}${where}. Nothing was changed.`, {
    hint: staged
      ? advise`${step('gitDiff', { staged: true })} shows what is staged.`
      : advise`${step('gitDiff')} shows the lines; a new file is staged by paths.`,
  });
}

export async function indexState(repository: GitRepository, signal?: AbortSignal): Promise<IndexState> {
  const [{ files }, { counts }] = await Promise.all([
    gitDiff(repository, { staged: true, contextLines: 0, signal }),
    gitStatus(repository, signal),
  ]);
  const staged = files.map((file) => ({
    file: file.file,
    change: file.change,
    additions: signCount(file, '+'),
    deletions: signCount(file, '-'),
    ...(file.binary ? { binary: true } : {}),
  }));
  return { staged, unstaged: counts.unstaged, untracked: counts.untracked };
}

/** What git warns of while it works: line ends, repositories inside this one. */
function warningsIn(stderr: string): string[] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('warning: '))
    .map((line) => line.slice('warning: '.length))
    .slice(0, 5);
}

/** The entry that the index has at a path. */
export async function indexEntry(
  repository: GitRepository,
  path: string,
  signal?: AbortSignal,
): Promise<{ mode: string; blob: string } | undefined> {
  const { stdout } = await readGit(repository, {
    args: ['ls-files', '--stage', '-z', '--', gitPath(repository, path)],
    signal,
  });
  const match = /^(\d+) ([0-9a-f]+) 0\t/.exec(stdout);
  return match === null ? undefined : { mode: match[1] ?? '', blob: match[2] ?? '' };
}
