import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder } from './framing.ts';

describe('framing', () => {
  it('gives back every message, however the bytes are split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (messages, sizes) => {
          const bytes = Buffer.concat(messages.map(encodeFrame));
          const { bodies, noise } = decode(split(bytes, sizes));
          expect(bodies).toEqual(messages.map((message) => JSON.stringify(message)));
          expect(noise).toBe('');
        },
      ),
    );
  });

  it('counts bytes, not characters', () => {
    const { bodies } = decode([encodeFrame({ text: 'größe 😀' }), encodeFrame({ next: 1 })]);
    expect(bodies).toEqual([JSON.stringify({ text: 'größe 😀' }), '{"next":1}']);
  });

  it('passes over log lines and extra headers', () => {
    const typed = Buffer.from(
      'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}content-length:2\r\n\r\n[]',
    );
    const chunks = [Buffer.from('starting up...\n'), typed, Buffer.from('oops\n'), encodeFrame({ a: 1 })];
    const { bodies, noise } = decode(split(Buffer.concat(chunks), [3, 11, 7]));
    expect(bodies).toEqual(['{}', '[]', '{"a":1}']);
    expect(noise).toBe('starting up...\noops\n');
  });

  it('refuses a stream that cannot be trusted', () => {
    expect(() => decode([Buffer.from('Content-Length: 99999999999999\r\n\r\n')])).toThrow('impossible length');
    expect(() => decode([Buffer.from('Content-Length: -3\r\n\r\n')])).toThrow('impossible length');
    expect(() => decode([Buffer.alloc(200_000, 'x')])).toThrow('text where messages');
  });
});

function decode(chunks: Buffer[]): { bodies: string[]; noise: string } {
  const bodies: string[] = [];
  let noise = '';
  const decoder = new FrameDecoder({
    onBody: (body) => bodies.push(body.toString('utf8')),
    onNoise: (text) => {
      noise += text;
    },
  });
  for (const chunk of chunks) decoder.push(chunk);
  return { bodies, noise };
}

function split(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
