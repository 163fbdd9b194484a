import type ts from 'typescript-classic';
import { compiler } from './compiler.ts';

/** Names that an expression or body uses as values and does not declare itself. */
export function freeNames(root: ts.Node): Set<string> {
  const tsc = compiler();
  const free = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (tsc.isTypeNode(node) && !tsc.isExpressionWithTypeArguments(node)) return;
    if (tsc.isIdentifier(node) && isValueUse(node) && !isDeclaredWithin(node, root)) free.add(node.text);
    tsc.forEachChild(node, visit);
  };
  visit(root);
  return free;
}

/** Whether an identifier stands for a variable, not for a member, label, declared or property name. */
export function isValueUse(node: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = node;
  if (parent === undefined) return true;
  if (tsc.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (tsc.isQualifiedName(parent)) return parent.left === node;
  if (tsc.isPropertyAssignment(parent)) return parent.initializer === node;
  if (tsc.isBindingElement(parent)) return parent.initializer === node;
  if (tsc.isVariableDeclaration(parent) || tsc.isParameter(parent)) return parent.initializer === node;
  if (tsc.isPropertyDeclaration(parent) || tsc.isEnumMember(parent)) return parent.initializer === node;
  if (tsc.isMethodDeclaration(parent) || tsc.isFunctionLike(parent) || tsc.isClassLike(parent))
    return tsc.isArrowFunction(parent) && parent.body === node;
  if (tsc.isPropertySignature(parent) || tsc.isNamedTupleMember(parent)) return false;
  if (tsc.isLabeledStatement(parent) || tsc.isBreakOrContinueStatement(parent)) return false;
  if (tsc.isImportSpecifier(parent) || tsc.isImportClause(parent) || tsc.isNamespaceImport(parent)) return false;
  if (tsc.isJsxAttribute(parent)) return false;
  return true;
}

/** Whether some scope from `node` up to (not including) `limit`'s parent declares this identifier's name. */
function isDeclaredWithin(node: ts.Identifier, limit: ts.Node): boolean {
  for (let scope: ts.Node = node; ; scope = scope.parent) {
    if (scopeDeclares(scope, node.text)) return true;
    if (scope === limit || scope.parent === undefined) return false;
  }
}

/** Whether the name, used at `use`, is taken by a declaration in a scope nearer than `limit` (the scope it should come from). */
export function isShadowed(name: string, use: ts.Node, limit: ts.Node): boolean {
  for (let scope: ts.Node | undefined = use; scope !== undefined && scope !== limit; scope = scope.parent)
    if (scopeDeclares(scope, name)) return true;
  return false;
}

/** Whether a scope node itself introduces the name: parameters, hoisted and block declarations, catch and loop variables. */
export function scopeDeclares(scope: ts.Node, name: string): boolean {
  const tsc = compiler();
  if (tsc.isFunctionLike(scope)) {
    if (scope.parameters.some((parameter) => bindsName(parameter.name, name))) return true;
    if (tsc.isFunctionExpression(scope) && scope.name?.text === name) return true;
    const body = 'body' in scope ? (scope.body as ts.Node | undefined) : undefined;
    return body !== undefined && declaresVar(body, name);
  }
  if (tsc.isSourceFile(scope))
    return scope.statements.some((statement) => statementDeclares(statement, name)) || declaresVar(scope, name);
  if (tsc.isBlock(scope) || tsc.isModuleBlock(scope))
    return scope.statements.some((statement) => statementDeclares(statement, name));
  if (tsc.isCaseBlock(scope))
    return scope.clauses.some((clause) => clause.statements.some((statement) => statementDeclares(statement, name)));
  if (tsc.isForStatement(scope) || tsc.isForInStatement(scope) || tsc.isForOfStatement(scope)) {
    const { initializer } = scope;
    return (
      initializer !== undefined &&
      tsc.isVariableDeclarationList(initializer) &&
      initializer.declarations.some((one) => bindsName(one.name, name))
    );
  }
  if (tsc.isCatchClause(scope))
    return scope.variableDeclaration !== undefined && bindsName(scope.variableDeclaration.name, name);
  if (tsc.isClassExpression(scope)) return scope.name?.text === name;
  return false;
}

export function bindsName(binding: ts.BindingName, name: string): boolean {
  return bindingNames(binding).includes(name);
}

export function bindingNames(binding: ts.BindingName): string[] {
  const tsc = compiler();
  if (tsc.isIdentifier(binding)) return [binding.text];
  return binding.elements.flatMap((element) => (tsc.isBindingElement(element) ? bindingNames(element.name) : []));
}

function statementDeclares(statement: ts.Statement, name: string): boolean {
  const tsc = compiler();
  if (tsc.isVariableStatement(statement))
    return statement.declarationList.declarations.some((one) => bindsName(one.name, name));
  if (
    tsc.isFunctionDeclaration(statement) ||
    tsc.isClassDeclaration(statement) ||
    tsc.isEnumDeclaration(statement) ||
    tsc.isModuleDeclaration(statement)
  )
    return statement.name?.text === name;
  if (tsc.isImportDeclaration(statement)) {
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    return (
      clause?.name?.text === name ||
      (bindings !== undefined &&
        (tsc.isNamespaceImport(bindings)
          ? bindings.name.text === name
          : bindings.elements.some((one) => one.name.text === name)))
    );
  }
  return false;
}

/** `var` declarations count for the whole function. */
function declaresVar(body: ts.Node, name: string): boolean {
  const tsc = compiler();
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found || (node !== body && tsc.isFunctionLike(node)) || tsc.isClassLike(node)) return;
    if (tsc.isVariableDeclarationList(node) && (node.flags & tsc.NodeFlags.BlockScoped) === 0)
      found = node.declarations.some((one) => bindsName(one.name, name));
    if (!found) tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(body, visit);
  return found;
}

/** The node whose scope a declaration belongs to: a block, function, module or file. */
export function scopeOf(declaration: ts.Node): ts.Node {
  const tsc = compiler();
  for (let at: ts.Node | undefined = declaration.parent; at !== undefined; at = at.parent)
    if (
      tsc.isBlock(at) ||
      tsc.isSourceFile(at) ||
      tsc.isModuleBlock(at) ||
      tsc.isCaseBlock(at) ||
      tsc.isFunctionLike(at)
    )
      return at;
  return declaration.getSourceFile();
}

export function byFile(nodes: readonly ts.Node[]): Map<ts.SourceFile, ts.Node[]> {
  const files = new Map<ts.SourceFile, ts.Node[]>();
  for (const node of nodes) files.set(node.getSourceFile(), [...(files.get(node.getSourceFile()) ?? []), node]);
  return files;
}
