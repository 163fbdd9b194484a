import { readdir } from 'node:fs/promises';
import { isErrnoException } from '../errors.ts';

/** What is in a folder; nothing when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
