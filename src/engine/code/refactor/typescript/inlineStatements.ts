import type ts from 'typescript-classic';
import { compiler } from './compiler.ts';
import { hasEffects, isAssignmentOperator, isPrimary } from './effects.ts';
import { formatOptionsFor } from './formatOptions.ts';
import { bindingNames, freeNames, isShadowed, isValueUse } from './scopes.ts';
import { notOffered } from './serverEdits.ts';

type PlainFunction = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

export interface StatementEdit {
  /** What goes: the whole statement of the call. */
  node: ts.Statement;
  text: string;
}

/**
 * A call, replaced by the statements of the function. It must be a statement of its own, or the whole value of a declaration,
 * an assignment or a return: only there do the statements come exactly when the call would have come.
 */
export function statementsFor(
  definition: PlainFunction,
  body: ts.Block,
  call: ts.CallExpression,
  scope: ts.Node,
): StatementEdit {
  const tsc = compiler();
  const line = lineOf(call);
  const { statement, head } = holderOf(call);
  const last = body.statements.at(-1);
  const isReturning = last !== undefined && tsc.isReturnStatement(last);
  refuseEarlyReturn(body, last);
  const result = isReturning ? last.expression : undefined;
  if (head !== '' && result === undefined)
    throw notOffered(`the call on line ${line} uses a result that the function does not return`);
  for (const name of freeNames(body))
    if (!definition.parameters.some((one) => one.name.getText() === name) && isShadowed(name, call, scope))
      throw notOffered(`"${name}" means something else at the call on line ${line}`);

  const { replaced, introduced } = argumentsFor(definition, body, call);
  const declared = [...namesDeclaredIn(body), ...introduced.map((one) => one.name)];
  const isBlock = head === '' && declared.length > 0;
  refuseCollisions(declared, call, statement, isBlock, definition);

  const source = body.getSourceFile();
  const rewrite = (node: ts.Node): string => substitutedText(node, replaced, source);
  const lines = introduced.map((one) => `const ${one.name} = ${one.text};`);
  for (const one of body.statements) {
    if (one !== last || !isReturning) lines.push(dedented(commentsBefore(one, source) + rewrite(one), one, source));
    else if (result !== undefined && (head !== '' || hasEffects(result)))
      lines.push(`${head}${dedented(rewrite(result), one, source)};`);
  }
  return { node: statement, text: laidOut(lines, isBlock, statement) };
}

/** The statement that the call makes up, and what comes before the value in it. */
function holderOf(call: ts.CallExpression): { statement: ts.Statement; head: string } {
  const tsc = compiler();
  const { parent } = call;
  const refused = notOffered(
    `the function has several statements, and the call on line ${lineOf(call)} is part of a larger expression`,
    'Extract the call into a variable first.',
  );
  let found: { statement: ts.Statement; head: string } | undefined;
  if (tsc.isExpressionStatement(parent)) found = { statement: parent, head: '' };
  else if (tsc.isReturnStatement(parent)) found = { statement: parent, head: 'return ' };
  else if (
    tsc.isVariableDeclaration(parent) &&
    tsc.isVariableDeclarationList(parent.parent) &&
    parent.parent.declarations.length === 1 &&
    tsc.isVariableStatement(parent.parent.parent)
  )
    found = { statement: parent.parent.parent, head: textBefore(parent.parent.parent, call) };
  else if (
    tsc.isBinaryExpression(parent) &&
    parent.right === call &&
    parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken &&
    tsc.isIdentifier(parent.left) &&
    tsc.isExpressionStatement(parent.parent)
  )
    found = { statement: parent.parent, head: textBefore(parent.parent, call) };
  if (found === undefined) throw refused;
  const home = found.statement.parent;
  if (!tsc.isBlock(home) && !tsc.isSourceFile(home) && !tsc.isModuleBlock(home)) throw refused;
  return found;
}

function textBefore(statement: ts.Statement, call: ts.CallExpression): string {
  const source = statement.getSourceFile();
  return source.text.slice(statement.getStart(source), call.getStart(source));
}

