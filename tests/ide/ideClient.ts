import { request as httpRequest } from 'node:http';

/** Where the listener of a discovery file is. */
export type Place = { port: number } | { socketPath: string };

/** The command line's side of a protocol that is MCP over HTTP. */
export class IdeClient {
  readonly told: Record<string, unknown>[] = [];
  readonly #place: Place;
  readonly #authorization: string;
  #session = '';
  #made = 0;
  #heard: () => void = () => undefined;
  #close: () => void = () => undefined;

  constructor(place: Place, authorization: string) {
    this.#place = place;
    this.#authorization = authorization;
  }

  /** The status, the session that was opened, and the answer of one request. */
  send(
    method: string,
    body: string | undefined,
    headers: Record<string, string> = {},
    path = '/mcp',
  ): Promise<{ status: number; session: string; text: string }> {
    return new Promise((resolve, reject) => {
      const all = {
        authorization: this.#authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#session === '' ? {} : { 'mcp-session-id': this.#session }),
        ...headers,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      const target = 'port' in this.#place ? { host: '127.0.0.1', ...this.#place } : this.#place;
      const request = httpRequest({ ...target, path, method, headers: given }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            session: String(response.headers['mcp-session-id'] ?? ''),
            text,
          }),
        );
      });
      request.once('error', reject);
      request.end(body);
    });
  }

  async initialize(): Promise<Record<string, unknown>> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a cli', version: '1' } };
    const { session, text } = await this.send('POST', this.#message('initialize', params));
    this.#session = session;
    await this.send('POST', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return JSON.parse(text) as Record<string, unknown>;
  }

  async request(method: string, params: unknown = {}): Promise<Record<string, unknown>> {
    return JSON.parse((await this.send('POST', this.#message(method, params))).text) as Record<string, unknown>;
  }

  async call(name: string, args: unknown = {}): Promise<{ isError?: boolean; texts: string[] }> {
    const { result } = (await this.request('tools/call', { name, arguments: args })) as {
      result: { isError?: boolean; content: { text: string }[] };
    };
    return { ...(result.isError === true ? { isError: true } : {}), texts: result.content.map(({ text }) => text) };
  }

  /** Opens the stream on which the IDE tells. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      const target = 'port' in this.#place ? { host: '127.0.0.1', ...this.#place } : this.#place;
      const headers = {
        authorization: this.#authorization,
        accept: 'text/event-stream',
        'mcp-session-id': this.#session,
      };
      const request = httpRequest({ ...target, path: '/mcp', method: 'GET', headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
          for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n')) {
            const data = text.slice(0, at).match(/^data: (.*)$/m)?.[1];
            text = text.slice(at + 2);
            if (data !== undefined) this.told.push(JSON.parse(data) as Record<string, unknown>);
            this.#heard();
          }
        });
        response.on('error', () => undefined);
        resolve(response.statusCode ?? 0);
      });
      request.once('error', reject);
      request.end();
      this.#close = () => request.destroy();
    });
  }

  async hear(isIt: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.told.find(isIt);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  close(): void {
    this.#close();
  }

  #message(method: string, params: unknown): string {
    this.#made += 1;
    return JSON.stringify({ jsonrpc: '2.0', id: this.#made, method, params });
  }
}
