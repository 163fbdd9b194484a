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

/** Words of one language: `hard` ones are never names, `soft` ones are passed over only when nothing else is meant. */
interface Keywords {
  hard: ReadonlySet<string>;
  soft: ReadonlySet<string>;
}

const words = (text: string): Set<string> => new Set(text.split(' '));

const python: Keywords = {
  hard: words(
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in ' +
      'is lambda nonlocal not or pass raise return try while with yield',
  ),
  soft: words('case match type'),
};
const javascript: Keywords = {
  hard: words(
    'break case catch class const continue debugger delete do else enum export extends false finally for function if import in ' +
      'instanceof new null return super switch this throw true try typeof var void while with',
  ),
  soft: words(
    'abstract as async await declare default from get implements interface is let of override package private protected public ' +
      'readonly satisfies set static type undefined yield',
  ),
};
const other: Keywords = {
  hard: new Set([...python.hard, ...javascript.hard, ...words('fn func struct impl pub package mut let')]),
  soft: new Set([...javascript.soft, ...python.soft]),
};

function keywordsOf(extension: string): Keywords {
  if (/^\.?pyi?$/.test(extension)) return python;
  return /^\.?[mc]?[jt]sx?$/.test(extension) ? javascript : other;
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
