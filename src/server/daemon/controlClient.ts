import { Deferred } from '../../base/deferred.ts';
import { ToolError, TransportError } from '../../base/errors.ts';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import type { SharedConnection } from './connect.ts';
import type { ControlMethod, ControlMethods, ControlResponse } from './controlProtocol.ts';

/** The command line's end of a control connection. */
export class ControlClient {
  readonly version: string;
  readonly pid: number;
  /** Settles when the process hangs up or ends. */
  readonly closed: Promise<void>;
  readonly #connection: SharedConnection;
  readonly #pending = new Map<number, Deferred<unknown>>();
  #nextId = 1;

  constructor(connection: SharedConnection) {
    this.#connection = connection;
    this.version = connection.version;
    this.pid = connection.pid;
    const { socket } = connection;
    const splitter = new LineSplitter(256_000_000);
    socket.on('data', (chunk: Buffer) => {
      // Both ends are ours and the connection is authenticated: a line is always a response.
      for (const line of splitter.push(chunk)) this.#settle(JSON.parse(line) as ControlResponse);
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const pending of this.#pending.values())
          pending.reject(new TransportError('the Sightline process', 'The Sightline process hung up.'));
        this.#pending.clear();
        resolve();
      });
    });
    socket.resume();
  }

  async request<Method extends ControlMethod>(
    method: Method,
    params: ControlMethods[Method]['params'],
  ): Promise<ControlMethods[Method]['result']> {
    const id = this.#nextId++;
    const pending = new Deferred<unknown>();
    this.#pending.set(id, pending);
    this.#connection.socket.write(`${JSON.stringify({ id, method, params })}\n`);
    // The type of the result belongs to the method, as declared once in the protocol.
    return (await pending.promise) as ControlMethods[Method]['result'];
  }

  dispose(): void {
    this.#connection.socket.destroy();
  }

  #settle(response: ControlResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('error' in response) {
      const { code, message, hint, data } = response.error;
      pending?.reject(new ToolError(code, message, { hint, data }));
    } else pending?.resolve(response.result);
  }
}
