import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import type { Project } from '../../project.ts';
import type { TestPackage } from '../../tests/model.ts';
import { isJavaTest } from './javaSelection.ts';

interface BuildTool {
  runner: string;
  /** Names of the files that a folder with a build of it has. */
  manifest: RegExp;
  wrapper: string;
  /** Of the other tool. */
  rival: { manifest: RegExp; wrapper: string };
  /** Who is used when both could be. */
  yields: boolean;
  title: string;
}

const maven = { manifest: /^pom\.xml$/, wrapper: 'mvnw' };
const gradle = { manifest: /^(?:settings|build)\.gradle(?:\.kts)?$/, wrapper: 'gradlew' };

export const mavenTool: BuildTool = { runner: 'maven', ...maven, rival: gradle, yields: false, title: 'pom.xml' };
export const gradleTool: BuildTool = { runner: 'gradle', ...gradle, rival: maven, yields: true, title: 'build.gradle' };

/** The outermost folders that a build tool builds and that have tests: modules belong to their parent. */
export function buildPackages(tool: BuildTool, files: readonly string[]): TestPackage[] {
  const names = byFolder(files);
  const folders = [...names.keys()].filter((folder) => isBuiltBy(tool, names.get(folder) ?? new Set()));
  return folders
    .filter((folder) => !folders.some((outer) => outer !== folder && isInside(outer, folder) && hasModules(outer)))
    .filter((folder) => files.some((file) => isInside(folder, file) && isJavaTest(file)))
    .map((folder) => packageAt(tool, folder));
}

export function buildPackageOf(
  tool: BuildTool,
  project: Project,
  file: string,
  files: readonly string[],
): TestPackage | undefined {
  if (!isJavaTest(file)) return undefined;
  return buildPackages(tool, [...files, file]).find(
    ({ folder }) => isInside(folder, file) && isInside(project.root, folder),
  );
}

/** Names of the files beside and above a file, as far as the project goes. */
export function filesAround(project: Project, file: string, exists: (path: string) => boolean): string[] {
  const names = [
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
    'settings.gradle',
    'settings.gradle.kts',
    'mvnw',
    'gradlew',
  ];
  const found: string[] = [];
  for (let folder = dirname(file); isInside(project.root, folder); folder = dirname(folder)) {
    found.push(...names.map((name) => join(folder, name)).filter(exists));
    if (folder === project.root) break;
  }
  return found;
}

function isBuiltBy(tool: BuildTool, names: ReadonlySet<string>): boolean {
  if (![...names].some((name) => tool.manifest.test(name))) return false;
  if (![...names].some((name) => tool.rival.manifest.test(name))) return true;
  // Both: the one whose wrapper lies there is the one that people use.
  const [own, other] = [names.has(tool.wrapper), names.has(tool.rival.wrapper)];
  return own === other ? !tool.yields : own;
}

function hasModules(folder: string): boolean {
  const texts = ['pom.xml', 'settings.gradle', 'settings.gradle.kts'].map((name) => read(join(folder, name)));
  return texts.some((text) => /<modules>|\binclude\b/.test(text));
}

function packageAt(tool: BuildTool, folder: string): TestPackage {
  return { runner: tool.runner, folder, reason: `it has ${tool.title}` };
}

function byFolder(files: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = dirname(file);
    const names = found.get(folder) ?? new Set();
    names.add(file.slice(folder.length + 1));
    found.set(folder, names);
  }
  return found;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
