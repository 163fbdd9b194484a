import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTransport } from './lineTransport.ts';

async function setUp() {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new LineTransport({ input, output });
  const received: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void received.push(message);
  await transport.start();
  const sent = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  return { input, transport, received, sent };
}

const ping = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

describe('LineTransport', () => {
  it('puts messages together again however they were cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (texts, sizes) => {
          const { input, received } = await setUp();
          const messages = texts.map((text, id) => ({ jsonrpc: '2.0', id, method: 'm', params: { text } }));
          const bytes = Buffer.from(messages.map(line).join(''));
          for (let start = 0, turn = 0; start < bytes.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            input.write(bytes.subarray(start, start + size));
            start += size;
          }
          await new Promise((resolve) => setImmediate(resolve));
          expect(received).toEqual(messages);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('answers what it cannot understand and goes on', async () => {
    const { input, received, sent } = await setUp();
    input.write(`{"jsonrpc": \n\r\n\n[1,2]\n"text"\n{"id":7}\n${line(ping(1))}${JSON.stringify(ping(2))}\r\n`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent()).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: 7, error: { code: -32600 } },
    ]);
    expect(received).toEqual([ping(1), ping(2)]);
  });

  it('keeps the order while one message is held back', async () => {
    const { input, transport, received } = await setUp();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    transport.onInbound = (message) => ('id' in message && message.id === 1 ? held : undefined);
    input.write(line(ping(0)) + line(ping(1)) + line(ping(2)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toEqual([ping(0)]);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toEqual([ping(0), ping(1), ping(2)]);
  });

  it('says when the other side has gone, and writes nothing after', async () => {
    const { input, transport, sent } = await setUp();
    let closes = 0;
    transport.onclose = () => void closes++;
    input.end();
    await transport.closed;
    await transport.send(ping(1));
    await transport.close();
    expect(closes).toBe(1);
    expect(sent()).toEqual([]);
  });

  it('refuses a line that is too long when it ends, keeps nothing of it, and goes on', async () => {
    const { input, sent, received } = await setUp();
    const chunk = Buffer.alloc(4 * 1024 * 1024, 0x61);
    for (let written = 0; written < 40 * 1024 * 1024; written += chunk.length) input.write(chunk);
    input.write('\n{"jsonrpc":"2.0","method":"ping","id":1}\n');
    await expect.poll(() => received.length).toBe(1);
    expect(sent()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });
});
