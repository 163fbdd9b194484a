// The program of a package as the compiler reads it, and what the rules ask of it. Nothing here knows what Sightline answers.
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';

export const ts = createRequire(import.meta.url)('typescript-classic');

export class PackageProgram {
  constructor(folder) {
    this.folder = folder;
    const file = join(folder, 'tsconfig.json');
    const { config } = ts.readConfigFile(file, ts.sys.readFile);
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(file));
    this.program = ts.createProgram(fileNames, { ...options, noEmit: true });
    this.checker = this.program.getTypeChecker();
  }

  source(shown) {
    return this.program.getSourceFile(join(this.folder, shown));
  }

  /** The package's own files, the program that uses it among them. */
  get sources() {
    return this.program.getSourceFiles().filter((file) => this.isOwn(file));
  }

  isOwn(file) {
    return (
      file.fileName.startsWith(`${this.folder}/`) &&
      !file.fileName.includes('/node_modules/') &&
      !file.isDeclarationFile
    );
  }

  tokenAt(shown, { line, column }) {
    const source = this.source(shown);
    const offset = source.getPositionOfLineAndCharacter(line - 1, column - 1);
    let found = source;
    const visit = (node) => {
      if (node.getStart(source) <= offset && offset < node.getEnd()) {
        found = node;
        ts.forEachChild(node, visit);
      }
    };
    ts.forEachChild(source, visit);
    return found;
  }

  /** What a name stands for, through imports. */
  meaning(node) {
    let symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
    if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0)
      symbol = this.checker.getAliasedSymbol(symbol);
    return symbol;
  }

  /** Every place that means a symbol, its declarations and imports left out. */
  uses(symbol, name) {
    const found = [];
    for (const source of this.sources) {
      if (!source.text.includes(name)) continue;
      const locals = new Set([name]);
      // An import may bring it in under another name.
      for (const one of source.statements) {
        if (!ts.isImportDeclaration(one)) continue;
        if (one.importClause?.name !== undefined) locals.add(one.importClause.name.text);
        const bindings = one.importClause?.namedBindings;
        if (bindings !== undefined && ts.isNamedImports(bindings))
          for (const each of bindings.elements) if (each.propertyName?.text === name) locals.add(each.name.text);
      }
      const visit = (node) => {
        if (ts.isIdentifier(node) && locals.has(node.text) && !isDeclaring(node) && this.meaning(node) === symbol)
          found.push(node);
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    return found;
  }
}

function isDeclaring(node) {
  const { parent } = node;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return true;
  if (ts.isExportSpecifier(parent) || ts.isExportAssignment(parent)) return true;
  return !ts.isShorthandPropertyAssignment(parent) && !ts.isPropertyAccessExpression(parent) && parent.name === node;
}

export function some(root, is) {
  let found = false;
  const visit = (node) => {
    if (found) return;
    found = is(node);
    if (!found) ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** The same without what functions in it do when they are called. */
export function someNow(root, is) {
  let found = false;
  const visit = (node) => {
    if (found || (node !== root && ts.isFunctionLike(node))) return;
    found = is(node);
    if (!found) ts.forEachChild(node, visit);
  };
  if (ts.isFunctionLike(root)) return false;
  visit(root);
  return found;
}

export function isWrite(node) {
  const { parent } = node;
  const isStep = (one) => one === ts.SyntaxKind.PlusPlusToken || one === ts.SyntaxKind.MinusMinusToken;
  if (ts.isBinaryExpression(parent) && parent.left === node)
    return (
      parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
    );
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) return isStep(parent.operator);
  if (ts.isDeleteExpression(parent)) return true;
  if ((ts.isForInStatement(parent) || ts.isForOfStatement(parent)) && parent.initializer === node) return true;
  // `[a, b] = …` and `({ a } = …)`.
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const up = at.parent;
    if (ts.isBinaryExpression(up) && up.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      return up.left === at && (ts.isArrayLiteralExpression(at) || ts.isObjectLiteralExpression(at));
    const isPart =
      ts.isArrayLiteralExpression(up) ||
      ts.isObjectLiteralExpression(up) ||
      ts.isPropertyAssignment(up) ||
      ts.isShorthandPropertyAssignment(up) ||
      ts.isSpreadElement(up);
    if (!isPart) return false;
  }
  return false;
}

/** Evaluating it does something, or may. */
export function hasEffects(root) {
  return someNow(
    root,
    (node) =>
      ts.isCallExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isYieldExpression(node) ||
      ts.isTaggedTemplateExpression(node) ||
      ts.isDeleteExpression(node) ||
      ((ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
        isWrite(node)),
  );
}

/** Something decides whether a part of an expression is evaluated. */
export function isConditional(at) {
  const { parent } = at;
  if (ts.isConditionalExpression(parent)) return parent.condition !== at;
  if (ts.isBinaryExpression(parent))
    return parent.right === at && ['&&', '||', '??', '&&=', '||=', '??='].includes(parent.operatorToken.getText());
  if (ts.isCaseClause(parent)) return parent.expression === at;
  if (ts.isParameter(parent) || ts.isBindingElement(parent)) return parent.initializer === at;
  return (
    (parent.flags & ts.NodeFlags.OptionalChain) !== 0 &&
    !ts.isPropertyAccessExpression(parent) &&
    parent.expression !== at
  );
}

/** Part of the head of a loop that is evaluated in each round. */
export function isInLoopHead(at) {
  const { parent } = at;
  if (ts.isForStatement(parent)) return parent.condition === at || parent.incrementor === at;
  return (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === at;
}

export function ownerOfThis(node) {
  return ts.findAncestor(
    node.parent,
    (one) => (ts.isFunctionLike(one) && !ts.isArrowFunction(one)) || ts.isClassLike(one),
  );
}

export function usesThis(root) {
  let found = false;
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.ThisKeyword || node.kind === ts.SyntaxKind.SuperKeyword) found = true;
    if (!found && !(ts.isFunctionLike(node) && !ts.isArrowFunction(node) && node !== root) && !ts.isClassLike(node))
      ts.forEachChild(node, visit);
  };
  ts.forEachChild(root, visit);
  return found || root.kind === ts.SyntaxKind.ThisKeyword;
}

export function holds(outer, inner) {
  return (
    outer.getSourceFile() === inner.getSourceFile() &&
    outer.getStart() <= inner.getStart() &&
    inner.getEnd() <= outer.getEnd()
  );
}
