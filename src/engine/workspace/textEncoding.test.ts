import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canEncode, decodeText, encodeText, textEncodings } from './textEncoding.ts';

const sentence = 'Grüße, world!\r\nsecond line\n';

test.each([
  ['utf-8', false],
  ['utf-8', true],
  ['utf-16le', true],
  ['utf-16be', true],
  ['utf-16le', false],
  ['utf-16be', false],
  ['latin1', false],
] as const)('%s (mark: %s) is recognised', (encoding, hasBom) => {
  expect(decodeText(encodeText(sentence, encoding, hasBom))).toEqual({ text: sentence, encoding, hasBom });
});

test('what is read can be written back byte for byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const decoded = decodeText(bytes);
      if (decoded === undefined) return true;
      return Buffer.compare(encodeText(decoded.text, decoded.encoding, decoded.hasBom), bytes) === 0;
    }),
    { numRuns: 2000 },
  );
});

test('what is written can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...textEncodings), (text, encoding) => {
      if (!canEncode(text, encoding) || encoding === 'latin1') return true;
      const decoded = decodeText(encodeText(text, encoding, true));
      return decoded?.text === text && decoded.encoding === encoding;
    }),
  );
});

test.each([
  ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['an ELF program', Buffer.from('7f454c46020101000000000000000000', 'hex')],
  ['random bytes', Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 7919) % 256))],
  ['text with a NUL', Buffer.from('some text\0and more text here')],
  ['a UTF-32 mark', Buffer.from('fffe000041000000', 'hex')],
])('%s is not text', (_name, bytes) => {
  expect(decodeText(bytes)).toBeUndefined();
});

test('an empty file is empty text', () => {
  expect(decodeText(Buffer.alloc(0))).toEqual({ text: '', encoding: 'utf-8', hasBom: false });
});
