import type ts from 'typescript-classic';
import { withOwnReexport } from './barrels.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { isExportedByName, newImports } from '../imports/importsElsewhere.ts';
import type { Conflict } from '../../model.ts';
import { freeNames, scopeDeclares } from '../syntax/scopes.ts';
import { importOfNames, pointsTo, specifierFor } from '../imports/specifiers.ts';
import { because, refuse } from '../../refusals/refuse.ts';

interface Departure {
  name: string;
  from: string;
  to: string;
  /** How some other file names the old one, and in which quotes. */
  like?: string;
  quote?: string;
}

/**
 * What the server overlooks of the file that a declaration leaves: a use in `{ name }`, or in what a CommonJS module exports. The file
 * takes the name from its new place then, and that exports it.
 */
export function bindRemains(texts: Map<string, string>, departure: Departure, before: ts.SourceFile): Conflict[] {
  const { name, from, to } = departure;
  const [left, placed] = [texts.get(from), texts.get(to)];
  if (left === undefined || placed === undefined) return [];
  const [old, fresh] = [parse(from, left), parse(to, placed)];
  if (isCommonJs(before)) return requireRemains(texts, departure, old, fresh);
  if (!freeNames(old).has(name) || !compiler().isExternalModule(old)) return [];
  const [start, end, text] = newImports(old, [importLine(old, fresh, departure)]);
  texts.set(from, left.slice(0, start) + text + left.slice(end));
  if (!isExportedByName(fresh, name)) texts.set(to, withExport(fresh, name));
  return [];
}

