import type { Readable, Writable } from 'node:stream';
import type { InitializeParams, InitializeResult } from 'vscode-languageserver-protocol';
import { Deferred } from '../../base/deferred.ts';
import { silentLogger } from '../../base/logger.ts';
import { RpcConnection } from '../../protocol/jsonrpc/connection.ts';
import type { SharedConnection } from '../../server/daemon/connect.ts';
import { FedDocuments } from './fedDocuments.ts';

export interface FeedOptions {
  input: Readable;
  output: Writable;
  version: string;
  /** The process, if it runs; a feed starts none. */
  connect(): Promise<SharedConnection | undefined>;
}

const lookAgainMs = 500;

/** A language server that answers nothing: it forwards what the editor shows, and brings edits back. */
export class EditorFeed {
  readonly ended: Promise<void>;
  readonly #options: FeedOptions;
  readonly #editor: RpcConnection;
  readonly #documents = new FedDocuments();
  #process: RpcConnection | undefined;
  #name = 'an editor';
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    const { input, output } = options;
    this.#editor = new RpcConnection({ name: 'the editor', input, output, logger: silentLogger });
    const ended = new Deferred<void>();
    this.ended = ended.promise;
    const end = (): void => {
      this.#hasEnded = true;
      clearTimeout(this.#timer);
      ended.resolve();
    };
    this.#editor.onClose.on(end);
    this.#editor.handle('initialize', (params) => this.#initialize(params as InitializeParams));
    this.#editor.handle('shutdown', () => null);
    this.#editor.onNotification.on(({ method, params }) => {
      if (method === 'exit') end();
      if (!/^textDocument\/did(Open|Change|Save|Close)$/.test(method)) return;
      this.#documents.take(method, params);
      this.#process?.notify(method, params);
    });
  }

  #initialize({ clientInfo }: InitializeParams): InitializeResult {
    this.#name = clientInfo?.name ?? this.#name;
    void this.#look();
    return {
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: 2, save: true },
      },
      serverInfo: { name: 'sightline', version: this.#options.version },
    };
  }

  /** Until there is a process, and again after it ended: the editor is none the wiser. */
  async #look(): Promise<void> {
    if (this.#hasEnded) return;
    const connection = await this.#options.connect().catch(() => undefined);
    if (connection === undefined) {
      this.#timer = setTimeout(() => void this.#look(), lookAgainMs);
      return;
    }
    const { socket } = connection;
    const rpc = new RpcConnection({ name: 'Sightline', input: socket, output: socket, logger: silentLogger });
    rpc.handle('workspace/applyEdit', (params) => this.#editor.request('workspace/applyEdit', params));
    socket.once('close', () => {
      rpc.close('it hung up');
      this.#process = undefined;
      void this.#look();
    });
    rpc.notify('feed/start', { editor: this.#name });
    for (const document of this.#documents.all) rpc.notify('textDocument/didOpen', document);
    this.#process = rpc;
    socket.resume();
  }
}
