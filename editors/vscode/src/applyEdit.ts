import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from 'vscode-languageserver-protocol';
import * as vscode from 'vscode';

/** Makes the edits of one open document, as one step of its undo. */
export async function applyEdit(params: unknown): Promise<ApplyWorkspaceEditResult> {
  // The process sends what the protocol gives this request, always with documents that are open here.
  const { edit } = params as ApplyWorkspaceEditParams;
  const made = new vscode.WorkspaceEdit();
  for (const change of edit.documentChanges ?? []) {
    if (!('textDocument' in change)) return refused('it only edits text');
    const { uri, version } = change.textDocument;
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
    if (document === undefined) return refused('the file is not open any more');
    if (version !== null && document.version !== version) return refused('the text was changed meanwhile');
    for (const one of change.edits) if ('newText' in one) made.replace(document.uri, rangeOf(one.range), one.newText);
  }
  return { applied: await vscode.workspace.applyEdit(made) };
}

function rangeOf({ start, end }: { start: Position; end: Position }): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

interface Position {
  line: number;
  character: number;
}

function refused(failureReason: string): ApplyWorkspaceEditResult {
  return { applied: false, failureReason };
}
