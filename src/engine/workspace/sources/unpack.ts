import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfCancelled } from '../../../base/cancellation.ts';
import { ToolError, isErrnoException } from '../../../base/errors.ts';
import { archiveEntries } from '../archives.ts';
import { isSafeMemberName } from '../paths.ts';

const maxFiles = 30_000;
const maxBytes = 400 * 1024 * 1024;
const maxFileBytes = 20 * 1024 * 1024;

export interface SourceFile {
  /** Inside the folder, with forward slashes. */
  name: string;
  size: number;
  read(): Promise<Buffer>;
}

/** Writes the regular files of an archive into a new folder, without the one folder that most archives have around everything. */
export async function unpack(archive: Buffer, name: string, folder: string, signal?: AbortSignal): Promise<number> {
  const entries = await archiveEntries(archive, name);
  const [around = ''] = entries[0]?.name.split('/') ?? [];
  const isAround = entries.every((entry) => entry.name.startsWith(`${around}/`));
  const files = isAround ? entries.map((entry) => ({ ...entry, name: entry.name.slice(around.length + 1) })) : entries;
  return writeSources(files, folder, signal);
}

/**
 * Only plain files below the folder are made, each once: no links, no devices, no names that climb out. The bytes that really come
 * count, not those that an archive promises.
 */
export async function writeSources(
  files: readonly SourceFile[],
  folder: string,
  signal?: AbortSignal,
): Promise<number> {
  if (files.length > maxFiles) throw tooMuch(`${files.length} files`);
  let bytes = 0;
  let written = 0;
  for (const file of files) {
    throwIfCancelled(signal);
    if (!isWritable(file)) continue;
    const content = await file.read();
    bytes += content.length;
    if (bytes > maxBytes) throw tooMuch(`more than ${maxBytes} bytes`);
    const path = join(folder, file.name);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      await writeFile(path, content, { flag: 'wx', mode: 0o444 });
      written++;
    } catch (error) {
      // Two members of one name, or a file where another has a folder: the first one stays.
      if (!isErrnoException(error, 'EEXIST', 'ENOTDIR', 'EISDIR')) throw error;
    }
  }
  return written;
}

function isWritable({ name, size }: SourceFile): boolean {
  const isShort = name.length <= 1000 && name.split('/').every((part) => Buffer.byteLength(part) <= 255);
  return isSafeMemberName(name) && isShort && size <= maxFileBytes;
}

function tooMuch(what: string): ToolError {
  return new ToolError('too_large', `The sources have ${what}, which is more than is unpacked. Nothing was kept.`);
}
