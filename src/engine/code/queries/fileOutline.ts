import type { LineIndex } from '../../../base/positions.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { readyState, type IndexState, type OutlineSymbol } from '../model.ts';
import { extensionOf } from '../languageServer.ts';
import { textualOutline } from '../textual/textualOutline.ts';
import { outlineOf } from './outline.ts';

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
  const symbols = await outlineOf(workspace, server, path, signal);
  return {
    symbols: withoutLocals(symbols),
    lineCount: text.lineCount,
    signatureOf: (symbol) => signatureOf(text, symbol),
    textual: false,
    index: readyState,
  };
}

function withoutLocals(symbols: readonly OutlineSymbol[]): OutlineSymbol[] {
  return symbols.map((symbol) => ({
    ...symbol,
    children: withoutLocals(
      isBody(symbol.kind)
        ? symbol.children.filter((child) => child.kind !== 'variable' && child.kind !== 'constant')
        : symbol.children,
    ),
  }));
}

function isBody(kind: string): boolean {
  return (
    kind === 'function' || kind === 'method' || kind === 'constructor' || kind === 'variable' || kind === 'constant'
  );
}

function signatureOf(text: LineIndex, symbol: OutlineSymbol): string {
  const lineStart = text.offsetAt({ line: symbol.nameRange.start.line, column: 1 });
  // Several statements can share a line.
  const before = text.text.slice(lineStart, text.offsetAt(symbol.nameRange.start));
  const start = lineStart + before.lastIndexOf(';') + 1;
  const end = Math.min(text.offsetAt(symbol.range.end), start + 400);
  const declaration = text.text.slice(start, end);
  const cut = endOfHeader(declaration);
  return declaration.slice(0, cut).replace(/\s+/g, ' ').trim().slice(0, 160);
}

/** Up to the opening of the body: a `{`, `=>` or Python's `:` outside of brackets, or the end of the line outside of them. */
function endOfHeader(declaration: string): number {
  let depth = 0;
  for (let i = 0; i < declaration.length; i++) {
    const character = declaration.charAt(i);
    if ('([<'.includes(character) && !(character === '<' && declaration.charAt(i + 1) === '=')) depth++;
    else if (
      ')]'.includes(character) ||
      (character === '>' && declaration.charAt(i - 1) !== '=' && declaration.charAt(i - 1) !== '-')
    )
      depth = Math.max(depth - 1, 0);
    if (depth > 0) continue;
    if (character === '{' || character === '\n' || character === ';') return i;
    if (declaration.startsWith('=>', i)) return i;
    if (character === ':' && /^\s*(#.*)?$/.test(declaration.slice(i + 1).split('\n', 1)[0] ?? '')) return i;
  }
  return declaration.length;
}
