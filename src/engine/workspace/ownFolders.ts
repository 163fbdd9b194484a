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

/** Folders among them that hold nothing but what anybody may read, such as sources of packages. No tool writes them either. */
const readableFolders = new Set<string>();

export function openForReaders(folder: string): () => void {
  const canonical = canonicalFolder(folder);
  readableFolders.add(canonical);
  return () => void readableFolders.delete(canonical);
}

export function foldersForReaders(): string[] {
  return [...readableFolders];
}

/** `path` is canonical. */
function isOwn(path: string): boolean {
  return [...ownFolders.keys()].some((folder) => isInside(folder, path));
}

/** Own, and not open to readers, nor the code of an installed engine: definitions and stack frames lead there, as to any library. */
export function isPrivate(path: string): boolean {
  return isOwn(path) && !engineSource.test(path) && !isOpen(path);
}

const engineSource = /\/engines\/[^/]+\/[^/]+\/.*\.(pyi?|[cm]?[jt]s|go|rs|java|c|h|cc|hh|cpp|hpp)$/;

function isOpen(path: string): boolean {
  return [...readableFolders].some((folder) => isInside(folder, path));
}

/** `reading`: nothing can come of it but that the content is seen. */
export function refuseOwn(path: string, shown: string, reading = false): void {
  if (reading && isOpen(path)) return;
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
