import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import { longMessageError, maxMessageBytes } from '../../base/text/longMessage.ts';
import { preparedAnswer, type ClientMessage, type PreparedAnswers } from './preparedAnswers.ts';
import type { Link } from './link.ts';

interface ShimOptions {
  input: Readable;
  output: Writable;
  answers: PreparedAnswers;
  /** False when flags, or a process of another build, make the tool list differ from the prepared one. */
  toolListIsPrepared: boolean;
  link: Link;
  /** The client has gone and its last answers are out. */
  onEnd(): void;
}

/** How long answers that are still due are waited for after the client closed its end. */
const lastAnswersMs = 1000;
/** Ids of requests that we repeat to a new process; the client never sees their answers. */
const openingId = 'sightline-opening';

/**
 * Stands between an MCP client on stdio and the shared process. It answers by itself what needs no process, and passes on
 * everything else unchanged, in both directions. When the process ends under it, calls in flight are answered with an error and
 * the next one finds or starts a new process.
 */
export class Shim {
  readonly #options: ShimOptions;
  readonly #splitter = new LineSplitter(maxMessageBytes, (line) => this.#send(longMessageError(line)));
  /** Requests of the client that the process has not answered yet, by id. */
  readonly #inFlight = new Map<string, string | number>();
  /** What a new process has to hear first: the handshake that we answered ourselves. */
  #initialize: ClientMessage | undefined;
  #initialized: string | undefined;
  /** Resources that the client watches (2025 revisions), by address. */
  readonly #subscriptions = new Map<string, ClientMessage>();
  #toolListIsPrepared: boolean;
  #toolListWasShown = false;
  /** Toolsets were turned on in a process that a new one would not know of. */
  #toolListWasChanged = false;
  #ending = false;

  constructor(options: ShimOptions) {
    this.#options = options;
    this.#toolListIsPrepared = options.toolListIsPrepared;
  }

  start(): void {
    const { input, output, link } = this.#options;
    link.onLine = (line) => this.#fromProcess(line);
    link.onConnected = (sameBuild) => this.#connected(sameBuild);
    link.onLost = (why) => this.#lost(why);
    output.on('drain', () => link.resume());
    output.on('error', () => this.#options.onEnd());
    input.on('data', (chunk: Buffer) => this.#received(chunk));
    input.once('end', () => this.#clientLeft());
    input.once('close', () => this.#clientLeft());
    input.once('error', () => this.#clientLeft());
  }

  #received(chunk: Buffer): void {
    for (const line of this.#splitter.push(chunk)) if (line.trim() !== '') this.#fromClient(line);
  }

  #fromClient(line: string): void {
    const { link, answers } = this.#options;
    const message = parse(line);
    // What we do not understand gets its error from the process.
    if (message === undefined) return void link.send(line);
    const { id, method } = message;
    if (method === undefined) return void (link.isConnected && link.send(line));
    if (id === undefined) return this.#notification(message, line);
    const result = preparedAnswer(answers, message, this.#toolListIsPrepared);
    if (result === undefined) {
      if (!link.send(line)) return this.#send(unread(id));
      this.#inFlight.set(JSON.stringify(id), id);
      return this.#noteSubscription(message);
    }
    this.#send({ jsonrpc: '2.0', id, result });
    if (method === 'initialize') this.#initialize = message;
    if (method === 'tools/list') this.#toolListWasShown = true;
  }

  #notification({ method, params = {} }: ClientMessage, line: string): void {
    const { link } = this.#options;
    const isAwaited = this.#inFlight.size > 0;
    if (method === 'notifications/initialized') {
      this.#initialized = line;
      if (link.isConnected) link.send(line);
      return;
    }
    // A cancelled request gets no answer any more, neither from the process nor from us.
    if (method === 'notifications/cancelled') this.#inFlight.delete(JSON.stringify(params['requestId']));
    // Without a process there is nothing that could be cancelled or told.
    if (link.isConnected || isAwaited) link.send(line);
  }

  #connected(sameBuild: boolean): string[] {
    if ((!sameBuild && this.#toolListIsPrepared) || this.#toolListWasChanged) this.#listChanged();
    if (this.#initialize === undefined) return [];
    const repeat = (message: ClientMessage, what: string) => JSON.stringify({ ...message, id: `${openingId} ${what}` });
    return [
      repeat(this.#initialize, 'initialize'),
      ...(this.#initialized === undefined ? [] : [this.#initialized]),
      ...[...this.#subscriptions].map(([uri, message]) => repeat(message, uri)),
    ];
  }

  #noteSubscription(message: ClientMessage): void {
    const uri = message.params?.['uri'];
    if (typeof uri !== 'string') return;
    // What is under way is sent to the process that is found anyway.
    if (message.method === 'resources/subscribe' && this.#options.link.isConnected)
      this.#subscriptions.set(uri, message);
    if (message.method === 'resources/unsubscribe') this.#subscriptions.delete(uri);
  }

  /** The list of the process differs from ours: from now on it is asked, and a client that saw ours is told to ask again. */
  #listChanged(): void {
    this.#toolListIsPrepared = false;
    this.#toolListWasChanged = false;
    if (this.#toolListWasShown) this.#send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  #fromProcess(line: string): void {
    const message = parse(line);
    if (message?.method === undefined && message?.id !== undefined) {
      if (typeof message.id === 'string' && message.id.startsWith(openingId)) return this.#repeated(message.id);
      this.#inFlight.delete(JSON.stringify(message.id));
    } else if (message?.method === 'notifications/tools/list_changed') {
      this.#toolListIsPrepared = false;
      this.#toolListWasChanged = true;
    }
    if (!this.#options.output.write(`${line}\n`)) this.#options.link.pause();
    this.#endIfDone();
  }

  /** A new process watches a resource again. Nobody can tell whether it changed in between, so the client looks. */
  #repeated(id: string): void {
    const uri = id.slice(openingId.length + 1);
    if (this.#subscriptions.has(uri))
      this.#send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
  }

  #lost(why: string): void {
    for (const id of this.#inFlight.values()) this.#send({ jsonrpc: '2.0', id, error: { code: -32603, message: why } });
    this.#inFlight.clear();
    this.#endIfDone();
  }

  #clientLeft(): void {
    if (this.#ending) return;
    this.#ending = true;
    if (this.#inFlight.size > 0) setTimeout(() => this.#options.onEnd(), lastAnswersMs);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#ending && this.#inFlight.size === 0) this.#options.onEnd();
  }

  #send(message: unknown): void {
    this.#options.output.write(`${JSON.stringify(message)}\n`);
  }
}

function unread(id: string | number): unknown {
  const message = 'The Sightline process does not read what it is sent. If it hangs, sightline stop ends it.';
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}

/** A single JSON-RPC message; batches and anything else are left to the process. */
function parse(line: string): ClientMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { jsonrpc, id, method, params } = value as Partial<Record<string, unknown>>;
  if (jsonrpc !== '2.0' || (method !== undefined && typeof method !== 'string')) return undefined;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') return undefined;
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    return undefined;
  return {
    jsonrpc,
    id,
    method,
    params: { ...params },
  } as ClientMessage;
}
