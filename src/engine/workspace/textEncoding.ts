import { isAscii, isUtf8 } from 'node:buffer';

/**
 * Telling the encoding of a file and giving its text, so that writing the text back in the same encoding gives the same bytes.
 * What is no text is said to be binary, never shown as garbage.
 */
export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const;
export type TextEncoding = (typeof textEncodings)[number];

export interface DecodedText {
  /** Without a byte order mark. */
  text: string;
  encoding: TextEncoding;
  hasBom: boolean;
}

/** The text of these bytes; undefined when they are not text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = byteOrderMark(buffer);
  if (mark !== undefined) {
    const text = strictly(buffer.subarray(mark.length), mark.encoding);
    return text === undefined ? undefined : { text, encoding: mark.encoding, hasBom: true };
  }
  const encoding = guessEncoding(buffer);
  if (encoding === undefined) return undefined;
  const text = strictly(buffer, encoding);
  return text === undefined ? undefined : { text, encoding, hasBom: false };
}

/** Whether these bytes are text in UTF-8 without a byte order mark. */
export function isPlainUtf8(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return byteOrderMark(buffer) === undefined && guessEncoding(buffer) === 'utf-8';
}

export function encodeText(text: string, encoding: TextEncoding, hasBom: boolean): Buffer {
  const marked = hasBom && encoding !== 'latin1' ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  if (encoding === 'latin1') return Buffer.from(marked, 'latin1');
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Whether every character of the text exists in this encoding. Half of a surrogate pair exists in none. */
export function canEncode(text: string, encoding: TextEncoding): boolean {
  return encoding === 'latin1' ? !/[^\u0000-\u00ff]/.test(text) : !/\p{Surrogate}/u.test(text);
}

function byteOrderMark(buffer: Buffer): { encoding: TextEncoding; length: number } | undefined {
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (buffer[0] === 0xff && buffer[1] === 0xfe && !(buffer.length >= 4 && buffer[2] === 0 && buffer[3] === 0))
    return { encoding: 'utf-16le', length: 2 };
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  return undefined;
}

/** A few bytes prove nothing: most short files with a NUL in them are data. */
const minNuls = 4;

function guessEncoding(buffer: Buffer): TextEncoding | undefined {
  const sample = buffer.subarray(0, 64 * 1024);
  if (!buffer.includes(0)) {
    if (isUtf8(buffer)) return controlRatio(buffer.subarray(0, 1024)) > 0.3 ? undefined : 'utf-8';
    return controlRatio(sample) > 0.01 ? undefined : 'latin1';
  }
  if (buffer.length % 2 !== 0) return undefined;
  // Western text in UTF-16 has a NUL in every second byte; binary data has them anywhere.
  let even = 0;
  let odd = 0;
  for (let index = 0; index < sample.length; index++) {
    if (sample[index] !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const half = sample.length / 2;
  if (odd >= minNuls && odd > half * 0.4 && even < half * 0.01) return 'utf-16le';
  if (even >= minNuls && even > half * 0.4 && odd < half * 0.01) return 'utf-16be';
  return undefined;
}

function controlRatio(sample: Buffer): number {
  let controls = 0;
  // Counting by index: an iterator over bytes takes ten times as long.
  for (let index = 0; index < sample.length; index++) {
    const byte = sample[index] ?? 0;
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) || byte === 127)
      controls++;
  }
  return sample.length === 0 ? 0 : controls / sample.length;
}

/** Undefined unless the bytes are exactly this encoding. */
function strictly(buffer: Buffer, encoding: TextEncoding): string | undefined {
  if (encoding === 'latin1') return buffer.toString('latin1');
  // Most sources are plain ASCII, which is decoded several times faster as what it also is.
  if (encoding === 'utf-8' && isAscii(buffer)) return buffer.toString('latin1');
  if (encoding === 'utf-8') return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    return undefined;
  }
}
