import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { freeNames } from '../syntax/scopes.ts';
import { importOfNames, pointsTo } from '../imports/specifiers.ts';

/**
 * The server overlooks the names that a pattern declares (`const [first, second] = …`): what moved code needs of those that stay is
 * exported where it is, and imported where the code goes.
 */
export function shareTakenApart(
  source: ts.SourceFile,
  moved: readonly ts.Statement[],
  texts: Map<string, string>,
  to: string,
): void {
  const from = source.fileName;
  const [left, placed] = [texts.get(from), texts.get(to)];
  if (left === undefined || placed === undefined || !compiler().isExternalModule(source)) return;
  const used = new Set(moved.flatMap((statement) => [...freeNames(statement)]));
  const declared = patternsOf(source).filter(({ statement }) => !moved.includes(statement));
  const needed = declared.filter(({ name }) => used.has(name)).map(({ name }) => name);
  if (needed.length === 0) return;
  const home = parse(from, left);
  texts.set(from, withExports(home, needed));
  // Importers of the moved code tell how files are named here, where neither file imports another.
  const importers = [...texts].filter(([path]) => path !== from && path !== to).slice(0, 4);
  const like = importers.map(([path, text]) => parse(path, text));
  texts.set(to, withImport(parse(to, placed), home, needed, like));
}

interface TakenApart {
  name: string;
  statement: ts.VariableStatement;
}

function patternsOf(source: ts.SourceFile): TakenApart[] {
  const tsc = compiler();
  const found: TakenApart[] = [];
  for (const statement of source.statements) {
    if (!tsc.isVariableStatement(statement)) continue;
    const collect = (pattern: ts.BindingPattern): void => {
      for (const element of pattern.elements) {
        if (tsc.isOmittedExpression(element)) continue;
        if (tsc.isIdentifier(element.name)) found.push({ name: element.name.text, statement });
        else collect(element.name);
      }
    };
    for (const { name } of statement.declarationList.declarations) if (!tsc.isIdentifier(name)) collect(name);
  }
  return found;
}

function withExports(source: ts.SourceFile, needed: readonly string[]): string {
  const tsc = compiler();
  const isExported = (statement: ts.VariableStatement): boolean =>
    statement.modifiers?.some((one) => one.kind === tsc.SyntaxKind.ExportKeyword) ?? false;
  const statements = new Set(
    patternsOf(source)
      .filter(({ name, statement }) => needed.includes(name) && !isExported(statement))
      .map(({ statement }) => statement),
  );
  let { text } = source;
  for (const statement of [...statements].reverse()) {
    const at = statement.getStart(source);
    text = `${text.slice(0, at)}export ${text.slice(at)}`;
  }
  return text;
}

function withImport(
  file: ts.SourceFile,
  home: ts.SourceFile,
  needed: readonly string[],
  like: readonly ts.SourceFile[],
): string {
  const tsc = compiler();
  const { text } = file;
  const imports = file.statements.filter((one) => tsc.isImportDeclaration(one));
  for (const { importClause, moduleSpecifier } of imports) {
    const bindings = importClause?.namedBindings;
    const isFromHome =
      tsc.isStringLiteral(moduleSpecifier) && pointsTo(file.fileName, moduleSpecifier.text, home.fileName);
    const isOfValues =
      importClause?.phaseModifier === undefined && bindings !== undefined && tsc.isNamedImports(bindings);
    const last = isFromHome && isOfValues ? bindings.elements.at(-1) : undefined;
    if (last === undefined) continue;
    return `${text.slice(0, last.getEnd())}, ${needed.join(', ')}${text.slice(last.getEnd())}`;
  }
  const line = `${importOfNames(needed, home, file, like)}\n`;
  const after = imports.at(-1)?.getEnd();
  if (after === undefined) return `${line}\n${text}`;
  const at = text.indexOf('\n', after) + 1;
  return at === 0 ? `${text}\n${line}` : text.slice(0, at) + line + text.slice(at);
}
