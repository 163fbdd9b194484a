import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { contentHash } from '../../../base/ids.ts';
import { isErrnoException, ToolError } from '../../../base/errors.ts';
import type { FileVersion } from './operations.ts';

/** Files larger than this are moved but never edited, deleted or kept in local history. */
export const maxEditableBytes = 32 * 1024 * 1024;

export interface LoadedVersion {
  version: FileVersion;
  /** Absent for a file too large to be held; such a file is identified by its inode, size and time. */
  bytes: Buffer | undefined;
  /** Changes whenever the file does, as far as the system's clock can tell. Taken before the content was read. */
  signature: string;
}

/** What is at a path now: a regular file or a link, `null` for nothing. Anything else (directory, pipe, device) is refused without being opened. */
export async function readVersion(path: string): Promise<LoadedVersion | null> {
  let found;
  try {
    found = await lstat(path, { bigint: true });
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
  const signature = signatureOf(found);
  if (found.isSymbolicLink()) {
    const target = await readlink(path);
    return { version: { kind: 'symlink', hash: contentHash(`link:${target}`), target }, bytes: undefined, signature };
  }
  if (!found.isFile())
    throw new ToolError('not_a_regular_file', `${path} is ${found.isDirectory() ? 'a directory' : 'no regular file'}.`);
  const mode = Number(found.mode & 0o7777n);
  if (found.size > BigInt(maxEditableBytes)) {
    const hash = contentHash(`large:${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}`);
    return { version: { kind: 'file', hash, mode, size: Number(found.size) }, bytes: undefined, signature };
  }
  const bytes = await readRegularFile(path);
  return { version: { kind: 'file', hash: contentHash(bytes), mode, size: bytes.length }, bytes, signature };
}

export function signatureOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

async function readRegularFile(path: string): Promise<Buffer> {
  // Between the look and the opening a pipe could have taken the place: opening one without a writer must not hang.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new ToolError('not_a_regular_file', `${path} is no regular file.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
