import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { textWith } from '../syntax/textChange.ts';
import { pointsTo } from '../imports/specifiers.ts';

/**
 * Without `import * as old from './old'` where all that it was asked for has moved: nothing is left to be imported, and the file may be no
 * module any more.
 */
export function withoutLeftNamespaces(
  texts: Map<string, string>,
  from: string,
  textBefore: (path: string) => string | undefined,
): void {
  for (const [path, text] of texts) {
    const source = parse(path, text);
    const left = source.statements.filter((one) => {
      const name = namespaceOf(one, path, from);
      const wasUsed = name !== undefined && countOf(parse(path, textBefore(path) ?? ''), name.text) > 1;
      return wasUsed && countOf(source, name.text) === 1;
    });
    if (left.length === 0) continue;
    // Comments above may be about the whole file.
    const edits = left.map((one) => {
      const end = one.getEnd() + (/^[ \t]*\r?\n?/.exec(text.slice(one.getEnd()))?.[0].length ?? 0);
      return { start: one.getStart(source), end, text: '' };
    });
    texts.set(path, textWith(text, edits));
  }
}

/** The name by which a statement imports a whole file, and nothing else of it. */
function namespaceOf(statement: ts.Statement, path: string, file: string): ts.Identifier | undefined {
  const tsc = compiler();
  if (tsc.isImportEqualsDeclaration(statement)) {
    const { moduleReference: reference } = statement;
    const module = tsc.isExternalModuleReference(reference) ? reference.expression : undefined;
    const isIt = module !== undefined && tsc.isStringLiteral(module) && pointsTo(path, module.text, file);
    return isIt ? statement.name : undefined;
  }
  if (!tsc.isImportDeclaration(statement) || !tsc.isStringLiteral(statement.moduleSpecifier)) return undefined;
  if (!pointsTo(path, statement.moduleSpecifier.text, file)) return undefined;
  const { name, namedBindings } = statement.importClause ?? {};
  const isWhole = name === undefined && namedBindings !== undefined && tsc.isNamespaceImport(namedBindings);
  return isWhole ? namedBindings.name : undefined;
}

function countOf(source: ts.SourceFile, name: string): number {
  const tsc = compiler();
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node) && node.text === name) count++;
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return count;
}
