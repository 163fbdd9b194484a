import type ts from 'typescript-classic';
import { assignedLike } from './callArguments.ts';
import { isAssigned } from '../semantics/stableValues.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { isAssignmentOperator, placeWritten } from '../semantics/facts.ts';
import { expressionOf } from '../syntax/placement.ts';
import { bindingNames, isValueUse } from '../syntax/scopes.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Reading a getter is calling it without arguments. */
export type MemberFunction = ts.MethodDeclaration | ts.GetAccessorDeclaration;
export type InlinableDeclaration = ts.FunctionDeclaration | ts.VariableDeclaration | MemberFunction;
type PlainFunction = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | MemberFunction;

export function isMemberFunction(node: ts.Node): node is MemberFunction {
  const tsc = compiler();
  return tsc.isMethodDeclaration(node) || tsc.isGetAccessorDeclaration(node);
}

/** A function as it is put in place of its calls. */
export interface Callee {
  name: string;
  /** Where it was written. What it needs of that file may have to be imported elsewhere. */
  home: ts.SourceFile;
  declaration: InlinableDeclaration;
  definition: PlainFunction;
  /** The value it returns, when it does nothing else: its own, or one made of its ways to return. */
  expression?: ts.Expression;
  /** What it does, when that is one expression whose value it does not return. */
  effect?: ts.Expression;
  /** The type of that is void. */
  isEffectVoid?: boolean;
  /** The function that `expression` stands in. */
  holder: PlainFunction;
  /** Its statements, when it has a block. */
  block?: ts.Block;
  isAsync: boolean;
  /** It does nothing: what calls it for its own sake can go. */
  isEmpty?: boolean;
  /** Parameters that it gives other values to. */
  written: Set<string>;
}

export function calleeOf(declaration: InlinableDeclaration, name: string): Callee {
  const tsc = compiler();
  const definition = functionOf(declaration);
  const { body } = definition;
  if (body === undefined) throw refuse('functionWithoutBody');
  const isAsync = (tsc.getCombinedModifierFlags(definition) & tsc.ModifierFlags.Async) !== 0;
  const callee: Callee = {
    name,
    home: declaration.getSourceFile(),
    declaration,
    definition,
    holder: definition,
    isAsync,
    written: new Set(),
  };
  refuseUnlessPlain(callee, body);
  if (!tsc.isBlock(body)) return { ...callee, expression: withoutParentheses(body) };
  if (body.statements.length === 0) return { ...callee, block: body, isEmpty: true };
  const [only, ...rest] = body.statements;
  if (rest.length === 0 && only !== undefined && tsc.isReturnStatement(only) && only.expression !== undefined)
    return { ...callee, expression: only.expression, block: body };
  const effect =
    rest.length === 0 && only !== undefined && tsc.isExpressionStatement(only) ? only.expression : undefined;
  return { ...callee, block: body, ...(effect === undefined ? conditional(definition, body) : { effect }) };
}

/** They are put back where they are needed. */
function withoutParentheses(value: ts.Expression): ts.Expression {
  const tsc = compiler();
  const isJsDocCast = tsc.getJSDocTypeTag(value) !== undefined;
  return tsc.isParenthesizedExpression(value) && !isJsDocCast ? withoutParentheses(value.expression) : value;
}

/** What is declared in the namespace around a function, when there is one. */
export function namespaceNames({ declaration }: Callee): ReadonlySet<string> | undefined {
  const tsc = compiler();
  const block = tsc.findAncestor(declaration, tsc.isModuleBlock);
  if (block === undefined) return undefined;
  const names = new Set<string>();
  for (const statement of block.statements) {
    if (tsc.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations)
        for (const name of bindingNames(one.name)) names.add(name);
    else if ('name' in statement && statement.name !== undefined) names.add((statement.name as ts.Node).getText());
  }
  return names;
}

function functionOf(declaration: InlinableDeclaration): PlainFunction {
  const tsc = compiler();
  if (!tsc.isVariableDeclaration(declaration)) return declaration;
  const initializer = plainFunction(declaration.initializer);
  if (isAssigned(declaration.name.getText(), declaration.getSourceFile()))
    throw refuse('assignedAgain', { name: declaration.name.getText() });
  if (initializer !== undefined) return initializer;
  throw refuse('notFunction');
}

/** A function that is written down as a value, perhaps in parentheses. */
export function plainFunction(value: ts.Expression | undefined): ts.FunctionExpression | ts.ArrowFunction | undefined {
  const tsc = compiler();
  if (value === undefined) return undefined;
  if (tsc.isParenthesizedExpression(value)) return plainFunction(value.expression);
  return tsc.isArrowFunction(value) || tsc.isFunctionExpression(value) ? value : undefined;
}

