import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import type { Json, ModelRequest, Turn, Wire } from './wire.ts';

const wires: readonly Wire[] = [anthropic, responses, chat, gemini];

/** A turn may wait for something in the test before the model gives it. */
export type ScriptedTurn = Turn & { after?: () => Promise<unknown> };

/**
 * A model on loopback that follows a script and writes down what it was sent. Which turn is due follows from the conversation itself,
 * so that a request that a client repeats gets the same answer. Requests that offer none of our tools are chores of the client (a title,
 * a summary) and get a word.
 */
export class ScriptedModel {
  /** Those of the conversation, in the order they came. */
  readonly requests: ModelRequest[] = [];
  readonly chores: ModelRequest[] = [];
  /** What else the client asked for, here or, as we are its proxy, elsewhere. */
  readonly others: string[] = [];
  script: readonly ScriptedTurn[] = [];
  readonly #server: Server;
  readonly #isOurs: (request: ModelRequest) => boolean;
  #onRequest = new Set<() => void>();

  private constructor(isOurs: (request: ModelRequest) => boolean) {
    this.#isOurs = isOurs;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(Error(String(error))));
    });
    this.#server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      this.others.push(`CONNECT ${request.url}`);
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
  }

  static async start(isOurs: (request: ModelRequest) => boolean): Promise<ScriptedModel> {
    const model = new ScriptedModel(isOurs);
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** Resolves with the first request that has this many turns behind it. */
  async requestAt(turn: number): Promise<ModelRequest> {
    for (;;) {
      const found = this.requests.find((request) => request.turn === turn);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#onRequest.add(resolve));
    }
  }

  async dispose(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, host } = new URL(incoming.url ?? '/', this.url);
    const text = await bodyOf(incoming);
    const wire = wires.find(
      (candidate) => incoming.method === 'POST' && host === new URL(this.url).host && candidate.matches(path),
    );
    if (wire === undefined) {
      this.others.push(`${incoming.method} ${host}${path}`);
      this.#other(path, response);
      return;
    }
    const body = JSON.parse(text) as Json;
    const request: ModelRequest = { wire: wire.name, body, receivedAt: Date.now(), ...wire.read(body) };
    const isOurs = this.#isOurs(request);
    (isOurs ? this.requests : this.chores).push(request);
    for (const resolve of this.#onRequest) resolve();
    this.#onRequest.clear();
    const turn: ScriptedTurn = isOurs
      ? (this.script[request.turn] ?? { text: 'Nothing is left to do.' })
      : { text: 'ok' };
    await turn.after?.();
    const isStream = body['stream'] === true || path.endsWith(':streamGenerateContent');
    if (!isStream) return sendJson(response, wire.whole(turn, request.turn, request));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const { event, data } of wire.stream(turn, request.turn, request)) {
      const line = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${line}\n\n`);
    }
    response.end();
  }

  #other(path: string, response: ServerResponse): void {
    if (path.endsWith('/count_tokens')) return sendJson(response, { input_tokens: 100 });
    if (path.endsWith(':countTokens')) return sendJson(response, { totalTokens: 100 });
    if (path.endsWith('/models'))
      return sendJson(response, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
    response.writeHead(404).end();
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
