import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';

/**
 * Sightline's own folders: configuration, state, runtime and cache. Whoever could write them could trust a project or change the policy, and
 * whoever could read them had the token; so no tool reaches them by a path, whichever root it chose. They belong to the process, like its
 * environment, and composition names them.
 */
const ownFolders = new Map<string, number>();

/** Until the returned function is called. */
export function protectOwnFolders(folders: readonly string[]): () => void {
  const canonical = folders.map(canonicalFolder);
  for (const folder of canonical) ownFolders.set(folder, (ownFolders.get(folder) ?? 0) + 1);
  return () => {
    for (const folder of canonical) {
      const left = (ownFolders.get(folder) ?? 1) - 1;
      if (left === 0) ownFolders.delete(folder);
      else ownFolders.set(folder, left);
    }
  };
}

/** `path` is canonical. */
export function isOwn(path: string): boolean {
  return [...ownFolders.keys()].some((folder) => isInside(folder, path));
}

export function refuseOwn(path: string, shown: string): void {
  if (isOwn(path))
    throw new ToolError('path_outside_project', `${shown} is Sightline's own; no tool reads or writes it.`, {
      hint: 'A person can look at it, and changes settings and trust with `sightline`.',
    });
}

/** Those that lie below a root: searches leave them out. */
export function ownFoldersBelow(root: string): string[] {
  return [...ownFolders.keys()].filter((folder) => isInside(root, folder));
}

/** It may not be there yet. */
function canonicalFolder(folder: string): string {
  const missing: string[] = [];
  for (let existing = folder; ; existing = dirname(existing)) {
    try {
      return join(realpathSync(existing), ...missing);
    } catch {
      if (dirname(existing) === existing) return folder;
      missing.unshift(basename(existing));
    }
  }
}
