import { comparePositions } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { LanguageServer } from '../languageServer.ts';
import type { OutlineSymbol } from '../model.ts';
import { casualOutlineOf, flattenOutline } from './outline.ts';

/**
 * Other definitions of a Python function or class in the same scope (`if WIN: def f(): … else: def f(): …`). They are one name to
 * whoever uses it, but ty answers for the one that was pointed at.
 */
export async function pythonRedefinitions(
  server: LanguageServer,
  target: Target,
  declarations: readonly FileRange[],
  signal?: AbortSignal,
): Promise<Target[]> {
  const [declared] = declarations;
  if (declared === undefined || !/\.pyi?$/.test(declared.path)) return [];
  const outline = await casualOutlineOf(server, declared.path, signal);
  if (outline === undefined) return [];
  const all = flattenOutline(outline).filter(({ symbol }) => isDefinition(symbol) && symbol.name === target.name);
  const own = all.find(({ symbol }) => comparePositions(symbol.nameRange.start, declared.range.start) === 0);
  if (own === undefined) return [];
  const known = new Set(declarations.map(({ range }) => range.start.line));
  return all
    .filter(
      ({ symbol, namePath }) =>
        namePath.join('/') === own.namePath.join('/') && !known.has(symbol.nameRange.start.line),
    )
    .map(({ symbol: { nameRange } }) => ({
      ...target,
      path: declared.path,
      position: nameRange.start,
      range: nameRange,
    }));
}

function isDefinition({ kind }: OutlineSymbol): boolean {
  return kind === 'function' || kind === 'method' || kind === 'class';
}
