import { languageOfPath } from '../../../base/languages/byPath.ts';
import type { Language } from '../../../base/languages/model.ts';
import { languages } from '../../../base/languages/table.ts';

/** A name in source text. `column` is 1-based. */
export interface Identifier {
  name: string;
  column: number;
}

const identifierPattern = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

/** All names in one line of text, keywords included. */
export function identifiersIn(line: string): Identifier[] {
  return [...line.matchAll(identifierPattern)].map((match) => ({ name: match[0], column: match.index + 1 }));
}

/** The name that covers the column or ends right before it, as an editor's cursor would take it. */
export function identifierAt(line: string, column: number): Identifier | undefined {
  const found = identifiersIn(line);
  return (
    found.find((item) => column >= item.column && column < item.column + item.name.length) ??
    found.find((item) => column === item.column + item.name.length)
  );
}

type Keywords = NonNullable<Language['keywords']>;

const known = languages.flatMap(({ keywords }) => keywords ?? []);
/** For languages whose words nobody has listed: those of all others, and some more. */
const other: Keywords = {
  hard: new Set([
    ...known.flatMap(({ hard }) => [...hard]),
    'fn',
    'func',
    'struct',
    'impl',
    'pub',
    'package',
    'mut',
    'let',
  ]),
  soft: new Set(known.flatMap(({ soft }) => [...soft])),
};

function keywordsOf(extension: string): Keywords {
  return languageOfPath(extension)?.keywords ?? other;
}

/** The names of a line that can be symbols, in a file with this extension. */
export function symbolNamesIn(line: string, extension: string): Identifier[] {
  const { hard, soft } = keywordsOf(extension);
  const names = identifiersIn(withoutStrings(line)).filter((item) => !hard.has(item.name));
  const clear = names.filter((item) => !soft.has(item.name));
  if (clear.length > 0) return clear;
  return names.length > 0 ? names : identifiersIn(line).filter((item) => !hard.has(item.name));
}

/** The name at a column, unless it is a keyword or stands in a string or comment. */
export function symbolNameAt(line: string, column: number, extension: string): Identifier | undefined {
  const found = identifierAt(withoutStrings(line), column);
  return found === undefined || keywordsOf(extension).hard.has(found.name) ? undefined : found;
}

/** Blanks string literals (not f-strings) and line comments, keeping columns. Good enough to choose a name; never used to decide meaning. */
function withoutStrings(line: string): string {
  return line.replace(
    /\b[rR]?[fF][rR]?(["']).*?\1|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$|(?:^|\s)#\s.*$/g,
    (text) => (/^[rRfF]/.test(text) ? text : ' '.repeat(text.length)),
  );
}
