import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../../base/paths.ts';
import { isShim } from '../../../base/searchPath.ts';
import type { Project } from '../../workspace/project.ts';

/** Folders from a file's own up to the project root. */
export function foldersAbove(project: Project, file: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); folder.startsWith(project.root); folder = dirname(folder)) {
    folders.push(folder);
    if (folder === project.root) break;
  }
  return folders;
}

export function hasAbove(project: Project, file: string, names: readonly string[]): boolean {
  return foldersAbove(project, file).some((folder) => names.some((name) => existsSync(join(folder, name))));
}

export function nodeBin(project: Project, file: string, name: string): string[] {
  return foldersAbove(project, file)
    .map((folder) => join(folder, 'node_modules', '.bin', name))
    .filter((path) => existsSync(path));
}

export function venvBin(project: Project, name: string): string[] {
  // A tool of the project's own environment is code of the project.
  if (!project.trusted) return [];
  return ['.venv', 'venv', 'env']
    .map((folder) => join(project.root, folder, 'bin', name))
    .filter((path) => existsSync(path));
}

export function onPath(project: Project, name: string): string[] {
  const folders = (project.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(project.root, folder));
  return folders
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path) && (project.trusted || !isShim(path)));
}

export function dependsOn(project: Project, file: string, name: string): boolean {
  return foldersAbove(project, file).some((folder) => {
    const text = readIfThere(join(folder, 'package.json'));
    return text !== undefined && new RegExp(`"${name}"\\s*:`).test(text);
  });
}

export function pyprojectHas(project: Project, file: string, table: string): boolean {
  return foldersAbove(project, file).some(
    (folder) => readIfThere(join(folder, 'pyproject.toml'))?.includes(`[${table}`) ?? false,
  );
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
