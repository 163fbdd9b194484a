import type ts from 'typescript-classic';
import { ToolError } from '../../../../../base/errors.ts';
import type { RefactorWaiting } from '../../model.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { type Change, textWith } from '../syntax/textChange.ts';
import { tsPosition, type TypeScriptService } from '../servers/tsService.ts';

/**
 * The server cannot carry an import along when what is imported is declared in one statement and exported by another one
 * (`const a = 1; export { a }`, `export default a`): it takes it for a whole module, and fails. While it is asked, it is shown such files
 * with `export` where things are declared. What is added and hidden for that is marked, so that it can be taken out of what it answers.
 */
export async function withDeclaredExports(
  service: TypeScriptService,
  source: ts.SourceFile,
  moved: readonly ts.Statement[],
  textOf: (file: string) => string | undefined,
  waiting: RefactorWaiting,
): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  for (const name of importedNames(source, moved)) {
    const { line, character } = source.getLineAndCharacterOfPosition(name.getStart(source));
    const place = { file: source.fileName, ...tsPosition({ line: line + 1, column: character + 1 }) };
    for (const { file } of await service.request<{ file: string }[]>('definition', place, waiting)) {
      if (file === source.fileName || shown.has(file)) continue;
      const text = declaredExports(file, textOf(file) ?? compiler().sys.readFile(file) ?? '');
      if (text !== undefined) shown.set(file, text);
    }
  }
  return shown;
}

/** Whether the server failed for this reason. */
export function isListedExport(error: unknown): boolean {
  return error instanceof ToolError && error.message.includes('Expected symbol to be a module');
}

const [added, addedEnd, hidden, hiddenEnd] = ['/*@added:*/', '/*:added@*/', '/*@hidden:', ':hidden@*/'];

/** A text without what was added to it, and with what was hidden in it. */
export function asWritten(text: string): string {
  const between = (start: string, end: string): RegExp => new RegExp(`${quoted(start)}(.*?)${quoted(end)}`, 'gs');
  return text.replace(between(added, addedEnd), '').replace(between(hidden, hiddenEnd), '$1');
}

function quoted(text: string): string {
  return text.replaceAll('*', '\\*');
}

const add = (text: string): string => `${added}${text}${addedEnd}`;

/** With `export` where things are declared, instead of in lists; undefined when there is nothing to change. */
function declaredExports(path: string, text: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const edits: Change[] = [];
  const insert = (at: number, what: string): void => {
    edits.push({ start: at, end: at, text: add(what) });
  };
  const isExported = new Set<ts.Statement>();
  for (const statement of source.statements) {
    if (tsc.isExportAssignment(statement) && tsc.isIdentifier(statement.expression)) {
      insert(statement.expression.getStart(source), '(');
      insert(statement.expression.getEnd(), ')');
    }
    const clause = tsc.isExportDeclaration(statement) ? statement.exportClause : undefined;
    const isList = tsc.isExportDeclaration(statement) && statement.moduleSpecifier === undefined;
    if (!isList || clause === undefined || !tsc.isNamedExports(clause) || statement.getText(source).includes('*/'))
      continue;
    const kept: string[] = [];
    for (const one of clause.elements) {
      const declaring = source.statements.filter((each) => declares(each, (one.propertyName ?? one.name).text));
      if (declaring.length === 0) kept.push(`export { ${one.getText(source)} };`);
      else if (one.propertyName === undefined) for (const each of declaring) isExported.add(each);
      else if (one.name.text === 'default') kept.push(`export default (${one.propertyName.text});`);
      else kept.push(`export declare const ${one.name.text}: any; export type ${one.name.text} = any;`);
    }
    const [start, end] = [statement.getStart(source), statement.getEnd()];
    edits.push({ start, end, text: `${hidden}${text.slice(start, end)}${hiddenEnd}${add(kept.join(' '))}` });
  }
  for (const one of isExported) if (!hasExport(one)) insert(one.getStart(source), 'export ');
  return edits.length === 0 ? undefined : textWith(text, edits);
}

function declares(statement: ts.Statement, name: string): boolean {
  const tsc = compiler();
  const binds = (one: ts.BindingName): boolean =>
    tsc.isIdentifier(one)
      ? one.text === name
      : one.elements.some((each) => tsc.isBindingElement(each) && binds(each.name));
  if (tsc.isVariableStatement(statement)) return statement.declarationList.declarations.some((one) => binds(one.name));
  const isImport = tsc.isImportDeclaration(statement) || tsc.isImportEqualsDeclaration(statement);
  return !isImport && 'name' in statement && (statement.name as ts.Node | undefined)?.getText() === name;
}

function hasExport(statement: ts.Statement): boolean {
  const tsc = compiler();
  const modifiers = tsc.canHaveModifiers(statement) ? tsc.getModifiers(statement) : undefined;
  return modifiers?.some((one) => one.kind === tsc.SyntaxKind.ExportKeyword) ?? false;
}

/** Where the imports of a file say the names that some of its statements mention. */
function importedNames(source: ts.SourceFile, statements: readonly ts.Statement[]): ts.Identifier[] {
  const tsc = compiler();
  const mentioned = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node)) mentioned.add(node.text);
    tsc.forEachChild(node, visit);
  };
  for (const one of statements) visit(one);
  return source.statements
    .flatMap((one) => {
      if (tsc.isImportEqualsDeclaration(one)) return [one.name];
      const clause = tsc.isImportDeclaration(one) ? one.importClause : undefined;
      const bindings = clause?.namedBindings;
      const named = bindings !== undefined && tsc.isNamedImports(bindings) ? bindings.elements : [];
      return [...(clause?.name === undefined ? [] : [clause.name]), ...named.map((each) => each.name)];
    })
    .filter((name) => mentioned.has(name.text));
}
