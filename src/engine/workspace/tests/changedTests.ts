import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import { listFiles } from '../fileListing.ts';
import { openRepository, readGit } from '../git/repository.ts';
import { verifyRevision } from '../git/revisions.ts';
import type { Project } from '../project.ts';
import { isOwnFile, isScriptTest } from '../testRunners/packages.ts';
import { ImportGraph } from './importGraph.ts';
import { findPackages } from './packages.ts';

export interface ChangedTests {
  /** Files of tests that changed, or that need something that changed. */
  tests: string[];
  changed: number;
  /** Changed files that no test was found to need. */
  unreached: string[];
}

/** What decides how everything below it is run. */
const configuration =
  /(?:^|\/)(?:package\.json|(?:package-lock|pnpm-lock)\.\w+|yarn\.lock|tsconfig[^/]*\.json|(?:vite|vitest|jest|babel)\.config\.\w+|\.mocharc\.\w+|\.babelrc|pyproject\.toml|setup\.(?:cfg|py)|pytest\.ini|tox\.ini|conftest\.py|requirements[^/]*\.txt)$/;

/** The tests that changed files can affect: by what the files import. */
export async function affectedTests(
  project: Project,
  changed: readonly string[],
  signal: AbortSignal,
): Promise<ChangedTests> {
  const listed = (await listFiles(project, { signal })).files
    .filter(isOwnFile)
    .map((path) => `${project.root}/${path}`);
  const gone = changed.filter((file) => !existsSync(file));
  const graph = await ImportGraph.read(listed, gone);
  const tests = listed.filter((file) => isTest(file, project.root));
  const reached = graph.reachedFrom(changed);
  const configured = changed.filter((file) => configuration.test(file)).map(dirname);
  const chosen = tests.filter((file) => reached.has(file) || configured.some((folder) => isInside(folder, file)));
  const unreached = changed.filter((file) => {
    if (configuration.test(file) || isTest(file, project.root)) return false;
    const own = graph.reachedFrom([file]);
    return !tests.some((test) => own.has(test));
  });
  const packages = (await findPackages(project, signal)).filter(({ runner }) => runner.affectedTests !== undefined);
  const affected = (files: readonly string[]) =>
    packages.flatMap(({ package: owner, runner }) => runner.affectedTests?.(owner, files, listed) ?? []);
  return {
    tests: [...new Set([...chosen, ...affected(changed)])],
    changed: changed.length,
    unreached: unreached
      .filter((file) => packages.length === 0 || affected([file]).length === 0)
      .map((file) => displayPath(project.root, file)),
  };
}

/** What differs from a commit, the uncommitted and untracked included; absolute. */
export async function changedFiles(project: Project, since: string, signal: AbortSignal): Promise<string[]> {
  const repository = await openRepository(project, signal);
  if (repository === undefined)
    throw new ToolError('git_error', `${project.root} is in no git repository.`, {
      hint: 'Leave changed_since out, or choose tests by files or name.',
    });
  const revision = await verifyRevision(repository, since, signal);
  const [differing, untracked] = await Promise.all([
    readGit(repository, { args: ['diff', '--name-only', '--no-renames', '-z', revision, '--'], signal }),
    readGit(repository, { args: ['ls-files', '--others', '--exclude-standard', '-z', '--full-name'], signal }),
  ]);
  const names = [...differing.stdout.split('\0'), ...untracked.stdout.split('\0')].filter((name) => name !== '');
  return [...new Set(names.map((name) => resolve(repository.topLevel, name)))].filter((file) =>
    isInside(project.root, file),
  );
}

function isTest(file: string, root: string): boolean {
  return isScriptTest(file, root) || /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/.test(file);
}
