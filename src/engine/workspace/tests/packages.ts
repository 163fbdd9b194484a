import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';
import { isOwnFile } from '../testRunners/packages.ts';
import { suiteRunners } from '../testRunners/suites.ts';
import type { SuiteRunner, TestPackage } from './model.ts';

export interface FoundPackage {
  package: TestPackage;
  runner: SuiteRunner;
}

/** Every package of the project that has tests, with the runner of each; those of a package are in the order of its runners. */
export async function findPackages(project: Project, signal?: AbortSignal): Promise<FoundPackage[]> {
  const listed = await listFiles(project, signal === undefined ? {} : { signal });
  const files = listed.files.filter(isOwnFile).map((path) => `${project.root}/${path}`);
  const found = suiteRunners.flatMap((runner) =>
    runner.packages(project, files).map((each) => ({ package: each, runner })),
  );
  return found.toSorted((a, b) =>
    a.package.folder < b.package.folder ? -1 : a.package.folder > b.package.folder ? 1 : 0,
  );
}

/** The package that runs a file; folders belong to the packages in or around them. */
export function packageOfFile(project: Project, file: string): FoundPackage {
  for (const runner of suiteRunners) {
    const found = runner.packageOf(project, file);
    if (found !== undefined) return { package: found, runner };
  }
  throw new ToolError('unsupported', `No known test runner runs ${displayPath(project.root, file)}.`, {
    hint: advise`${step('runTests')} knows ${runnerNames()}. Others can be run as they are: ${step('runConfiguration')}, ${step('listRunConfigurations')}.`,
  });
}

export function packagesOfFolder(all: readonly FoundPackage[], folder: string): FoundPackage[] {
  const inside = all.filter((each) => isInside(folder, each.package.folder));
  if (inside.length > 0) return inside;
  const around = all.filter((each) => isInside(each.package.folder, folder));
  const nearest = Math.max(...around.map((each) => each.package.folder.length));
  return around.filter((each) => each.package.folder.length === nearest);
}

export function runnerNames(): string {
  return [...suiteRunners.map(({ id }) => id), 'unittest'].join(', ');
}
