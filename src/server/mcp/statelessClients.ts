import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type McpHttpHandler,
  type ServerEvent,
} from '@modelcontextprotocol/server';
import type { NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import type { AsyncDisposer } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { jsonRpcError, type HttpExchange } from './exchange.ts';
import { IdleTable, type IdleTableLimits } from './idleTable.ts';
import { nameOf, type OpenPeer, type Peer } from './peer.ts';
import { peerOptions } from './peerOptions.ts';
import { isRecord } from '../../base/text/records.ts';

/**
 * Streamable HTTP of the 2026-07-28 revision. It has no sessions: each request says who sends it and is served by a server of its
 * own, so answers cannot meet. What outlives a request (toolsets turned on, debug sessions) belongs to the client as it names itself
 * and to the address it uses; `?client=` tells apart two that have the same name.
 */
export class StatelessClients implements AsyncDisposer {
  readonly #openPeer: OpenPeer;
  readonly #logger: Logger;
  readonly #table: IdleTable<StatelessClient>;

  constructor(openPeer: OpenPeer, limits: IdleTableLimits, logger: Logger) {
    this.#openPeer = openPeer;
    this.#logger = logger;
    this.#table = new IdleTable(limits, (error) => logger.warn('a client did not close cleanly', error));
  }

  get size(): number {
    return this.#table.size;
  }

  async handle(exchange: HttpExchange): Promise<void> {
    const name = nameOf(metaOf(exchange.body)[CLIENT_INFO_META_KEY]) ?? 'http';
    const key = JSON.stringify([name, exchange.query.toString()]);
    let client = this.#table.get(key);
    if (client === undefined) {
      client = new StatelessClient(
        this.#openPeer({ name, transport: 'http', ...peerOptions(exchange.query) }),
        this.#logger,
      );
      if (!this.#table.add(key, client)) {
        await client.dispose();
        return jsonRpcError(exchange.res, 503, -32000, 'Too many clients are connected');
      }
    }
    const ended = this.#table.use(key);
    exchange.res.once('close', ended);
    await client.handle(exchange);
  }

  async dispose(): Promise<void> {
    await this.#table.dispose();
  }
}

class StatelessClient implements AsyncDisposer {
  readonly #peer: Peer;
  readonly #handler: McpHttpHandler;
  readonly #onerror: (error: Error) => void;
  #serve: NodeMcpRequestHandler | undefined;
  readonly #telling: AsyncDisposer;

  constructor(peer: Peer, logger: Logger) {
    this.#peer = peer;
    this.#onerror = (error) => logger.debug('MCP request', error);
    this.#handler = createMcpHandler(() => peer.createServer('modern'), { legacy: 'reject', onerror: this.#onerror });
    this.#telling = peer.onChange((change: ServerEvent) => this.#handler.bus.publish(change));
  }

  async handle({ req, res, body }: HttpExchange): Promise<void> {
    const watches = subscribedUris(body).map((uri) => this.#peer.watchResource(uri));
    res.once('close', () => watches.forEach((watch) => void watch.dispose()));
    await Promise.all(watches.map((watch) => watch.ready));
    // Loaded by the first client over HTTP: see the sessions.
    const { toNodeHandler } = await import('@modelcontextprotocol/node');
    this.#serve ??= toNodeHandler(this.#handler, { onerror: this.#onerror });
    await this.#serve(req, res, body);
  }

  async dispose(): Promise<void> {
    await this.#telling.dispose();
    await this.#handler.close();
    await this.#peer.dispose();
  }
}

/** The resources a `subscriptions/listen` request wants to hear of. */
export function subscribedUris(message: unknown): string[] {
  if (!isRecord(message) || message['method'] !== 'subscriptions/listen' || !isRecord(message['params'])) return [];
  const filter = message['params']['notifications'];
  const uris = isRecord(filter) ? filter['resourceSubscriptions'] : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string').slice(0, 200) : [];
}

function metaOf(body: unknown): Record<string, unknown> {
  const params = isRecord(body) ? body['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) ? meta : {};
}
