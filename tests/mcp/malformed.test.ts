import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, streamPair, type RunningSightline } from '../harness/harness.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { serveStdio } from '../../src/server/mcp/stdio.ts';

/** A message of the right kind with something wrong in it. Seeded, so that a failure can be seen again. */
const methods = fc.constantFrom(
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'completion/complete',
  'server/discover',
  'subscriptions/listen',
  'logging/setLevel',
  'notifications/cancelled',
  'notifications/initialized',
  'nonsense',
);
const jsonObject = fc.dictionary(
  fc.constantFrom('name', 'arguments', 'uri', 'ref', '_meta', 'cursor', 'x'),
  fc.jsonValue(),
);
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', 2),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.jsonValue()),
    method: fc.oneof({ weight: 6, arbitrary: methods }, { weight: 1, arbitrary: fc.jsonValue() }),
    params: fc.oneof({ weight: 4, arbitrary: jsonObject }, { weight: 1, arbitrary: fc.jsonValue() }),
  },
  { requiredKeys: [] },
);
const anything = fc.oneof(
  { weight: 8, arbitrary: message },
  { weight: 1, arbitrary: fc.array(message) },
  fc.jsonValue(),
);
const runs = { numRuns: 250, seed: 20261115 };

describe('one bad request never takes it down', () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    ide = await startSightline({ project: { 'package.json': '{}' } });
  });
  afterAll(() => ide.dispose());

  it('over HTTP: always an answer, and the next client is served', async () => {
    const agent = await ide.connect();
    const headers = {
      authorization: `Bearer ${ide.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const versions = fc.constantFrom(undefined, '2025-11-25', '2026-07-28', 'soon');
    await fc.assert(
      fc.asyncProperty(anything, versions, async (body, version) => {
        const response = await fetch(`${ide.url}/mcp`, {
          method: 'POST',
          headers: { ...headers, ...(version === undefined ? {} : { 'mcp-protocol-version': version }) },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(10_000),
        });
        await response.body?.cancel();
        expect(response.status).toBeLessThan(500);
      }),
      runs,
    );
    expect(await agent.text('sightline_tools')).toContain('- probe');
    await agent.close();
  });

  it('over stdio: the connection lives on, and stdout carries only JSON-RPC', async () => {
    const { server } = streamPair();
    const parts = { backend: ide.sightline.backend, resources: ide.sightline.resources, version: '1' };
    const info = { name: 'x', transport: 'embedded', face: 'all', cwd: ide.root } as const;
    const connection = serveStdio(parts, server, info, silentLogger);
    let text = '';
    server.output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        server.input.write(`${JSON.stringify(value)}\n`);
        await new Promise((resolve) => setImmediate(resolve));
      }),
      runs,
    );
    const clientInfo = { name: 'last', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    server.input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: hello })}\n`);
    server.input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'the end', method: 'tools/list' })}\n`);
    while (!text.includes('"id":"the end"')) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const line of text.split('\n').filter((each) => each !== ''))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    await connection.dispose();
  });
});
