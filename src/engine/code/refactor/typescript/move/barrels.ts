import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { removalRange } from '../syntax/deletion.ts';
import { pointsTo, specifierFor } from '../imports/specifiers.ts';

/**
 * A file that passes on everything of the file a symbol leaves (`export * from './old'`) must pass the symbol on from its new place, or
 * those who import through it would lose it. Returns the file's text with that line added; undefined when it is no such file.
 */
export function withReexport(
  path: string,
  text: string,
  moved: { name: string; isType: boolean; from: string; to: string; isLast: boolean },
): string | undefined {
  const tsc = compiler();
  if (!/export\s*(?:type\s*)?[*{]/.test(text)) return undefined;
  const source = parse(path, text);
  const named = withNamedReexport(source, moved);
  if (named !== undefined || moved.name === 'default') return named;
  const passing = source.statements.filter(
    (statement): statement is ts.ExportDeclaration =>
      tsc.isExportDeclaration(statement) &&
      statement.exportClause === undefined &&
      statement.moduleSpecifier !== undefined &&
      tsc.isStringLiteral(statement.moduleSpecifier) &&
      pointsTo(path, statement.moduleSpecifier.text, moved.from),
  );
  // Where the new place is passed on whole too, nothing is missing.
  const isPassedOn = source.statements.some(
    (statement) =>
      tsc.isExportDeclaration(statement) &&
      statement.exportClause === undefined &&
      statement.moduleSpecifier !== undefined &&
      tsc.isStringLiteral(statement.moduleSpecifier) &&
      pointsTo(path, statement.moduleSpecifier.text, moved.to),
  );
  const [first] = passing;
  if (first === undefined || isPassedOn) return undefined;
  const specifier = first.moduleSpecifier?.getText(source) ?? '';
  const quote = specifier.charAt(0);
  const shown = `${quote}${specifierFor(path, specifier.slice(1, -1), moved.to)}${quote}`;
  const semicolon = first.getText(source).endsWith(';') ? ';' : '';
  const line = `export ${moved.isType ? 'type ' : ''}{ ${moved.name} } from ${shown}${semicolon}`;
  // A file that exports nothing any more is no module: there is nothing of it to pass on.
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const kept = moved.isLast ? text.slice(0, first.getStart(source)) : `${text.slice(0, first.getEnd())}${eol}`;
  return kept + line + text.slice(first.getEnd());
}

/** The file that a symbol left, passing it on from its new place. */
export function withOwnReexport(
  path: string,
  text: string,
  moved: { name: string; isType: boolean; to: string; like?: string; quote?: string },
): string {
  const tsc = compiler();
  const { name, isType, to, like = '', quote: known = "'" } = moved;
  const source = parse(path, text);
  const imports = source.statements.filter((one) => tsc.isImportDeclaration(one));
  const last = imports.at(-1);
  const shown = last?.moduleSpecifier.getText(source) ?? `${known}${like}${known}`;
  const quote = shown.charAt(0);
  // A function or a block ends without one in either style.
  const isBare = (statement: ts.Statement): boolean => !/[;}]$/.test(statement.getText(source));
  const semicolon = (last === undefined ? source.statements.some(isBare) : isBare(last)) ? '' : ';';
  const own = imports.flatMap((one) => (tsc.isStringLiteral(one.moduleSpecifier) ? [one.moduleSpecifier.text] : []));
  const specifier = specifierFor(path, own.findLast((one) => one.startsWith('.')) ?? like, to);
  const line = `export ${isType ? 'type ' : ''}{ ${name} } from ${quote}${specifier}${quote}${semicolon}`;
  if (text.includes(line)) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (last === undefined) return `${line}${eol}${eol}${text}`;
  return text.slice(0, last.getEnd()) + eol + line + text.slice(last.getEnd());
}

/** `export { name, other } from './old'`: the name comes from its new place, the others stay. */
function withNamedReexport(
  source: ts.SourceFile,
  moved: { name: string; from: string; to: string },
): string | undefined {
  const tsc = compiler();
  const { text, fileName: path } = source;
  for (const statement of source.statements) {
    if (!tsc.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue;
    const { exportClause: clause, moduleSpecifier: module } = statement;
    if (clause === undefined || !tsc.isNamedExports(clause) || !tsc.isStringLiteral(module)) continue;
    if (!pointsTo(path, module.text, moved.from)) continue;
    const element = clause.elements.find((one) => (one.propertyName ?? one.name).text === moved.name);
    if (element === undefined) continue;
    const quote = module.getText(source).charAt(0);
    const shown = `${quote}${specifierFor(path, module.text, moved.to)}${quote}`;
    if (clause.elements.length === 1)
      return text.slice(0, module.getStart(source)) + shown + text.slice(module.getEnd());
    const range = removalRange(element, source);
    const semicolon = statement.getText(source).endsWith(';') ? ';' : '';
    const head = statement.isTypeOnly ? 'export type' : 'export';
    const line = `\n${head} { ${element.getText(source)} } from ${shown}${semicolon}`;
    const left = text.slice(0, range.start) + range.text + text.slice(range.end, statement.getEnd());
    return left + line + text.slice(statement.getEnd());
  }
  return undefined;
}
