import type { Readable, Writable } from 'node:stream';
import type { InitializeParams, InitializeResult } from 'vscode-languageserver-protocol';
import { Deferred } from '../../base/deferred.ts';
import { silentLogger } from '../../base/logger.ts';
import { RpcConnection } from '../../protocol/jsonrpc/connection.ts';
import type { SharedConnection } from '../../server/daemon/connect.ts';
import { FedDocuments } from './fedDocuments.ts';
import { ProcessLink } from './processLink.ts';

interface FeedOptions {
  input: Readable;
  output: Writable;
  version: string;
  /** The process, if it runs; a feed starts none. */
  connect(): Promise<SharedConnection | undefined>;
}

/** A language server that answers nothing: it forwards what the editor shows, and brings edits back. */
export class EditorFeed {
  readonly ended: Promise<void>;
  readonly #options: FeedOptions;
  readonly #editor: RpcConnection;
  readonly #documents = new FedDocuments();
  readonly #link: ProcessLink;
  #name = 'an editor';

  constructor(options: FeedOptions) {
    this.#options = options;
    const { input, output } = options;
    this.#editor = new RpcConnection({ name: 'the editor', input, output, logger: silentLogger });
    this.#link = new ProcessLink({
      connect: () => options.connect(),
      onConnected: (process) => {
        process.handle('workspace/applyEdit', (params) => this.#editor.request('workspace/applyEdit', params));
        process.notify('feed/start', { editor: this.#name });
        for (const document of this.#documents.all) process.notify('textDocument/didOpen', document);
      },
    });
    const ended = new Deferred<void>();
    this.ended = ended.promise;
    const end = (): void => {
      this.#link.dispose();
      ended.resolve();
    };
    this.#editor.onClose.on(end);
    this.#editor.handle('initialize', (params) => this.#initialize(params as InitializeParams));
    this.#editor.handle('shutdown', () => null);
    this.#editor.onNotification.on(({ method, params }) => {
      if (method === 'exit') end();
      if (!/^textDocument\/did(Open|Change|Save|Close)$/.test(method)) return;
      this.#documents.take(method, params);
      this.#link.process?.notify(method, params);
    });
  }

  #initialize({ clientInfo }: InitializeParams): InitializeResult {
    this.#name = clientInfo?.name ?? this.#name;
    this.#link.start();
    return {
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: 2, save: true },
      },
      serverInfo: { name: 'sightline', version: this.#options.version },
    };
  }
}
