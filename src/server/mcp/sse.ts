import type { ServerResponse } from 'node:http';
import {
  JSONRPC_VERSION,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { randomToken } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { jsonRpcError, type HttpExchange } from './exchange.ts';
import { announceChanges, nameOf, type OpenPeer, type Peer } from './peer.ts';
import { peerOptions } from './peerOptions.ts';

const keepAliveMs = 15_000;
const maxStreams = 256;

/**
 * HTTP+SSE, the transport of 2024 that some clients still use: a GET opens the stream of answers and is told where to POST. The
 * connection is the stream: when it closes, the client has left.
 */
export class SseConnections implements AsyncDisposer {
  readonly #openPeer: OpenPeer;
  readonly #logger: Logger;
  readonly #streams = new Map<string, { transport: SseTransport; peer: Peer }>();

  constructor(openPeer: OpenPeer, logger: Logger) {
    this.#openPeer = openPeer;
    this.#logger = logger;
  }

  get size(): number {
    return this.#streams.size;
  }

  async open({ res, query }: HttpExchange, messagePath: string): Promise<void> {
    if (this.#streams.size >= maxStreams) return jsonRpcError(res, 503, -32000, 'Too many streams are open');
    const id = randomToken();
    const transport = new SseTransport(res, `${messagePath}?session=${id}`);
    const peer = this.#openPeer({ name: 'sse', transport: 'sse', ...peerOptions(query) });
    const server = peer.createServer('legacy');
    const announcing = announceChanges(server, peer);
    this.#streams.set(id, { transport, peer });
    res.once('close', () => {
      this.#streams.delete(id);
      Promise.all([announcing.dispose(), server.close(), peer.dispose()]).catch((error: unknown) =>
        this.#logger.warn('an SSE connection did not close cleanly', error),
      );
    });
    await server.connect(transport);
  }

  receive({ res, query, body }: HttpExchange): void {
    const stream = this.#streams.get(query.get('session') ?? '');
    if (stream === undefined) return jsonRpcError(res, 404, -32001, 'Session not found');
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(body);
    } catch {
      return jsonRpcError(res, 400, -32600, 'This is not a JSON-RPC message');
    }
    if ('method' in message && message.method === 'initialize') {
      const params: Record<string, unknown> = { ...message.params };
      const name = nameOf(params['clientInfo']);
      if (name !== undefined) stream.peer.introduce(name);
    }
    res.writeHead(202).end('Accepted');
    stream.transport.onmessage?.(message);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#streams.values()].map(({ transport }) => transport.close()));
  }
}

class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #res: ServerResponse;
  readonly #endpoint: string;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(res: ServerResponse, endpoint: string) {
    this.#res = res;
    this.#endpoint = endpoint;
  }

  async start(): Promise<void> {
    this.#res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
    this.#res.write(`event: endpoint\ndata: ${this.#endpoint}\n\n`);
    this.#keepAlive = setInterval(() => this.#res.write(': keepalive\n\n'), keepAliveMs);
    this.#keepAlive.unref();
    this.#res.once('close', () => {
      clearInterval(this.#keepAlive);
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#res.writableEnded || this.#res.destroyed) return;
    this.#res.write(`event: message\ndata: ${JSON.stringify({ ...message, jsonrpc: JSONRPC_VERSION })}\n\n`);
  }

  async close(): Promise<void> {
    this.#res.end();
  }
}
