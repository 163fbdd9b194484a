import { ToolError } from '../../../base/errors.ts';

export type TextEncodingName = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'latin1';

export interface DecodedText {
  text: string;
  encoding: TextEncodingName;
}

/** The text of a file without its byte order mark; undefined when the bytes are no text. `encodeText` is its exact inverse. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(buffer, utf8Mark)) {
    const text = decodeUtf8(buffer.subarray(3));
    return text === undefined ? undefined : { text, encoding: 'utf-8-bom' };
  }
  if (startsWith(buffer, utf16leMark) && buffer.length % 2 === 0)
    return { text: buffer.subarray(2).toString('utf16le'), encoding: 'utf-16le' };
  if (startsWith(buffer, utf16beMark) && buffer.length % 2 === 0)
    return { text: Buffer.from(buffer.subarray(2)).swap16().toString('utf16le'), encoding: 'utf-16be' };
  if (buffer.includes(0)) return undefined;
  const text = decodeUtf8(buffer);
  if (text !== undefined) return { text, encoding: 'utf-8' };
  // Bytes that are not UTF-8 but hold no NUL are taken for Latin-1, which loses nothing: every byte is one character.
  return { text: buffer.toString('latin1'), encoding: 'latin1' };
}

export function encodeText(text: string, encoding: TextEncodingName): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-8-bom':
      return Buffer.concat([utf8Mark, Buffer.from(text, 'utf8')]);
    case 'utf-16le':
      return Buffer.concat([utf16leMark, Buffer.from(text, 'utf16le')]);
    case 'utf-16be':
      return Buffer.concat([utf16beMark, Buffer.from(text, 'utf16le').swap16()]);
    case 'latin1': {
      const foreign = /[^\u0000-\u00ff]/u.exec(text);
      if (foreign !== null)
        throw new ToolError(
          'edit_conflict',
          `The file is encoded in Latin-1, which has no "${foreign[0]}" (U+${(foreign[0].codePointAt(0) ?? 0).toString(16).toUpperCase()}).`,
          { hint: 'Convert the file to UTF-8 first, or leave that character out.' },
        );
      return Buffer.from(text, 'latin1');
    }
  }
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
const utf16leMark = Buffer.from([0xff, 0xfe]);
const utf16beMark = Buffer.from([0xfe, 0xff]);

function startsWith(buffer: Buffer, mark: Buffer): boolean {
  return buffer.length >= mark.length && buffer.subarray(0, mark.length).equals(mark);
}

function decodeUtf8(buffer: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    return undefined;
  }
}
