import { dirname, join } from 'node:path';
import type ts from 'typescript-classic';
import { isScriptFile } from '../../../../../base/languages/byPath.ts';
import { compiler, parse, sourceExtensions } from '../syntax/compiler.ts';
import { changingMethods, isAssignmentOperator, ownerChanged, placeWritten } from './facts.ts';
import { importOf } from '../imports/importsElsewhere.ts';
import { importedFrom } from './loadCycle.ts';
import { functionNamed, rootOf } from './loadOrder.ts';
import { scopeDeclares } from '../syntax/scopes.ts';
import { pointsTo } from '../imports/specifiers.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

/**
 * Who loaded a file only for the symbol that leaves it would not load it any more. Where loading it does something that others see, it
 * is still loaded: `import './old'`. `read` gives the text of any file of the project, when there is one.
 */
export function keepLoading(
  texts: Map<string, string>,
  { from, to }: { from: string; to: string },
  textBefore: (path: string) => string | undefined,
  read: (path: string) => string | undefined,
): void {
  const left = texts.get(from);
  if (left === undefined || !actsAsItLoads(parse(from, left), read)) return;
  // The new place comes first: who loads it loads what it loads.
  for (const path of [to, ...texts.keys()]) {
    const [before, after] = [textBefore(path), texts.get(path)];
    if (path === from || before === undefined || after === undefined) continue;
    if (path !== to && loads(parse(to, texts.get(to) ?? ''), from)) return;
    const line = loadingLine(parse(path, before), from);
    if (line !== undefined && !loads(parse(path, after), from)) texts.set(path, withLine(parse(path, after), to, line));
  }
}

/** Whether an import does more than to bring names in: loading the file, or one that it passes on, does something that others see. */
export function isForLoading(statement: ts.ImportDeclaration, read: Reader): boolean {
  const tsc = compiler();
  if (statement.importClause?.isTypeOnly === true) return false;
  const seen = new Set<string>();
  const acts = (from: ts.SourceFile, specifier: ts.Expression): boolean => {
    const file = tsc.isStringLiteral(specifier) ? loadedFile(from, specifier.text, read) : undefined;
    if (file === undefined || file.isDeclarationFile || seen.has(file.fileName)) return false;
    seen.add(file.fileName);
    const passed = file.statements.filter(tsc.isExportDeclaration).filter((one) => !one.isTypeOnly);
    return (
      actsAsItLoads(file, read) ||
      passed.some((one) => one.moduleSpecifier !== undefined && acts(file, one.moduleSpecifier))
    );
  };
  return acts(statement.getSourceFile(), statement.moduleSpecifier);
}

/** Whether running a file loads another one. */
function loads(source: ts.SourceFile, file: string): boolean {
  return loadingLine(source, file) !== undefined;
}

/** What loads a file and takes nothing of it, written like what loads it now. */
function loadingLine(source: ts.SourceFile, file: string): string | undefined {
  const tsc = compiler();
  const bare = (specifier: ts.Expression, call: string): string => {
    const semicolon = source.statements.some((one) => one.getText(source).endsWith(';')) ? ';' : '';
    const text = specifier.getText(source);
    return (call === '' ? `import ${text}` : `${call}(${text})`) + semicolon;
  };
  const isIt = (node: ts.Expression | undefined): node is ts.StringLiteral =>
    node !== undefined && tsc.isStringLiteral(node) && pointsTo(source.fileName, node.text, file);
  for (const one of source.statements) {
    if (tsc.isImportDeclaration(one) && isIt(one.moduleSpecifier)) {
      if (one.importClause === undefined || importedFrom(source, file).size > 0) return bare(one.moduleSpecifier, '');
    } else if (tsc.isExportDeclaration(one) && isIt(one.moduleSpecifier) && !one.isTypeOnly)
      return bare(one.moduleSpecifier, '');
    else if (tsc.isVariableStatement(one))
      for (const { initializer } of one.declarationList.declarations) {
        const call = initializer !== undefined ? callWithin(initializer) : undefined;
        const [argument] = call?.arguments ?? [];
        if (call?.expression.getText(source) === 'require' && isIt(argument)) return bare(argument, 'require');
      }
  }
  return undefined;
}

