import type { Readable, Writable } from 'node:stream';
import { cancellationReason, throwIfCancelled, withTimeout } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import { Emitter } from '../../base/emitter.ts';
import { errorMessage, PeerError, TransportError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { encodeFrame, FrameDecoder } from './framing.ts';

/** The codes of JSON-RPC and LSP that a client meets. */
export const rpcCodes = {
  methodNotFound: -32601,
  internalError: -32603,
  serverNotInitialized: -32002,
  contentModified: -32801,
  requestCancelled: -32800,
  serverCancelled: -32802,
} as const;

interface RpcOptions {
  /** What to call the peer in messages. */
  name: string;
  input: Readable;
  output: Writable;
  logger: Logger;
  /** The end of the peer's log, put into the error when it goes away. */
  logTail?: () => string;
  /** Tells why the output ended, once that is known: an exit code says more than an end of file. */
  whyEnded?: () => Promise<string>;
}

const maxWaitForReasonMs = 2000;

export interface RequestOptions {
  signal?: AbortSignal;
  /** Fails the request with a TransportError after this time and tells the peer to stop. */
  timeoutMs?: number;
}

export interface RpcNotification {
  method: string;
  params: unknown;
}

type RequestHandler = (params: unknown) => unknown;

interface PendingRequest {
  method: string;
  answer: Deferred<unknown>;
}

/** One JSON-RPC peer over a pair of streams: requests with cancellation, notifications, and requests of the peer. */
export class RpcConnection {
  readonly name: string;
  /** Every notification of the peer, in the order it sent them. */
  readonly onNotification = new Emitter<RpcNotification>();
  /** Why the connection ended. Fires once. */
  readonly onClose = new Emitter<TransportError>();
  readonly #options: RpcOptions;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #handlers = new Map<string, RequestHandler>();
  #nextId = 1;
  #closed: TransportError | undefined;

  constructor(options: RpcOptions) {
    this.name = options.name;
    this.#options = options;
    const decoder = new FrameDecoder({
      onBody: (body) => this.#receive(body),
      onNoise: (text) => options.logger.warn(`${this.name} wrote text between messages`, text.slice(0, 500)),
    });
    options.input.on('data', (chunk: Buffer) => {
      try {
        decoder.push(chunk);
      } catch (error) {
        this.close(errorMessage(error));
      }
    });
    options.input.on('end', () => void this.#onEnd('it closed its output'));
    options.input.on('error', (error) => this.close(error.message));
    options.output.on('error', (error) => void this.#onEnd(error.message));
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Answers requests of the peer; a method without handler is answered "method not found", as the specification asks. */
  handle(method: string, handler: RequestHandler): void {
    this.#handlers.set(method, handler);
  }

  /** The result is whatever the peer sent: the caller names the type the protocol promises for this method. */
  async request<T>(method: string, params: unknown, options: RequestOptions = {}): Promise<T> {
    throwIfCancelled(options.signal);
    if (this.#closed !== undefined) throw this.#closed;
    const id = this.#nextId++;
    const pending: PendingRequest = { method, answer: new Deferred<unknown>() };
    this.#pending.set(id, pending);
    const abandon = (error: Error) => {
      if (!this.#pending.delete(id)) return;
      this.notify('$/cancelRequest', { id });
      pending.answer.reject(error);
    };
    const { signal } = options;
    const onAbort = () => (signal === undefined ? undefined : abandon(cancellationReason(signal)));
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            const message = `${this.name} did not answer ${method} within ${options.timeoutMs} ms.`;
            abandon(new TransportError(this.name, message, this.#options.logTail?.() ?? ''));
          }, options.timeoutMs);
    try {
      this.#send({ jsonrpc: '2.0', id, method, params });
      // The wire is trusted to keep the protocol's promise about the result of this method.
      return (await pending.answer.promise) as T;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Notifications to a peer that is gone are dropped: its end is reported by the requests. */
  notify(method: string, params: unknown): void {
    if (this.#closed === undefined) this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Ends the connection from our side or on behalf of the process that died; everything pending fails with the cause. */
  close(cause: string): void {
    if (this.#closed !== undefined) return;
    const error = new TransportError(
      this.name,
      `The connection to ${this.name} ended: ${cause}.`,
      this.#options.logTail?.() ?? '',
    );
    this.#closed = error;
    for (const { answer } of this.#pending.values()) answer.reject(error);
    this.#pending.clear();
    this.onClose.fire(error);
  }

  /** A peer that dies is met as an end of file or as a failed write, whichever comes first. One that lives on has no better reason. */
  async #onEnd(otherwise: string): Promise<void> {
    const why = this.#options.whyEnded?.();
    const told = why === undefined ? undefined : await withTimeout(why, maxWaitForReasonMs).catch(() => undefined);
    this.close(told ?? otherwise);
  }

  #receive(body: Buffer): void {
    let message: unknown;
    try {
      message = JSON.parse(body.toString('utf8'));
    } catch (error) {
      this.#options.logger.warn(`${this.name} sent a message that is not JSON`, errorMessage(error));
      return;
    }
    if (!isObject(message)) return;
    if (typeof message['method'] === 'string') {
      const id = message['id'];
      if (typeof id === 'number' || typeof id === 'string') void this.#answer(id, message['method'], message['params']);
      else this.onNotification.fire({ method: message['method'], params: message['params'] });
      return;
    }
    this.#settle(message);
  }

  #settle(message: Record<string, unknown>): void {
    const id = Number(message['id']);
    const pending = this.#pending.get(id);
    // An answer to a request that was cancelled or timed out is not wanted any more.
    if (pending === undefined) return;
    this.#pending.delete(id);
    const failure = message['error'];
    if (isObject(failure)) {
      const code = failure['code'];
      const text = typeof failure['message'] === 'string' ? failure['message'] : 'unknown error';
      pending.answer.reject(
        new PeerError(this.name, pending.method, text, typeof code === 'number' ? code : undefined),
      );
    } else pending.answer.resolve(message['result']);
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    const handler = this.#handlers.get(method);
    if (handler === undefined) {
      this.#send({ jsonrpc: '2.0', id, error: { code: rpcCodes.methodNotFound, message: `Unhandled ${method}` } });
      return;
    }
    try {
      const result = (await handler(params)) ?? null;
      this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      this.#send({ jsonrpc: '2.0', id, error: { code: rpcCodes.internalError, message: errorMessage(error) } });
    }
  }

  /** What is sent together leaves together: waking the peer costs more than the message. */
  #send(message: unknown): void {
    if (this.#closed !== undefined) return;
    const { output } = this.#options;
    if (output.writableCorked === 0) {
      output.cork();
      process.nextTick(() => output.uncork());
    }
    output.write(encodeFrame(message));
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
