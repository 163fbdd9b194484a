import { silentLogger } from '../../base/logger.ts';
import { RpcConnection } from '../../protocol/jsonrpc/connection.ts';
import type { SharedConnection } from '../../server/daemon/connect.ts';

interface ProcessLinkOptions {
  /** The process, if it runs. */
  connect(): Promise<SharedConnection | undefined>;
  /** Each time that there is a process: says who is there and what is open, before anything else is sent. */
  onConnected(process: RpcConnection): void;
  onLost?(): void;
}

const lookAgainMs = 500;

/** An editor's side of the socket: looks until there is a process, and again after it ended. The editor is none the wiser. */
export class ProcessLink {
  readonly #options: ProcessLinkOptions;
  #process: RpcConnection | undefined;
  #hasEnded = false;
  #hangUp: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProcessLinkOptions) {
    this.#options = options;
  }

  get process(): RpcConnection | undefined {
    return this.#process;
  }

  start(): void {
    void this.#look();
  }

  /** Hangs up and greets the process anew. */
  reconnect(): void {
    this.#hangUp();
  }

  dispose(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#hangUp();
  }

  async #look(): Promise<void> {
    if (this.#hasEnded) return;
    const connection = await this.#options.connect().catch(() => undefined);
    if (this.#hasEnded) return void connection?.socket.destroy();
    if (connection === undefined) {
      this.#timer = setTimeout(() => void this.#look(), lookAgainMs);
      return;
    }
    const { socket } = connection;
    const rpc = new RpcConnection({ name: 'Sightline', input: socket, output: socket, logger: silentLogger });
    this.#hangUp = () => socket.destroy();
    socket.once('close', () => {
      rpc.close('it hung up');
      this.#process = undefined;
      this.#options.onLost?.();
      void this.#look();
    });
    this.#options.onConnected(rpc);
    this.#process = rpc;
    socket.resume();
  }
}
