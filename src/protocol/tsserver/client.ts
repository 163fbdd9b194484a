import type { Readable, Writable } from 'node:stream';
import { untilCancelled, withTimeout } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import { PeerError, TransportError } from '../../base/errors.ts';
import { FrameDecoder } from '../jsonrpc/framing.ts';

interface Pending {
  command: string;
  answer: Deferred<unknown>;
}

interface TsServerStreams {
  input: Writable;
  output: Readable;
  /** The end of what the server wrote to stderr, for messages. */
  logTail(): string;
}

/**
 * The classic TypeScript server's own protocol: a request is one line of JSON, answers come framed as in LSP. Lines and
 * offsets count from 1, offsets in UTF-16 units, as everywhere inside Sightline.
 */
export class TsServerClient {
  readonly #streams: TsServerStreams;
  readonly #pending = new Map<number, Pending>();
  #sequence = 0;
  #failure: TransportError | undefined;

  constructor(streams: TsServerStreams) {
    this.#streams = streams;
    const decoder = new FrameDecoder({ onBody: (body) => this.#receive(body), onNoise: () => undefined });
    streams.output.on('data', (chunk: Buffer) => {
      try {
        decoder.push(chunk);
      } catch (error) {
        this.fail('sent something that is not its protocol', error);
      }
    });
    streams.output.on('close', () => this.fail('ended'));
    streams.input.on('error', () => this.fail('ended'));
  }

  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /** The body of the answer. The caller names its type: the server's answers are typed by its own documentation only. */
  async request<Body>(
    command: string,
    args: unknown,
    options: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<Body> {
    if (this.#failure !== undefined) throw this.#failure;
    const seq = ++this.#sequence;
    const answer = new Deferred<unknown>();
    this.#pending.set(seq, { command, answer });
    this.#streams.input.write(`${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`);
    try {
      const body = withTimeout(answer.promise, options.timeoutMs ?? 45_000);
      return (await untilCancelled(body, options.signal)) as Body;
    } finally {
      this.#pending.delete(seq);
    }
  }

  fail(what: string, cause?: unknown): void {
    this.#failure ??= new TransportError('tsserver', `The TypeScript server ${what}.`, this.#streams.logTail(), cause);
    for (const { answer } of this.#pending.values()) answer.reject(this.#failure);
    this.#pending.clear();
  }

  #receive(body: Buffer): void {
    const message = JSON.parse(body.toString('utf8')) as {
      type: string;
      request_seq?: number;
      success?: boolean;
      message?: string;
      body?: unknown;
    };
    if (message.type !== 'response' || message.request_seq === undefined) return;
    const pending = this.#pending.get(message.request_seq);
    if (pending === undefined) return;
    if (message.success) pending.answer.resolve(message.body);
    else
      pending.answer.reject(
        new PeerError(
          'tsserver',
          pending.command,
          (message.message ?? 'failed without a message').split('\n')[0] ?? '',
        ),
      );
  }
}