/** A CommonJS module goes on exporting what it exported, so whoever requires it stays as it is. */
function requireRemains(
  texts: Map<string, string>,
  departure: Departure,
  old: ts.SourceFile,
  fresh: ts.SourceFile,
): Conflict[] {
  const { name, from, to } = departure;
  if (compiler().isExternalModule(fresh)) throw refuse('mixedModules');
  for (const path of [...texts.keys()]) if (path !== from && path !== to) texts.delete(path);
  const isBound = scopeDeclares(old, name);
  if (!isBound && !freeNames(old).has(name)) return [];
  if (!isBound) texts.set(from, withRequire(old, departure));
  texts.set(to, withCommonJsExport(fresh, name, old));
  const isMutual = [...fresh.text.matchAll(/\brequire\s*\(\s*(['"])(\.[^'"\n]*)\1/g)].some((one) =>
    pointsTo(to, one[2] ?? '', from),
  );
  if (!isMutual) return [];
  const message = because('requireEachOther');
  return [{ kind: 'meaning', message, hint: 'Move what it needs first.', file: to }];
}

function importLine(
  old: ts.SourceFile,
  fresh: ts.SourceFile,
  { name, from, to, like, quote = "'" }: Departure,
): string {
  const hasImports = [old, fresh].some((file) => file.statements.some((one) => compiler().isImportDeclaration(one)));
  if (hasImports || like === undefined) return importOfNames([name], fresh, old);
  return `import { ${name} } from ${quote}${specifierFor(from, like, to)}${quote};`;
}

/** The file that a declaration left still exports it under the other names it had. */
export function withAliases(texts: Map<string, string>, aliases: readonly string[], departure: Departure): void {
  const { from } = departure;
  const left = texts.get(from);
  if (aliases.length === 0 || left === undefined) return;
  texts.set(from, withOwnReexport(from, left, { ...departure, name: aliases.join(', '), isType: false }));
}

function isCommonJs(source: ts.SourceFile): boolean {
  return (
    /\.c?jsx?$/.test(source.fileName) &&
    !compiler().isExternalModule(source) &&
    /\brequire\s*\(|\bmodule\.exports\b|\bexports\./.test(source.text)
  );
}

function withExport(source: ts.SourceFile, name: string): string {
  const tsc = compiler();
  const declared = source.statements.find((one) =>
    tsc.isVariableStatement(one)
      ? one.declarationList.declarations.some((each) => each.name.getText(source) === name)
      : 'name' in one && (one.name as ts.Node | undefined)?.getText(source) === name,
  );
  const at = declared?.getStart(source) ?? 0;
  return declared === undefined ? source.text : `${source.text.slice(0, at)}export ${source.text.slice(at)}`;
}

/** Below the other calls of `require`, or at the top. */
function withRequire(source: ts.SourceFile, { name, to, like, quote: known = "'" }: Departure): string {
  const tsc = compiler();
  const { text } = source;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const isRequire = (one: ts.Statement): boolean =>
    tsc.isVariableStatement(one) && /=\s*require\s*\(/.test(one.getText(source));
  const last = source.statements.findLast(isRequire);
  const [, quote = known, path = like ?? ''] = /require\s*\(\s*(['"])(\.[^'"]*)?/.exec(text) ?? [];
  const semicolon = source.statements.some((one) => one.getText(source).endsWith(';')) ? ';' : '';
  const word = last !== undefined && last.getText(source).startsWith('var') ? 'var' : 'const';
  const line = `${word} { ${name} } = require(${quote}${specifierFor(source.fileName, path, to)}${quote})${semicolon}`;
  if (last !== undefined) return text.slice(0, last.getEnd()) + eol + line + text.slice(last.getEnd());
  const first = source.statements.find(
    (one) => !(tsc.isExpressionStatement(one) && tsc.isStringLiteral(one.expression)),
  );
  const at = first?.getStart(source) ?? text.length;
  return `${text.slice(0, at)}${line}${eol}${eol}${text.slice(at)}`;
}

function withCommonJsExport(source: ts.SourceFile, name: string, like: ts.SourceFile): string {
  const tsc = compiler();
  const { text } = source;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const hasSemicolons = [source, like].some((file) => file.statements.some((one) => one.getText(file).endsWith(';')));
  const semicolon = hasSemicolons ? ';' : '';
  if (new RegExp(`\\bexports\\.${name.replaceAll('$', '\\$')}\\s*=`).test(text)) return text;
  for (const one of source.statements) {
    const expression = tsc.isExpressionStatement(one) ? one.expression : undefined;
    if (expression === undefined || !tsc.isBinaryExpression(expression)) continue;
    if (expression.left.getText(source) !== 'module.exports') continue;
    if (!tsc.isObjectLiteralExpression(expression.right)) throw refuse('exportsWhole');
    const { properties } = expression.right;
    if (properties.some((each) => each.name?.getText(source) === name)) return text;
    const last = properties.at(-1);
    const at = last?.getEnd() ?? expression.right.getStart(source) + 1;
    const isOnLines = last !== undefined && text.slice(expression.right.getStart(source), at).includes('\n');
    const indent = isOnLines ? eol + (/[ \t]*$/.exec(text.slice(0, last.getStart(source)))?.[0] ?? '') : ' ';
    // The declaration must have run before it is exported.
    const isBelow = source.statements.indexOf(one) === source.statements.length - 1;
    const edited = text.slice(0, at) + (last === undefined ? ` ${name} ` : `,${indent}${name}`) + text.slice(at);
    if (isBelow) return edited;
    const whole = parse(source.fileName, edited).statements[source.statements.indexOf(one)];
    if (whole === undefined) return edited;
    const rest = edited.slice(0, whole.getFullStart()) + edited.slice(whole.getEnd());
    return `${rest.trimEnd()}${eol}${eol}${whole.getText()}${eol}`.trimStart();
  }
  const isNew = !/\bexports\b/.test(text);
  const way = /\bmodule\.exports\./.test(text) ? 'module.exports' : 'exports';
  const line = isNew ? `module.exports = { ${name} }` : `${way}.${name} = ${name}`;
  return `${text.trimEnd()}${eol}${eol}${line}${semicolon}${eol}`;
}
