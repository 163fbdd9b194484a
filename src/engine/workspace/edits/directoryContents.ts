import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrnoException, ToolError } from '../../../base/errors.ts';

const maxFilesInDirectoryOperation = 20_000;

/** What a path is; undefined when nothing is there. Links are not followed. */
export async function pathKind(path: string): Promise<'file' | 'directory' | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Everything below a directory, links not followed. */
export async function listBelow(directory: string): Promise<{ path: string; isDirectory: boolean }[]> {
  const found = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    found.push({ path: join(entry.parentPath, entry.name), isDirectory: entry.isDirectory() });
    if (found.length > maxFilesInDirectoryOperation)
      throw new ToolError('too_large', `${directory} holds more than ${maxFilesInDirectoryOperation} files.`);
  }
  return found;
}
