import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isErrnoException, ToolError } from '../../../base/errors.ts';

/** A refusal of the system, in words; anything else as it is. `notes` is where Sightline keeps its own of this project. */
export function writeFailed(error: unknown, root: string, notes: string): unknown {
  if (error instanceof ToolError || !isErrnoException(error)) return error;
  // What is written is the project and the notes about it, and the system does not always say which of them it refused.
  const isOfNotes = error.code === 'ENOSPC' ? isFull(notes) && !isFull(root) : error.path?.startsWith(notes) === true;
  const what = isOfNotes ? `Writing what Sightline keeps of changes (${notes})` : `Writing to ${root}`;
  return new ToolError('write_failed', `${what} failed: ${reasonOf(error)}. Nothing was changed.`, {
    cause: error,
    data: { errno: error.code },
  });
}

const fullBelowBytes = 256 * 1024;

function isFull(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize < fullBelowBytes;
  } catch {
    // It could not even be made: then the folder it belongs into tells.
    return dirname(place) !== place && isFull(dirname(place));
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EFBIG: 'no file may be so large',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'permission denied',
    EPERM: 'the operation is not permitted',
    EROFS: 'the file system is read-only',
    EMFILE: 'too many open files',
  };
  return `${known[error.code ?? ''] ?? error.message} (${error.code})`;
}
