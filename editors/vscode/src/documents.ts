import * as vscode from 'vscode';
import type { EditorNotifications } from '../../../src/cli/editors/feedProtocol.ts';

type Send = (method: string, params: unknown) => void;

/** Tells the open files of this window and what happens to them, in the messages of the language server protocol. */
export function feedDocuments(send: Send): vscode.Disposable & { tellAll(): void } {
  const isFed = ({ uri, isClosed }: vscode.TextDocument) => uri.scheme === 'file' && !isClosed;
  const open = (document: vscode.TextDocument) => {
    if (isFed(document)) send('textDocument/didOpen', { textDocument: whole(document) });
  };
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!isFed(document)) return;
      // One that only became dirty or clean comes without changes. What is shown again after a crash is opened as if it were saved, so
      // this is the first word of it.
      if (contentChanges.length === 0) open(document);
      else send('textDocument/didChange', changed(document, contentChanges));
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (isFed(document)) send('textDocument/didSave', { textDocument: { uri: uriOf(document) } });
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === 'file') send('textDocument/didClose', { textDocument: { uri: uriOf(document) } });
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => tellSelection(textEditor)),
    vscode.window.onDidChangeActiveTextEditor((editor) => editor !== undefined && tellSelection(editor)),
  );
  const tellSelection = ({ document, selection }: vscode.TextEditor): void => {
    if (!isFed(document)) return;
    const told: EditorNotifications['feed/selection'] = {
      uri: uriOf(document),
      fromLine: selection.start.line + 1,
      toLine: selection.end.line + 1,
      text: document.getText(selection),
    };
    send('feed/selection', told);
  };
  return {
    dispose: () => subscriptions.dispose(),
    tellAll: () => {
      for (const document of vscode.workspace.textDocuments) open(document);
      if (vscode.window.activeTextEditor !== undefined) tellSelection(vscode.window.activeTextEditor);
    },
  };
}

function whole(document: vscode.TextDocument) {
  const { languageId, version, isDirty } = document;
  return { uri: uriOf(document), languageId, version, text: document.getText(), isSaved: !isDirty };
}

function changed(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]) {
  return {
    textDocument: { uri: uriOf(document), version: document.version },
    contentChanges: changes.map(({ range: { start, end }, text }) => ({
      range: {
        start: { line: start.line, character: start.character },
        end: { line: end.line, character: end.character },
      },
      text,
    })),
  };
}

function uriOf({ uri }: vscode.TextDocument): string {
  return uri.toString();
}
