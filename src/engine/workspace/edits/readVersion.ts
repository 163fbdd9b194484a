import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type BigIntStats,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { contentHash } from '../../../base/ids.ts';
import { isErrnoException, ToolError } from '../../../base/errors.ts';
import { decodeText, isPlainUtf8, type DecodedText } from '../textEncoding.ts';
import type { FileVersion } from './operations.ts';

/** Files larger than this are moved but never edited, deleted or kept in local history. */
export const maxEditableBytes = 32 * 1024 * 1024;

/** The clock of file times is coarse: a file written just now may be written again within one tick, and look the same. */
export const clockTickMs = 50;

/** What the system says about a file without its content. */
export interface FileStamp {
  /** Changes whenever the content does, as far as the system's clock can tell; giving the file another name leaves it alone. */
  signature: string;
  /** Changes with anything that is done to the file, and cannot be set by programs. */
  changeTimeNs: bigint;
  /** When this was asked. */
  seenMs: number;
}

/** What was at a path. What can be told of its content is worked out when somebody asks. */
export class LoadedVersion {
  /** Absent for a link, and for a file too large to be held; such a file is identified by its inode, size and time. */
  readonly bytes: Buffer | undefined;
  /** Taken before the content was read. */
  readonly stamp: FileStamp;
  readonly #describe: () => FileVersion;
  #version: FileVersion | undefined;
  #decoded: { text: DecodedText | undefined } | undefined;

  constructor(stamp: FileStamp, bytes: Buffer | undefined, describe: () => FileVersion) {
    this.stamp = stamp;
    this.bytes = bytes;
    this.#describe = describe;
  }

  get version(): FileVersion {
    this.#version ??= this.#describe();
    return this.#version;
  }

  get isText(): boolean {
    return this.bytes !== undefined && (isPlainUtf8(this.bytes) || this.decoded !== undefined);
  }

  /** Undefined when it is not text. */
  get decoded(): DecodedText | undefined {
    this.#decoded ??= { text: this.bytes === undefined ? undefined : decodeText(this.bytes) };
    return this.#decoded.text;
  }
}

/** What is at a path now: a regular file or a link, `null` for nothing. Anything else (directory, pipe, device) is refused without being opened. */
export async function readVersion(path: string): Promise<LoadedVersion | null> {
  const startedAt = performance.now();
  const found = stampOf(path);
  if (found === undefined) return null;
  const { stats, stamp } = found;
  if (stats.isSymbolicLink()) {
    const target = readlinkSync(path);
    return new LoadedVersion(stamp, undefined, () => ({
      kind: 'symlink',
      hash: contentHash(`link:${target}`),
      target,
    }));
  }
  if (!stats.isFile())
    throw new ToolError('not_a_regular_file', `${path} is ${stats.isDirectory() ? 'a directory' : 'no regular file'}.`);
  const mode = Number(stats.mode & 0o7777n);
  const size = Number(stats.size);
  if (size > maxEditableBytes) {
    const hash = contentHash(`large:${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`);
    return new LoadedVersion(stamp, undefined, () => ({ kind: 'file', hash, mode, size }));
  }
  const bytes = size > maxBytesAtOnce ? await readLarge(path) : (readSmall(path, size) ?? (await readLarge(path)));
  await giveWay(performance.now() - startedAt);
  return new LoadedVersion(stamp, bytes, () => ({ kind: 'file', hash: contentHash(bytes), mode, size: bytes.length }));
}

/** What the system says about a path; undefined when nothing is there. */
export function stampOf(path: string): { stats: BigIntStats; stamp: FileStamp } | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    const signature = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
    return { stats, stamp: { signature, changeTimeNs: stats.ctimeNs, seenMs: Date.now() } };
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Whether a stamp taken now proves that the file is the one that was read after the earlier stamp, to the byte and the mode. */
export function isUntouchedSince(earlier: FileStamp, now: FileStamp): boolean {
  return (
    earlier.signature === now.signature &&
    earlier.changeTimeNs === now.changeTimeNs &&
    earlier.seenMs - Number(earlier.changeTimeNs / 1_000_000n) > clockTickMs
  );
}

/** Larger files are read by another thread. For smaller ones handing over would cost many times what the reading does. */
const maxBytesAtOnce = 1024 * 1024;

// Between the look and the opening a pipe could have taken the place: opening one without a writer must not hang.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Undefined when the file is not as long as it was said to be. */
function readSmall(path: string, size: number): Buffer | undefined {
  const file = openSync(path, readFlags);
  try {
    if (!fstatSync(file).isFile()) throw new ToolError('not_a_regular_file', `${path} is no regular file.`);
    // One more than there is: a file that is longer by now fills it.
    const buffer = Buffer.allocUnsafeSlow(size + 1);
    const length = readSync(file, buffer, 0, size + 1, 0);
    return length === size ? buffer.subarray(0, size) : undefined;
  } finally {
    closeSync(file);
  }
}

async function readLarge(path: string): Promise<Buffer> {
  const handle = await open(path, readFlags);
  try {
    if (!(await handle.stat()).isFile()) throw new ToolError('not_a_regular_file', `${path} is no regular file.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The bytes of a small regular file for a moment; hundreds of files leave nothing to be cleaned up. Undefined when it cannot be read. */
export async function withBytes<T>(path: string, work: (bytes: Buffer) => T): Promise<T | undefined> {
  const startedAt = performance.now();
  let result: T | undefined;
  try {
    const file = openSync(path, readFlags);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > maxBytesAtOnce) return undefined;
      if (scratch.length <= stats.size) scratch = Buffer.allocUnsafeSlow(stats.size * 2);
      result = work(scratch.subarray(0, readSync(file, scratch, 0, stats.size, 0)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isErrnoException(error)) return undefined;
    throw error;
  }
  await giveWay(performance.now() - startedAt);
  return result;
}

let busyMs = 0;

/** However many files are read one after the other, on however slow a disk: other calls get their turn in between. */
async function giveWay(spentMs: number): Promise<void> {
  busyMs += spentMs;
  if (busyMs < 10) return;
  busyMs = 0;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
