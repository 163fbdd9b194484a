import { LineIndex } from '../../../../base/positions.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf } from '../../languageServer.ts';
import { readyState, type OutlineSymbol } from '../../model.ts';
import type { FileOutline } from '../../queries/fileOutline.ts';
import { trialOutline } from '../../queries/requests/outline.ts';
import { signatureOf, withoutLocals } from '../../queries/outlineView.ts';

/**
 * The parts of a Vue or Svelte component, with what its scripts declare: TypeScript's server is shown the scripts alone, everything
 * else blanked so that the lines stay. Undefined for other files and where there is no such server.
 */
export async function componentOutline(
  workspace: CodeWorkspace,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FileOutline | undefined> {
  if (!/^(vue|svelte)$/.test(extensionOf(path))) return undefined;
  const server = await workspace.serverFor(`${path}.ts`);
  if (server === undefined) return undefined;
  const text = await workspace.texts.get(path);
  const parts = partsOf(text);
  const scripts = parts.filter(({ symbol }) => symbol.name === 'script');
  const blanked = blankOutside(text.text, scripts);
  const declared = withoutLocals(await trialOutline(server, `${path}.ts`, blanked, signal), blanked);
  for (const { symbol } of scripts)
    symbol.children = declared.filter(
      ({ range }) => range.start.line >= symbol.range.start.line && range.end.line <= symbol.range.end.line,
    );
  const names = new Map(parts.map(({ symbol, tag }) => [symbol, tag]));
  return {
    symbols: parts.map(({ symbol }) => symbol),
    lineCount: text.lineCount,
    signatureOf: (symbol) => names.get(symbol) ?? signatureOf(blanked, symbol),
    textual: true,
    index: readyState,
  };
}

interface Part {
  symbol: OutlineSymbol;
  tag: string;
  /** Offsets of what stands between the tags. */
  start: number;
  end: number;
}

function partsOf(text: LineIndex): Part[] {
  const found = text.text.matchAll(/^[ \t]*(<(script|template|style)\b[^>]*>)([\s\S]*?)^[ \t]*<\/\2>/gm);
  return [...found, ...text.text.matchAll(/^(<(template)\b[^>]*>)([^\n]*)<\/template>[ \t]*$/gm)]
    .map(([all, tag = '', name = '', body = ''], index, matches) => {
      const from = matches[index]?.index ?? 0;
      const start = from + all.indexOf(tag) + tag.length;
      const nameAt = text.positionAt(from + all.indexOf(name));
      const range = { start: text.positionAt(from), end: text.positionAt(from + all.length) };
      const nameRange = { start: nameAt, end: { ...nameAt, column: nameAt.column + name.length } };
      return {
        symbol: { name, kind: 'element', range, nameRange, children: [] },
        tag,
        start,
        end: start + body.length,
      };
    })
    .sort((a, b) => a.start - b.start);
}

function blankOutside(text: string, parts: readonly Part[]): LineIndex {
  let at = 0;
  let kept = '';
  const blank = (until: number) => text.slice(at, until).replace(/[^\r\n]/g, ' ');
  for (const { start, end } of parts) {
    kept += blank(start) + text.slice(start, end);
    at = end;
  }
  return new LineIndex(kept + blank(text.length));
}
