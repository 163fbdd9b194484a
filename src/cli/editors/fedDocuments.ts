import { readFileSync } from 'node:fs';
import type { DidChangeTextDocumentParams, DidOpenTextDocumentParams } from 'vscode-languageserver-protocol';
import { uriToPath } from '../../base/paths.ts';
import { changedText } from '../../protocol/lsp/contentChanges.ts';
import type { FedDocument } from './feedProtocol.ts';

interface Document {
  languageId: string;
  version: number;
  text: string;
  saved: string | undefined;
}

/** What the editor has open, to be told again to a process that does not know it yet. */
export class FedDocuments {
  readonly #open = new Map<string, Document>();

  take(method: string, params: unknown): void {
    // Editors speak the protocol: the form of these messages is its own.
    const { uri } = (params as { textDocument: { uri: string } }).textDocument;
    if (method === 'textDocument/didOpen') {
      const { languageId, version, text } = (params as DidOpenTextDocumentParams).textDocument;
      this.#open.set(uri, { languageId, version, text, saved: text === textOnDisk(uri) ? text : undefined });
    } else if (method === 'textDocument/didClose') this.#open.delete(uri);
    const document = this.#open.get(uri);
    if (document === undefined) return;
    if (method === 'textDocument/didSave') document.saved = document.text;
    if (method === 'textDocument/didChange') {
      const { textDocument, contentChanges } = params as DidChangeTextDocumentParams;
      document.version = textDocument.version;
      document.text = changedText(document.text, contentChanges);
    }
  }

  get all(): FedDocument[] {
    return [...this.#open].map(([uri, { languageId, version, text, saved }]) => ({
      textDocument: { uri, languageId, version, text, isSaved: text === saved },
    }));
  }
}

function textOnDisk(uri: string): string | undefined {
  try {
    const path = uriToPath(uri);
    return path === undefined ? undefined : readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}
