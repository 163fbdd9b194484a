import type ts from 'typescript-classic';
import { isTypescriptFile } from '../../../../../../base/languages/byPath.ts';
import type { Conflict } from '../../../model.ts';
import type { RenamePlace, TypeScriptBackend } from '../../servers/backend.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { type Survey, remaining } from '../../semantics/mentions.ts';
import { because } from '../../../refusals/refuse.ts';
import { whyUnproven } from '../proof.ts';
import { changedPlaces, type RenameCheck } from '../state.ts';

/**
 * Strings that are the old name, where the object or module that has it is asked for names that nothing tells before the program runs:
 * `handlers[name]` in JavaScript, `(handlers as any)[name]` in TypeScript.
 */
export const dynamicMemberAccess: RenameCheck = {
  name: 'asked for by strings',
  appliesTo: async (round) => (await whyUnproven(round)) !== undefined,
  async check(round) {
    const { backend, target, old, imports } = round;
    const places = changedPlaces(round);
    const strings = remaining(places, old).filter(({ lineText, range }) => {
      const [before, after] = [lineText.charAt(range.start.column - 2), lineText.charAt(range.end.column - 1)];
      return before !== '' && before === after && /['"`]/.test(before);
    });
    if (strings.length === 0) return [];
    const isAskedHere = await holdsAsked(backend, places);
    const found: Conflict[] = [];
    for (const { path, range } of strings) {
      const source = parse(path, (await backend.text(path)).text);
      if (!isAskedHere && !asksAnyOf(source, namespacesOf(source, imports))) continue;
      const message = because('mayAskByOldName', { name: target.name });
      found.push({ kind: 'meaning', message, file: path, ...range.start });
    }
    return found;
  },
};

/** Whether an object that one of the places declares a member of is asked so in its file. */
async function holdsAsked(backend: TypeScriptBackend, places: readonly RenamePlace[]): Promise<boolean> {
  const tsc = compiler();
  for (const { path, range } of places) {
    const text = await backend.text(path);
    const source = parse(path, text.text);
    const member: ts.Node | undefined = tokenAt(source, text.offsetAt(range.start)).parent;
    const literal: ts.Node | undefined = member?.parent;
    if (literal === undefined || !tsc.isObjectLiteralExpression(literal)) continue;
    const holder = tsc.findAncestor(literal, (node) => !isWrapped(node) && node !== literal);
    if (holder === undefined || !tsc.isVariableDeclaration(holder) || !tsc.isIdentifier(holder.name)) continue;
    if (asksAnyOf(source, new Set([holder.name.text]))) return true;
  }
  return false;
}

/** By what names a file knows a module as a whole. */
function namespacesOf(source: ts.SourceFile, imports: Survey['imports']): Set<string> {
  const tsc = compiler();
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!tsc.isImportDeclaration(statement)) continue;
    const { line } = source.getLineAndCharacterOfPosition(statement.moduleSpecifier.getStart(source));
    if (!imports.some((one) => one.path === source.fileName && one.line === line + 1)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings !== undefined && tsc.isNamespaceImport(bindings)) names.add(bindings.name.text);
  }
  return names;
}

/** Whether one of these names is asked for a member that is no literal; in TypeScript, only where its type is put aside. */
function asksAnyOf(source: ts.SourceFile, names: ReadonlySet<string>): boolean {
  const tsc = compiler();
  const isTyped = isTypescriptFile(source.fileName);
  const visit = (node: ts.Node): boolean => {
    if (tsc.isElementAccessExpression(node) && !tsc.isLiteralExpression(node.argumentExpression)) {
      let value: ts.Expression = node.expression;
      let isCast = false;
      for (; isWrapped(value); value = value.expression) isCast ||= !tsc.isParenthesizedExpression(value);
      if (tsc.isIdentifier(value) && names.has(value.text) && (isCast || !isTyped)) return true;
    }
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return names.size > 0 && visit(source);
}

function isWrapped(
  node: ts.Node,
): node is ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression | ts.TypeAssertion {
  const tsc = compiler();
  return (
    tsc.isParenthesizedExpression(node) ||
    tsc.isAsExpression(node) ||
    tsc.isSatisfiesExpression(node) ||
    tsc.isTypeAssertionExpression(node)
  );
}
