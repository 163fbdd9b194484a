import { gunzip, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { ToolError } from '../../base/errors.ts';
import { isSafeMemberName } from './paths.ts';

/** Archives are read in memory. What is too large, or climbs out of its archive, is refused. */
interface ArchiveMember {
  name: string;
  size: number;
}

export const maxArchiveBytes = 200 * 1024 * 1024;
const maxUnpackedBytes = 128 * 1024 * 1024;
const maxMemberBytes = 20 * 1024 * 1024;
const maxMembers = 200_000;

export async function readArchiveMember(archive: Buffer, archiveName: string, member: string): Promise<Buffer> {
  const entries = await entriesOf(archive, archiveName);
  const entry = entries.find((candidate) => candidate.name === member);
  if (entry === undefined) {
    const near = entries
      .filter((candidate) => candidate.name.endsWith(`/${member.split('/').at(-1) ?? ''}`))
      .slice(0, 3);
    throw new ToolError('file_not_found', `${archiveName} has no member ${member}.`, {
      hint: near.length > 0 ? `Did you mean ${near.map(({ name }) => name).join(', ')}?` : undefined,
      data: {
        members: entries.length,
        ...(near.length === 0 ? {} : { suggestions: near.map(({ name }) => name) }),
      },
    });
  }
  if (entry.size > maxMemberBytes) throw tooLarge(`${archiveName}!/${member}`, entry.size, maxMemberBytes);
  return entry.read();
}

export async function listArchiveMembers(archive: Buffer, archiveName: string): Promise<ArchiveMember[]> {
  return (await entriesOf(archive, archiveName)).map(({ name, size }) => ({ name, size }));
}

interface ArchiveEntry extends ArchiveMember {
  read(): Promise<Buffer>;
}

/** The regular files of an archive whose names stay inside it. */
export async function archiveEntries(archive: Buffer, archiveName: string): Promise<ArchiveEntry[]> {
  return entriesOf(archive, archiveName);
}

async function entriesOf(archive: Buffer, archiveName: string): Promise<ArchiveEntry[]> {
  const entries = /\.(tar|tgz|tar\.gz)$/i.test(archiveName)
    ? tarEntries(await ungzipped(archive, archiveName))
    : zipEntries(archive, archiveName);
  // Names that climb out are dropped here, once: no later code can meet them.
  return entries.filter(({ name }) => isSafeMemberName(name) && !name.endsWith('/'));
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localEntry = 0x04034b50;

function zipEntries(archive: Buffer, archiveName: string): ArchiveEntry[] {
  const end = archive.subarray(Math.max(0, archive.length - 66_000)).lastIndexOf(le32(endOfDirectory));
  if (end < 0) throw damaged(archiveName);
  const endAt = Math.max(0, archive.length - 66_000) + end;
  try {
    const count = archive.readUInt16LE(endAt + 10);
    let at = archive.readUInt32LE(endAt + 16);
    const entries: ArchiveEntry[] = [];
    for (let index = 0; index < Math.min(count, maxMembers); index++) {
      if (archive.readUInt32LE(at) !== directoryEntry) throw damaged(archiveName);
      const nameLength = archive.readUInt16LE(at + 28);
      const isUtf8 = (archive.readUInt16LE(at + 8) & 0x800) !== 0;
      const name = archive.toString(isUtf8 ? 'utf8' : 'latin1', at + 46, at + 46 + nameLength);
      const method = archive.readUInt16LE(at + 10);
      const packed = archive.readUInt32LE(at + 20);
      const size = archive.readUInt32LE(at + 24);
      const local = archive.readUInt32LE(at + 42);
      entries.push({ name, size, read: () => unzip(archive, archiveName, { local, method, packed, size }) });
      at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    }
    return entries;
  } catch (error) {
    if (error instanceof RangeError) throw damaged(archiveName);
    throw error;
  }
}

async function unzip(
  archive: Buffer,
  archiveName: string,
  entry: { local: number; method: number; packed: number; size: number },
): Promise<Buffer> {
  try {
    if (archive.readUInt32LE(entry.local) !== localEntry) throw damaged(archiveName);
    const start = entry.local + 30 + archive.readUInt16LE(entry.local + 26) + archive.readUInt16LE(entry.local + 28);
    const data = archive.subarray(start, start + entry.packed);
    if (entry.method === 0) return data;
    if (entry.method !== 8)
      throw new ToolError('unsupported', `A member of ${archiveName} is packed in an unknown way.`);
    // The size in the directory may lie; the cap counts what really comes out.
    return await promisify(inflateRaw)(data, { maxOutputLength: maxMemberBytes });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw damaged(archiveName, error);
  }
}

async function ungzipped(archive: Buffer, archiveName: string): Promise<Buffer> {
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) return archive;
  try {
    return await promisify(gunzip)(archive, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(archiveName, archive.length, maxUnpackedBytes);
    throw damaged(archiveName, error);
  }
}

function tarEntries(archive: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  let longName: string | undefined;
  for (let at = 0; at + 512 <= archive.length && entries.length < maxMembers;) {
    const text = (from: number, length: number) =>
      archive.toString('utf8', at + from, at + from + length).replace(/\0[\s\S]*$/, '');
    const size = Number.parseInt(text(124, 12).trim(), 8);
    if (text(0, 100) === '' || !(size >= 0)) break;
    const start = at + 512;
    const type = text(156, 1);
    const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
    if (type === 'x') longName = paxPath(archive.subarray(start, start + size)) ?? longName;
    else if (type === 'L') longName = archive.toString('utf8', start, start + size).replace(/\0[\s\S]*$/, '');
    else {
      const name = longName ?? (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`);
      if (type === '0' || type === '')
        entries.push({
          name: name.replace(/^\.\//, ''),
          size,
          read: async () => archive.subarray(start, start + size),
        });
      longName = undefined;
    }
    at = start + Math.ceil(size / 512) * 512;
  }
  return entries;
}

/** Records of the form `27 path=some/long/name\n`, by which newer archives give names that do not fit the header. */
function paxPath(records: Buffer): string | undefined {
  for (let at = 0; at < records.length;) {
    const space = records.indexOf(0x20, at);
    const length = Number(records.toString('latin1', at, space));
    if (space < 0 || !(length > 0)) return undefined;
    const record = records.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return undefined;
}

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function damaged(archiveName: string, cause?: unknown): ToolError {
  return new ToolError('binary_file', `${archiveName} is damaged or not an archive of its kind.`, { cause });
}

function tooLarge(what: string, size: number, limit: number): ToolError {
  return new ToolError('file_too_large', `${what} has ${size} bytes; at most ${limit} are read from an archive.`);
}
