import type ts from 'typescript-classic';
import type { RefactorTarget, RefactorWaiting } from '../../model.ts';
import type { RenameBackend } from '../servers/backend.ts';
import { sourcePattern } from '../servers/tsService.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { isShadowed } from '../syntax/scopes.ts';
import { isOwn } from './checks/declaredOutside.ts';

/** A use of a named import means the thing imported, not the local name of it. A default import has a name of its own. */
export async function declarationOf(
  backend: RenameBackend,
  asked: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<RefactorTarget> {
  const here = await backend.text(asked.path);
  // Parsing a large file takes longer than the rename itself: only where an import could bring the name in.
  const word = asked.name.replaceAll('$', '\\$');
  const imported = new RegExp(`\\bimport\\b[^'"]*\\{[^}'"]*(?<![\\w$])${word}(?![\\w$])[^}'"]*\\}\\s*from\\b`);
  if (!imported.test(here.text)) return asked;
  const source = parse(asked.path, here.text);
  const token = tokenAt(source, here.offsetAt(asked.position));
  if (!isImportedName(source, token, asked.name)) return asked;
  const found = await backend.definitions(asked.path, asked.position, waiting);
  const [only] = found;
  if (found.length !== 1 || only === undefined || !isOwn(backend, only.path) || !sourcePattern.test(only.path))
    return asked;
  const text = await backend.text(only.path);
  const name = text.text.slice(text.offsetAt(only.range.start), text.offsetAt(only.range.end));
  if (name !== asked.name) return asked;
  return { path: only.path, name, position: only.range.start };
}

/** Whether a token is, or refers to, a name that an import brings in as it is exported. */
function isImportedName(source: ts.SourceFile, token: ts.Node, name: string): boolean {
  const tsc = compiler();
  const specifier = source.statements
    .filter((statement) => tsc.isImportDeclaration(statement))
    .flatMap((statement) => {
      const bindings = statement.importClause?.namedBindings;
      return bindings !== undefined && tsc.isNamedImports(bindings) ? [...bindings.elements] : [];
    })
    .find((element) => element.name.text === name && element.propertyName === undefined);
  if (specifier === undefined) return false;
  if (specifier.name === token) return true;
  if (!tsc.isIdentifier(token)) return false;
  const isMember =
    (tsc.isPropertyAccessExpression(token.parent) && token.parent.name === token) ||
    (tsc.isQualifiedName(token.parent) && token.parent.right === token) ||
    (tsc.isPropertyAssignment(token.parent) && token.parent.name === token);
  return !isMember && !isShadowed(name, token, source);
}
