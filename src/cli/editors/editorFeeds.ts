import type { Socket } from 'node:net';
import type { ApplyWorkspaceEditResult, DidChangeTextDocumentParams } from 'vscode-languageserver-protocol';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { uriToPath } from '../../base/paths.ts';
import { RpcConnection, type RpcNotification } from '../../protocol/jsonrpc/connection.ts';
import { changedText } from '../../protocol/lsp/contentChanges.ts';
import { toWireRange } from '../../protocol/lsp/convert.ts';
import type { BufferStore, Editor } from '../../engine/workspace/buffers/bufferStore.ts';
import type { Sightline } from '../compose.ts';
import { Companion } from './companion.ts';
import type { EditorNotifications, FedDocument } from './feedProtocol.ts';

interface ConnectedEditor extends Editor {
  name: string;
  companion: Companion | undefined;
}

const editMs = 5000;

/** The editors that are connected: the messages of the language server protocol about documents, over our own socket. */
export class EditorFeeds {
  readonly #sightline: Sightline;
  readonly #buffers: BufferStore;
  readonly #logger: Logger;
  #count = 0;

  constructor(sightline: Sightline) {
    this.#sightline = sightline;
    this.#buffers = sightline.engines.buffers;
    this.#logger = sightline.logger.tagged('editors');
  }

  get count(): number {
    return this.#count;
  }

  /** Until the socket closes, however that came: then nothing of this editor is left here. */
  serve(socket: Socket): void {
    this.#count++;
    const rpc = new RpcConnection({ name: 'the editor', input: socket, output: socket, logger: this.#logger });
    const editor: ConnectedEditor = {
      name: 'an editor',
      companion: undefined,
      edit: async (uri, version, edits) => {
        const wire = edits.map(({ range, newText }) => ({ range: toWireRange(range), newText }));
        const edit = { documentChanges: [{ textDocument: { uri, version }, edits: wire }] };
        const options = { timeoutMs: editMs };
        const { applied, failureReason } = await rpc.request<ApplyWorkspaceEditResult>(
          'workspace/applyEdit',
          { label: 'Sightline', edit },
          options,
        );
        if (!applied) throw new Error(failureReason ?? 'it said no');
      },
    };
    rpc.onNotification.on((message) => {
      try {
        this.#take(editor, rpc, message);
      } catch (error) {
        this.#logger.warn(`${editor.name} sent ${message.method} in a form that is not understood.`, error);
        socket.destroy();
      }
    });
    socket.once('close', () => {
      this.#count--;
      this.#buffers.drop(editor);
      rpc.close('it hung up');
      void editor.companion?.dispose();
    });
    socket.resume();
  }

  #take(editor: ConnectedEditor, rpc: RpcConnection, { method, params }: RpcNotification): void {
    // The feed is ours and has the token; what it forwards has the form that the protocol gives these messages.
    if (method === 'feed/start') {
      const { editor: name, folders } = params as EditorNotifications['feed/start'];
      editor.name = name;
      if (folders !== undefined) editor.companion = new Companion(this.#sightline, rpc, name, folders);
    }
    if (method === 'feed/selection')
      editor.companion
        ?.selected(params as EditorNotifications['feed/selection'])
        .catch((error: unknown) => this.#logger.warn(`A selection was not passed on: ${errorMessage(error)}`));
    if (!method.startsWith('textDocument/')) return;
    const { textDocument } = params as FedDocument;
    const path = uriToPath(textDocument.uri);
    if (path === undefined) return;
    if (method === 'textDocument/didOpen') this.#buffers.open(editor, path, textDocument);
    else if (method === 'textDocument/didSave') this.#buffers.saved(editor, path);
    else if (method === 'textDocument/didClose') this.#buffers.close(editor, path);
    else if (method === 'textDocument/didChange') this.#change(editor, path, params as DidChangeTextDocumentParams);
  }

  #change(editor: Editor, path: string, { textDocument, contentChanges }: DidChangeTextDocumentParams): void {
    const last = contentChanges.findLastIndex((change) => !('range' in change));
    const whole = contentChanges[last];
    const change =
      whole === undefined
        ? (text: string) => changedText(text, contentChanges)
        : { whole: changedText(whole.text, contentChanges.slice(last + 1)) };
    if (!this.#buffers.change(editor, path, textDocument.version, change))
      this.#logger.warn(`${editor.name}: version ${textDocument.version} of ${path} came in the wrong order.`);
  }
}
