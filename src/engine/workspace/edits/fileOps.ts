import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { copyFile, link, mkdir, open, rename, rmdir, symlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isErrnoException } from '../../../base/errors.ts';
import { copyAttributes, type AttributePair } from './fileAttributes.ts';

/**
 * Every operation by which a change reaches the disk. Tests put a counting or failing implementation in its place, to stop
 * the world at each of them in turn.
 */
export interface FileOps {
  /** Creates a new file, whole and on the disk (fsync) when this returns. */
  writeNew: (path: string, bytes: Uint8Array, mode: number) => Promise<void>;
  /** Owner, access lists and extended attributes of files go over to those that take their place. */
  copyAttributes: (pairs: readonly AttributePair[], scratch: string) => Promise<void>;
  makeSymlink: (target: string, path: string) => Promise<void>;
  /**
   * A second name, in the place given, for a file that has only one. False, and nothing there, where that is not possible: the place is on
   * another file system, or the file can be written to by further names.
   */
  hold: (path: string, as: string) => Promise<boolean>;
  /** What the file holds is on the disk when this returns, whoever has written it. */
  syncContent: (path: string) => Promise<void>;
  /** A second name for the same file; a copy where the file system has no hard links. */
  keep: (path: string, as: string) => Promise<void>;
  /** Gives a file a new name that nothing may have yet. Where there are hard links the old name stays for the caller to remove. */
  publish: (from: string, to: string) => Promise<void>;
  rename: (from: string, to: string) => Promise<void>;
  unlink: (path: string) => Promise<void>;
  mkdir: (path: string) => Promise<void>;
  rmdir: (path: string) => Promise<void>;
  syncDirectory: (path: string) => Promise<void>;
}

/** What only reaches the system's memory is done at once: handing it to another thread costs more. Waiting for the disk is what threads are for. */
const maxBytesAtOnce = 1024 * 1024;

export const diskOps: FileOps = {
  async writeNew(path, bytes, mode) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = openSync(path, flags, 0o600);
    try {
      if (bytes.length <= maxBytesAtOnce) writeFileSync(file, bytes);
      else await promisify(writeFile)(file, bytes);
      fchmodSync(file, mode);
      await promisify(fsync)(file);
    } finally {
      closeSync(file);
    }
  },
  copyAttributes,
  makeSymlink: (target, path) => symlink(target, path),
  async hold(path, as) {
    try {
      linkSync(path, as);
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
      return false;
    }
    if (lstatSync(as).nlink === 2) return true;
    unlinkSync(as);
    return false;
  },
  async syncContent(path) {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      await promisify(fdatasync)(file);
    } finally {
      closeSync(file);
    }
  },
  async keep(path, as) {
    try {
      linkSync(path, as);
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
      await copyFile(path, as, constants.COPYFILE_EXCL);
    }
  },
  async publish(from, to) {
    try {
      // Linking fails when something is at the target, where renaming would destroy it.
      await link(from, to);
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
      await rename(from, to);
    }
  },
  rename: async (from, to) => renameSync(from, to),
  unlink: async (path) => unlinkSync(path),
  mkdir: (path) => mkdir(path),
  rmdir: (path) => rmdir(path),
  async syncDirectory(path) {
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } catch (error) {
      // Some file systems cannot sync a directory; they order their metadata by themselves.
      if (!isErrnoException(error, 'EINVAL', 'ENOTSUP', 'EISDIR')) throw error;
    } finally {
      await handle.close();
    }
  },
};

function isWithoutLinks(error: unknown): boolean {
  return isErrnoException(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV');
}
