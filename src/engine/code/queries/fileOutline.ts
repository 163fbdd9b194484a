import type { CodeWorkspace } from '../codeWorkspace.ts';
import { readyState, type IndexState, type OutlineSymbol, type Waiting } from '../model.ts';
import { answerOrKnownOf } from '../patience.ts';
import { outlineOf } from './outline.ts';
import { signatureOf, withoutLocals } from './outlineView.ts';

export interface FileOutline {
  symbols: OutlineSymbol[];
  lineCount: number;
  /** The declaration's own line, without its body. */
  signatureOf: (symbol: OutlineSymbol) => string;
  /** Made by looking at the text, not by a language server. */
  textual: boolean;
  index: IndexState;
}

/** The structure of a file; locals of functions are left out. */
export async function fileOutline(workspace: CodeWorkspace, path: string, waiting: Waiting = {}): Promise<FileOutline> {
  return answerOrKnownOf(
    workspace,
    path,
    waiting,
    () => servedOutline(workspace, path, waiting.signal),
    (index) => outlineByText(workspace, path, index),
  );
}

async function servedOutline(
  workspace: CodeWorkspace,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FileOutline> {
  const server = await workspace.serverFor(path);
  if (server === undefined) return outlineByText(workspace, path);
  const text = await workspace.texts.get(path);
  const symbols = await outlineOf(server, path, signal);
  return {
    symbols: withoutLocals(symbols, text),
    lineCount: text.lineCount,
    signatureOf: (symbol) => signatureOf(text, symbol),
    textual: false,
    index: readyState,
  };
}

async function outlineByText(workspace: CodeWorkspace, path: string, index?: IndexState): Promise<FileOutline> {
  const text = await workspace.texts.get(path);
  const { outline, linesOnly } = await workspace.textual.get(path);
  // An outline is as complete as it gets; that it is textual is said by itself.
  const own =
    linesOnly === undefined ? readyState : { ...readyState, detail: `only lines were looked at: ${linesOnly}` };
  return {
    symbols: outline,
    lineCount: text.lineCount,
    signatureOf: (symbol) => (isOwnSignature(symbol.kind) ? symbol.name : signatureOf(text, symbol)),
    textual: true,
    index: index ?? own,
  };
}

/** Of headings, rules and keys the name says it all. */
function isOwnSignature(kind: string): boolean {
  return /^(heading|rule|key|table|element)$/.test(kind);
}
