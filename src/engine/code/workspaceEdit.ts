import type { TextEdit as WireTextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { ToolError } from '../../base/errors.ts';
import { fromWireRange, fromWireUri } from '../../protocol/lsp/convert.ts';
import { snippetText } from '../../protocol/lsp/snippet.ts';
import type { FileOperation, TextEdit } from '../workspace/edits/operations.ts';

/** What a server wants changed, as operations for the applier, in the server's order. */
export function operationsOf(edit: WorkspaceEdit): FileOperation[] {
  if (edit.documentChanges === undefined)
    return Object.entries(edit.changes ?? {}).map(([uri, edits]) => ({
      kind: 'edit',
      path: pathOf(uri),
      edits: edits.map((item) => textEdit(plainEdit(item))),
    }));
  return edit.documentChanges.map((change): FileOperation => {
    if (!('kind' in change))
      return {
        kind: 'edit',
        path: pathOf(change.textDocument.uri),
        edits: change.edits.map((item) => textEdit(plainEdit(item))),
      };
    switch (change.kind) {
      case 'create':
        return { kind: 'create', path: pathOf(change.uri), ...flags(change.options) };
      case 'rename':
        return { kind: 'rename', from: pathOf(change.oldUri), to: pathOf(change.newUri), ...flags(change.options) };
      case 'delete':
        return {
          kind: 'delete',
          path: pathOf(change.uri),
          recursive: change.options?.recursive ?? false,
          ignoreIfNotExists: change.options?.ignoreIfNotExists ?? false,
        };
    }
  });
}

function flags(options: { overwrite?: boolean; ignoreIfExists?: boolean } | undefined) {
  return { overwrite: options?.overwrite ?? false, ignoreIfExists: options?.ignoreIfExists ?? false };
}

function textEdit(edit: WireTextEdit): TextEdit {
  return { range: fromWireRange(edit.range), newText: edit.newText };
}

/** Snippets were not offered; a server that sends one all the same, in either form, gets its placeholders resolved. */
function plainEdit(edit: WireTextEdit | { range: WireTextEdit['range']; snippet: { value: string } }): WireTextEdit {
  if (!('newText' in edit)) return { range: edit.range, newText: snippetText(edit.snippet.value) };
  const isSnippet = 'insertTextFormat' in edit && edit.insertTextFormat === 2;
  return isSnippet ? { range: edit.range, newText: snippetText(edit.newText) } : edit;
}

function pathOf(uri: string): string {
  const path = fromWireUri(uri);
  if (path === uri) throw new ToolError('unsupported', `The language server wants to change ${uri}, which is no file.`);
  return path;
}
