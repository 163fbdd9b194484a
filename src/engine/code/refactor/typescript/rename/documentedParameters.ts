import type ts from 'typescript-classic';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';

/** Where the documentation of a function that is assigned to something names a renamed parameter; the server knows only that of declarations. */
export async function documentedParameters(
  backend: RenameBackend,
  name: string,
  places: readonly RenamePlace[],
): Promise<RenamePlace[]> {
  const tsc = compiler();
  const paths = new Set(places.map((place) => place.path));
  const mention = new RegExp(`@param\\b.*(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  const [path] = paths;
  // A parameter is known within its function only.
  if (path === undefined || paths.size > 1) return [];
  const text = await backend.text(path);
  if (!mention.test(text.text)) return [];
  const found: RenamePlace[] = [];
  const source = parse(path, text.text);
  const own = places.map(({ range }) => text.offsetAt(range.start));
  for (const offset of own) {
    const { parent } = tokenAt(source, offset);
    if (parent === undefined || !tsc.isParameter(parent) || parent.name.getText(source) !== name) continue;
    for (const tag of tsc.getJSDocTags(parent.parent)) {
      const documented = tsc.isJSDocParameterTag(tag) ? leftmost(tag.name) : undefined;
      if (documented?.text !== name || own.includes(documented.getStart(source))) continue;
      const [start, end] = [text.positionAt(documented.getStart(source)), text.positionAt(documented.getEnd())];
      found.push({ path, range: { start, end }, prefix: '', suffix: '' });
    }
  }
  return found;
}

function leftmost(name: ts.EntityName): ts.Identifier {
  return compiler().isIdentifier(name) ? name : leftmost(name.left);
}
