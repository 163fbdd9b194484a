import type { Readable, Writable } from 'node:stream';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { cancellationReason } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { errorMessage, PeerError, ToolError, TransportError } from '../../base/errors.ts';
import { silentLogger, type Logger } from '../../base/logger.ts';
import { encodeFrame, FrameDecoder } from '../jsonrpc/framing.ts';
import type { DapCommand, DapRequests } from './requests.ts';

/** The two directions of a connection: a socket for both, or the pipes of an adapter process. */
export interface DapStreams {
  readable: Readable;
  writable: Writable;
}

export interface DapConnectionOptions {
  /** What to call the peer in messages. */
  peer: string;
  /** The end of the adapter's own log, asked for when the connection dies: the cause usually stands there. */
  logTail?: () => string;
  logger?: Logger;
  defaultTimeoutMs?: number;
}

interface RequestOptions {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Answers a request of the adapter (`runInTerminal`, `startDebugging`); what it throws becomes the error of the answer. */
type ReverseRequestHandler = (command: string, args: unknown) => Promise<object | undefined>;

interface Pending {
  command: string;
  answer: Deferred<unknown>;
  release: () => void;
}

/**
 * One connection to one debug adapter. Answers are matched by `request_seq` alone, because some adapters number all
 * their own messages 0. Messages written in one turn of the event loop leave in one segment.
 */
export class DapConnection implements AsyncDisposer {
  readonly peer: string;
  readonly events = new Emitter<DebugProtocol.Event>((error) => this.#logger.error('An event listener failed.', error));
  /** Resolves, with the reason, when nothing more can come; never rejects. */
  readonly closed: Promise<TransportError>;
  /** Set from the adapter's capabilities: only then does a cancelled request tell the adapter. */
  cancelSupported = false;
  readonly #streams: DapStreams;
  readonly #logger: Logger;
  readonly #logTail: () => string;
  readonly #defaultTimeoutMs: number;
  readonly #closedSignal = new Deferred<TransportError>();
  readonly #pending = new Map<number, Pending>();
  #reverseRequestHandler: ReverseRequestHandler | undefined;
  #nextSeq = 1;
  #corked = false;
  #isLetGo = false;
  #failure: TransportError | undefined;

  constructor(streams: DapStreams, options: DapConnectionOptions) {
    this.peer = options.peer;
    this.#streams = streams;
    this.#logger = options.logger ?? silentLogger;
    this.#logTail = options.logTail ?? (() => '');
    this.#defaultTimeoutMs = options.defaultTimeoutMs ?? 30_000;
    this.closed = this.#closedSignal.promise;
    const decoder = new FrameDecoder({
      onBody: (body) => this.#receive(JSON.parse(body.toString('utf8')) as unknown),
      onNoise: (text) => this.#logger.warn(`${this.peer} wrote text between its messages.`, text),
    });
    streams.readable.on('data', (chunk: Buffer) => {
      if (this.#failure !== undefined) return;
      try {
        decoder.push(chunk);
      } catch (error) {
        const what = `sent something that is not the debug adapter protocol (${errorMessage(error)})`;
        this.#close(this.#lost(what, error));
      }
    });
    const onEnd = () => this.#close(this.#lost('closed the connection'));
    const onError = (error: Error) => this.#close(this.#lost(`lost the connection (${error.message})`, error));
    streams.readable.on('end', onEnd);
    streams.readable.on('close', onEnd);
    streams.readable.on('error', onError);
    streams.writable.on('error', onError);
  }

  get isClosed(): boolean {
    return this.#failure !== undefined;
  }

  /** Whether we asked for its end: what the adapter does afterwards is no failure of its own. */
  get isLetGo(): boolean {
    return this.#isLetGo;
  }

  onReverseRequest(handler: ReverseRequestHandler): void {
    this.#reverseRequestHandler = handler;
  }

  request<C extends DapCommand>(
    command: C,
    args: DapRequests[C][0],
    options: RequestOptions = {},
  ): Promise<DapRequests[C][1]> {
    return this.requestCustom<DapRequests[C][1]>(command, args, options);
  }

  /** A request outside the protocol, for adapters that have their own. */
  requestCustom<T = unknown>(command: string, args: object, options: RequestOptions = {}): Promise<T> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(cancellationReason(signal));
    if (command === 'disconnect') this.#isLetGo = true;
    const seq = this.#nextSeq++;
    const answer = new Deferred<unknown>();
    const timeoutMs = options.timeoutMs ?? this.#defaultTimeoutMs;
    const giveUp = (reason: Error) => {
      this.#pending.delete(seq);
      pending.release();
      if (this.cancelSupported && !this.isClosed)
        this.#send({ seq: this.#nextSeq++, type: 'request', command: 'cancel', arguments: { requestId: seq } });
      answer.reject(reason);
    };
    const onAbort = () => {
      if (signal !== undefined) giveUp(cancellationReason(signal));
    };
    const timer = setTimeout(() => {
      giveUp(new ToolError('timeout', `${this.peer} did not answer '${command}' within ${timeoutMs} ms.`));
    }, timeoutMs);
    const pending: Pending = {
      command,
      answer,
      release: () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      },
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#pending.set(seq, pending);
    this.#send({ seq, type: 'request', command, arguments: args });
    // The caller says what the peer promises; what we rely on is checked where it is used.
    return answer.promise as Promise<T>;
  }

  dispose(): void {
    this.#isLetGo = true;
    this.#close(this.#lost('was let go'));
  }

  #send(message: object): void {
    const { writable } = this.#streams;
    if (!this.#corked) {
      this.#corked = true;
      writable.cork();
      queueMicrotask(() => {
        this.#corked = false;
        writable.uncork();
      });
    }
    writable.write(encodeFrame(message));
  }

