import { isPythonFile } from '../../../../base/languages/byPath.ts';
import { comparePositions } from '../../../../base/positions.ts';
import type { FileRange } from '../../../../protocol/lsp/convert.ts';
import type { Target } from '../../addressing.ts';
import type { LanguageServer } from '../../languageServer.ts';
import type { OutlineSymbol } from '../../model.ts';
import { casualOutlineOf, flattenOutline } from '../../queries/requests/outline.ts';

/** Definitions that are the same name to whoever uses it: written again in the same scope, or in the stub beside the module. */
export async function pythonSameSymbol(
  server: LanguageServer,
  target: Target,
  { declarations, definitions }: { declarations: readonly FileRange[]; definitions: readonly FileRange[] },
  signal?: AbortSignal,
): Promise<Target[]> {
  return [
    ...(await pythonRedefinitions(server, target, declarations, signal)),
    ...(await pythonCounterparts(server, target, declarations[0] ?? definitions[0], signal)),
  ];
}

/**
 * Other definitions of a Python function or class in the same scope (`if WIN: def f(): … else: def f(): …`). They are one name to
 * whoever uses it, but ty answers for the one that was pointed at.
 */
async function pythonRedefinitions(
  server: LanguageServer,
  target: Target,
  declarations: readonly FileRange[],
  signal?: AbortSignal,
): Promise<Target[]> {
  const [declared] = declarations;
  if (declared === undefined || !isPythonFile(declared.path)) return [];
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

/**
 * A name in a module that has a stub beside it, in both files: `shop.py` and `shop.pyi` are one module. What uses it leads to the
 * stub alone, so that the function with the body would look unused.
 */
async function pythonCounterparts(
  server: LanguageServer,
  target: Target,
  declared: FileRange | undefined,
  signal?: AbortSignal,
): Promise<Target[]> {
  if (declared === undefined || !isPythonFile(declared.path)) return [];
  const path = declared.path.endsWith('i') ? declared.path.slice(0, -1) : `${declared.path}i`;
  if ((await server.context.texts.tryGet(path)) === undefined) return [];
  const [own, other] = await Promise.all([declared.path, path].map((file) => casualOutlineOf(server, file, signal)));
  const namePath = flattenOutline(own ?? [])
    .find(({ symbol }) => comparePositions(symbol.nameRange.start, declared.range.start) === 0)
    ?.namePath.join('/');
  const found = flattenOutline(other ?? []).find((item) => item.namePath.join('/') === namePath)?.symbol;
  if (found === undefined) return [];
  return [
    { ...target, path, position: found.nameRange.start, range: found.nameRange },
    { ...target, path: declared.path, position: declared.range.start, range: declared.range },
  ];
}