/** `if (a) return b; return c;` is the value `a ? b : c`. */
function conditional(definition: PlainFunction, body: ts.Block): Pick<Callee, 'expression' | 'holder'> | undefined {
  const tsc = compiler();
  const text = valueOfStatements([...body.statements]);
  if (text === undefined) return undefined;
  const parameters = definition.parameters.map((one) => one.getText()).join(', ');
  const file = parse(definition.getSourceFile().fileName, `const _ = (${parameters}) => ${text};`);
  assignedLike(file, definition.getSourceFile());
  const [statement] = file.statements;
  if (statement === undefined || !tsc.isVariableStatement(statement)) return undefined;
  const arrow = statement.declarationList.declarations[0]?.initializer;
  if (arrow === undefined || !tsc.isArrowFunction(arrow) || tsc.isBlock(arrow.body)) return undefined;
  return { expression: arrow.body, holder: arrow };
}

function valueOfStatements(statements: readonly ts.Statement[]): string | undefined {
  const tsc = compiler();
  const [first, ...rest] = statements;
  if (first === undefined) return undefined;
  if (tsc.isReturnStatement(first)) return rest.length === 0 ? first.expression?.getText() : undefined;
  if (tsc.isBlock(first) && rest.length === 0) return valueOfStatements([...first.statements]);
  if (!tsc.isIfStatement(first)) return undefined;
  const then = valueOfStatements([first.thenStatement]);
  const otherwise = first.elseStatement === undefined ? rest : rest.length === 0 ? [first.elseStatement] : [];
  const other = valueOfStatements(otherwise);
  if (then === undefined || other === undefined) return undefined;
  return `${operand(first.expression.getText())} ? ${operand(then)} : ${other}`;
}

function operand(text: string): string {
  const tsc = compiler();
  const value = expressionOf(text);
  const isLoose =
    value === undefined ||
    tsc.isConditionalExpression(value) ||
    tsc.isArrowFunction(value) ||
    tsc.isYieldExpression(value) ||
    (tsc.isBinaryExpression(value) &&
      (isAssignmentOperator(value.operatorToken.kind) || value.operatorToken.kind === tsc.SyntaxKind.CommaToken));
  return isLoose ? `(${text})` : text;
}

function refuseUnlessPlain(callee: Callee, body: ts.Node): void {
  const tsc = compiler();
  const { definition, name } = callee;
  const isMethod = isMemberFunction(definition);
  if (!tsc.isGetAccessorDeclaration(definition) && definition.asteriskToken !== undefined) throw refuse('generator');
  if (isMethod && (tsc.getDecorators(definition) ?? []).length > 0) throw refuse('decoratedMethod');
  const parameters = new Set(definition.parameters.map((one) => one.name.getText()));
  const visit = (node: ts.Node, ownThis: boolean): void => {
    if (node.kind === tsc.SyntaxKind.ThisKeyword && !ownThis && !isMethod && !tsc.isArrowFunction(definition))
      throw refuse('bodyUsesThis');
    if (tsc.isIdentifier(node) && node.text === 'arguments' && isValueUse(node) && !ownThis)
      throw refuse('bodyUsesArguments');
    const isOwnName = tsc.isIdentifier(node) && node.text === name;
    if (isOwnName && (isMethod ? isMemberOfThis(node) : isValueUse(node))) throw refuse('callsItself');
    if (tsc.isMetaProperty(node) || node.kind === tsc.SyntaxKind.SuperKeyword) throw refuse('bodyUsesNewTargetOrSuper');
    for (const each of writtenParameters(node, parameters)) callee.written.add(each);
    const isInner = ownThis || (tsc.isFunctionLike(node) && !tsc.isArrowFunction(node)) || tsc.isClassLike(node);
    tsc.forEachChild(node, (child) => visit(child, isInner));
  };
  visit(body, false);
}

function isMemberOfThis(node: ts.Identifier): boolean {
  const { parent } = node;
  const tsc = compiler();
  return (
    tsc.isPropertyAccessExpression(parent) &&
    parent.name === node &&
    parent.expression.kind === tsc.SyntaxKind.ThisKeyword
  );
}

function writtenParameters(node: ts.Node, parameters: ReadonlySet<string>): string[] {
  const tsc = compiler();
  const isLoop = (tsc.isForInStatement(node) || tsc.isForOfStatement(node)) && tsc.isExpression(node.initializer);
  const written = isLoop ? node.initializer : placeWritten(node);
  if (written === undefined) return [];
  if (tsc.isIdentifier(written)) return parameters.has(written.text) ? [written.text] : [];
  if (!tsc.isArrayLiteralExpression(written) && !tsc.isObjectLiteralExpression(written)) return [];
  // Taking apart an array or object may give values to parameters too.
  return [...parameters].filter((name) =>
    new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(written.getText()),
  );
}
