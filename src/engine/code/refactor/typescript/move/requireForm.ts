import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { type Change, textWith } from '../syntax/textChange.ts';

/**
 * What loads a module that a declaration takes along, in the form it had in the file that it left: `import a = require('./a')`, which the
 * server turns into an import that may need another configuration, and `var a = require('./a')`.
 */
export function withCarriedForms(path: string, text: string, before: string, old: ts.SourceFile): string {
  const tsc = compiler();
  const source = parse(path, text);
  const [equals, words] = [new Set<string>(), new Map<string, string>()];
  for (const one of old.statements) {
    if (tsc.isImportEqualsDeclaration(one) && tsc.isExternalModuleReference(one.moduleReference))
      equals.add(one.name.text);
    const required = requiredBy(one, old);
    if (required !== undefined) words.set(required.name, required.word);
  }
  const edits = source.statements.flatMap((one): Change[] => {
    if (before.includes(one.getText(source))) return [];
    const required = requiredBy(one, source);
    const word = words.get(required?.name ?? '');
    if (required !== undefined && word !== undefined)
      return [{ start: one.getStart(source), end: one.getStart(source) + required.word.length, text: word }];
    const clause = tsc.isImportDeclaration(one) ? one.importClause : undefined;
    const name = clause === undefined ? undefined : wholeName(clause);
    if (!tsc.isImportDeclaration(one) || name === undefined || !equals.has(name)) return [];
    const end = one.moduleSpecifier.getEnd();
    return [
      { start: one.getStart(source), end, text: `import ${name} = require(${one.moduleSpecifier.getText(source)})` },
    ];
  });
  return textWith(text, edits);
}

/** The one name by which an import knows a module, or what it is by default. */
function wholeName({ name, namedBindings }: ts.ImportClause): string | undefined {
  if (namedBindings === undefined) return name?.text;
  return name === undefined && compiler().isNamespaceImport(namedBindings) ? namedBindings.name.text : undefined;
}

function requiredBy(statement: ts.Statement, source: ts.SourceFile): { name: string; word: string } | undefined {
  const tsc = compiler();
  const [only, ...others] = tsc.isVariableStatement(statement) ? statement.declarationList.declarations : [];
  const call = only?.initializer;
  if (only === undefined || others.length > 0 || call === undefined || !tsc.isCallExpression(call)) return undefined;
  if (call.expression.getText(source) !== 'require') return undefined;
  const word = /^\w+/.exec(statement.getText(source))?.[0] ?? '';
  return { name: only.name.getText(source), word };
}