function refuseEarlyReturn(body: ts.Block, last: ts.Statement | undefined): void {
  const tsc = compiler();
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) || tsc.isClassLike(node)) return;
    if (tsc.isReturnStatement(node) && node !== last) throw notOffered('the function returns before its end');
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(body, visit);
}

interface Arguments {
  /** Texts that stand for parameters. */
  replaced: Map<string, string>;
  /** Parameters that become constants, because their value may only be worked out once, and before all else. */
  introduced: { name: string; text: string }[];
}

function argumentsFor(definition: PlainFunction, body: ts.Block, call: ts.CallExpression): Arguments {
  const tsc = compiler();
  const replaced = new Map<string, string>();
  const introduced: { name: string; text: string }[] = [];
  if (call.arguments.length !== definition.parameters.length)
    throw notOffered(`the call on line ${lineOf(call)} does not pass exactly the parameters`);
  definition.parameters.forEach((parameter, index) => {
    const argument = call.arguments[index];
    if (argument === undefined) return;
    const name = parameter.name.getText();
    const isStable =
      tsc.isStringLiteralLike(argument) ||
      tsc.isNumericLiteral(argument) ||
      argument.kind === tsc.SyntaxKind.TrueKeyword ||
      argument.kind === tsc.SyntaxKind.FalseKeyword ||
      argument.kind === tsc.SyntaxKind.NullKeyword ||
      (tsc.isIdentifier(argument) &&
        !isAssigned(argument.text, call.getSourceFile()) &&
        !isDeclaredIn(argument.text, body));
    if (isStable)
      replaced.set(
        name,
        isPrimary(argument) || tsc.isNumericLiteral(argument) ? argument.getText() : `(${argument.getText()})`,
      );
    else introduced.push({ name, text: argument.getText() });
  });
  return { replaced, introduced };
}

/** Whether a variable of this name is given a value somewhere in the file, other than where it is declared. */
function isAssigned(name: string, source: ts.SourceFile): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    const target =
      tsc.isBinaryExpression(node) && isAssignmentOperator(node.operatorToken.kind)
        ? node.left
        : tsc.isPostfixUnaryExpression(node) || tsc.isPrefixUnaryExpression(node)
          ? node.operand
          : (tsc.isForInStatement(node) || tsc.isForOfStatement(node)) && tsc.isExpression(node.initializer)
            ? node.initializer
            : undefined;
    if (target !== undefined && mentions(target, name)) return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(source);
}

function mentions(root: ts.Node, name: string): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean =>
    (tsc.isIdentifier(node) && node.text === name && isValueUse(node)) ||
    (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  return visit(root);
}

function isDeclaredIn(name: string, body: ts.Block): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    const isDeclared =
      (tsc.isVariableDeclaration(node) || tsc.isParameter(node) || tsc.isBindingElement(node)) &&
      bindingNames(node.name).includes(name);
    const isNamed =
      (tsc.isFunctionDeclaration(node) || tsc.isClassDeclaration(node) || tsc.isFunctionExpression(node)) &&
      node.name?.text === name;
    return isDeclared || isNamed || (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  };
  return visit(body);
}

/** The names that the statements themselves bring into the scope they are put in. */
function namesDeclaredIn(body: ts.Block): string[] {
  const tsc = compiler();
  const names = new Set<string>();
  for (const statement of body.statements) {
    if (tsc.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations)
        for (const name of bindingNames(one.name)) names.add(name);
    if ((tsc.isFunctionDeclaration(statement) || tsc.isClassDeclaration(statement)) && statement.name !== undefined)
      names.add(statement.name.text);
    if (
      tsc.isInterfaceDeclaration(statement) ||
      tsc.isTypeAliasDeclaration(statement) ||
      tsc.isEnumDeclaration(statement)
    )
      names.add(statement.name.text);
  }
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) || tsc.isClassLike(node)) return;
    if (tsc.isVariableDeclarationList(node) && (node.flags & tsc.NodeFlags.BlockScoped) === 0)
      throw notOffered('its body declares variables with var');
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(body, visit);
  return [...names];
}

