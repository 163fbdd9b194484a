import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { isValueUse } from '../syntax/scopes.ts';
import { pointsTo } from '../imports/specifiers.ts';

/**
 * Whether a file has another one as an object that it does more with than to ask it for members by their names: it passes it on
 * (`export * as old from './old'`), looks through it (`Object.keys(old)`) or hands it to somebody.
 */
export function isHandledWhole(path: string, text: string, file: string): boolean {
  const tsc = compiler();
  if (!/\*\s*as\b|\bimport\s*\(/.test(text)) return false;
  const source = parse(path, text);
  const isIt = (node: ts.Expression | undefined): boolean =>
    node !== undefined && tsc.isStringLiteral(node) && pointsTo(path, node.text, file);
  const visit = (node: ts.Node): boolean => {
    if (tsc.isExportDeclaration(node))
      return node.exportClause !== undefined && tsc.isNamespaceExport(node.exportClause) && isIt(node.moduleSpecifier);
    if (tsc.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      return (
        bindings !== undefined &&
        tsc.isNamespaceImport(bindings) &&
        isIt(node.moduleSpecifier) &&
        isUsedBare(bindings.name.text, source)
      );
    }
    if (tsc.isCallExpression(node) && node.expression.kind === tsc.SyntaxKind.ImportKeyword && isIt(node.arguments[0]))
      return isTakenWhole(node);
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(source);
}

/** Whether a file loads another one when it is needed (`await import('./old')`), or names its type so, and asks it for a name. */
export function isAskedLate(path: string, text: string, file: string, name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  const loaded = [...text.matchAll(/\bimport\s*\(\s*(['"`])(\.[^'"`\n]*)\1/g)];
  return loaded.some((one) => pointsTo(path, one[2] ?? '', file)) && (name === 'default' || word.test(text));
}

/** Whether a file looks through what another one exports: whatever is added there is found. */
export function isLookedThrough(path: string, text: string, file: string): boolean {
  const tsc = compiler();
  if (!/\*\s*as\b/.test(text)) return false;
  const source = parse(path, text);
  const names = source.statements.flatMap((one) => {
    const bindings = tsc.isImportDeclaration(one) ? one.importClause?.namedBindings : undefined;
    if (bindings === undefined || !tsc.isNamespaceImport(bindings)) return [];
    const { moduleSpecifier } = bindings.parent.parent;
    return tsc.isStringLiteral(moduleSpecifier) && pointsTo(path, moduleSpecifier.text, file)
      ? [bindings.name.text]
      : [];
  });
  const isIt = (node: ts.Node | undefined): boolean =>
    node !== undefined && tsc.isIdentifier(node) && names.includes(node.text);
  const visit = (node: ts.Node): boolean =>
    (tsc.isCallExpression(node) &&
      /^(?:Object\.(?:keys|values|entries|getOwnPropertyNames)|Reflect\.ownKeys)$/.test(node.expression.getText()) &&
      isIt(node.arguments[0])) ||
    (tsc.isForInStatement(node) && isIt(node.expression)) ||
    (tsc.isSpreadAssignment(node) && isIt(node.expression)) ||
    (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  return names.length > 0 && visit(source);
}

/** What is done with a module that is loaded when it is needed. Who gets the promise of it is taken to ask for members. */
function isTakenWhole(node: ts.Expression): boolean {
  const tsc = compiler();
  const { parent } = node;
  if (tsc.isParenthesizedExpression(parent)) return isTakenWhole(parent);
  if (tsc.isPropertyAccessExpression(parent)) {
    const [callback] =
      tsc.isCallExpression(parent.parent) && parent.name.text === 'then' ? parent.parent.arguments : [];
    if (callback === undefined) return false;
    const [parameter] = tsc.isFunctionLike(callback) ? callback.parameters : [];
    return !tsc.isFunctionLike(callback) || (parameter !== undefined && isBoundWhole(parameter.name, callback));
  }
  if (tsc.isAwaitExpression(parent)) return isTakenWhole(parent);
  if (!tsc.isAwaitExpression(node) && !tsc.isParenthesizedExpression(node)) return false;
  if (tsc.isVariableDeclaration(parent)) return isBoundWhole(parent.name, node.getSourceFile());
  return !tsc.isExpressionStatement(parent);
}

function isBoundWhole(name: ts.BindingName, scope: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isIdentifier(name)) return isUsedBare(name.text, scope);
  return name.elements.some((one) => tsc.isBindingElement(one) && one.dotDotDotToken !== undefined);
}

function isUsedBare(name: string, scope: ts.Node): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (tsc.isIdentifier(node) && node.text === name && isValueUse(node)) {
      const { parent } = node;
      const isTag = tsc.isJsxOpeningLikeElement(parent) || tsc.isJsxClosingElement(parent);
      return !tsc.isPropertyAccessExpression(parent) && !tsc.isQualifiedName(parent) && !isTag;
    }
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(scope);
}
