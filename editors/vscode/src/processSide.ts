import type {
  EditorNotifications,
  EditorRequests,
  ProcessNotifications,
} from '../../../src/cli/editors/feedProtocol.ts';
import type { RpcConnection } from '../../../src/protocol/jsonrpc/connection.ts';

const requestMs = 30_000;

/** The process as the rest of the extension sees it: there, or not there. */
export class ProcessSide {
  readonly #listeners = new Map<string, (params: never) => void>();
  #rpc: RpcConnection | undefined;

  get isThere(): boolean {
    return this.#rpc !== undefined;
  }

  connected(rpc: RpcConnection): void {
    this.#rpc = rpc;
    rpc.onNotification.on(({ method, params }) => this.#listeners.get(method)?.(params as never));
  }

  lost(): void {
    this.#rpc = undefined;
  }

  on<Name extends keyof ProcessNotifications>(
    name: Name,
    listener: (params: ProcessNotifications[Name]) => void,
  ): void {
    this.#listeners.set(name, listener);
  }

  /** Dropped while there is no process: it is told everything when it comes. */
  readonly notify = (method: string, params: unknown): void => this.#rpc?.notify(method, params);

  tell<Name extends keyof EditorNotifications>(name: Name, params: EditorNotifications[Name]): void {
    this.notify(name, params);
  }

  async request<Name extends keyof EditorRequests>(
    name: Name,
    params: EditorRequests[Name]['params'],
  ): Promise<EditorRequests[Name]['result']> {
    if (this.#rpc === undefined) throw new Error('Sightline is not running. An agent that uses it starts it.');
    return this.#rpc.request<EditorRequests[Name]['result']>(name, params, { timeoutMs: requestMs });
  }
}
