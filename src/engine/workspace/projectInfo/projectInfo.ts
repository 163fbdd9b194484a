import { errorMessage, type Degraded } from '../../../base/errors.ts';
import { listDependencies } from '../dependencies/listDependencies.ts';
import { listFiles } from '../fileListing.ts';
import { gitSummary, type GitSummary } from '../git/summary.ts';
import type { Project } from '../project.ts';
import { projectStructure, type ProjectModule, type ProjectStructure } from '../structure.ts';
import { frameworksIn, type Framework } from './frameworks.ts';
import { packageManagersOf } from './packageManagers.ts';
import { requestedRuntimes, type RuntimeRequest } from './runtimeRequests.ts';
import { testSetups, type TestSetup } from './testSetups.ts';

interface ProjectInfo {
  name: string;
  path: string;
  trusted: boolean;
  buildSystems: string[];
  packageManagers: string[];
  frameworks: Framework[];
  /** What the project asks for. */
  runtimes: RuntimeRequest[];
  testRunners: TestSetup[];
  languages: ProjectStructure['languages'];
  modules: Pick<ProjectModule, 'name' | 'path' | 'kinds'>[];
  fileCount: number;
  git?: GitSummary;
}

/** What a project is made of, told from its files. Nothing is run but git. */
export async function projectInfo(project: Project, signal?: AbortSignal): Promise<Degraded<ProjectInfo>> {
  const problems: string[] = [];
  const [structure, { files }, dependencies, runtimes, git] = await Promise.all([
    projectStructure(project, signal),
    listFiles(project, { signal }),
    listDependencies(project, { signal }),
    requestedRuntimes(project),
    gitSummary(project, signal).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      problems.push(`git: ${errorMessage(error)}`);
      return undefined;
    }),
  ]);
  const { dependencies: declared } = dependencies.value;
  const value: ProjectInfo = {
    name: project.name,
    path: project.root,
    trusted: project.trusted,
    buildSystems: [...new Set(structure.modules.flatMap((module) => module.kinds))],
    packageManagers: await packageManagersOf(project, files),
    frameworks: frameworksIn(declared),
    runtimes,
    testRunners: testSetups(project, structure.modules, files, declared),
    languages: structure.languages,
    modules: structure.modules.map(({ name, path, kinds }) => ({ name, path, kinds })),
    fileCount: structure.fileCount,
    git,
  };
  return { value, problems: [...problems, ...dependencies.problems] };
}
