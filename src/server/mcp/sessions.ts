import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { randomToken } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { jsonRpcError, type HttpExchange } from './exchange.ts';
import { IdleTable, type IdleTableLimits } from './idleTable.ts';
import { announceChanges, nameOf, type OpenPeer, type Peer } from './peer.ts';
import { peerOptions } from './peerOptions.ts';

const sessionHeader = 'mcp-session-id';

/** Streamable HTTP of the 2025 revisions: `initialize` opens a session, and every session has a server and a transport of its own. */
export class Sessions implements AsyncDisposer {
  readonly #openPeer: OpenPeer;
  readonly #limits: IdleTableLimits;
  readonly #logger: Logger;
  readonly #table: IdleTable<Session>;

  constructor(openPeer: OpenPeer, limits: IdleTableLimits, logger: Logger) {
    this.#openPeer = openPeer;
    this.#limits = limits;
    this.#logger = logger;
    this.#table = new IdleTable(limits, (error) => logger.warn('a session did not close cleanly', error));
  }

  get size(): number {
    return this.#table.size;
  }

  async handle(exchange: HttpExchange): Promise<void> {
    const { req, res, body } = exchange;
    const id = req.headers[sessionHeader];
    if (typeof id === 'string') {
      const session = this.#table.get(id);
      if (session === undefined) return jsonRpcError(res, 404, -32001, 'Session not found');
      return this.#serve(id, session, exchange);
    }
    if (!isInitialize(body))
      return jsonRpcError(
        res,
        400,
        -32000,
        'Bad Request: Mcp-Session-Id header is required; initialize opens a session',
      );
    const session = await Session.open(this.#openPeer, exchange, this.#logger);
    if (!this.#table.add(session.id, session)) {
      await session.dispose();
      return jsonRpcError(res, 503, -32000, 'Too many sessions are open');
    }
    session.onClosed = () => this.#table.remove(session.id);
    await this.#serve(session.id, session, exchange);
    if (session.transport.sessionId === undefined) this.#table.remove(session.id);
  }

  async dispose(): Promise<void> {
    await this.#table.dispose();
  }

  async #serve(id: string, session: Session, exchange: HttpExchange): Promise<void> {
    const ended = this.#table.use(id);
    exchange.res.once('close', () => {
      ended();
      if (exchange.res.writableFinished) return;
      session.cancelRequests(exchange.body);
      if (exchange.req.method === 'GET') this.#table.dropUnlessUsed(id, this.#limits.lostMs);
    });
    await session.transport.handleRequest(exchange.req, exchange.res, exchange.body);
  }
}

class Session implements AsyncDisposer {
  readonly id: string;
  readonly transport: NodeStreamableHTTPServerTransport;
  onClosed: () => void = () => undefined;
  readonly #peer: Peer;
  readonly #server: Server | McpServer;
  readonly #announcing: AsyncDisposer;
  #disposed = false;

  private constructor(
    id: string,
    peer: Peer,
    server: Server | McpServer,
    transport: NodeStreamableHTTPServerTransport,
  ) {
    this.id = id;
    this.#peer = peer;
    this.#server = server;
    this.transport = transport;
    this.#announcing = announceChanges(server, peer);
  }

  static async open(openPeer: OpenPeer, exchange: HttpExchange, logger: Logger): Promise<Session> {
    const id = randomToken();
    // Only clients over HTTP need it, and it brings Node's own implementation of fetch with it: twelve megabytes.
    const { NodeStreamableHTTPServerTransport: Transport } = await import('@modelcontextprotocol/node');
    const peer = openPeer({
      name: clientName(exchange.body) ?? 'http',
      transport: 'http',
      ...peerOptions(exchange.query),
    });
    const server = peer.createServer('legacy');
    const transport = new Transport({ sessionIdGenerator: () => id });
    const session = new Session(id, peer, server, transport);
    await server.connect(transport);
    const target = 'server' in server ? server.server : server;
    target.onerror = (error) => logger.debug('MCP session', error);
    const onclose = target.onclose;
    target.onclose = () => {
      onclose?.();
      session.onClosed();
    };
    return session;
  }

  /** The stream that would carry the answers is gone, and there is no other way for them: the work is for nobody. */
  cancelRequests(body: unknown): void {
    for (const message of Array.isArray(body) ? (body as unknown[]) : [body]) {
      const requestId = requestIdOf(message);
      if (requestId === undefined) continue;
      this.transport.onmessage?.({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'The client disconnected.' },
      });
    }
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.#announcing.dispose();
    await this.#server.close();
    await this.#peer.dispose();
  }
}

function isInitialize(body: unknown): boolean {
  return (Array.isArray(body) ? (body as unknown[]) : [body]).some((message) => methodOf(message) === 'initialize');
}

function clientName(body: unknown): string | undefined {
  const message: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof message !== 'object' || message === null || !('params' in message)) return undefined;
  const { params } = message;
  return typeof params === 'object' && params !== null && 'clientInfo' in params
    ? nameOf(params.clientInfo)
    : undefined;
}

function methodOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;
}

function requestIdOf(message: unknown): string | number | undefined {
  if (methodOf(message) === undefined) return undefined;
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
