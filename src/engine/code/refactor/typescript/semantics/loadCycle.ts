import { dirname, join } from 'node:path';
import type ts from 'typescript-classic';
import type { Conflict } from '../../model.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { isValueUse } from '../syntax/scopes.ts';
import { because } from '../../refusals/refuse.ts';

/**
 * Two files that import each other load one before the other, so neither may need the other's names while it loads. A move can bring
 * that about, and no type checker says so. `hasOthers`: the new place was there before, so others may import it already.
 */
export function loadCycle(
  from: string,
  to: string,
  texts: ReadonlyMap<string, string>,
  hasOthers: boolean,
): Conflict[] {
  const [left, moved] = [texts.get(from), texts.get(to)];
  if (left === undefined || moved === undefined) return [];
  const [old, fresh] = [parse(from, left), parse(to, moved)];
  const [backwards, forwards] = [importedFrom(old, to), importedFrom(fresh, from)];
  const isLoadedBare = fresh.statements.some(
    (one) => compiler().isImportDeclaration(one) && one.importClause === undefined && pointsTo(one, from),
  );
  if (backwards.size === 0 || (forwards.size === 0 && !isLoadedBare)) return [];
  // Who only imports the old file loads the new one before it, whole; only those that import the new one could come in from that side.
  const isEntered = [...texts].some(
    ([path, text]) => path !== from && path !== to && entersBy(parse(path, text), to, from),
  );
  const ways = [[fresh, forwards, old] as const, ...(isEntered || hasOthers ? [[old, backwards, fresh] as const] : [])];
  for (const [source, names, other] of ways) {
    // Functions are there before anything of their file has run.
    const late = new Set([...names].filter((name) => !declaresFunction(other, name)));
    const needed = neededWhileLoading(source, late);
    if (needed !== undefined)
      return [
        {
          kind: 'meaning',
          message: because('importEachOther', { name: needed }),
          file: source.fileName,
        },
      ];
  }
  return [];
}

export function declaresFunction(source: ts.SourceFile, name: string): boolean {
  const tsc = compiler();
  return source.statements.some((one) => tsc.isFunctionDeclaration(one) && one.name?.text === name);
}

/** Values that a file imports from another one. */
export function importedFrom(source: ts.SourceFile, target: string): Set<string> {
  const tsc = compiler();
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!tsc.isImportDeclaration(statement) || !pointsTo(statement, target)) continue;
    const clause = statement.importClause;
    if (clause === undefined || clause.phaseModifier === tsc.SyntaxKind.TypeKeyword) continue;
    if (clause.name !== undefined) names.add(clause.name.text);
    const bindings = clause.namedBindings;
    if (bindings !== undefined && tsc.isNamespaceImport(bindings)) names.add(bindings.name.text);
    if (bindings !== undefined && tsc.isNamedImports(bindings))
      for (const one of bindings.elements) if (!one.isTypeOnly) names.add(one.name.text);
  }
  // An import of what is only used as a type is left out of the program.
  return new Set([...names].filter((name) => isUsedAsValue(source, name)));
}

function pointsTo({ moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration, target: string): boolean {
  const plain = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
  if (moduleSpecifier === undefined || !compiler().isStringLiteral(moduleSpecifier)) return false;
  return plain(join(dirname(moduleSpecifier.getSourceFile().fileName), moduleSpecifier.text)) === plain(target);
}

/** Whether a file loads one of two before the other. */
function entersBy(source: ts.SourceFile, target: string, other: string): boolean {
  const tsc = compiler();
  const loading = source.statements.filter((one) => tsc.isImportDeclaration(one) || tsc.isExportDeclaration(one));
  const at = loading.findIndex((one) => pointsTo(one, target));
  const isLoaded = importedFrom(source, other).size > 0;
  const isBare = (one: ts.Statement): boolean => tsc.isImportDeclaration(one) && one.importClause === undefined;
  const earlier = loading.findIndex(
    (one) => pointsTo(one, other) && (isLoaded || isBare(one) || (tsc.isExportDeclaration(one) && !one.isTypeOnly)),
  );
  return at !== -1 && (earlier === -1 || at < earlier);
}

function isUsedAsValue(source: ts.SourceFile, name: string): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (tsc.isImportDeclaration(node) || (tsc.isTypeNode(node) && !tsc.isExpressionWithTypeArguments(node)))
      return false;
    if (tsc.isInterfaceDeclaration(node) || tsc.isTypeAliasDeclaration(node)) return false;
    if (tsc.isIdentifier(node) && node.text === name && isValueUse(node)) return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(source);
}

/** A name that is read when the file is loaded, not only when one of its functions is called. */
export function neededWhileLoading(source: ts.SourceFile, names: ReadonlySet<string>): string | undefined {
  const tsc = compiler();
  const visit = (node: ts.Node): string | undefined => {
    if (tsc.isImportDeclaration(node) || (tsc.isTypeNode(node) && !tsc.isExpressionWithTypeArguments(node)))
      return undefined;
    if (tsc.isInterfaceDeclaration(node) || tsc.isTypeAliasDeclaration(node) || tsc.isExportDeclaration(node))
      return undefined;
    // What a function does happens later, unless it is called at once.
    if (
      tsc.isFunctionLike(node) &&
      !(tsc.isParenthesizedExpression(node.parent) && tsc.isCallExpression(node.parent.parent))
    )
      return undefined;
    if (tsc.isPropertyDeclaration(node) && (tsc.getCombinedModifierFlags(node) & tsc.ModifierFlags.Static) === 0)
      return undefined;
    if (tsc.isIdentifier(node) && names.has(node.text) && isValueUse(node)) return node.text;
    return tsc.forEachChild(node, visit);
  };
  return visit(source);
}