function callWithin(node: ts.Expression): ts.CallExpression | undefined {
  const tsc = compiler();
  if (tsc.isPropertyAccessExpression(node)) return callWithin(node.expression);
  return tsc.isCallExpression(node) ? node : undefined;
}

/** Before what loads the new place: the old one was loaded there. */
function withLine(source: ts.SourceFile, to: string, line: string): string {
  const { text } = source;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const first = source.statements.find((one) => loadsOf(one, to)) ?? source.statements[0];
  const at = first?.getStart(source) ?? 0;
  return text.slice(0, at) + line + eol + text.slice(at);
}

function loadsOf(statement: ts.Statement, file: string): boolean {
  const path = statement.getSourceFile().fileName;
  return [...statement.getText().matchAll(/(['"])(\.[^'"\n]*)\1/g)].some((one) => pointsTo(path, one[2] ?? '', file));
}

/** The text of any file, when there is one. */
export type Reader = (path: string) => string | undefined;

export function readerOf(service: Pick<TypeScriptService, 'textNow'>): Reader {
  return (path) => service.textNow(path) ?? compiler().sys.readFile(path);
}

/** Whether loading a file does something that shows outside of it. Calls that make a value are taken to do no more than that. */
function actsAsItLoads(source: ts.SourceFile, read: Reader): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (tsc.isImportDeclaration(node)) return node.importClause === undefined;
    if (tsc.isTypeNode(node) || tsc.isInterfaceDeclaration(node) || tsc.isTypeAliasDeclaration(node)) return false;
    if (tsc.isFunctionLike(node)) return tsc.isCallExpression(outside(node)) && showsOutside(node, source, read);
    if (tsc.isDecorator(node)) return decorates(node.expression);
    if (tsc.isPropertyDeclaration(node) && (tsc.getCombinedModifierFlags(node) & tsc.ModifierFlags.Static) === 0)
      return (tsc.getDecorators(node) ?? []).some(visit);
    if (tsc.isExpressionStatement(node)) return !tsc.isStringLiteral(node.expression) && acts(node.expression);
    if (changes(node, source, source)) return true;
    if (tsc.isCallExpression(node) && calls(node)) return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  /** A call of a function that is known, and changes what others see. */
  const calls = ({ expression: callee }: ts.CallExpression): boolean => {
    const known = tsc.isIdentifier(callee) ? knownFunction(source, callee.text, read) : undefined;
    return known !== undefined && showsOutside(known, source, read);
  };
  /** What stands as a statement is there for what it does. */
  const acts = (node: ts.Expression): boolean => {
    if (tsc.isBinaryExpression(node) && isAssignmentOperator(node.operatorToken.kind))
      return changes(node, source, source) || visit(node.right);
    if (!tsc.isCallExpression(node)) return visit(node) || tsc.isAwaitExpression(node) || tsc.isNewExpression(node);
    const root = rootOf(node.expression);
    const isOwn = root !== undefined && isPrivate(root, source, source);
    const known = root === node.expression ? knownFunction(source, root.text, read) : undefined;
    // What it is given it may change; without that, it does what its own statements do.
    if (known !== undefined && node.arguments.length === 0) return showsOutside(known, source, read, 'statements');
    const method = tsc.isPropertyAccessExpression(node.expression) ? node.expression.name.text : undefined;
    if (isOwn && method !== undefined && changingMethods.has(method)) return node.arguments.some(visit);
    const [first] = node.arguments;
    const target = first === undefined ? undefined : rootOf(first);
    const isOnOwn = root?.text === 'Object' && target !== undefined && isPrivate(target, source, source);
    return !isOnOwn;
  };
  const decorates = (expression: ts.Expression): boolean => {
    const called = tsc.isCallExpression(expression) ? expression.expression : expression;
    const known = tsc.isIdentifier(called) ? knownFunction(source, called.text, read) : undefined;
    return known === undefined || showsOutside(known, source, read, 'results');
  };
  return source.statements.some(visit);
}

/** What stands around something, but for parentheses. */
function outside(node: ts.Node): ts.Node {
  return compiler().isParenthesizedExpression(node.parent) ? outside(node.parent) : node.parent;
}

/** A function by the name it has in a file: its own, or one that it imports from a file that can be read. */
function knownFunction(source: ts.SourceFile, name: string, read: Reader): ts.Node | undefined {
  const own = functionNamed(source, name);
  const origin = own === undefined ? importOf(source, name) : undefined;
  const file = own === undefined && origin !== undefined ? loadedFile(source, origin.module, read) : undefined;
  return file === undefined || origin === undefined ? own : functionNamed(file, origin.imported);
}

/** The file that a relative path means, when it can be read. */
function loadedFile(source: ts.SourceFile, module: string, read: Reader): ts.SourceFile | undefined {
  if (!module.startsWith('.')) return undefined;
  const stem = join(dirname(source.fileName), module);
  const candidates = [stem, stem.replace(/\.[cm]?js$/, ''), `${stem}/index`];
  for (const path of candidates.flatMap((one) => [one, ...sourceExtensions.map((end) => `${one}.${end}`)])) {
    const text = isScriptFile(path) ? read(path) : undefined;
    if (text !== undefined) return parse(path, text);
  }
  return undefined;
}

/**
 * Whether running a function changes something that is not its own, nor the loading file's. Of what it calls without it being known what
 * that does, `statements` counts what stands as a statement; with `results`, what it returns is run too.
 */
function showsOutside(
  code: ts.Node,
  loading: ts.SourceFile,
  read: Reader,
  depth?: 'statements' | 'results',
  seen = new Set<ts.Node>(),
): boolean {
  const tsc = compiler();
  const home = code.getSourceFile();
  seen.add(code);
  const visit = (node: ts.Node): boolean => {
    if (depth !== 'results' && node !== code && tsc.isFunctionLike(node)) return false;
    if (changes(node, loading, home)) return true;
    if (tsc.isCallExpression(node)) {
      const { expression: callee } = node;
      const known = tsc.isIdentifier(callee) ? knownFunction(home, callee.text, read) : undefined;
      if (known !== undefined && !seen.has(known) && showsOutside(known, loading, read, depth, seen)) return true;
      const root = rootOf(callee);
      const isOwn = root !== undefined && isPrivate(root, loading, home) && !tsc.isIdentifier(callee);
      if (depth === 'statements' && known === undefined && !isOwn && isStatement(node)) return true;
    }
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(code);
}

function isStatement(node: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = node;
  return tsc.isExpressionStatement(parent) || (tsc.isAwaitExpression(parent) && isStatement(parent));
}

/** Whether an expression itself changes something that others than the loading file see. */
function changes(node: ts.Node, loading: ts.SourceFile, home: ts.SourceFile): boolean {
  const target = placeWritten(node) ?? ownerChanged(node);
  if (target === undefined) return false;
  const root = rootOf(target);
  // What is set of `this`, or of the result of a call, is a new object's as a rule; of `(globalThis as any)` it is not.
  return root === undefined
    ? /\b(?:globalThis|window|global|self)\b/.test(target.getText())
    : !isPrivate(root, loading, home);
}

/** Whether a name belongs to the function it stands in, or to the loading file. */
function isPrivate(name: ts.Identifier, loading: ts.SourceFile, home: ts.SourceFile): boolean {
  if (name.text === 'exports' || name.text === 'module') return true;
  for (let scope: ts.Node = name; scope.parent !== undefined; scope = scope.parent)
    if (scopeDeclares(scope, name.text)) return true;
  return home === loading && scopeDeclares(home, name.text) && importOf(home, name.text) === undefined;
}
