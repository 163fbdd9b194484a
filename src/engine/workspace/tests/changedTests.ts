import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { advise, parameter } from '../../../base/text/advice.ts';
import { isPythonTest } from '../testRunners/pythonSuite.ts';
import { ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import { listFiles } from '../fileListing.ts';
import { openRepository, readGit } from '../git/repository.ts';
import { verifyRevision } from '../git/revisions.ts';
import type { Project } from '../project.ts';
import { isOwnFile, isScriptTest } from '../testRunners/packages.ts';
import { ImportGraph } from './importGraph.ts';
import { findPackages } from './packages.ts';

/** Lines of a file that differ from a commit. */
interface ChangedPlaces {
  path: string;
  lines: ReadonlySet<number>;
}

/** Why callers are not known: there is no index yet, or what changed has none that could be followed for sure. */
type NoCallers = 'no index' | 'unsure';

/** The files in which what changed is used in the end, where an index can tell. */
type UsersOf = (places: ChangedPlaces) => Promise<ReadonlySet<string> | NoCallers>;

export interface ChangedTests {
  /** Files of tests that changed, or that need something that changed. */
  tests: string[];
  changed: number;
  /** Changed files that no test was found to need. */
  unreached: string[];
  /** Files of tests that import something that changed, but by all callers never use what changed in it. */
  notCalling: string[];
  /** Changed files whose tests were chosen by what imports the file, as its callers are not known. */
  byImports: { file: string; why: NoCallers }[];
}

/** What decides how everything below it is run. */
const configuration =
  /(?:^|\/)(?:package\.json|(?:package-lock|pnpm-lock)\.\w+|yarn\.lock|tsconfig[^/]*\.json|(?:vite|vitest|jest|babel)\.config\.\w+|\.mocharc\.\w+|\.babelrc|pyproject\.toml|setup\.(?:cfg|py)|pytest\.ini|tox\.ini|conftest\.py|requirements[^/]*\.txt)$/;

/** The tests that changed files can affect: by what the files import, narrowed to those that use what changed in it. */
export async function affectedTests(
  project: Project,
  changed: readonly string[],
  signal: AbortSignal,
  narrowing?: { places: ReadonlyMap<string, ChangedPlaces>; usersOf: UsersOf },
): Promise<ChangedTests> {
  const listed = (await listFiles(project, { signal })).files
    .filter(isOwnFile)
    .map((path) => `${project.root}/${path}`);
  const gone = changed.filter((file) => !existsSync(file));
  const graph = await ImportGraph.read(listed, gone);
  const tests = listed.filter((file) => isTestFile(file, project.root));
  const configured = changed.filter((file) => configuration.test(file)).map(dirname);
  const chosenBy = (reached: ReadonlySet<string>) =>
    tests.filter((file) => reached.has(file) || configured.some((folder) => isInside(folder, file)));
  const importing = chosenBy(graph.reachedFrom(changed));
  const using =
    narrowing === undefined || importing.length < 2 ? undefined : await usingFiles(changed, narrowing, project.root);
  const chosen = using === undefined ? importing : chosenBy(graph.reachedFrom(using.files));
  const unreached = changed.filter((file) => {
    if (configuration.test(file) || isTestFile(file, project.root)) return false;
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
    notCalling: importing.filter((file) => !chosen.includes(file)).map((file) => displayPath(project.root, file)),
    byImports: (using?.byImports ?? [])
      .filter(({ file }) => !unreached.includes(file))
      .map(({ file, why }) => ({ file: displayPath(project.root, file), why })),
  };
}

/** Each changed file, or in its place the files that use what changed in it. */
async function usingFiles(
  changed: readonly string[],
  { places, usersOf }: { places: ReadonlyMap<string, ChangedPlaces>; usersOf: UsersOf },
  root: string,
): Promise<{ files: string[]; byImports: ChangedTests['byImports'] }> {
  const files: string[] = [];
  const byImports: ChangedTests['byImports'] = [];
  for (const file of changed) {
    const isWhole = isTestFile(file, root) || configuration.test(file);
    const place = places.get(file);
    const users = isWhole ? undefined : place === undefined ? 'unsure' : await usersOf(place);
    if (typeof users === 'string') byImports.push({ file, why: users });
    files.push(...(typeof users === 'object' ? users : [file]));
  }
  return { files, byImports };
}

/**
 * The lines of each file that differ from a commit, where they say by themselves what changed: without files that are new or gone, and
 * without those that lost something at their top level, of which no line is left.
 */
export async function changedPlaces(
  project: Project,
  since: string,
  signal: AbortSignal,
): Promise<Map<string, ChangedPlaces>> {
  const repository = await openRepository(project, signal);
  if (repository === undefined) return new Map();
  const revision = await verifyRevision(repository, since, signal);
  const format = ['--unified=0', '--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = ['-c', 'core.quotePath=false', 'diff', '--no-renames', '--diff-filter=M', ...format, revision, '--'];
  const { stdout } = await readGit(repository, { args, signal });
  const places = new Map<string, ChangedPlaces>();
  for (const part of stdout.split(/^(?=diff --git )/m)) {
    const name = /^\+\+\+ b\/(.*?)\t?$/m.exec(part)?.[1];
    const path = name === undefined ? undefined : resolve(repository.topLevel, name);
    if (path === undefined || /^-(?!--)[^\s})\]]/m.test(part)) continue;
    const lines = [...part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start, count = '1']) =>
      // Where lines were only taken away, both neighbours must lie in the same function.
      count === '0'
        ? [Number(start), Number(start) + 1]
        : Array.from({ length: Number(count) }, (_, at) => Number(start) + at),
    );
    places.set(path, { path, lines: new Set(lines) });
  }
  return places;
}

/** What differs from a commit, the uncommitted and untracked included; absolute. */
export async function changedFiles(project: Project, since: string, signal: AbortSignal): Promise<string[]> {
  const repository = await openRepository(project, signal);
  if (repository === undefined)
    throw new ToolError('git_error', `${project.root} is in no git repository.`, {
      hint: advise`Leave ${parameter('changedSince')} out, or choose tests by files or name.`,
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

/** Whether a name is one of a file of tests, of the languages that are told by their imports. */
export function isTestFile(file: string, root: string): boolean {
  return isScriptTest(file, root) || isPythonTest(file);
}
