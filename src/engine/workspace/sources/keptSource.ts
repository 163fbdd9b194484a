import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isInside } from '../../../base/paths.ts';
import { loadScriptMap } from '../../../base/sourceMaps.ts';
import { recordOf, textOf } from '../dependencies/model.ts';
import { foldersForReaders } from '../ownFolders.ts';
import { filesOf } from './filesOf.ts';
import { npmPackageAt } from './npm.ts';

/** The folders with sources of installed packages; null for packages without. */
const known = new Map<string, string | null>();

/** Sources were fetched: what was not there may be there now. */
export function forgetKeptSources(): void {
  known.clear();
}

/**
 * Where a source lies that the map of an installed package names: mostly beside the package only in name, because it was not
 * published; then in what was taken out of the map. Debuggers ask for every source of every script, so this is quick and waits for nothing.
 */
export function keptSource(path: string): string {
  if (!path.includes('/node_modules/')) return path;
  const installed = npmPackageAt(path);
  if (installed === undefined) return path;
  const { name, installedAt } = installed;
  let folder = known.get(installedAt);
  if (folder === undefined) known.set(installedAt, (folder = keptFolder(name, installedAt)));
  if (folder === null) return path;
  const kept = join(folder, path.slice(installedAt.length + 1));
  return existsSync(kept) && !existsSync(path) ? kept : path;
}

/** The installed packages whose maps the sources in a folder were taken from. */
const installations = new Map<string, Set<string>>();

export function rememberInstallation(folder: string, installedAt: string): void {
  const known = installations.get(folder) ?? new Set();
  installations.set(folder, known.add(installedAt));
}

/** Another process may have fetched them; what it wrote beside them says for which package. */
async function rememberFromDisk(file: string): Promise<void> {
  const folder = /^.*\/npm\/(?:@[^/]+\/)?[^/]+@[^/@]+(?=\/)/.exec(file)?.[0];
  if (folder === undefined || installations.has(folder)) return;
  const about = await readFile(`${folder}.json`, 'utf8').catch(() => '{}');
  const installedAt = textOf(recordOf(JSON.parse(about))['installedAt']);
  if (installedAt !== undefined && existsSync(installedAt)) rememberInstallation(folder, installedAt);
}

interface GeneratedPlace {
  path: string;
  line: number;
  column: number;
}

/** The places in installed packages that a line of a kept source was compiled to; none for other files. */
export async function placesOfKept(file: string, line: number, column: number | undefined): Promise<GeneratedPlace[]> {
  if (!foldersForReaders().some((each) => isInside(each, file))) return [];
  await rememberFromDisk(file);
  const packages = [...installations].find(([folder]) => isInside(folder, file))?.[1];
  const places: GeneratedPlace[] = [];
  for (const installedAt of packages ?? [])
    for (const name of (await filesOf(installedAt)).filter((each) => each.endsWith('.map'))) {
      const path = join(installedAt, name.slice(0, -'.map'.length));
      const map = await loadScriptMap(basename(name), path, keptSource);
      const generated = map?.toGenerated(file, line, column);
      for (const { line: at, column: from } of generated?.at ?? []) places.push({ path, line: at, column: from });
    }
  return places;
}

function keptFolder(name: string, installedAt: string): string | null {
  const places = foldersForReaders().map((folder) => join(folder, 'npm'));
  if (!places.some((place) => existsSync(place))) return null;
  try {
    const version = textOf(recordOf(JSON.parse(readFileSync(join(installedAt, 'package.json'), 'utf8')))['version']);
    return places.map((place) => join(place, `${name}@${version ?? ''}`)).find((each) => existsSync(each)) ?? null;
  } catch {
    return null;
  }
}
