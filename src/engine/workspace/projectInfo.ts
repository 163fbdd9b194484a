import { errorMessage, type Degraded } from '../../base/errors.ts';
import { parse as parseJsonc } from 'jsonc-parser';
import { recordOf, textOf } from './dependencies/model.ts';
import { gitSummary, type GitSummary } from './gitSummary.ts';
import type { Project } from './project.ts';
import { readProjectText } from './projectText.ts';
import { projectStructure, type ProjectModule, type ProjectStructure } from './structure.ts';

/** A version of a language that the project asks for, and where it says so. */
export interface RuntimeRequest {
  runtime: string;
  version: string;
  source: string;
}

export interface ProjectInfo {
  name: string;
  path: string;
  trusted: boolean;
  buildSystems: string[];
  runtimes: RuntimeRequest[];
  languages: ProjectStructure['languages'];
  modules: Pick<ProjectModule, 'name' | 'path' | 'kinds'>[];
  fileCount: number;
  git?: GitSummary;
}

export async function projectInfo(project: Project, signal?: AbortSignal): Promise<Degraded<ProjectInfo>> {
  const problems: string[] = [];
  const [structure, runtimes, git] = await Promise.all([
    projectStructure(project, signal),
    requestedRuntimes(project),
    gitSummary(project, signal).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      problems.push(`git: ${errorMessage(error)}`);
      return undefined;
    }),
  ]);
  const value: ProjectInfo = {
    name: project.name,
    path: project.root,
    trusted: project.trusted,
    buildSystems: [...new Set(structure.modules.flatMap((module) => module.kinds))],
    runtimes,
    languages: structure.languages,
    modules: structure.modules.map(({ name, path, kinds }) => ({ name, path, kinds })),
    fileCount: structure.fileCount,
    git,
  };
  return { value, problems };
}

interface RuntimeSource {
  file: string;
  runtime: string;
  version(text: string): string | undefined;
}

const wholeFile = (text: string) => text.trim().split(/\s/)[0];

const runtimeSources: readonly RuntimeSource[] = [
  { file: '.nvmrc', runtime: 'node', version: wholeFile },
  { file: '.node-version', runtime: 'node', version: wholeFile },
  { file: 'package.json', runtime: 'node', version: (text) => packageField(text, 'engines', 'node') },
  { file: 'package.json', runtime: 'package manager', version: (text) => packageField(text, 'packageManager') },
  { file: '.python-version', runtime: 'python', version: wholeFile },
  {
    file: 'pyproject.toml',
    runtime: 'python',
    version: (text) => /^requires-python\s*=\s*["']([^"']+)/m.exec(text)?.[1],
  },
  { file: 'go.mod', runtime: 'go', version: (text) => /^go\s+(\S+)/m.exec(text)?.[1] },
  { file: 'rust-toolchain.toml', runtime: 'rust', version: (text) => /^\s*channel\s*=\s*"([^"]+)/m.exec(text)?.[1] },
  { file: 'rust-toolchain', runtime: 'rust', version: wholeFile },
  { file: 'Cargo.toml', runtime: 'rust', version: (text) => /^rust-version\s*=\s*"([^"]+)/m.exec(text)?.[1] },
  {
    file: 'pom.xml',
    runtime: 'java',
    version: (text) =>
      /<(?:maven\.compiler\.(?:release|source|target)|java\.version|release)>\s*([\d.]+)/.exec(text)?.[1],
  },
  ...['build.gradle', 'build.gradle.kts'].map((file) => ({
    file,
    runtime: 'java',
    version: (text: string) =>
      /(?:JavaLanguageVersion\.of\(|sourceCompatibility\s*=\s*['"]?(?:JavaVersion\.VERSION_)?)([\d._]+)/.exec(
        text,
      )?.[1],
  })),
  { file: '.java-version', runtime: 'java', version: wholeFile },
];

async function requestedRuntimes(project: Project): Promise<RuntimeRequest[]> {
  const found = await Promise.all(
    runtimeSources.map(async (source) => {
      const text = await readProjectText(project, source.file);
      const version = text === undefined ? undefined : source.version(text);
      return version === undefined || version === '' ? [] : [{ runtime: source.runtime, version, source: source.file }];
    }),
  );
  return found.flat();
}

function packageField(text: string, ...path: string[]): string | undefined {
  let value: unknown = parseJsonc(text);
  for (const name of path) value = recordOf(value)[name];
  return textOf(value);
}