/** What the statements declare may be known under the same name to nothing around them, and the arguments may not mean it. */
function refuseCollisions(
  declared: readonly string[],
  call: ts.CallExpression,
  statement: ts.Statement,
  isBlock: boolean,
  definition: PlainFunction,
): void {
  const tsc = compiler();
  const taken = call.arguments
    .flatMap((argument) => [...freeNames(argument)])
    .find(
      (name) =>
        declared.includes(name) &&
        !definition.parameters.some(
          (one) =>
            one.name.getText() === name &&
            call.arguments.some((argument) => tsc.isIdentifier(argument) && argument.text === name),
        ),
    );
  if (taken !== undefined)
    throw notOffered(`"${taken}" in the call on line ${lineOf(call)} means something else inside the function`);
  if (isBlock) return;
  const home =
    tsc.findAncestor(statement, (node) => tsc.isFunctionLike(node) || tsc.isSourceFile(node)) ??
    statement.getSourceFile();
  const visit = (node: ts.Node): string | undefined => {
    if (node === definition || (tsc.isVariableDeclaration(node) && node.initializer === definition)) return undefined;
    if (tsc.isIdentifier(node) && declared.includes(node.text) && !isMemberName(node)) return node.text;
    return tsc.forEachChild(node, visit);
  };
  const found = visit(home);
  if (found !== undefined)
    throw notOffered(`"${found}", which the function declares, is in use around the call on line ${lineOf(call)}`);
}

function isMemberName(node: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = node;
  return (
    (tsc.isPropertyAccessExpression(parent) && parent.name === node) ||
    (tsc.isPropertyAssignment(parent) && parent.name === node) ||
    ((tsc.isClassElement(parent) || tsc.isTypeElement(parent)) && parent.name === node)
  );
}

function substitutedText(root: ts.Node, replaced: ReadonlyMap<string, string>, source: ts.SourceFile): string {
  const tsc = compiler();
  const uses: { start: number; end: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (
      tsc.isIdentifier(node) &&
      isValueUse(node) &&
      replaced.has(node.text) &&
      !isShadowed(node.text, node.parent, root.parent)
    ) {
      const text = replaced.get(node.text) ?? node.text;
      const isShorthand = tsc.isShorthandPropertyAssignment(node.parent) && text !== node.text;
      uses.push({
        start: node.getStart(source),
        end: node.getEnd(),
        text: isShorthand ? `${node.text}: ${text}` : text,
      });
    }
    tsc.forEachChild(node, visit);
  };
  visit(root);
  let text = '';
  let at = root.getStart(source);
  for (const use of uses.sort((a, b) => a.start - b.start)) {
    text += source.text.slice(at, use.start) + use.text;
    at = use.end;
  }
  return text + source.text.slice(at, root.getEnd());
}

/** What is said about a statement, with the white space up to it. */
function commentsBefore(statement: ts.Statement, source: ts.SourceFile): string {
  const [first] = compiler().getLeadingCommentRanges(source.text, statement.getFullStart()) ?? [];
  return first === undefined ? '' : source.text.slice(first.pos, statement.getStart(source));
}

/** Lines after the first, without the indentation the statement had. */
function dedented(text: string, statement: ts.Statement, source: ts.SourceFile): string {
  const lineStart = source.text.lastIndexOf('\n', statement.getStart(source) - 1) + 1;
  const indent = /^[ \t]*/.exec(source.text.slice(lineStart))?.[0] ?? '';
  return text
    .split('\n')
    .map((line, index) => (index > 0 && line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

function laidOut(lines: readonly string[], isBlock: boolean, statement: ts.Statement): string {
  const source = statement.getSourceFile();
  const lineStart = source.text.lastIndexOf('\n', statement.getStart(source) - 1) + 1;
  const indent = /^[ \t]*/.exec(source.text.slice(lineStart))?.[0] ?? '';
  const options = formatOptionsFor(source.text);
  const step = isBlock ? (options.convertTabsToSpaces ? ' '.repeat(options.indentSize) : '\t') : '';
  const inner = lines
    .flatMap((one) => one.split('\n'))
    .map((line) => (line === '' ? line : `${indent}${step}${line}`))
    .join('\n');
  return isBlock ? `{\n${inner}\n${indent}}` : inner.slice(indent.length);
}

function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
