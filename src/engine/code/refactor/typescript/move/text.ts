import type ts from 'typescript-classic';
import { withCarriedForms } from './requireForm.ts';
import { withCarriedImports } from './imports.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { startWithComments } from '../syntax/deletion.ts';
import { withMissedImports } from './missedImports.ts';
import { withJoinedImports } from '../imports/joinedImports.ts';
import { pointsTo } from '../imports/specifiers.ts';

/** A declaration that goes from one file to another, as it stood before. */
interface MovedStatement {
  /** The first of its statements, in the file as it was. */
  first: ts.Statement;
  last: ts.Statement;
  names: readonly string[];
  from: string;
  to: string;
  /** How some other file names the old one. */
  like?: string;
}

/**
 * What the server writes when it moves a declaration, put right: it parts a comment from what it describes or takes the file's own along, writes things differently, leaves blank lines where
 * the declaration was, imports a file into itself, and loses names that an import had beside the one that moved.
 */
export function tidyMove(
  texts: Map<string, string>,
  moved: MovedStatement,
  textBefore: (path: string) => string | undefined,
): void {
  for (const [path, text] of texts) {
    const before = textBefore(path) ?? '';
    let tidy = withWholeImports(path, text, before);
    if (path === moved.to) {
      tidy = withoutBlankStart(withCommentsInPlace(path, withoutOwnImports(path, tidy), moved), before);
      tidy = withCarriedForms(path, tidy, before, moved.first.getSourceFile());
      tidy = withMissedImports(path, tidy, before, moved.first.getSourceFile());
      if (before === '') tidy = tidy.replace(/(\r?\n)\s*$/, '$1');
    }
    if (path === moved.from) tidy = withFooter(withoutBlankEnds(withHeader(tidy, moved), before), moved);
    const old = moved.first.getSourceFile();
    if (path === moved.from || path === moved.to) tidy = withCarriedImports(path, tidy, { ...moved, before, old });
    texts.set(path, withJoinedImports(path, tidy, before));
  }
}

/** The statements as they were written, with their own comments, and a blank line apart from what stands before them. */
function withCommentsInPlace(path: string, text: string, { first, last, names }: MovedStatement): string {
  const source = parse(path, text);
  const moved = source.statements.filter((one) => declares(one, names));
  const [start, end] = [moved[0], moved.at(-1)];
  if (start === undefined || end === undefined) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const old = first.getSourceFile();
  const comments = old.text.slice(startWithComments(first, old), first.getStart(old));
  const now = text.slice(start.getStart(source), end.getEnd());
  const was = old.text.slice(first.getStart(old), last.getEnd());
  const same = [was, `export ${was}`].find((one) => compact(one) === compact(now));
  const from = endBefore(start, text);
  // What the file begins with stays at its beginning; what the server took along from the old file does not belong here.
  const trivia = text.slice(from, start.getStart(source)).trim();
  const found = withoutEnd(withoutEnd(trivia, comments.trim()), headerOf(first));
  const above = (text.slice(0, from) + (old.text.includes(found) ? '' : found)).trimEnd();
  return (above === '' ? '' : above + eol + eol) + comments + (same ?? now) + text.slice(end.getEnd());
}

function compact(text: string): string {
  return text.replace(/[\s;,]/g, '');
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, text.length - end.length).trim() : text;
}

/** Where what stands before a statement ends, with the comment behind it. */
function endBefore(statement: ts.Statement, text: string): number {
  if (statement.getFullStart() === 0) return 0;
  return compiler().getTrailingCommentRanges(text, statement.getFullStart())?.at(-1)?.end ?? statement.getFullStart();
}

/** Comments that an empty line parts from the declaration: they are about the file, or about what follows. */
function headerOf(first: ts.Statement): string {
  const old = first.getSourceFile();
  return old.text.slice(endBefore(first, old.text), startWithComments(first, old)).trim();
}

