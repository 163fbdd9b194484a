import type { Readable, Writable } from 'node:stream';
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { Deferred } from '../../base/deferred.ts';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import { longMessageError, maxMessageBytes } from '../../base/text/longMessage.ts';

export interface LineStreams {
  input: Readable;
  output: Writable;
}

/**
 * MCP over two streams, one JSON message per line. Unlike the one in the SDK it answers what it cannot understand, as JSON-RPC
 * wants, and it tells when the other side has gone.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Sees each message before the server does; what it returns is awaited before this and later messages go on. */
  onInbound: (message: JSONRPCMessage) => Promise<void> | undefined = () => undefined;
  readonly #streams: LineStreams;
  readonly #closed = new Deferred<void>();
  readonly #splitter = new LineSplitter(maxMessageBytes, (line) => this.#write(longMessageError(line)));
  #isClosed = false;
  #delivering: Promise<void> | undefined;

  constructor(streams: LineStreams) {
    this.#streams = streams;
  }

  /** Resolves when the client has closed its end, or we have. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams;
    input.on('data', this.#onData);
    input.on('end', this.#onGone);
    input.on('close', this.#onGone);
    input.on('error', this.#onGone);
    output.on('error', this.#onGone);
    if (input.readableEnded || input.destroyed) setImmediate(this.#onGone);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input } = this.#streams;
    input.off('data', this.#onData);
    input.pause();
    this.onclose?.();
    this.#closed.resolve();
  }

  readonly #onGone = (): void => void this.close();

  readonly #onData = (chunk: Buffer | string): void => {
    for (const line of this.#splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) {
      if (this.#isClosed) return;
      if (line.trim() !== '') this.#receive(line.trim());
    }
  };

  #receive(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.#refuse(-32700, 'Parse error: the line is not JSON.');
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return this.#refuse(-32600, 'Invalid Request: this is not a JSON-RPC message.', idOf(value));
    }
    this.#deliver(message);
  }

  #deliver(message: JSONRPCMessage): void {
    const wait = this.onInbound(message);
    if (wait === undefined && this.#delivering === undefined) {
      this.onmessage?.(message);
      return;
    }
    const delivering = Promise.all([this.#delivering, wait]).then(() => {
      if (this.#delivering === delivering) this.#delivering = undefined;
      this.onmessage?.(message);
    });
    this.#delivering = delivering;
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: unknown): void {
    if (!this.#isClosed && this.#streams.output.writable) this.#streams.output.write(`${JSON.stringify(message)}\n`);
  }
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
