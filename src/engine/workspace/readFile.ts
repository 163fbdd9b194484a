import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { advise, parameter } from '../../base/text/advice.ts';
import { throwIfCancelled } from '../../base/cancellation.ts';
import { ToolError } from '../../base/errors.ts';
import { contentHash } from '../../base/ids.ts';
import { displayPath } from '../../base/paths.ts';
import { clip } from '../../base/text/textBudget.ts';
import { maxArchiveBytes, readArchiveMember } from './archives.ts';
import { unsavedBuffer } from './buffers/unsaved.ts';
import { splitArchiveMember } from './paths.ts';
import { openForReading } from './safeOpen.ts';
import { decodeText, type DecodedText, type TextEncoding } from './textEncoding.ts';

export interface ReadRequest {
  /** Canonical, from the resolver; `archive!/member` for members. */
  path: string;
  startLine?: number;
  endLine?: number;
  /** How much text to give at most; what is left is told with `nextLine`. */
  maxChars: number;
  /** What each line takes besides its own text: its number. */
  overheadCharsPerLine?: number;
  /** Larger files are not read whole. */
  maxBytes: number;
  signal?: AbortSignal;
}

interface FileText {
  file: string;
  content: string;
  startLine: number;
  endLine: number;
  /** Absent when the file was too large to be counted. */
  totalLines?: number;
  /** Where to go on when not everything asked for is here. */
  nextLine?: number;
  encoding: TextEncoding;
  bom: boolean;
  lineEnding: 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';
  size: number;
  /** Hash of the whole content. A write may demand that it still holds. */
  version?: string;
  /** A single line was longer than what may be given. */
  cutLine?: boolean;
}

/** Reads text of a regular file, whole or by lines. Other things than text are refused with what to do instead. */
export async function readFileText(root: string, request: ReadRequest): Promise<FileText> {
  const { file: path, member } = splitArchiveMember(request.path);
  const shown = displayPath(root, path);
  const buffer = member === undefined ? unsavedBuffer(path) : undefined;
  if (buffer !== undefined) return pageOf(shown, Buffer.from(buffer.text, 'utf8'), request);
  // The resolver has decided that this path may be read; its own folder is what the opened file must still lie in.
  const handle = await openForReading([dirname(path)], path);
  try {
    const { size } = await handle.stat();
    if (member !== undefined) {
      if (size > maxArchiveBytes) throw tooLarge(shown, size, maxArchiveBytes);
      const bytes = await readArchiveMember(await handle.readFile(), basename(path), member);
      return pageOf(`${shown}!/${member}`, bytes, request);
    }
    if (size <= request.maxBytes) return pageOf(shown, await handle.readFile(), request);
    if (request.startLine === undefined && request.endLine === undefined) throw tooLarge(shown, size, request.maxBytes);
    return await linesOfLargeFile(shown, handle, size, request);
  } finally {
    await handle.close();
  }
}

/** The version tag of a file's bytes. */
export function versionOf(bytes: Uint8Array): string {
  return contentHash(bytes).slice(0, 16);
}

function pageOf(shown: string, bytes: Buffer, request: ReadRequest): FileText {
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw binary(shown, bytes);
  const lines = splitLines(decoded.text);
  const start = request.startLine ?? 1;
  if (start > lines.length && !(start === 1 && lines.length === 0)) {
    throw new ToolError('invalid_arguments', `${shown} has ${lines.length} lines; line ${start} is past its end.`, {
      hint: advise`Pass a ${parameter('startLine')} from 1 to ${lines.length}.`,
      data: { totalLines: lines.length },
    });
  }
  const end = Math.min(request.endLine ?? lines.length, lines.length);
  checkRange(start, request.endLine);
  const page = fitLines(lines.slice(start - 1, end), request);
  const last = start + page.count - 1;
  return {
    file: shown,
    content: page.text,
    startLine: lines.length === 0 ? 0 : start,
    endLine: lines.length === 0 ? 0 : last,
    totalLines: lines.length,
    nextLine: last < end ? last + 1 : undefined,
    encoding: decoded.encoding,
    bom: decoded.hasBom,
    lineEnding: lineEndingOf(decoded),
    size: bytes.length,
    version: versionOf(bytes),
    cutLine: page.cut ? true : undefined,
  };
}

function checkRange(start: number, end: number | undefined): void {
  if (end !== undefined && end < start)
    throw new ToolError('invalid_arguments', `end_line (${end}) lies before start_line (${start}).`);
}

/** Lines with their ends. A final line end begins no further line. */
function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/** As many whole lines as fit; measured as JSON, since that is how most of them travel. */
function fitLines(
  lines: readonly string[],
  { maxChars, overheadCharsPerLine = 0 }: ReadRequest,
): { text: string; count: number; cut: boolean } {
  let used = 0;
  let count = 0;
  for (const line of lines) {
    const length = JSON.stringify(line).length - 2 + overheadCharsPerLine;
    if (used + length > maxChars) break;
    used += length;
    count++;
  }
  const [first] = lines;
  if (count === 0 && first !== undefined) return { text: clip(first, Math.floor(maxChars / 2)), count: 1, cut: true };
  return { text: lines.slice(0, count).join(''), count, cut: false };
}