function withHeader(text: string, { first }: MovedStatement): string {
  const old = first.getSourceFile();
  const from = endBefore(first, old.text);
  const header = headerOf(first);
  if (header === '' || text.includes(header)) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const previous = old.statements[old.statements.indexOf(first) - 1];
  const above =
    previous === undefined ? (/^#![^\n]*/.exec(text)?.[0] ?? '') : old.text.slice(previous.getStart(old), from);
  const at = text.indexOf(above) + above.length;
  if (!text.includes(above)) return text;
  const own = header.replace(/^#![^\n]*\s*/, '');
  const below = text.slice(at).replace(/^\s+/, '');
  return (
    text.slice(0, at) +
    (at === 0 ? '' : previous === undefined ? eol : eol + eol) +
    own +
    eol +
    (below === '' ? '' : eol + below)
  );
}

/** Comments below the last statement of a file stay, apart from it, when it leaves. */
function withFooter(text: string, { last }: MovedStatement): string {
  const old = last.getSourceFile();
  if (last !== old.statements.at(-1)) return text;
  const footer = old.text
    .slice(last.getEnd())
    .replace(/^[^\n]*/, '')
    .trim();
  if (footer === '' || text.includes(footer)) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text.trimEnd()}${eol}${eol}${footer}${eol}`.trimStart();
}

/** A declaration that is needed as its file loads, above everything but the imports. */
export function placedFirst(path: string, text: string, names: readonly string[]): string {
  const tsc = compiler();
  const source = parse(path, text);
  const moved = source.statements.filter((one) => declares(one, names));
  const [start, end] = [moved[0], moved.at(-1)];
  const first = source.statements.find((one) => !tsc.isImportDeclaration(one) && !moved.includes(one));
  if (start === undefined || end === undefined || first === undefined || first.pos > start.pos) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const from = startWithComments(start, source);
  const at = startWithComments(first, source);
  const rest = text.slice(at, from).trimEnd() + text.slice(end.getEnd());
  return text.slice(0, at) + text.slice(from, end.getEnd()) + eol + eol + rest;
}

function declares(statement: ts.Statement, names: readonly string[]): boolean {
  const tsc = compiler();
  if (tsc.isVariableStatement(statement))
    return statement.declarationList.declarations.some(({ name }) =>
      names.some((one) => compact(one) === compact(name.getText())),
    );
  const name = 'name' in statement ? (statement as ts.DeclarationStatement).name : undefined;
  return name !== undefined && names.includes(name.getText());
}

function withoutOwnImports(path: string, text: string): string {
  const tsc = compiler();
  const source = parse(path, text);
  let tidy = text;
  for (const one of source.statements.toReversed())
    if (
      tsc.isImportDeclaration(one) &&
      tsc.isStringLiteral(one.moduleSpecifier) &&
      pointsTo(path, one.moduleSpecifier.text, path)
    )
      tidy = tidy.slice(0, one.getStart(source)) + tidy.slice(one.getEnd()).replace(/^[ \t]*\r?\n/, '');
  return tidy;
}

/** `import from './a'` and `import a, {  } from './a'`, of which the server has taken too much or too little. */
function withWholeImports(path: string, text: string, before: string): string {
  const trimmed = text.replace(/^(import\s+(?:type\s+)?[\w$]+)\s*,\s*\{\s*\}(\s*from\b)/gm, '$1$2');
  if (!/^import\s+from\b/m.test(trimmed)) return trimmed;
  const tsc = compiler();
  const old = parse(path, before).statements.filter((one) => tsc.isImportDeclaration(one));
  return trimmed.replace(/^import\s+from\s*(['"])([^'"]+)\1/gm, (all, _quote: string, specifier: string) => {
    const bindings = old.find(
      (one) => tsc.isStringLiteral(one.moduleSpecifier) && one.moduleSpecifier.text === specifier,
    )?.importClause?.namedBindings;
    return bindings === undefined ? all : all.replace(/^import/, `import ${bindings.getText()}`);
  });
}

function withoutBlankStart(text: string, before: string): string {
  return before === '' || /^\s*\n/.test(before) ? text : text.replace(/^(?:[ \t]*\r?\n)+/, '');
}

/** Without the blank lines at the file's ends that were not there before. */
function withoutBlankEnds(text: string, before: string): string {
  const start = withoutBlankStart(text, before);
  return /\n\s*\n$/.test(before) ? start : start.replace(/(\r?\n)(?:[ \t]*\r?\n)+$/, '$1');
}
