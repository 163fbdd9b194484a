import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { CancelledError, PeerError, TransportError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { RpcConnection } from './connection.ts';

describe('a JSON-RPC connection', () => {
  it('matches answers to requests, in any order', async () => {
    const { client, server } = pair();
    const gate: (() => void)[] = [];
    server.handle('slow', () => new Promise((resolve) => gate.push(() => resolve('slow'))));
    server.handle('fast', (params) => ({ echoed: params }));
    const slow = client.request('slow', {});
    expect(await client.request('fast', [1])).toEqual({ echoed: [1] });
    gate[0]?.();
    expect(await slow).toBe('slow');
    expect(client.pendingCount).toBe(0);
  });

  it("reports the peer's errors and unknown methods", async () => {
    const { client, server } = pair();
    server.handle('bad', () => {
      throw new Error('no such thing');
    });
    await expect(client.request('bad', {})).rejects.toThrow(new PeerError('server', 'bad', 'no such thing', -32603));
    await expect(client.request('unknown', {})).rejects.toMatchObject({ peerCode: -32601 });
  });

  it('cancels for real: the peer is told and a late answer is dropped', async () => {
    const { client, server } = pair();
    const cancelled = new Promise<unknown>((resolve) => {
      server.onNotification.on((event) => {
        if (event.method === '$/cancelRequest') resolve(event.params);
      });
    });
    server.handle('slow', () => cancelled.then(() => 'too late'));
    server.handle('ping', () => 'pong');
    const controller = new AbortController();
    const call = client.request('slow', {}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toBeInstanceOf(CancelledError);
    expect(await cancelled).toEqual({ id: 1 });
    expect(await client.request('ping', {})).toBe('pong');
  });

  it('gives up on a silent peer and says which request it was', async () => {
    const { client, server } = pair();
    server.handle('silence', () => new Promise(() => undefined));
    await expect(client.request('silence', {}, { timeoutMs: 20 })).rejects.toThrow(
      'server did not answer silence within 20 ms.',
    );
  });

  it('fails everything pending when the peer goes away, with the end of its log', async () => {
    const { client, server, toClient } = pair();
    server.handle('silence', () => new Promise(() => undefined));
    const first = client.request('silence', {});
    const second = client.request('silence', {});
    toClient.end();
    await expect(first).rejects.toBeInstanceOf(TransportError);
    await expect(second).rejects.toMatchObject({ logTail: 'panic: out of cheese' });
    await expect(client.request('silence', {})).rejects.toThrow('it closed its output');
  });

  it('tells how the peer ended also when a write meets it first', async () => {
    const output = new PassThrough();
    const whyEnded = () => Promise.resolve('it exited with code 9');
    const client = new RpcConnection({
      name: 'server',
      input: new PassThrough(),
      output,
      logger: silentLogger,
      whyEnded,
    });
    const asked = client.request('silence', {});
    output.destroy(new Error('write EPIPE'));
    await expect(asked).rejects.toThrow('The connection to server ended: it exited with code 9.');
  });

  it('survives a message that is not JSON', async () => {
    const { client, server, toClient } = pair();
    server.handle('ping', () => 'pong');
    toClient.write('Content-Length: 4\r\n\r\n{{{{');
    expect(await client.request('ping', {})).toBe('pong');
  });
});

function pair() {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const client = new RpcConnection({
    name: 'server',
    input: toClient,
    output: toServer,
    logger: silentLogger,
    logTail: () => 'panic: out of cheese',
  });
  const server = new RpcConnection({ name: 'client', input: toServer, output: toClient, logger: silentLogger });
  return { client, server, toServer, toClient };
}
