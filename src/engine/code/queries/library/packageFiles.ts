import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../../../base/paths.ts';

/** Of a bundle longer than this nobody wants to wait for an answer. */
const maxChars = 3_000_000;
const maxEntries = 6;

/** The package that runs what a file of types describes. */
interface CodePackage {
  folder: string;
  /** JavaScript that stands where the types stand. */
  beside: string[];
  /** JavaScript that users of the package load. */
  entries(): Promise<string[]>;
}

/** Undefined for types that are no package's: those of the language itself. */
export async function packageOfTypes(typesPath: string): Promise<CodePackage | undefined> {
  const own = packageFolder(typesPath);
  if (own === undefined) return undefined;
  const folder = await runningPackage(own);
  if (folder === undefined) return undefined;
  const stem = join(folder, relative(own, typesPath)).replace(/\.d\.[cm]?ts$/, '');
  return { folder, beside: await readable(likeTypes(typesPath, stem)), entries: () => entriesOf(folder) };
}

/** `…/node_modules/name` or `…/node_modules/@scope/name`, the innermost. */
export function packageFolder(path: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

/** Types of their own package (`@types/name`, `@types/scope__name`) describe another one, found as a module would be. */
async function runningPackage(folder: string): Promise<string | undefined> {
  const described = /^(.*\/node_modules)\/@types\/([^/]+)$/.exec(folder);
  if (described?.[1] === undefined || described[2] === undefined) return folder;
  const name = described[2].includes('__') ? `@${described[2].replace('__', '/')}` : described[2];
  for (let at = described[1]; ; at = dirname(at)) {
    const found = join(at.endsWith('/node_modules') ? at : join(at, 'node_modules'), name);
    if (await exists(join(found, 'package.json'))) return found;
    if (at === dirname(at)) return undefined;
  }
}

function likeTypes(typesPath: string, stem: string): string[] {
  const first = /\.d\.([cm]?)ts$/.exec(typesPath)?.[1] ?? '';
  return [...new Set([first, '', 'm', 'c'])].map((kind) => `${stem}.${kind}js`);
}

async function entriesOf(folder: string): Promise<string[]> {
  const manifest = await manifestOf(folder);
  const named = [...leavesOf(manifest['exports']), manifest['module'], manifest['main'], 'index.js'];
  const paths = named.flatMap((name) => (typeof name === 'string' ? asFiles(resolve(folder, name)) : []));
  const inside = paths.filter((path) => isInside(folder, path));
  const files = await readable([...new Set(inside)].sort((a, b) => Number(isReduced(a)) - Number(isReduced(b))));
  return files.slice(0, maxEntries);
}

/** Builds without names and messages tell less than those beside them. */
export function isReduced(path: string): boolean {
  return /\.min\.|[.-]prod(uction)?\b/.test(path);
}

/** The files that a relative name in a module may mean. */
export async function modulesAt(path: string): Promise<string[]> {
  return readable([path, ...asFiles(path)]);
}

function asFiles(path: string): string[] {
  return /\.[cm]?js$/.test(path) ? [path] : [`${path}.js`, join(path, 'index.js')];
}

/** Every file that a map of exports names; patterns name none. */
function leavesOf(exported: unknown): string[] {
  if (typeof exported === 'string') return /\.[cm]?js$/.test(exported) && !exported.includes('*') ? [exported] : [];
  if (typeof exported !== 'object' || exported === null) return [];
  return Object.values(exported).flatMap(leavesOf);
}

async function manifestOf(folder: string): Promise<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? { ...manifest } : {};
  } catch {
    // A package without a readable manifest is looked at by the names of its files.
    return {};
  }
}

async function readable(paths: readonly string[]): Promise<string[]> {
  const known = await Promise.all(paths.map((path) => exists(path)));
  return paths.filter((_path, index) => known[index]);
}

async function exists(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true && stats.size <= maxChars;
}
