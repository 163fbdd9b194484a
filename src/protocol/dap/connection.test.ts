import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder } from '../jsonrpc/framing.ts';
import { DapConnection, type DapConnectionOptions } from './connection.ts';

type Message = Record<string, unknown> & { seq: number; command: string };

/** A scripted adapter at the other end of two pipes. */
function fakeAdapter(
  script: (message: Message, adapter: FakeAdapter) => void,
  options: Partial<DapConnectionOptions> = {},
) {
  const toAdapter = new PassThrough();
  const fromAdapter = new PassThrough();
  const adapter: FakeAdapter = {
    received: [],
    send: (message) => void fromAdapter.write(encodeFrame(message)),
    raw: (bytes) => void fromAdapter.write(bytes),
    answer: (request, body, more = {}) =>
      adapter.send({
        seq: 0,
        type: 'response',
        request_seq: request.seq,
        success: true,
        command: request.command,
        body,
        ...more,
      }),
    die: () => fromAdapter.destroy(new Error('read ECONNRESET')),
    end: () => fromAdapter.end(),
  };
  const decoder = new FrameDecoder({
    onBody: (body) => {
      const message = JSON.parse(body.toString('utf8')) as Message;
      adapter.received.push(message);
      script(message, adapter);
    },
    onNoise: () => undefined,
  });
  toAdapter.on('data', (chunk: Buffer) => decoder.push(chunk));
  const connection = new DapConnection({ readable: fromAdapter, writable: toAdapter }, { peer: 'fake', ...options });
  return { connection, adapter };
}

interface FakeAdapter {
  received: Message[];
  send(message: object): void;
  raw(bytes: Buffer): void;
  answer(request: Message, body?: unknown, more?: object): void;
  die(): void;
  end(): void;
}

