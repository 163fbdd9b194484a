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

/** Words that are never the name of a symbol in the languages with a server here. */
const keywords = new Set(
  (
    'abstract and as assert async await break case catch class const continue debugger declare def default del delete do elif else ' +
    'enum except export extends False finally for from function get global if implements import in instanceof interface is ' +
    'lambda let new None nonlocal not null or override pass private protected public raise readonly return satisfies set ' +
    'static super switch this throw True true false try type typeof undefined var void while with yield fn func struct impl pub ' +
    'package mut match'
  ).split(' '),
);
/** Keywords that may also be names; only passed over when the line offers something else. */
const soft = new Set([
  'as',
  'async',
  'from',
  'get',
  'is',
  'match',
  'of',
  'set',
  'type',
  'declare',
  'abstract',
  'default',
]);

export function isKeyword(name: string): boolean {
  return keywords.has(name) && !soft.has(name);
}

/** The names of a line that can be symbols. */
export function symbolNamesIn(line: string): Identifier[] {
  const names = identifiersIn(withoutStrings(line)).filter((item) => !keywords.has(item.name));
  return names.length > 0 ? names : identifiersIn(line).filter((item) => !isKeyword(item.name));
}

/** Blanks string literals and line comments, keeping columns. Good enough to choose a name; never used to decide meaning. */
function withoutStrings(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$|(?:^|\s)#\s.*$/g, (text) => ' '.repeat(text.length));
}
