import { lstat } from 'node:fs/promises';
import { isErrnoException, ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import type { FileOps } from './fileOps.ts';
import { filesForFolders, foldersForFiles, type JournalEntry, type JournalRecord } from './journal.ts';
import type { OpenDirectories } from './openDirectories.ts';
import { readVersion } from './readVersion.ts';

/** A file that is not as it was before, because somebody else has written it meanwhile. */
interface RollBackProblem {
  message: string;
  /** Where a further version of it is. */
  savedAs?: string;
}

/**
 * Makes a change that did not get to its end undone, from whatever point it got to; doing it twice does no harm. It only
 * renames and removes, so a full disk cannot stop it. Files that others changed meanwhile are left alone and named.
 */
export async function rollBack(
  record: JournalRecord,
  directories: OpenDirectories,
  ops: FileOps,
): Promise<RollBackProblem[]> {
  const problems: RollBackProblem[] = [];
  // Where a file and a folder were to change places, the file that came goes first, and the one that went comes back last.
  const [first, last] = [filesForFolders(record), foldersForFiles(record)];
  const isLate = (path: string): boolean => [...last].some((file) => file !== path && isInside(file, path));
  const undo = async (entry: JournalEntry): Promise<void> => {
    if (entry.staged === undefined && entry.kept === undefined) return;
    const problem = await restore(entry, directories, ops, isLate(entry.path));
    if (problem !== undefined) problems.push(problem);
  };
  for (const entry of record.entries) if (first.has(entry.path)) await undo(entry);
  for (const directory of [...record.removedDirectories].reverse()) {
    if (!(await isThere(directory, directories))) await ops.mkdir(directories.pathOf(directory));
  }
  for (const entry of [...record.entries].reverse())
    if (!first.has(entry.path) && !last.has(entry.path)) await undo(entry);
  for (const move of [...record.moves].reverse()) {
    if (!(await isThere(move.to, directories))) continue;
    const to = directories.pathOf(move.to);
    const from = directories.pathOf(move.from);
    if (await isThere(move.from, directories)) {
      // Both names: the link was made and the old name not yet removed, or someone else made the file that was in the way.
      const moved = record.entries.find((entry) => entry.path === move.to)?.after;
      const [there, here] = [await readVersion(to), await readVersion(from)];
      if (there?.stamp.signature === here?.stamp.signature || there?.version.hash === moved?.hash) await ops.unlink(to);
    } else await ops.rename(to, from);
  }
  for (const directory of [...record.createdDirectories].reverse()) {
    if (
      !(await isThere(directory, directories)) ||
      (last.has(directory) && !(await isDirectory(directory, directories)))
    )
      continue;
    try {
      await ops.rmdir(directories.pathOf(directory));
    } catch (error) {
      if (!isErrnoException(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
  for (const entry of record.entries) if (last.has(entry.path)) await undo(entry);
  return problems;
}

async function restore(
  entry: JournalEntry,
  directories: OpenDirectories,
  ops: FileOps,
  isLate: boolean,
): Promise<RollBackProblem | undefined> {
  const { kept, staged, before, after } = entry;
  const hasPlace = await hasDirectory(entry, directories, isLate);
  if (!hasPlace && !isLate) return undefined;
  if (!hasPlace || (await isDirectory(entry.path, directories))) {
    if (staged !== undefined && (await isThere(staged, directories))) await ops.unlink(directories.pathOf(staged));
    if (kept === undefined || !(await isThere(kept, directories))) return undefined;
    // A folder with something of others in it has the place of the file.
    const saved = `${entry.path}.saved`;
    await ops.rename(directories.pathOf(kept), directories.pathOf(saved));
    return { message: `${entry.path} could not be put back; it is in ${saved}.`, savedAs: saved };
  }
  const path = directories.pathOf(entry.path);
  const now = await readVersion(path);
  let problem: RollBackProblem | undefined;
  if (kept !== undefined && (await isThere(kept, directories))) {
    const keptPath = directories.pathOf(kept);
    const isOurs = now === null || (now.version.hash === after?.hash && now.version.hash !== before?.hash);
    const isModeOnly = now !== null && now.version.hash === before?.hash;
    const keptNow = await readVersion(keptPath);
    const isUntouched = now !== null && now.stamp.signature === keptNow?.stamp.signature;
    if (!isUntouched && (isOurs || isModeOnly)) await ops.rename(keptPath, path);
    else if (!isUntouched) {
      problem = { message: `${entry.path} was changed by another program meanwhile and was left as it is.` };
      // It wrote to the old file as well: that version exists nowhere else.
      if (keptNow?.version.hash !== before?.hash) {
        await ops.rename(keptPath, `${path}.saved`);
        problem = {
          message: `${problem.message} Another version it wrote is in ${entry.path}.saved.`,
          savedAs: `${entry.path}.saved`,
        };
      }
    }
    // Renaming one name of a file onto another name of the same file does nothing and leaves both.
    if (await isThere(kept, directories)) await ops.unlink(keptPath);
  } else if (before === null && now !== null) {
    const isOurs =
      now.version.hash === after?.hash && (await isSameFileOrGone(staged, now.stamp.signature, directories));
    if (isOurs) await ops.unlink(path);
  }
  if (staged !== undefined && (await isThere(staged, directories))) await ops.unlink(directories.pathOf(staged));
  return problem;
}

/** A new file got its name by linking the staged one: as long as that is there, only its twin is ours to remove. */
async function isSameFileOrGone(
  staged: string | undefined,
  signature: string,
  directories: OpenDirectories,
): Promise<boolean> {
  if (staged === undefined || !(await isThere(staged, directories))) return true;
  const twin = await readVersion(directories.pathOf(staged));
  return twin?.stamp.signature === signature;
}

/** `isLate`: its directory may still be the file whose place it takes. */
async function hasDirectory(entry: JournalEntry, directories: OpenDirectories, isLate: boolean): Promise<boolean> {
  try {
    directories.pathOf(entry.path);
    return true;
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return false;
    if (isLate && error instanceof ToolError && error.code === 'path_outside_project') return false;
    throw error;
  }
}

async function isDirectory(path: string, directories: OpenDirectories): Promise<boolean> {
  return (await isThere(path, directories)) && (await lstat(directories.pathOf(path))).isDirectory();
}

async function isThere(path: string, directories: OpenDirectories): Promise<boolean> {
  try {
    await lstat(directories.pathOf(path));
    return true;
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return false;
    if (error instanceof ToolError && error.code === 'path_outside_project') return false;
    throw error;
  }
}
