import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import type { SearchedProject } from '../../../workspace/ripgrep.ts';
import { filesContaining } from '../../sourceFiles.ts';

interface Configuration {
  compilerOptions?: { baseUrl?: unknown; paths?: Record<string, unknown> };
  extends?: unknown;
}

/**
 * TypeScript 7 no longer knows `baseUrl`: imports that are found by it would be unknown to the server, and every use behind them missing
 * without a sign. What it means can be said with `paths`, so the server is shown the configurations written that way. By path.
 */
export async function configsWithoutBaseUrl(project: SearchedProject): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  // What is extended may have any name.
  const mentioning = await filesContaining(project, '"baseUrl"', ['json']);
  if (mentioning.length === 0) return shown;
  const configs = new Set([...mentioning, ...(await filesContaining(project, '"paths"', ['json'])).filter(isConfig)]);
  for (const path of configs) {
    const config = read(path);
    const base = inherited(path, (options, folder) =>
      typeof options.baseUrl === 'string' ? resolve(folder, options.baseUrl) : undefined,
    );
    if (config?.compilerOptions === undefined || base === undefined) continue;
    const { baseUrl, ...options } = config.compilerOptions;
    // What only inherits both inherits the rewritten ones.
    if (baseUrl === undefined && options.paths === undefined) continue;
    const paths = rebased(inherited(path, (one) => one.paths) ?? {}, base, dirname(path));
    shown.set(path, JSON.stringify({ ...config, compilerOptions: { ...options, paths } }));
  }
  return shown;
}

/** The paths as seen from the folder of their configuration, and everything else below the base. */
function rebased(paths: Record<string, unknown>, base: string, folder: string): Record<string, unknown> {
  const fromFolder = (target: string): string => {
    const path = relative(folder, resolve(base, target)).split(sep).join('/');
    return path.startsWith('.') ? path : `./${path}`;
  };
  const moved = Object.entries(paths).map(([pattern, targets]) => {
    const all = (Array.isArray(targets) ? targets : []).filter((one): one is string => typeof one === 'string');
    return [pattern, all.map((one) => (isAbsolute(one) || one.startsWith('${') ? one : fromFolder(one)))];
  });
  return { '*': [fromFolder('*')], ...Object.fromEntries(moved) };
}

/** What a configuration says itself, or the last of those that it extends; those of packages know nothing of this project's folders. */
function inherited<T>(
  path: string,
  pick: (options: NonNullable<Configuration['compilerOptions']>, folder: string) => T | undefined,
  seen: ReadonlySet<string> = new Set(),
): T | undefined {
  const config = seen.has(path) ? undefined : read(path);
  const own = config?.compilerOptions === undefined ? undefined : pick(config.compilerOptions, dirname(path));
  if (own !== undefined || config === undefined) return own;
  for (const name of [config.extends ?? []].flat().toReversed()) {
    const file = typeof name === 'string' ? extendedFile(dirname(path), name) : undefined;
    const found = file === undefined ? undefined : inherited(file, pick, new Set([...seen, path]));
    if (found !== undefined) return found;
  }
  return undefined;
}

function extendedFile(folder: string, name: string): string | undefined {
  if (!name.startsWith('.') && !isAbsolute(name)) return undefined;
  const path = isAbsolute(name) ? name : join(folder, name);
  return [path, `${path}.json`].find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
}

function isConfig(path: string): boolean {
  return /^[jt]sconfig\b.*\.json$/.test(basename(path));
}

function read(path: string): Configuration | undefined {
  try {
    // The shape is TypeScript's; whatever else stands there goes along as it is.
    return parseJsonc(readFileSync(path, 'utf8'), [], { allowTrailingComma: true }) as Configuration | undefined;
  } catch {
    return undefined;
  }
}
