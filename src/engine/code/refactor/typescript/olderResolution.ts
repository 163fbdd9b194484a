import { dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import type { Project } from '../../../workspace/project.ts';
import { compiler } from './compiler.ts';

const configNames = ['tsconfig.json', 'jsconfig.json'];

/**
 * Whether modules are found by `baseUrl` from a file. The native server no longer knows it: it would not see who imports a file that way,
 * nor what that brings.
 */
export function resolvesByBaseUrl(project: Pick<Project, 'root'>, paths: readonly string[]): boolean {
  const folders = new Set(paths.map((path) => dirname(path)));
  const configs = new Set([...folders].flatMap((folder) => nearestConfig(project.root, folder) ?? []));
  const seen = new Set<string>();
  return [...configs].some((config) => hasBaseUrl(config, seen));
}

function nearestConfig(root: string, from: string): string | undefined {
  for (let folder = from; folder === root || isInside(root, folder); folder = dirname(folder)) {
    const found = configNames.map((name) => join(folder, name)).find((path) => compiler().sys.fileExists(path));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** In the configuration itself, in what it extends, or in the parts that it only lists. */
function hasBaseUrl(path: string, seen: Set<string>): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const tsc = compiler();
  // The shape of these files is TypeScript's; whatever else stands in them is passed over.
  const { config } = tsc.readConfigFile(path, (file) => tsc.sys.readFile(file)) as { config?: Configuration };
  if (typeof config?.compilerOptions?.baseUrl === 'string') return true;
  const others = [config?.extends ?? [], config?.references?.map((one) => one.path) ?? []].flat();
  return others.some((name) => {
    const file = configFile(dirname(path), name);
    return file !== undefined && hasBaseUrl(file, seen);
  });
}

interface Configuration {
  compilerOptions?: { baseUrl?: unknown };
  extends?: string | string[];
  references?: { path: string }[];
}

/** Configurations of packages are those of others, who know nothing of this project's folders. */
function configFile(folder: string, name: unknown): string | undefined {
  if (typeof name !== 'string' || !(name.startsWith('.') || isAbsolute(name))) return undefined;
  const path = isAbsolute(name) ? name : join(folder, name);
  return [path, `${path}.json`, join(path, 'tsconfig.json')].find((one) => compiler().sys.fileExists(one));
}
