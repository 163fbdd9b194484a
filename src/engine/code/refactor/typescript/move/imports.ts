import { dirname, extname, join } from 'node:path';
import type ts from 'typescript-classic';
import { isTypescriptFile } from '../../../../../base/languages/byPath.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { type Change, textWith } from '../syntax/textChange.ts';
import { pointsTo, specifierFor } from '../imports/specifiers.ts';

/**
 * A file without imports does not tell the server how they are written there, nor does one whose only import goes. Those that a move puts into it are written as in the file that the
 * declaration left, or as others import that: with the extensions that loading them may need, and without semicolons where there are none.
 */
export function withCarriedImports(
  path: string,
  text: string,
  { before, old, to, like }: { before: string; old: ts.SourceFile; to: string; like?: string },
): string {
  const { fileName: from } = old;
  const known = importsOf(old);
  const own = importsOf(parse(path, before)).map(({ specifier }) => specifier.text);
  if (own.some((one) => one.startsWith('.') && !extension.test(one))) return text;
  const named = known.map(({ specifier }) => specifier.text);
  const ended = [...own.filter((one) => one.startsWith('.')), ...named, like ?? ''].find((one) => extension.test(one));
  const isBare = known.length > 0 && old.statements.every((one) => !one.getText(old).endsWith(';'));
  const source = parse(path, text);
  const edits = importsOf(source).flatMap(({ statement, specifier }): Change[] => {
    const isPlain = specifier.text.startsWith('.') && !extension.test(specifier.text);
    const same = named.find((one) => pointsTo(path, specifier.text, join(dirname(from), one)));
    const file = [from, to].find((one) => pointsTo(path, specifier.text, one));
    const written = !isPlain
      ? undefined
      : same !== undefined
        ? specifierFor(path, same, join(dirname(from), same))
        : ended !== undefined && file !== undefined
          ? specifierFor(path, endingOf(ended, file), file)
          : undefined;
    const [start, end] = [specifier.getStart(source) + 1, specifier.getEnd() - 1];
    const hasSemicolon = isBare && statement.getText(source).endsWith(';');
    return [
      ...(written === undefined ? [] : [{ start, end, text: written }]),
      ...(hasSemicolon ? [{ start: statement.getEnd() - 1, end: statement.getEnd(), text: '' }] : []),
    ];
  });
  return textWith(text, edits);
}

const extension = /\.[cm]?[jt]sx?$/;

/** Where sources are named as they are, each has an extension of its own. */
function endingOf(like: string, file: string): string {
  return isTypescriptFile(like) ? `x${extname(file)}` : like;
}

function importsOf(source: ts.SourceFile): { statement: ts.ImportDeclaration; specifier: ts.StringLiteral }[] {
  const tsc = compiler();
  return source.statements.flatMap((statement) =>
    tsc.isImportDeclaration(statement) && tsc.isStringLiteral(statement.moduleSpecifier)
      ? [{ statement, specifier: statement.moduleSpecifier }]
      : [],
  );
}
