import type { CodeWorkspace } from '../codeWorkspace.ts';
import { readyState, type IndexState, type OutlineSymbol } from '../model.ts';
import { extensionOf } from '../languageServer.ts';
import { textualOutline } from '../textual/textualOutline.ts';
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
export async function fileOutline(workspace: CodeWorkspace, path: string, signal?: AbortSignal): Promise<FileOutline> {
  const server = await workspace.serverFor(path);
  const text = await workspace.texts.get(path);
  if (server === undefined)
    return {
      symbols: textualOutline(text, extensionOf(path)),
      lineCount: text.lineCount,
      signatureOf: (symbol) => (symbol.kind === 'heading' ? symbol.name : signatureOf(text, symbol)),
      textual: true,
      // An outline is as complete as it gets; that it is textual is said by itself.
      index: readyState,
    };
  const symbols = await outlineOf(server, path, signal);
  return {
    symbols: withoutLocals(symbols, text),
    lineCount: text.lineCount,
    signatureOf: (symbol) => signatureOf(text, symbol),
    textual: false,
    index: readyState,
  };
}
