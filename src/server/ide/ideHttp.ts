import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { chmod, rm } from 'node:fs/promises';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { randomToken } from '../../base/ids.ts';
import { answerMcp, type IdeSurface } from './ideMcp.ts';

const maxBodyBytes = 16 * 1024 * 1024;
const maxSessions = 32;
/** Proxies and clients end streams on which nothing is said. */
const keepAliveMs = 30_000;

/** Where the listener is: a port of loopback, or a socket of this user's alone. */
type IdePlace = { port: true } | { socketPath: string };

interface Session {
  streams: Set<ServerResponse>;
  left: AbortController;
}

/**
 * MCP over Streamable HTTP as the command lines speak it with their IDE: requests by POST, what we tell on a stream that they open by
 * GET. Whoever comes must have the header of the discovery file and no Origin: pages of browsers always send one.
 */
export class IdeHttp implements AsyncDisposer {
  onStream: () => void = () => undefined;
  readonly port: number;
  readonly #server: Server;
  readonly #place: IdePlace;
  readonly #surface: IdeSurface;
  readonly #authorization: string;
  readonly #sessions = new Map<string, Session>();
  readonly #beat: NodeJS.Timeout;

  private constructor(server: Server, place: IdePlace, surface: IdeSurface, authorization: string) {
    this.#server = server;
    this.#place = place;
    this.#surface = surface;
    this.#authorization = authorization;
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#beat = setInterval(() => this.#write(': \n\n'), keepAliveMs);
    this.#beat.unref();
  }

  static async open(place: IdePlace, surface: IdeSurface, authorization: string): Promise<IdeHttp> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      if ('socketPath' in place) server.listen(place.socketPath, resolve);
      else server.listen(0, '127.0.0.1', resolve);
    });
    if ('socketPath' in place) await chmod(place.socketPath, 0o600);
    return new IdeHttp(server, place, surface, authorization);
  }

  get connections(): number {
    return this.#sessions.size;
  }

  tell(method: string, params: unknown): void {
    this.#write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`);
  }

  async dispose(): Promise<void> {
    clearInterval(this.#beat);
    for (const { left } of this.#sessions.values()) left.abort();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if ('socketPath' in this.#place) await rm(this.#place.socketPath, { force: true });
  }

  #write(text: string): void {
    for (const { streams } of this.#sessions.values()) for (const stream of streams) stream.write(text);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = this.#refusal(request);
    if (refused !== undefined) return void response.writeHead(refused, { connection: 'close' }).end();
    const given = request.headers['mcp-session-id'];
    const session = typeof given === 'string' ? this.#sessions.get(given) : undefined;
    if (given !== undefined && session === undefined) return void response.writeHead(404).end();
    if (request.method === 'POST') return this.#post(request, response, session);
    if (session === undefined) return void response.writeHead(400).end();
    if (request.method === 'GET') return this.#stream(request, response, session);
    if (request.method !== 'DELETE') return void response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    this.#end(String(given));
    response.writeHead(200).end();
  }

  async #post(request: IncomingMessage, response: ServerResponse, known: Session | undefined): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end();
    const message = parsed(body);
    if (message === undefined) return void response.writeHead(400).end();
    const isFirst = methodOf(message) === 'initialize';
    if (known === undefined && !isFirst) return void response.writeHead(400).end();
    const id = known === undefined ? this.#begin() : undefined;
    if (id !== undefined) response.setHeader('mcp-session-id', id);
    const session = known ?? this.#sessions.get(id ?? '');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signals = [gone.signal, ...(session === undefined ? [] : [session.left.signal])];
    const answer = await answerMcp(message, this.#surface, AbortSignal.any(signals));
    if (answer === undefined) response.writeHead(202).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #stream(request: IncomingMessage, response: ServerResponse, session: Session): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
    response.flushHeaders();
    session.streams.add(response);
    request.once('close', () => session.streams.delete(response));
    response.once('close', () => session.streams.delete(response));
    this.onStream();
  }

  /** The oldest goes when there are too many: command lines that were killed end no session. */
  #begin(): string {
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= maxSessions && oldest !== undefined) this.#end(oldest);
    const id = randomToken();
    this.#sessions.set(id, { streams: new Set(), left: new AbortController() });
    return id;
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    session?.left.abort();
    for (const stream of session?.streams ?? []) stream.end();
  }

  #refusal(request: IncomingMessage): number | undefined {
    const { host, origin, authorization } = request.headers;
    const hosts = [`127.0.0.1:${this.port}`, `localhost:${this.port}`];
    if (origin !== undefined || ('port' in this.#place && !hosts.includes(host ?? ''))) return 403;
    if (!timingSafeEqual(digest(authorization ?? ''), digest(this.#authorization))) return 401;
    return (request.url ?? '').split('?')[0] === '/mcp' ? undefined : 404;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Undefined when it is larger than anybody needs. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function methodOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;
}