describe('a connection to a debug adapter', () => {
  it('matches answers by request, whatever their order and however the adapter numbers itself', async () => {
    const held: Message[] = [];
    const { connection, adapter } = fakeAdapter((message) => {
      held.push(message);
      if (held.length === 3) for (const each of held.toReversed()) adapter.answer(each, { of: each.command });
    });
    const answers = await Promise.all([
      connection.requestCustom('a', {}),
      connection.requestCustom('b', {}),
      connection.requestCustom('c', {}),
    ]);
    expect(answers).toEqual([{ of: 'a' }, { of: 'b' }, { of: 'c' }]);
  });

  it('reads messages split at any byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), async (cuts) => {
        const { connection, adapter } = fakeAdapter((message) => {
          const bytes = encodeFrame({
            seq: 1,
            type: 'response',
            request_seq: message.seq,
            success: true,
            command: 'x',
            body: { text: 'žluťoučký 🐎' },
          });
          let at = 0;
          for (let i = 0; at < bytes.length; i++) {
            const next = at + (cuts[i % cuts.length] ?? 1);
            adapter.raw(bytes.subarray(at, next));
            at = next;
          }
        });
        expect(await connection.requestCustom('x', {})).toEqual({ text: 'žluťoučký 🐎' });
        connection.dispose();
      }),
      { numRuns: 30 },
    );
  });

  it('tells the reason an adapter gives, with its placeholders filled in', async () => {
    const { connection } = fakeAdapter((message, adapter) =>
      adapter.answer(
        message,
        { error: { id: 1, format: 'no such file: {path}', variables: { path: 'a.py' } } },
        { success: false, message: 'short' },
      ),
    );
    await expect(connection.request('launch', {})).rejects.toMatchObject({
      name: 'PeerError',
      message: 'no such file: a.py',
      method: 'launch',
    });
  });

  it('fails what is pending when the adapter dies, naming the cause and the end of its log', async () => {
    const { connection } = fakeAdapter((_message, adapter) => adapter.die(), { logTail: () => 'Segmentation fault' });
    await expect(connection.request('threads', {})).rejects.toMatchObject({
      name: 'TransportError',
      logTail: 'Segmentation fault',
    });
    await expect(connection.request('threads', {})).rejects.toMatchObject({ name: 'TransportError' });
    expect((await connection.closed).message).toContain('ECONNRESET');
  });

  it('notices an adapter that closes quietly', async () => {
    const { connection } = fakeAdapter((_message, adapter) => adapter.end());
    await expect(connection.request('threads', {})).rejects.toThrow('fake closed the connection');
  });

  it('gives up on a slow answer and is not confused by it when it comes late', async () => {
    let slow: Message | undefined;
    const { connection, adapter } = fakeAdapter((message) => {
      if (message.command === 'slow') slow = message;
      else {
        if (slow !== undefined) adapter.answer(slow, { late: true });
        adapter.answer(message, { fast: true });
      }
    });
    await expect(connection.requestCustom('slow', {}, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' });
    expect(await connection.requestCustom('fast', {})).toEqual({ fast: true });
  });

  it('tells the adapter of a cancelled request only when it can be told', async () => {
    for (const cancelSupported of [true, false]) {
      const { connection, adapter } = fakeAdapter(() => undefined);
      connection.cancelSupported = cancelSupported;
      const abort = new AbortController();
      const answer = connection.requestCustom('evaluate', {}, { signal: abort.signal });
      abort.abort();
      await expect(answer).rejects.toMatchObject({ name: 'CancelledError' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(adapter.received.map((message) => message.command)).toEqual(
        cancelSupported ? ['evaluate', 'cancel'] : ['evaluate'],
      );
    }
  });

  it('answers requests of the adapter, also those it does not know', async () => {
    const answers: Message[] = [];
    const { connection, adapter } = fakeAdapter((message) => answers.push(message));
    adapter.send({ seq: 5, type: 'request', command: 'runInTerminal', arguments: {} });
    await expect.poll(() => answers.length).toBe(1);
    connection.onReverseRequest((command) => Promise.resolve({ processId: 1, command }));
    adapter.send({ seq: 6, type: 'request', command: 'startDebugging', arguments: {} });
    await expect.poll(() => answers.length).toBe(2);
    expect(answers).toMatchObject([
      { request_seq: 5, success: false },
      { request_seq: 6, success: true, body: { processId: 1, command: 'startDebugging' } },
    ]);
  });

  it('survives text between messages and unknown kinds, and hands on events', async () => {
    const { connection, adapter } = fakeAdapter((message) => adapter.answer(message, { ok: true }));
    const events: string[] = [];
    connection.events.on((event) => events.push(event.event));
    adapter.raw(Buffer.from('warning: something\n'));
    adapter.send({ seq: 0, type: 'event', event: 'output', body: { output: 'x' } });
    adapter.send({ seq: 0, type: 'riddle' });
    adapter.send({ seq: 0, type: 'response', request_seq: 999, success: true, command: 'nobody' });
    expect(await connection.requestCustom('ping', {})).toEqual({ ok: true });
    expect(events).toEqual(['output']);
  });

  it('closes when the peer speaks something else', async () => {
    const { connection, adapter } = fakeAdapter(() => undefined);
    adapter.raw(Buffer.from('Content-Length: 3\r\n\r\nabc'));
    expect((await connection.closed).message).toContain('not the debug adapter protocol');
  });

  it('sends what is asked in one turn as one write', async () => {
    const chunks: number[] = [];
    const { connection } = fakeAdapter((message, adapter) => adapter.answer(message));
    const writable = new PassThrough();
    writable.on('data', (chunk: Buffer) => chunks.push(chunk.length));
    const other = new DapConnection({ readable: new PassThrough(), writable }, { peer: 'other' });
    void other.requestCustom('a', {}).catch(() => undefined);
    void other.requestCustom('b', {}).catch(() => undefined);
    expect(chunks).toEqual([]);
    await Promise.resolve();
    await expect.poll(() => chunks.length).toBeGreaterThan(0);
    other.dispose();
    connection.dispose();
  });
});
