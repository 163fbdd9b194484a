import { displayPath } from '../../../../../base/paths.ts';
import type { Range } from '../../../../../base/positions.ts';
import type { WordPlace } from '../../../sourceFiles.ts';
import type { RenamePlace, TypeScriptBackend } from '../servers/backend.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { remaining, type Mentions } from '../semantics/mentions.ts';

/** The strings and comments in which the name stands as a word and that the rename itself leaves alone. */
export async function textPlaces(
  backend: TypeScriptBackend,
  name: string,
  places: readonly RenamePlace[],
  mentions: Mentions,
): Promise<{ path: string; range: Range }[]> {
  const tsc = compiler();
  const found: { path: string; range: Range }[] = [];
  for (const [path, left] of byFile(remaining(places, mentions))) {
    const text = await backend.text(path);
    const source = parse(path, text.text);
    for (const { range } of left) {
      const offset = text.offsetAt(range.start);
      if (text.text.slice(offset, offset + name.length) !== name) continue;
      const token = tokenAt(source, offset);
      const isName = tsc.isIdentifier(token) || tsc.isPrivateIdentifier(token);
      const isComment = offset < token.getStart(source) || token.getChildCount(source) > 0;
      // What a directive names is a file, not the symbol.
      const isDirective = /^\s*\/\/\/\s*</.test(text.lineText(range.start.line) ?? '');
      const isText = tsc.isStringLiteralLike(token) || tsc.isTemplateLiteralToken(token) || tsc.isJsxText(token);
      // A module's name in an import is no word about the symbol.
      const isModule =
        tsc.isStringLiteralLike(token) &&
        (tsc.isImportDeclaration(token.parent) ||
          tsc.isExportDeclaration(token.parent) ||
          tsc.isExternalModuleReference(token.parent) ||
          (tsc.isCallExpression(token.parent) && token.parent.expression.kind === tsc.SyntaxKind.ImportKeyword));
      if (!isName && (isComment || isText) && !isModule && !isDirective) found.push({ path, range });
    }
  }
  return found;
}

/** Mentions that were not renamed and look like strings or comments, said so that nobody has to look for them. */
export function leftBehind(root: string, name: string, places: readonly RenamePlace[], mentions: Mentions): string[] {
  const inText = remaining(places, mentions).filter(looksLikeText);
  if (inText.length === 0) return [];
  const shown = inText.slice(0, 8).map((place) => `${displayPath(root, place.path)}:${place.range.start.line}`);
  return [
    `"${name}" also stands in ${inText.length === 1 ? 'a string or comment, left as it is' : `${inText.length} strings or comments, left as they are`}: ${shown.join(', ')}${inText.length > 8 ? ', …' : ''}`,
  ];
}

/** By its line alone: after a comment sign, or between quotes. Good enough to point a person there. */
function looksLikeText({ lineText, range }: WordPlace): boolean {
  const before = lineText.slice(0, range.start.column - 1);
  if (/^\s*(?:\*|\/\*)/.test(before) || /(?:^|[^:])\/\//.test(before) || /\/\*(?!.*\*\/)/.test(before)) return true;
  if (/^\s*(?:import|export)\b.*\bfrom\s*['"][^'"]*$/.test(before)) return false;
  return /^(?:[^'"`]|'[^']*'|"[^"]*"|`[^`]*`)*['"`][^'"`]*$/.test(before);
}

function byFile(places: readonly WordPlace[]): Map<string, WordPlace[]> {
  const files = new Map<string, WordPlace[]>();
  for (const place of places) files.set(place.path, [...(files.get(place.path) ?? []), place]);
  return files;
}