function lineEndingOf({ text }: DecodedText): FileText['lineEnding'] {
  const crlf = (text.match(/\r\n/g) ?? []).length;
  const lf = (text.match(/\n/g) ?? []).length - crlf;
  const cr = (text.match(/\r/g) ?? []).length - crlf;
  const kinds = [lf > 0, crlf > 0, cr > 0].filter(Boolean).length;
  if (kinds === 0) return 'none';
  if (kinds > 1) return 'mixed';
  return lf > 0 ? 'lf' : crlf > 0 ? 'crlf' : 'cr';
}

const chunkBytes = 1024 * 1024;

/** Reads on only until the wanted lines have come by; never more than a chunk is in memory besides them. */
async function linesOfLargeFile(
  shown: string,
  handle: FileHandle,
  size: number,
  request: ReadRequest,
): Promise<FileText> {
  const start = request.startLine ?? 1;
  const end = request.endLine ?? Number.MAX_SAFE_INTEGER;
  checkRange(start, request.endLine);
  const wanted: Buffer[] = [];
  let wantedBytes = 0;
  let line = 1;
  let at = 0;
  const chunk = Buffer.alloc(chunkBytes);
  while (at < size && line <= end && wantedBytes <= request.maxChars * 4) {
    throwIfCancelled(request.signal);
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    if (at === 0 && chunk.subarray(0, bytesRead).includes(0)) throw binary(shown, chunk.subarray(0, bytesRead));
    at += bytesRead;
    for (let from = 0; from < bytesRead && line <= end;) {
      const newline = chunk.subarray(0, bytesRead).indexOf(10, from);
      const to = newline < 0 ? bytesRead : newline + 1;
      if (line >= start && wantedBytes <= request.maxChars * 4) {
        wanted.push(Buffer.from(chunk.subarray(from, to)));
        wantedBytes += to - from;
      }
      if (newline >= 0) line++;
      from = to;
    }
  }
  if (wanted.length === 0) {
    throw new ToolError('invalid_arguments', `${shown} has fewer than ${start} lines.`, { data: { lines: line - 1 } });
  }
  const decoded = decodeText(Buffer.concat(wanted)) ?? {
    text: Buffer.concat(wanted).toString('utf8'),
    encoding: 'utf-8' as const,
    hasBom: false,
  };
  const lines = splitLines(decoded.text).slice(0, Math.max(end - start + 1, 0));
  const page = fitLines(lines, request);
  const last = start + page.count - 1;
  const isAtEnd = at >= size && page.count === lines.length;
  return {
    file: shown,
    content: page.text,
    startLine: start,
    endLine: last,
    nextLine: last < end && !isAtEnd ? last + 1 : undefined,
    encoding: decoded.encoding,
    bom: decoded.hasBom,
    lineEnding: lineEndingOf(decoded),
    size,
    cutLine: page.cut ? true : undefined,
  };
}

function tooLarge(shown: string, size: number, limit: number): ToolError {
  return new ToolError(
    'file_too_large',
    `${shown} has ${megabytes(size)}; at most ${megabytes(limit)} are read at once.`,
    {
      hint: advise`Pass ${parameter('startLine')} and ${parameter('endLine')} to read a part of it.`,
      data: { size, limit },
    },
  );
}

function binary(shown: string, bytes: Buffer): ToolError {
  const kind = kindOfBinary(shown, bytes);
  return new ToolError(
    'binary_file',
    `${shown} is not text${kind === '' ? '' : ` (${kind})`}, ${bytes.length} bytes.`,
    {
      hint: /archive|jar/i.test(kind)
        ? `Members are read as "${shown}!/path/inside".`
        : 'Only text files are read. Use a program made for this format.',
      data: { size: bytes.length },
    },
  );
}

const signatures: readonly (readonly [string, string])[] = [
  ['89504e47', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['25504446', 'PDF document'],
  ['504b0304', 'zip archive'],
  ['1f8b', 'gzip archive'],
  ['7f454c46', 'ELF program'],
  ['cafebabe', 'Java class'],
  ['0061736d', 'WebAssembly module'],
  ['53514c697465', 'SQLite database'],
  ['52494646', 'RIFF media'],
  ['4d5a', 'Windows program'],
];

function kindOfBinary(shown: string, bytes: Buffer): string {
  const head = bytes.subarray(0, 8).toString('hex');
  const known = signatures.find(([signature]) => head.startsWith(signature))?.[1];
  return known ?? extname(shown).slice(1);
}

function megabytes(bytes: number): string {
  return bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${bytes} bytes`;
}
