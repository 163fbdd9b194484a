import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, ClientConnection, Stream } from '@agentclientprotocol/sdk';
import { LineSplitter } from '../../base/text/lineSplitter.ts';

/** Params and results as they came: agents of many versions are listened to, so whoever reads them looks before believing. */
type Loose = Readonly<Record<string, unknown>>;

export interface AcpHandlers {
  /** `session/update`, of any kind. */
  update(params: Loose): void;
  permission(params: Loose, signal: AbortSignal): Promise<Loose>;
  elicitation(params: Loose, signal: AbortSignal): Promise<Loose>;
  elicitationComplete(params: Loose): void;
  /** Every message, and every line that is none. */
  traffic(direction: 'in' | 'out' | 'noise', message: unknown): void;
}

const maxMessageBytes = 64 * 1024 * 1024;

/** The client's end of one ACP connection (version 1) over a pair of streams. */
export class AcpConnection {
  readonly closed: Promise<void>;
  readonly #connection: ClientConnection;

  private constructor(connection: ClientConnection) {
    this.#connection = connection;
    this.closed = connection.closed;
  }

  /** The SDK is loaded with the first agent: its schemas are the largest part of it. */
  static async open(input: Readable, output: Writable, handlers: AcpHandlers): Promise<AcpConnection> {
    const { client } = await import('@agentclientprotocol/sdk');
    // With parsers of our own: those of the SDK refuse what they do not know, and a newer agent must not break an older host.
    const app = client({ name: 'sightline' })
      .onRequest('session/request_permission', loose, (ctx) => handlers.permission(ctx.params, ctx.signal))
      .onRequest('elicitation/create', loose, (ctx) => handlers.elicitation(ctx.params, ctx.signal))
      .onNotification('elicitation/complete', loose, (ctx) => handlers.elicitationComplete(ctx.params))
      .onNotification('*', () => undefined);
    return new AcpConnection(app.connect(messageStream(input, output, handlers)));
  }

  async request(method: string, params: Loose): Promise<Loose> {
    return loose(await this.#connection.agent.request<unknown>(method, params));
  }

  notify(method: string, params: Loose): Promise<void> {
    return this.#connection.agent.notify(method, params);
  }

  dispose(): void {
    this.#connection.close();
  }
}

/** The code and the text of what an agent refused with; undefined for anything else. */
export function refusalOf(error: unknown): { code: number; message: string } | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'number')
    return undefined;
  const message = 'message' in error && typeof error.message === 'string' ? error.message : 'no reason given';
  const data = 'data' in error ? error.data : undefined;
  const details = typeof data === 'string' ? data : textOf(loose(data)['details'] ?? loose(data)['message']);
  return { code: error.code, message: details === undefined ? message : `${message}: ${details}` };
}

export const authRequiredCode = -32000;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** One JSON object a line. A line that is none is noise, such as a greeting, and is not answered: agents have choked on such answers. */
function messageStream(input: Readable, output: Writable, handlers: AcpHandlers): Stream {
  const splitter = new LineSplitter(maxMessageBytes, (line) =>
    handlers.traffic('noise', `${line.bytes} bytes in one line`),
  );
  let isOpen = true;
  const readable = new ReadableStream<AnyMessage>({
    cancel() {
      isOpen = false;
    },
    start(controller) {
      const end = () => {
        if (isOpen) controller.close();
        isOpen = false;
      };
      input.on('data', (chunk: Buffer) => {
        for (const line of splitter.push(chunk)) {
          const message = parse(line);
          handlers.traffic(message === undefined ? 'noise' : 'in', message ?? line);
          if (message === undefined) continue;
          // At once: the SDK answers a request that came later before it hands out this.
          if (message['method'] === 'session/update') handlers.update(loose(message['params']));
          // Checked to be an object; the SDK looks at the rest.
          else if (isOpen) controller.enqueue(message as unknown as AnyMessage);
        }
      });
      for (const event of ['end', 'close', 'error']) input.once(event, end);
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      handlers.traffic('out', message);
      output.write(`${JSON.stringify(message)}\n`);
    },
  });
  return { readable, writable };
}

function parse(line: string): Loose | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return loose(JSON.parse(line));
  } catch {
    return undefined;
  }
}
