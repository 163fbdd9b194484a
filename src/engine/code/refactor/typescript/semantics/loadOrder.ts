import type ts from 'typescript-classic';
import type { Conflict } from '../../model.ts';
import { compiler } from '../syntax/compiler.ts';
import { ownerChanged, placeWritten } from './facts.ts';
import { freeNames, scopeDeclares } from '../syntax/scopes.ts';
import { because } from '../../refusals/refuse.ts';

/**
 * What changes something of its file as it is made (`const second = register('b')`, `@register class Second`) is made at another time
 * once it stands in another file: refused where the rest of the file looks at the same thing while it loads. And it is not made at all
 * where nobody loads that file: `isLoaded` says whether somebody is known to.
 */
export function loadOrder(statements: readonly ts.Statement[], name: string, isLoaded: boolean): Conflict[] {
  const tsc = compiler();
  const [first] = statements;
  if (first === undefined) return [];
  const source = first.getSourceFile();
  const file = source.fileName;
  const decorators = statements.flatMap((one) => (tsc.isClassDeclaration(one) ? decoratorsOf(one) : []));
  const touched = new Set([
    ...statements
      .filter((one) => tsc.isVariableStatement(one))
      .flatMap((one) => one.declarationList.declarations)
      .flatMap(({ initializer }) => (initializer === undefined ? [] : [...changedBy(initializer, source, new Set())])),
    ...decorators.flatMap(({ expression }) => [...changedByDecorator(expression, source)]),
  ]);
  const rest = source.statements.filter((one) => !statements.includes(one) && !isDeclarative(one));
  const shared = [...touched].find((one) =>
    rest.some((other) => reaches(other, one, source, new Set()) && !declaresOnly(other, one)),
  );
  if (shared !== undefined)
    return [
      {
        kind: 'meaning',
        message: because('otherLoadOrder', { name, shared }),
        file,
      },
    ];
  const decorator = statements
    .flatMap((one) => (tsc.isClassDeclaration(one) ? (tsc.getDecorators(one) ?? []) : []))
    .find((one) => mayRegister(one.expression, source));
  if (decorator === undefined || isLoaded) return [];
  const shown = decorator.getText(source).replace(/\([\s\S]*$/, '');
  return [
    {
      kind: 'meaning',
      message: because('nothingLoadsTarget', { name, decorator: shown }),
      file,
    },
  ];
}

function decoratorsOf(declaration: ts.ClassDeclaration): ts.Decorator[] {
  const tsc = compiler();
  const own = tsc.getDecorators(declaration) ?? [];
  const inner = declaration.members.flatMap((one) =>
    tsc.canHaveDecorators(one) ? (tsc.getDecorators(one) ?? []) : [],
  );
  return [...own, ...inner];
}

/** A decorator of another file may do anything; one of this file that calls and sets nothing does nothing that others see. */
function mayRegister(expression: ts.Expression, source: ts.SourceFile): boolean {
  const tsc = compiler();
  const called = tsc.isCallExpression(expression) ? expression.expression : expression;
  const body = tsc.isIdentifier(called) ? functionNamed(source, called.text) : undefined;
  const doesSomething = (node: ts.Node): boolean =>
    tsc.isCallExpression(node) ||
    tsc.isNewExpression(node) ||
    placeWritten(node) !== undefined ||
    (tsc.forEachChild(node, (child) => doesSomething(child) || undefined) ?? false);
  return body === undefined || doesSomething(body);
}

/** A decorator is called, and so is what a call of it gives. */
function changedByDecorator(expression: ts.Expression, source: ts.SourceFile): Set<string> {
  const tsc = compiler();
  const called = tsc.isCallExpression(expression) ? expression.expression : expression;
  const body = tsc.isIdentifier(called) ? functionNamed(source, called.text) : undefined;
  const changed = changedBy(expression, source, new Set());
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node)) for (const one of changedBy(node, source, new Set())) changed.add(one);
    tsc.forEachChild(node, visit);
  };
  if (body !== undefined) visit(body);
  return changed;
}

/** The variables of the file that running some code changes: assigns to, or calls a changing method of. */
export function changedBy(code: ts.Node, source: ts.SourceFile, seen: Set<string>): Set<string> {
  const tsc = compiler();
  const changed = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (node !== code && tsc.isFunctionLike(node) && !isCalledAtOnce(node)) return;
    const callee = tsc.isCallExpression(node) && tsc.isIdentifier(node.expression) ? node.expression.text : undefined;
    const body = callee === undefined ? undefined : functionNamed(source, callee);
    if (body !== undefined && callee !== undefined && !seen.has(callee)) {
      seen.add(callee);
      for (const one of changedBy(body, source, seen)) changed.add(one);
    }
    const target = placeWritten(node) ?? ownerChanged(node);
    const root = target === undefined ? undefined : rootOf(target);
    if (root !== undefined && isOwnVariable(source, root.text)) changed.add(root.text);
    tsc.forEachChild(node, visit);
  };
  visit(code);
  const own = tsc.isFunctionLike(code) ? code : undefined;
  return new Set([...changed].filter((one) => own === undefined || !scopeDeclares(own, one)));
}

function isCalledAtOnce(node: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = node;
  if (tsc.isParenthesizedExpression(parent)) return isCalledAtOnce(parent);
  return tsc.isCallExpression(parent) && parent.expression === node;
}

/** Whether loading a statement reads a variable, itself or by a function that it calls. */
export function reaches(statement: ts.Node, name: string, source: ts.SourceFile, seen: Set<string>): boolean {
  const names = freeNames(statement);
  if (names.has(name)) return true;
  for (const one of names) {
    const body = functionNamed(source, one);
    if (body === undefined || seen.has(one)) continue;
    seen.add(one);
    if (reaches(body, name, source, seen)) return true;
  }
  return false;
}

function isDeclarative(statement: ts.Statement): boolean {
  const tsc = compiler();
  if (tsc.isVariableStatement(statement))
    return statement.declarationList.declarations.every(
      ({ initializer }) => initializer === undefined || tsc.isFunctionLike(initializer),
    );
  return (
    tsc.isFunctionDeclaration(statement) ||
    tsc.isInterfaceDeclaration(statement) ||
    tsc.isTypeAliasDeclaration(statement) ||
    tsc.isImportDeclaration(statement) ||
    tsc.isExportDeclaration(statement)
  );
}

function declaresOnly(statement: ts.Statement, name: string): boolean {
  const tsc = compiler();
  return (
    tsc.isVariableStatement(statement) &&
    statement.declarationList.declarations.some((one) => one.name.getText() === name)
  );
}

function isOwnVariable(source: ts.SourceFile, name: string): boolean {
  const tsc = compiler();
  return source.statements.some((one) => tsc.isVariableStatement(one) && declaresOnly(one, name));
}

export function functionNamed(source: ts.SourceFile, name: string): ts.Node | undefined {
  const tsc = compiler();
  for (const one of source.statements) {
    if (tsc.isFunctionDeclaration(one) && one.name?.text === name) return one;
    if (!tsc.isVariableStatement(one)) continue;
    const found = one.declarationList.declarations.find(({ name: own }) => own.getText() === name)?.initializer;
    if (found !== undefined && tsc.isFunctionLike(found)) return found;
  }
  return undefined;
}

export function rootOf(node: ts.Node): ts.Identifier | undefined {
  const tsc = compiler();
  if (tsc.isIdentifier(node)) return node;
  if (tsc.isPropertyAccessExpression(node) || tsc.isElementAccessExpression(node)) return rootOf(node.expression);
  return undefined;
}
