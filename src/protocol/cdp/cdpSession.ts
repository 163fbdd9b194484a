import type { AsyncDisposer } from '../../base/disposable.ts';
import { Deferred } from '../../base/deferred.ts';
import { PeerError, TransportError } from '../../base/errors.ts';
import { idleCommandId, InspectorSocket } from './inspectorSocket.ts';
import type { CdpEvent, CdpEventName, CdpMethod, CdpParams, CdpResult } from './types.ts';

interface Pending {
  method: string;
  answer: Deferred<unknown>;
}

interface WireMessage {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: string };
}

type AnyListener = (params: unknown) => void;

const lettingGo: ReadonlySet<CdpMethod> = new Set([
  'Debugger.resume',
  'Debugger.stepOver',
  'Debugger.stepInto',
  'Debugger.stepOut',
  'Debugger.continueToLocation',
  'Debugger.restartFrame',
  'Debugger.disable',
]);

/** One isolate's side of the inspector protocol: the main thread over a socket, a worker through its parent. */
export class CdpSession {
  readonly closed: Promise<void>;
  readonly peer: string;
  readonly #post: (text: string) => void;
  readonly #close: () => void;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<AnyListener>>();
  readonly #workers = new Map<string, { receive: (text: string) => void; closed: Deferred<void> }>();
  #nextId = 1;
  #isClosed = false;
  #isPaused = false;

  private constructor(peer: string, post: (text: string) => void, close: () => void, closed: Promise<void>) {
    this.peer = peer;
    this.#post = post;
    this.#close = close;
    this.closed = closed.then(() => this.#onClosed());
  }

  static async connect(url: string, peer: string): Promise<CdpSession> {
    const socket = await InspectorSocket.connect(url);
    const session = new CdpSession(
      peer,
      (text) => socket.send(text),
      () => socket.close(),
      socket.closed,
    );
    socket.messages.on((text) => session.#receive(text));
    socket.expectsMore = () => !session.#isPaused || session.#pending.size > 0 || session.#workers.size > 0;
    return session;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send<M extends CdpMethod>(method: M, ...params: CdpParams<M>): Promise<CdpResult<M>> {
    const id = this.#nextId++;
    const answer = new Deferred<unknown>();
    if (this.#isClosed) {
      answer.reject(this.#gone(method));
    } else {
      this.#pending.set(id, { method, answer });
      if (lettingGo.has(method)) this.#isPaused = false;
      try {
        this.#post(JSON.stringify({ id, method, params: params[0] ?? {} }));
      } catch (error) {
        this.#pending.delete(id);
        answer.reject(error);
      }
    }
    // The peer's types are the protocol's own; a message of another shape would be a broken V8.
    return answer.promise as Promise<CdpResult<M>>;
  }

  on<E extends CdpEventName>(event: E, listener: (params: CdpEvent<E>) => void): AsyncDisposer {
    let listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, (listeners = new Set()));
    const added = listener as AnyListener;
    listeners.add(added);
    return { dispose: () => void listeners.delete(added) };
  }

  /** The session of a worker thread announced by `NodeWorker.attachedToWorker`. */
  worker(sessionId: string, peer: string): CdpSession {
    const closed = new Deferred<void>();
    const child = new CdpSession(
      peer,
      (message) => {
        this.send('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(() => closed.resolve());
      },
      () => closed.resolve(),
      closed.promise,
    );
    this.#workers.set(sessionId, { receive: (text) => child.#receive(text), closed });
    return child;
  }

  close(): void {
    this.#close();
  }

  #receive(text: string): void {
    // JSON from V8 itself; fields are checked before use.
    const message = JSON.parse(text) as WireMessage;
    if (message.id !== undefined) {
      if (message.id !== idleCommandId) this.#answer(message.id, message);
    } else if (message.method !== undefined) {
      if (message.method === 'Debugger.paused') this.#isPaused = true;
      if (message.method.startsWith('NodeWorker.')) this.#routeWorkerMessage(message);
      for (const listener of this.#listeners.get(message.method) ?? []) listener(message.params);
    }
  }

  #answer(id: number, message: WireMessage): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    if (message.error === undefined) pending.answer.resolve(message.result);
    else {
      const { code, message: said, data } = message.error;
      pending.answer.reject(
        new PeerError(this.peer, pending.method, data === undefined ? said : `${said}: ${data}`, code),
      );
    }
  }

  #routeWorkerMessage(message: WireMessage): void {
    const params = message.params as { sessionId?: string; message?: string };
    const worker = this.#workers.get(params.sessionId ?? '');
    if (worker === undefined) return;
    if (message.method === 'NodeWorker.receivedMessageFromWorker' && params.message !== undefined)
      worker.receive(params.message);
    else if (message.method === 'NodeWorker.detachedFromWorker') {
      this.#workers.delete(params.sessionId ?? '');
      worker.closed.resolve();
    }
  }

  #onClosed(): void {
    this.#isClosed = true;
    for (const { method, answer } of this.#pending.values()) answer.reject(this.#gone(method));
    this.#pending.clear();
    for (const worker of this.#workers.values()) worker.closed.resolve();
  }

  #gone(method: string): TransportError {
    return new TransportError(this.peer, `${this.peer} ended before it answered ${method}.`);
  }
}
