import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AsyncDisposer } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { jsonRpcError } from '../mcp/exchange.ts';
import { readJsonBody } from './body.ts';
import {
  isPreflight,
  refusal,
  servedHosts,
  tokenRefusal,
  type GuardOptions,
  type Refusal,
  type TokenSource,
} from './guards.ts';
import type { Route } from './routes.ts';

export interface HttpServerOptions {
  /** Loopback unless the person said `--allow-remote`. */
  host?: string;
  /** 0 takes a free one. */
  port?: number;
  token: TokenSource | undefined;
  routes: readonly Route[];
  logger: Logger;
  /** Beyond our own: `http://localhost:6274` of a web client, and `name:port` when others reach us by a further name. */
  allowedOrigins?: readonly string[];
  allowedHosts?: readonly string[];
  maxBodyBytes?: number;
}

const defaultMaxBodyBytes = 16 * 1024 * 1024;

/** The one listener of the process: guards, then the table of routes. */
export class HttpServer implements AsyncDisposer {
  readonly host: string;
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server, host: string, port: number) {
    this.#server = server;
    this.host = host;
    this.port = port;
  }

  static async start(options: HttpServerOptions): Promise<HttpServer> {
    const host = options.host ?? '127.0.0.1';
    const guards: GuardOptions & { hosts: Set<string>; origins: Set<string> } = {
      token: options.token,
      hosts: new Set(options.allowedHosts),
      origins: new Set(options.allowedOrigins),
    };
    const server = createServer((req, res) => {
      answer(req, res, options, guards).catch((error: unknown) => fail(res, error, options.logger));
    });
    // Idle MCP streams live as long as their client does; only requests that never finish arriving are dropped.
    server.requestTimeout = 60_000;
    // Node would leave out headers beyond a number without a word, an Origin among them; all are seen, and too many are refused.
    server.maxHeadersCount = 0;
    server.keepAliveTimeout = 30_000;
    await listen(server, host, options.port ?? 0);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const name of servedHosts(host, port)) {
      guards.hosts.add(name);
      guards.origins.add(`http://${name}`);
    }
    return new HttpServer(server, host, port);
  }

  get url(): string {
    return `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
  }

  async dispose(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

const maxHeaders = 200;

function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length / 2 > maxHeaders;
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  options: HttpServerOptions,
  guards: GuardOptions,
): Promise<void> {
  res.setHeader('x-content-type-options', 'nosniff');
  const refused = hasTooManyHeaders(req)
    ? { status: 431, message: `At most ${maxHeaders} headers are read.` }
    : admission(req, options, guards);
  if (refused !== undefined) {
    if (refused.status === 401) res.setHeader('www-authenticate', 'Bearer');
    // The body of a stranger is not read; the connection ends with the answer.
    res.setHeader('connection', 'close');
    return jsonRpcError(res, refused.status, -32000, refused.message);
  }
  const url = new URL(req.url ?? '/', 'http://localhost');
  const here = routesAt(options.routes, url.pathname);
  if (here.length === 0) return jsonRpcError(res, 404, -32000, `Nothing is served at ${url.pathname}.`);
  const methods = [...new Set(here.map((route) => route.method)), 'OPTIONS'].join(', ');
  allowOrigin(req, res, methods);
  if (req.method === 'OPTIONS') return void res.writeHead(204, { allow: methods }).end();
  const route = here.find((candidate) => candidate.method === req.method);
  if (route === undefined) {
    res.setHeader('allow', methods);
    return jsonRpcError(res, 405, -32000, `${req.method} is not served here; ${methods} are.`);
  }
  const body = await readJsonBody(req, options.maxBodyBytes ?? defaultMaxBodyBytes);
  switch (body.kind) {
    case 'gone':
      return void res.destroy();
    case 'too-large':
      res.setHeader('connection', 'close');
      return jsonRpcError(res, 413, -32000, 'The body is larger than this server takes.');
    case 'not-json':
      return jsonRpcError(res, 400, -32700, 'Parse error: the body is not JSON.');
    case 'body':
      return route.handle({ req, res, query: url.searchParams, body: body.value });
  }
}

function admission(req: IncomingMessage, { routes }: HttpServerOptions, guards: GuardOptions): Refusal | undefined {
  const refused = refusal(req, guards);
  if (refused !== undefined) return refused;
  const { pathname } = new URL(req.url ?? '/', 'http://localhost');
  const route = routesAt(routes, pathname).find((candidate) => candidate.method === req.method);
  return route?.admits === undefined ? tokenRefusal(req, guards) : route.admits(req);
}

function routesAt(routes: readonly Route[], path: string): Route[] {
  const exact = routes.filter((route) => route.path === path);
  return exact.length > 0 ? exact : routes.filter((route) => route.isPrefix === true && path.startsWith(route.path));
}

/** Only an origin on the list gets here with an Origin header; it is named back exactly, never by a wildcard. */
function allowOrigin(req: IncomingMessage, res: ServerResponse, methods: string): void {
  const { origin } = req.headers;
  if (origin === undefined) return;
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', 'mcp-session-id');
  res.setHeader('vary', 'origin');
  if (!isPreflight(req)) return;
  res.setHeader('access-control-allow-methods', methods);
  res.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, accept, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id',
  );
}

function fail(res: ServerResponse, error: unknown, logger: Logger): void {
  logger.error('An HTTP request failed', error);
  if (res.headersSent) res.destroy();
  else jsonRpcError(res, 500, -32603, 'Sightline failed on this request; everything else goes on.');
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
