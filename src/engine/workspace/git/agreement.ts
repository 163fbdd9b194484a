import { join, relative } from 'node:path';
import { AgreementNeeded } from '../../../base/errors.ts';
import { contentHash } from '../../../base/ids.ts';
import { displayPath } from '../../../base/paths.ts';
import { isExecutableConfig } from '../executableConfig.ts';
import { agreedToEverything, type ChangeOrigin } from '../edits/operations.ts';
import { readGit, type GitRepository } from './repository.ts';

const maxShownBytes = 200_000;

/** What git is about to write: the arguments of `git diff` that show it. Of a stash with new files these are two comparisons. */
interface ComingChange {
  comparisons: readonly (readonly string[])[];
  /** Canonical; everything when absent. */
  paths?: readonly string[];
  /** Files that git does not know go too. */
  untracked?: boolean;
}

/**
 * Git writes files like anybody else: what other programs execute later is not brought in, changed or taken away by a switch or a stash
 * unless a person has agreed to exactly that.
 */
export async function demandGitAgreement(
  repository: GitRepository,
  change: ComingChange,
  { agreedTo }: ChangeOrigin,
  signal?: AbortSignal,
): Promise<void> {
  if (agreedTo === agreedToEverything) return;
  const files = await executableFiles(repository, change, signal);
  if (files.length === 0) return;
  const { topLevel } = repository;
  const diffs = await Promise.all(
    change.comparisons.map((sides) =>
      readGit(repository, {
        args: ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', ...sides, '--', ...files],
        maxBytes: maxShownBytes,
        signal,
      }),
    ),
  );
  const diff = diffs
    .map(({ stdout, truncated }) => `${stdout}${truncated ? '(too long to be shown whole)\n' : ''}`)
    .join('');
  const fingerprint = contentHash(JSON.stringify([change.comparisons, files, diff]));
  if (agreedTo === fingerprint) return;
  const shownFiles = files.map((file) => displayPath(topLevel, file));
  const named = `${shownFiles.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`;
  throw new AgreementNeeded(
    `${named}: other programs execute this later, so a person must agree to a change of it. Nothing was changed.`,
    {
      fingerprint,
      shown: `${named}, which other programs execute later:\n${diff}`,
      hint: 'Call again: a person is asked about it.',
      data: { files: shownFiles.slice(0, 20) },
    },
  );
}

/** Absolute. */
async function executableFiles(
  repository: GitRepository,
  { comparisons, paths, untracked }: ComingChange,
  signal?: AbortSignal,
): Promise<string[]> {
  const { project, topLevel } = repository;
  const where = paths ?? [relative(project.root, topLevel) || '.'];
  const lists = [
    ...comparisons.map((sides) => [
      'diff',
      '--name-only',
      '--no-renames',
      '--no-ext-diff',
      '--ignore-submodules=dirty',
      ...sides,
    ]),
    ...(untracked === true ? [['ls-files', '--others', '--exclude-standard', '--full-name']] : []),
  ];
  const found = await Promise.all(
    lists.map(([command = '', ...args]) =>
      readGit(repository, { args: [command, '-z', ...args, '--', ...where], signal }),
    ),
  );
  const names = new Set(found.flatMap(({ stdout }) => stdout.split('\0')).filter((name) => name !== ''));
  return [...names].map((name) => join(topLevel, name)).filter((file) => isExecutableConfig(file, project.root));
}
