import { PassThrough } from 'node:stream';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** What a call answered, whichever form the face uses. */
export interface CallOutcome {
  /** `content[0].text`. */
  text: string;
  /** The structured answer, on faces that send one. */
  data: Record<string, unknown> | undefined;
  /** Present when the call failed. On faces that answer in plain text it is what that text begins with. */
  error: { code?: number; name: string; message: string; hint?: string; data?: Record<string, unknown> } | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  onProgress?: (message: string | undefined, progress: number) => void;
}

/** The real MCP client package, with the little that every test wants. */
export class TestClient {
  readonly mcp: Client;
  readonly #onClose: () => Promise<void>;

  private constructor(mcp: Client, onClose: () => Promise<void>) {
    this.mcp = mcp;
    this.#onClose = onClose;
  }

  static async connect(
    transport: Transport,
    options: ClientOptions & { name?: string } = {},
    onClose: () => Promise<void> = async () => undefined,
    prepare: (client: Client) => void = () => undefined,
  ): Promise<TestClient> {
    const { name = 'harness', ...rest } = options;
    const mcp = new Client({ name, version: '1' }, rest);
    prepare(mcp);
    await mcp.connect(transport);
    return new TestClient(mcp, onClose);
  }

  async listTools(): Promise<string[]> {
    return (await this.mcp.listTools()).tools.map((tool) => tool.name);
  }

  async call(name: string, args: Record<string, unknown> = {}, options: CallOptions = {}): Promise<CallOutcome> {
    const result = await this.mcp.callTool(
      { name, arguments: args },
      {
        timeout: options.timeoutMs ?? 60_000,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        ...(options.onProgress === undefined
          ? {}
          : { onprogress: ({ message, progress }) => options.onProgress?.(message, progress) }),
      },
    );
    const first = result.content[0];
    const text = first?.type === 'text' ? first.text : '';
    const structured = result.structuredContent as Record<string, unknown> | undefined;
    if (result.isError !== true) return { text, data: structured, error: undefined };
    const error = (structured?.['error'] as CallOutcome['error']) ?? errorInText(text);
    return { text, data: undefined, error };
  }

  /** For calls that must work: throws with the error's words when one does not. */
  async data(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { data, error, text } = await this.call(name, args);
    if (error !== undefined) throw new Error(`${name} failed: ${text}`);
    return data ?? {};
  }

  async text(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { text, error } = await this.call(name, args);
    if (error !== undefined) throw new Error(`${name} failed: ${text}`);
    return text;
  }

  async close(): Promise<void> {
    await this.mcp.close();
    await this.#onClose();
  }
}

function errorInText(text: string): NonNullable<CallOutcome['error']> {
  const [, name = '', message = text, hint] = /^Error \((\w+)\): (.*)(?:\n([^]*))?$/.exec(text) ?? [];
  return { name, message, ...(hint === undefined ? {} : { hint }) };
}

export function httpTransport(url: string, token: string | undefined): Transport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(token) } });
}

export function sseTransport(url: string, token: string | undefined): Transport {
  const headers = bearer(token);
  return new SSEClientTransport(new URL(url), {
    requestInit: { headers },
    eventSourceInit: { fetch: (target, init) => fetch(target, { ...init, headers: { ...init?.headers, ...headers } }) },
  });
}

/** A started program that speaks MCP on stdin and stdout. */
export function processTransport(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Transport {
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new StdioClientTransport({ command, args, cwd, env: Object.fromEntries(known), stderr: 'pipe' });
}

/** Two ends of one in-process connection: streams for the server, and a transport of lines for the client. */
export function streamPair(): { server: { input: PassThrough; output: PassThrough }; client: Transport } {
  const input = new PassThrough();
  const output = new PassThrough();
  const client: Transport = {
    start: async () => {
      let text = '';
      output.setEncoding('utf8');
      output.on('data', (chunk: string) => {
        text += chunk;
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
          const line = text.slice(0, end);
          text = text.slice(end + 1);
          client.onmessage?.(JSON.parse(line));
        }
      });
      output.on('end', () => client.onclose?.());
    },
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      input.end();
      client.onclose?.();
    },
  };
  return { server: { input, output }, client };
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
