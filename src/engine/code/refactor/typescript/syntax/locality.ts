import type ts from 'typescript-classic';
import { compiler } from './compiler.ts';

/**
 * Whether the name at a token is declared inside a function or block, so that nothing outside of its file can refer to it. Members,
 * parameters that are also members, and anything at the top level of a file may be referred to from elsewhere.
 */
export function isLocalDeclaration(token: ts.Node): boolean {
  const tsc = compiler();
  const declaration = declarationOfName(token);
  if (declaration === undefined) return false;
  if (tsc.isParameter(declaration)) {
    const isMember = tsc.isParameterPropertyDeclaration(declaration, declaration.parent);
    return !isMember && 'body' in declaration.parent && declaration.parent.body !== undefined;
  }
  for (let at: ts.Node | undefined = declaration.parent; at !== undefined; at = at.parent) {
    if (tsc.isFunctionLike(at)) return true;
    if (tsc.isModuleBlock(at) || tsc.isSourceFile(at)) return false;
    if (tsc.isBlock(at)) return true;
  }
  return false;
}

function declarationOfName(token: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  // In a comment there is no token: the file itself is found.
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return undefined;
  if (tsc.isParameter(parent) && parent.name === token) return parent;
  if (tsc.isVariableDeclaration(parent) && parent.name === token) return parent;
  if ((tsc.isFunctionDeclaration(parent) || tsc.isClassDeclaration(parent)) && parent.name === token) return parent;
  if (tsc.isTypeParameterDeclaration(parent) && parent.name === token) return parent;
  return undefined;
}

/** Whether the name at a token is declared in a scope, by a declaration that stands outside of ambient blocks. */
export function declaresInScope(token: ts.Node): boolean {
  const tsc = compiler();
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return false;
  const isScoped =
    tsc.isVariableDeclaration(parent) ||
    tsc.isFunctionDeclaration(parent) ||
    tsc.isFunctionExpression(parent) ||
    tsc.isClassLike(parent) ||
    tsc.isInterfaceDeclaration(parent) ||
    tsc.isTypeAliasDeclaration(parent) ||
    tsc.isEnumDeclaration(parent) ||
    tsc.isTypeParameterDeclaration(parent) ||
    (tsc.isParameter(parent) && !tsc.isParameterPropertyDeclaration(parent, parent.parent)) ||
    tsc.isImportSpecifier(parent) ||
    tsc.isImportClause(parent) ||
    tsc.isNamespaceImport(parent) ||
    (tsc.isBindingElement(parent) && parent.name === token && parent.propertyName !== undefined);
  if (!isScoped || parent.name !== token) return false;
  return tsc.findAncestor(parent, (node) => tsc.isModuleBlock(node)) === undefined;
}
