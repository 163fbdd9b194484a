import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';

/** What a request carries: a body, or a form with or without files. */
interface BodySpec {
  /** A text as it is; anything else as JSON. */
  body?: unknown;
  form?: Readonly<Record<string, string>> | undefined;
  /** Canonical paths. */
  files?: readonly { name: string; path: string }[] | undefined;
}

export interface RequestBody {
  bytes: Buffer;
  contentType?: string;
}

const maxBytes = 64 * 1024 * 1024;

export async function requestBody(spec: BodySpec): Promise<RequestBody | undefined> {
  const { body, form, files } = spec;
  if (body !== undefined && (form !== undefined || files !== undefined))
    throw new ToolError('invalid_arguments', 'Give a body, or form and files.');
  if (typeof body === 'string') return { bytes: Buffer.from(body) };
  if (body !== undefined) return { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json' };
  if (files !== undefined && files.length > 0) return multipart(form ?? {}, files);
  if (form === undefined) return undefined;
  return {
    bytes: Buffer.from(new URLSearchParams(form).toString()),
    contentType: 'application/x-www-form-urlencoded',
  };
}

async function multipart(
  form: Readonly<Record<string, string>>,
  files: readonly { name: string; path: string }[],
): Promise<RequestBody> {
  const boundary = randomId('sightline').replaceAll(/[^\w]/g, '');
  const parts: Buffer[] = [];
  const add = (head: string, content: Buffer) =>
    parts.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    );
  for (const [name, value] of Object.entries(form)) add(`name=${quoted(name)}`, Buffer.from(value));
  let size = 0;
  for (const { name, path } of files) {
    const content = await readFile(path);
    size += content.length;
    if (size > maxBytes) throw new ToolError('file_too_large', `The files are larger than ${maxBytes} bytes.`);
    add(`name=${quoted(name)}; filename=${quoted(basename(path))}\r\nContent-Type: application/octet-stream`, content);
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(parts), contentType: `multipart/form-data; boundary=${boundary}` };
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;
}
