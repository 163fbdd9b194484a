import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { delay } from '../../src/base/cancellation.ts';
import { defineTool } from '../../src/tools/defineTool.ts';
import type { TestClient } from '../harness/harness.ts';
import { toolsOnly, ways } from './toolsOnly.ts';

const slowEcho = defineTool({
  name: 'slow_echo',
  title: 'Echo',
  description: 'Answers what it was told, after a while.',
  faces: ['debugger'],
  toolset: 'debugger',
  scope: 'none',
  effect: 'read',
  input: z.object({ text: z.string(), ms: z.number() }),
  output: z.object({ text: z.string(), client: z.string() }),
  run: async (_engines, args, call) => {
    call.progress(args.text);
    await delay(args.ms);
    return { text: args.text, client: call.client.name };
  },
});

let end: () => Promise<void> = async () => undefined;
afterEach(() => end());

describe.each(ways)('50 clients over $name', (way) => {
  it('never see what is meant for another', async () => {
    const served = await toolsOnly([slowEcho]);
    end = served.dispose;
    const agents = await Promise.all(
      Array.from({ length: 50 }, (_, index) => served.connect(way, { name: `agent-${index}` })),
    );
    expect(served.backend.clients).toHaveLength(50);
    const talk = async (agent: TestClient, index: number) => {
      for (let round = 0; round < 4; round++) {
        const heard: (string | undefined)[] = [];
        const text = `${index}/${round}`;
        // Every client uses the same request ids at the same time, and the answers come in another order than the questions.
        const answer = await agent.call(
          'slow_echo',
          { text, ms: 5 + ((index * 7 + round * 13) % 23) },
          { onProgress: (message) => void heard.push(message) },
        );
        expect(answer.data).toEqual({ text, client: `agent-${index} 1` });
        // The client package may drop a report that arrives together with the answer; it must never be another client's.
        expect(heard.filter((message) => message !== text)).toEqual([]);
      }
    };
    await Promise.all(agents.map(talk));
    await Promise.all(agents.map((agent) => agent.close()));
  });
});

describe('handshakes', () => {
  const clientInfo = { name: 'visitor', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });

  it('10,000 of them leave memory bounded', { timeout: 300_000 }, async () => {
    const served = await toolsOnly([slowEcho]);
    end = served.dispose;
    const shake = async () => {
      const response = await fetch(`${served.http.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${served.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: initialize,
      });
      expect(response.status).toBe(200);
      await response.text();
    };
    const shakeMany = async (count: number) => {
      const worker = async () => {
        for (let done = 0; done < count / 8; done++) await shake();
      };
      await Promise.all(Array.from({ length: 8 }, worker));
    };
    await shakeMany(800);
    const before = heapInMegabytes();
    await shakeMany(10_000);
    expect(served.endpoints.default.connections.sessions).toBe(256);
    expect(served.backend.clients).toHaveLength(256);
    const grown = heapInMegabytes() - before;
    expect(grown).toBeLessThan(10);
  });

  it('an idle session expires, one with an open stream does not', async () => {
    const served = await toolsOnly([slowEcho], { limits: { maxEntries: 10, idleMs: 150, lostMs: 60_000 } });
    end = served.dispose;
    const staying = await served.connect({ transport: 'http', era: 'legacy' });
    const leaving = await fetch(`${served.http.url}/debugger-mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${served.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: initialize,
    });
    await leaving.text();
    expect(served.backend.clients).toHaveLength(2);
    const visitor = served.backend.clients.find((client) => client.name === 'visitor 1');
    await new Promise<void>((resolve) => visitor?.gone.on(() => resolve()));
    expect(served.backend.clients.map((client) => client.name)).toEqual(['harness 1']);
    expect((await staying.call('slow_echo', { text: 'still here', ms: 1 })).data).toMatchObject({ text: 'still here' });
  });
});

it.each(ways)('1,000 calls over $name leave memory flat', { timeout: 300_000 }, async (way) => {
  const served = await toolsOnly([slowEcho]);
  end = served.dispose;
  const agent = await served.connect(way);
  const callMany = async (count: number) => {
    for (let done = 0; done < count; done += 10)
      await Promise.all(
        Array.from({ length: 10 }, () =>
          agent.call('slow_echo', { text: 'x'.repeat(2000), ms: 0 }, { onProgress: () => undefined }),
        ),
      );
  };
  await callMany(300);
  const before = heapInMegabytes();
  await callMany(1000);
  expect(heapInMegabytes() - before).toBeLessThan(4);
});

it('a session whose stream breaks is gone, unless it comes back', async () => {
  const served = await toolsOnly([slowEcho], { limits: { maxEntries: 10, idleMs: 60_000, lostMs: 100 } });
  end = served.dispose;
  const agent = await served.connect({ transport: 'http', era: 'legacy' }, { name: 'mortal' });
  await agent.call('slow_echo', { text: 'hello', ms: 1 });
  const gone = new Promise<void>((resolve) => served.backend.clients[0]?.gone.on(() => resolve()));
  // As if the process had died: no DELETE, only sockets that close.
  const { transport } = agent.mcp;
  await transport?.close();
  await gone;
  expect(served.backend.clients).toEqual([]);
});

/** What is left after collecting garbage is what is held. */
function heapInMegabytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
