import { lstatSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { advise, parameter, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import { failed, literal, runReader, runWriter, type GitResult, type GitRun, type GitSetting } from './runner.ts';

export interface GitRepository {
  project: Project;
  /** Canonical. Of a bare repository, its own folder. */
  topLevel: string;
  gitDir: string;
  /** What the working trees of a repository share; the same as `gitDir` where there is one. */
  commonDir: string;
  isBare: boolean;
  /** Switches off the filters that this repository's configuration defines. */
  readonly quiet: readonly GitSetting[];
}

/** The repository with a working tree that a project is in; undefined when there is none. */
export async function openRepository(project: Project, signal?: AbortSignal): Promise<GitRepository | undefined> {
  const repository = await findRepository(project, signal);
  return repository?.isBare === false ? repository : undefined;
}

/** The repository of a call: none is an error, and so is a bare one unless the call needs no working tree. */
export async function repositoryOf(
  project: Project,
  options: { signal?: AbortSignal; bare?: boolean } = {},
): Promise<GitRepository> {
  const repository = await findRepository(project, options.signal);
  if (repository === undefined)
    throw new ToolError('git_error', `${project.root} is in no git repository.`, {
      hint: advise`Pass ${parameter('projectPath')} of a project that is in one.`,
    });
  if (repository.isBare && options.bare !== true)
    throw new ToolError('git_error', `${project.root} is a bare repository: it has no working tree and no index.`, {
      hint: advise`${step('gitLog')}, ${step('gitShow')}, ${step('gitBranch')} and ${step('gitBlame')} with a revision work in it.`,
    });
  return repository;
}

const known = new Map<string, { repository: GitRepository; stamp: string }>();

/** Where the repository of a trusted project lies is asked again only when something that decides it has changed: a process less per call. */
async function findRepository(project: Project, signal?: AbortSignal): Promise<GitRepository | undefined> {
  const last = project.trusted ? known.get(project.root) : undefined;
  if (last !== undefined && placeStamp(last.repository).text === last.stamp) return { ...last.repository, project };
  const startedMs = Date.now();
  const repository = await askRepository(project, signal);
  known.delete(project.root);
  if (repository === undefined || repository.isBare || !project.trusted) return repository;
  const { text: stamp, latestMs } = placeStamp(repository);
  // What changed while git was asked may be older or newer than its answer.
  if (latestMs < startedMs - 100) known.set(project.root, { repository, stamp });
  return repository;
}

/** Of what git decides by: the `.git` of each folder from the project up to the top, and the files that can place the working tree elsewhere. */
function placeStamp({ project, topLevel, gitDir, commonDir }: GitRepository): { text: string; latestMs: number } {
  const files = [join(gitDir, 'commondir'), join(gitDir, 'config.worktree'), join(commonDir, 'config')];
  for (let at = project.root; ; at = dirname(at)) {
    files.push(join(at, '.git'));
    if (at === topLevel || at === dirname(at)) break;
  }
  let latestMs = 0;
  const stamps = files.map((file) => {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return '-';
    if (stats.isDirectory()) return `${stats.dev}:${stats.ino}`;
    latestMs = Math.max(latestMs, Number(stats.ctimeNs / 1_000_000n));
    return `${stats.dev}:${stats.ino}:${stats.ctimeNs}:${stats.size}`;
  });
  return { text: stamps.join(), latestMs };
}

/** One outside the project is used only if a person trusts the project, and only if the project is a part of its working tree. */
async function askRepository(project: Project, signal?: AbortSignal): Promise<GitRepository | undefined> {
  const found = await runReader(project, [], {
    args: ['rev-parse', '--is-bare-repository', '--absolute-git-dir', '--git-common-dir', '--show-toplevel'],
    okCodes: [128],
    signal,
  });
  const [bare, ...paths] = found.stdout.split('\n').filter((line) => line !== '');
  const isBare = found.code !== 0 && bare === 'true' && /must be run in a work tree/.test(found.stderr);
  if (found.code !== 0 && !isBare) {
    if (/not a git repository|must be run in a work tree/.test(found.stderr)) return undefined;
    throw failed(found);
  }
  const [gitDir, commonDir, top] = await Promise.all(paths.map((path) => realpath(resolve(project.root, path))));
  const topLevel = isBare ? gitDir : top;
  if (topLevel === undefined || gitDir === undefined || commonDir === undefined) return undefined;
  if (!isInside(topLevel, project.root))
    throw new ToolError(
      'git_error',
      `The repository of ${project.root} has its working tree elsewhere (core.worktree).`,
    );
  const isOwn = (place: string) => isInside(project.root, place);
  if (
    !project.trusted &&
    !([topLevel, gitDir, commonDir].every(isOwn) && (await objectFolders(commonDir)).every(isOwn))
  ) {
    throw new ToolError('project_not_trusted', `The repository of this project lies outside of it (${gitDir}).`, {
      hint: `A person can trust the project: sightline trust ${project.root}`,
    });
  }
  // Trusted projects keep their filters, because large files (git-lfs) would otherwise all look changed.
  const quiet = project.trusted ? [] : await filterSwitches(project, signal);
  return { project, topLevel, gitDir, commonDir, isBare, quiet };
}

/** Where the contents of a repository lie: it can name the folders of others, and what they have could be read by its hash. */
async function objectFolders(commonDir: string): Promise<string[]> {
  const objects = join(commonDir, 'objects');
  const listed = await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(() => '');
  const others = listed
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    // A quoted name is taken as it stands: it lies nowhere then.
    .map((line) => resolve(objects, line));
  const own = [objects, join(objects, 'info'), join(objects, 'pack')];
  return Promise.all(
    [...own, ...others].map((folder) => realpath(folder).catch(() => (own.includes(folder) ? commonDir : folder))),
  );
}

/** Runs a git command that only reads. Paths must come after `--`, revisions from `verifyRevision`. */
export async function readGit(repository: GitRepository, run: GitRun): Promise<GitResult> {
  return checked(await runReader(repository.project, repository.quiet, run), run);
}

const writing = new Map<string, Promise<unknown>>();

/** Runs a git command that writes: one at a time in each repository, because the second would find the first's lock. */
export async function writeGit(repository: GitRepository, run: GitRun): Promise<GitResult> {
  const turn = (writing.get(repository.gitDir) ?? Promise.resolve()).then(async () =>
    runWriter(repository.project, run),
  );
  const settled = turn.catch(() => undefined);
  writing.set(repository.gitDir, settled);
  void settled.then(() => {
    if (writing.get(repository.gitDir) === settled) writing.delete(repository.gitDir);
  });
  return checked(await turn, run);
}

function checked(result: GitResult, run: GitRun): GitResult {
  if (result.code !== 0 && !(run.okCodes ?? []).includes(result.code)) throw failed(result);
  return result;
}

/** Paths for the standard input of a writing command (`--pathspec-from-file=-`): as many as there are, and none is an option or a pattern. */
export function pathspecs(repository: GitRepository, paths: readonly string[]): string {
  return paths.map((path) => `${literal}${gitPath(repository, path)}`).join('\0');
}

/** A canonical path as git is told it, from the root of the project. */
export function gitPath({ project }: GitRepository, path: string): string {
  return displayPath(project.root, path);
}

/** A path from the top of the repository as callers read it, from the root of the project. */
export function shownPath({ project, topLevel }: GitRepository, path: string): string {
  return topLevel === project.root ? path : relative(project.root, join(topLevel, path)).split('\\').join('/');
}

/** Filters (`clean`, `smudge`, `process`) run on plain `git status`; each that is configured anywhere is emptied by name. */
async function filterSwitches(project: Project, signal?: AbortSignal): Promise<GitSetting[]> {
  const found = await runReader(project, [], {
    args: ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$'],
    signal,
  });
  if (found.code !== 0 && found.code !== 1) throw failed(found);
  const names = new Set(found.stdout.split('\0').filter((name) => name !== ''));
  return [...names].map((name) => [name, name.toLowerCase().endsWith('.required') ? 'false' : '']);
}
