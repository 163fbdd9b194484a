import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { advise, step } from '../../base/text/advice.ts';
import { ToolError, isErrnoException } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { platform } from '../../base/platform/here.ts';
import { refuseOwn } from './ownFolders.ts';

/**
 * Between resolving a path and using it a folder can be swapped for a symbolic link. What was opened is therefore looked at: it must lie where
 * the path says.
 */
export async function openForReading(roots: readonly string[], path: string): Promise<FileHandle> {
  refuseOwn(path, path, true);
  // Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await platform.files.open(path, flags).catch((error: unknown) => {
    if (isErrnoException(error, 'ELOOP')) throw swapped(path);
    if (isErrnoException(error, 'ENXIO', 'ENODEV'))
      throw new ToolError('not_a_regular_file', `${path} is a socket or device, not a regular file.`);
    if (isErrnoException(error, 'EACCES', 'EPERM'))
      throw new ToolError('permission_denied', `The user's rights do not allow to read ${path}.`);
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) throw new ToolError('file_not_found', `${path} does not exist.`);
    throw error;
  });
  if (file === undefined) throw swapped(path);
  try {
    if (!roots.some((root) => isInside(root, path))) throw swapped(path);
    const stats = await file.stat();
    if (!stats.isFile()) {
      throw new ToolError(
        'not_a_regular_file',
        `${path} is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.`,
        {
          hint: stats.isDirectory() ? advise`${step('listProjectFiles')} shows what is in it.` : undefined,
        },
      );
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function swapped(path: string): ToolError {
  return new ToolError('path_outside_project', `${path} was replaced by a symbolic link while it was being opened.`, {
    hint: 'Nothing was read or written. Call again if the change was intended.',
  });
}