  #receive(message: unknown): void {
    if (isOfType<DebugProtocol.Event>(message, 'event')) this.events.fire(message);
    else if (isOfType<DebugProtocol.Response>(message, 'response')) this.#settle(message);
    else if (isOfType<DebugProtocol.Request>(message, 'request')) void this.#answerReverseRequest(message);
    else this.#logger.warn(`${this.peer} sent a message of no known kind.`, message);
  }

  #settle(response: DebugProtocol.Response): void {
    const pending = this.#pending.get(response.request_seq);
    if (pending === undefined) {
      // The answer to something we stopped waiting for, or one nobody asked for: neither may disturb the others.
      this.#logger.debug(`${this.peer} answered a request that is not pending.`, response.command);
      return;
    }
    this.#pending.delete(response.request_seq);
    pending.release();
    if (response.success) pending.answer.resolve(response.body);
    else pending.answer.reject(new PeerError(this.peer, pending.command, failureText(response), response.message));
  }

  async #answerReverseRequest(request: DebugProtocol.Request): Promise<void> {
    const answer = { type: 'response', request_seq: request.seq, command: request.command };
    try {
      if (this.#reverseRequestHandler === undefined) throw new Error(`'${request.command}' is not supported.`);
      const body = await this.#reverseRequestHandler(request.command, request.arguments);
      if (!this.isClosed) this.#send({ ...answer, seq: this.#nextSeq++, success: true, body });
    } catch (error) {
      if (!this.isClosed) this.#send({ ...answer, seq: this.#nextSeq++, success: false, message: errorMessage(error) });
    }
  }

  #lost(what: string, cause?: unknown): TransportError {
    return new TransportError(this.peer, `${this.peer} ${what}.`, this.#logTail(), cause);
  }

  #close(reason: TransportError): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    for (const pending of this.#pending.values()) {
      pending.release();
      pending.answer.reject(reason);
    }
    this.#pending.clear();
    this.#streams.readable.destroy();
    this.#streams.writable.destroy();
    this.#closedSignal.resolve(reason);
  }
}

function isOfType<T extends DebugProtocol.ProtocolMessage>(value: unknown, type: T['type']): value is T {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === type;
}

/** Adapters put the cause into `body.error.format` with `{name}` placeholders, or into `message`, or nowhere. */
function failureText(response: DebugProtocol.Response): string {
  const body: unknown = response.body;
  const error =
    typeof body === 'object' && body !== null && 'error' in body
      ? (body.error as DebugProtocol.Message | undefined)
      : undefined;
  if (error !== undefined && typeof error.format === 'string') {
    return error.format.replace(/\{(\w+)\}/g, (placeholder, name: string) => error.variables?.[name] ?? placeholder);
  }
  return response.message ?? `'${response.command}' failed without a reason.`;
}
