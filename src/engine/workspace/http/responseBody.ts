import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What a server sent, unpacked, up to a limit. */
export interface ReceivedBody {
  bytes: Buffer;
  /** Of what was received, unpacked. */
  sha256: string;
  /** There was more than the limit; the rest was not fetched. */
  isCut: boolean;
  contentType: string;
}

export async function readBody(response: IncomingMessage, maxBytes: number): Promise<ReceivedBody> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let size = 0;
  let isCut = false;
  const stream = unpacked(response);
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    const part = bytes.subarray(0, maxBytes - size);
    hash.update(part);
    parts.push(part);
    size += part.length;
    if (part.length < bytes.length) {
      isCut = true;
      break;
    }
  }
  response.destroy();
  return {
    bytes: Buffer.concat(parts),
    sha256: hash.digest('hex'),
    isCut,
    contentType: response.headers['content-type'] ?? '',
  };
}

/** Unpacked as it comes, so that a small answer cannot become a huge one. */
function unpacked(response: IncomingMessage): Readable {
  const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate };
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const create = Object.hasOwn(unpackers, coding) ? unpackers[coding as keyof typeof unpackers] : undefined;
  if (create === undefined) return response;
  // Errors of either end arrive at whoever reads.
  return pipeline(response, create(), () => undefined);
}

/** The text, or undefined for what is none. */
export function textOf({ bytes, contentType, isCut }: ReceivedBody): string | undefined {
  if (bytes.includes(0)) return undefined;
  const label = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    // A text that was cut may end inside a character.
    return new TextDecoder(label, { fatal: !isCut }).decode(bytes);
  } catch {
    return undefined;
  }
}
