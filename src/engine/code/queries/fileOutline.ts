import type { LineIndex } from '../../../base/positions.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf } from '../languageServer.ts';
import { readyState, type IndexState, type OutlineSymbol, type Waiting } from '../model.ts';
import { answerOrKnownOf } from '../answerOrFallback.ts';
import { outlineOf } from './requests/outline.ts';
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

/** Files that no server reads may still hold code of a language that one of them knows. */
async function outlineOfUnread(
  workspace: CodeWorkspace,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FileOutline | undefined> {
  for (const { repairs } of workspace.definitions) {
    const outline = await repairs?.outlineOfUnread?.(workspace, path, signal);
    if (outline !== undefined) return outline;
  }
  return undefined;
}

async function servedOutline(
  workspace: CodeWorkspace,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FileOutline> {
  const server = await workspace.serverFor(path);
  if (server === undefined) return (await outlineOfUnread(workspace, path, signal)) ?? outlineByText(workspace, path);
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
    signatureOf: (symbol) => textualSignature(text, symbol, extensionOf(path)),
    textual: true,
    index: index ?? own,
  };
}

function textualSignature(text: LineIndex, symbol: OutlineSymbol, language: string): string {
  if (symbol.kind === 'rule') return ruleHead(text, symbol);
  // Of headings and keys the name says it all.
  if (/^(heading|key|element)$/.test(symbol.kind) || (symbol.kind === 'table' && language === 'toml'))
    return symbol.name;
  if (!/^(rb|rake|gemspec)$/.test(language)) return signatureOf(text, symbol);
  // Braces and parentheses begin no bodies there.
  const line = text.lineText(symbol.nameRange.start.line) ?? '';
  if (symbol.kind === 'property') return `attribute ${symbol.name}`;
  return line
    .trim()
    .replace(/\s*[\\,;(]$/, '')
    .slice(0, 160);
}

/** `@media (max-width: 600px)`, `.card > a`: what stands before the braces. */
function ruleHead(text: LineIndex, { range }: OutlineSymbol): string {
  const rule = text.text.slice(text.offsetAt(range.start), text.offsetAt(range.end));
  return (rule.split(/[{;]/, 1)[0] ?? '').replace(/\s+/g, ' ').trim().slice(0, 160);
}
