import type { IncomingMessage } from 'node:http';
import { classifyInboundRequest, isJsonContentType } from '@modelcontextprotocol/server';
import { DisposableStore, type AsyncDisposer } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { jsonRpcError, type HttpExchange } from './exchange.ts';
import type { IdleTableLimits } from './idleTable.ts';
import type { OpenPeer } from './peer.ts';
import { Sessions } from './sessions.ts';
import { SseConnections } from './sse.ts';
import { StatelessClients } from './statelessClients.ts';

/** An idle client is forgotten after this; it can connect again at any time. */
const defaultLimits: IdleTableLimits = { maxEntries: 256, idleMs: 30 * 60_000, lostMs: 5000 };

/** One MCP endpoint over HTTP: every revision and both transports, on behalf of whatever peers it is given. */
export class McpEndpoint implements AsyncDisposer {
  readonly #sessions: Sessions;
  readonly #stateless: StatelessClients;
  readonly #sse: SseConnections;
  readonly #owned = new DisposableStore();

  constructor(openPeer: OpenPeer, logger: Logger, limits: IdleTableLimits = defaultLimits) {
    this.#sessions = this.#owned.add(new Sessions(openPeer, limits, logger));
    this.#stateless = this.#owned.add(new StatelessClients(openPeer, limits, logger));
    this.#sse = this.#owned.add(new SseConnections(openPeer, logger));
  }

  get connections(): { sessions: number; stateless: number; sse: number } {
    return { sessions: this.#sessions.size, stateless: this.#stateless.size, sse: this.#sse.size };
  }

  /** Streamable HTTP. The request itself tells its revision. */
  async streamable(exchange: HttpExchange): Promise<void> {
    const { req, res, body } = exchange;
    if (req.method === 'POST' && !isJsonContentType(req.headers['content-type'] ?? null))
      return jsonRpcError(res, 415, -32000, 'Unsupported Media Type: Content-Type must be application/json');
    if (req.method === 'POST') acceptAnything(req);
    const outcome = classifyInboundRequest({
      httpMethod: req.method ?? 'GET',
      ...header('protocolVersionHeader', req.headers['mcp-protocol-version']),
      ...header('mcpMethodHeader', req.headers['mcp-method']),
      ...header('mcpNameHeader', req.headers['mcp-name']),
      ...(body === undefined ? {} : { body }),
    });
    return outcome.kind === 'legacy' ? this.#sessions.handle(exchange) : this.#stateless.handle(exchange);
  }

  openSse(exchange: HttpExchange, messagePath: string): Promise<void> {
    return this.#sse.open(exchange, messagePath);
  }

  receiveSse(exchange: HttpExchange): void {
    this.#sse.receive(exchange);
  }

  dispose(): Promise<void> {
    return this.#owned.dispose();
  }
}

const bothForms = 'application/json, text/event-stream';

/** Clients that take anything say so, or nothing. The SDK wants both forms by name, and reads the headers as they came in. */
function acceptAnything(req: IncomingMessage): void {
  const accept = req.headers.accept ?? '*/*';
  if (!/\*\/\*/.test(accept)) return;
  req.headers.accept = bothForms;
  const names = req.rawHeaders.map((name, index) => (index % 2 === 0 ? name.toLowerCase() : ''));
  const at = names.indexOf('accept');
  if (at === -1) req.rawHeaders.push('accept', bothForms);
  else req.rawHeaders[at + 1] = bothForms;
}

function header(name: string, value: string | string[] | undefined): Record<string, string> {
  return typeof value === 'string' ? { [name]: value } : {};
}
