import { isPythonTest } from '../testRunners/pythonSuite.ts';
import { isPythonFile, isScriptFile } from '../../../base/languages/byPath.ts';
import { isInside } from '../../../base/paths.ts';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';
import { pythonTests, scriptTests } from '../testRunners/names.ts';
import { isOwnFile, isScriptTest, readText } from '../testRunners/packages.ts';
import type { TestPackage, TestRef } from './model.ts';
import { findPackages, type FoundPackage } from './packages.ts';

interface TestListRequest {
  project: Project;
  /** Only below these files or folders. */
  within?: readonly string[] | undefined;
  /** Part of a name. */
  name?: string | undefined;
  signal: AbortSignal;
}

interface TestList {
  packages: { package: TestPackage; files: number; tests: number }[];
  tests: (TestRef & { file: string })[];
  /** Files that were not read because there are too many. */
  unread: number;
}

const maxFiles = 3000;

/** The tests of a project as they are written in its files. Nothing is executed: what a loop or a table makes is one test here. */
export async function writtenTests({ project, within, name, signal }: TestListRequest): Promise<TestList> {
  const packages = await findPackages(project, signal);
  const listed = (await listFiles(project, { signal })).files
    .filter(isOwnFile)
    .map((path) => `${project.root}/${path}`);
  const mayBeTest = (file: string) => !isScriptFile(file) || isScriptTest(file, project.root);
  const isMeant = (file: string) => within === undefined || within.some((place) => isInside(place, file));
  const wanted = listed.filter((file) => mayBeTest(file) && isMeant(file));
  const owned = wanted.flatMap((file) => {
    const owner = ownerOf(project, packages, file);
    return owner === undefined ? [] : [{ file, owner }];
  });
  const tests: TestList['tests'] = [];
  const counts = new Map<TestPackage, { files: number; tests: number }>();
  for (const [index, { file, owner }] of owned.slice(0, maxFiles).entries()) {
    const found = testsIn(project, file, owner).filter((test) => name === undefined || fullName(test).includes(name));
    if (found.length === 0) continue;
    tests.push(...found);
    const count = counts.get(owner.package) ?? { files: 0, tests: 0 };
    counts.set(owner.package, { files: count.files + 1, tests: count.tests + found.length });
    // Many files are read in parts, with room for other calls in between.
    if (index % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    packages: [...counts].map(([each, count]) => ({ package: each, ...count })),
    tests,
    unread: Math.max(owned.length - maxFiles, 0),
  };
}

function fullName({ suite, name }: TestRef): string {
  return [...suite, name].join(' > ');
}

function testsIn(project: Project, file: string, { runner }: FoundPackage): (TestRef & { file: string })[] {
  if (runner.testsInFile !== undefined) return runner.testsInFile(project, file).map((test) => ({ ...test, file }));
  const text = readText(file) ?? '';
  const written = isPythonFile(file) ? pythonTests(text) : scriptTests(text);
  return written.filter(({ isSuite }) => !isSuite).map(({ suite, name, line }) => ({ suite, name, file, line }));
}

/** The innermost package around a file that looks like one of its tests. */
function ownerOf(project: Project, packages: readonly FoundPackage[], file: string): FoundPackage | undefined {
  const other = packages.find(
    ({ package: each, runner }) =>
      runner.testsInFile !== undefined && runner.packageOf(project, file)?.folder === each.folder,
  );
  if (other !== undefined) return other;
  const isPython = isPythonFile(file);
  if (isPython ? !isPythonTest(file) : !isScriptTest(file)) return undefined;
  const around = packages.filter(
    ({ package: each }) => isInside(each.folder, file) && (each.runner === 'pytest') === isPython,
  );
  return around.toSorted((a, b) => b.package.folder.length - a.package.folder.length)[0];
}
