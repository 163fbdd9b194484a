import type { FileRange } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../../languageServer.ts';
import { placesByDefinition } from '../../queries/fallback/placesByDefinition.ts';

/**
 * `module.exports = { name }` makes a property that TypeScript takes for another symbol, so the uses in files that require or
 * import it are not among the references of the function itself. They are found the other way round: every place with that
 * word whose definition is this one is a use.
 */
export async function commonJsReferences(
  workspace: CodeWorkspace,
  server: LanguageServer,
  name: string,
  known: readonly FileRange[],
  signal?: AbortSignal,
): Promise<{ references: FileRange[]; complete: boolean }> {
  const exported: FileRange[] = [];
  for (const location of known) if (await isExportedProperty(workspace, location)) exported.push(location);
  if (exported.length === 0) return { references: [], complete: true };
  const keys = new Set(known.map(keyOf));
  return placesByDefinition(
    workspace,
    server,
    name,
    (place) => !keys.has(keyOf(place)),
    (definition) => keys.has(keyOf(definition)),
    signal,
  );
}

/** A property of an object that is assigned to `module.exports`, `exports.other = name` or `exports.name = …`, in a JavaScript file. */
async function isExportedProperty(workspace: CodeWorkspace, location: FileRange): Promise<boolean> {
  if (!/^[cm]?jsx?$/.test(extensionOf(location.path))) return false;
  const text = await workspace.texts.tryGet(location.path);
  if (text === undefined) return false;
  const before = text.text.slice(
    Math.max(text.offsetAt(location.range.start) - 4000, 0),
    text.offsetAt(location.range.start),
  );
  const after = text.text.slice(text.offsetAt(location.range.end), text.offsetAt(location.range.end) + 20);
  return (
    /\bmodule\.exports\s*=\s*\{[^{};]*$/.test(before) ||
    /\bexports(\.\w+)?\s*=\s*$/.test(before) ||
    (/\bexports\.$/.test(before) && /^\s*=[^=]/.test(after))
  );
}

function keyOf({ path, range }: FileRange): string {
  return `${path}:${range.start.line}:${range.start.column}`;
}
