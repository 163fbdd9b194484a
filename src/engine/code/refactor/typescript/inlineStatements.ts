import type ts from 'typescript-classic';
import { isAssigned, lineOf, passedArguments, type Passed } from './callArguments.ts';
import type { Callee } from './callee.ts';
import { compiler } from './compiler.ts';
import { hasEffects } from './effects.ts';
import { formatOptionsFor } from './formatOptions.ts';
import { awaited, indentAt, isTimeless, refuseCapture, refuseShadowed } from './inlineExpression.ts';
import { placed } from './placement.ts';
import { bindingNames } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import { substituted, substitutedRange, type Substitution } from './substitution.ts';

export interface StatementEdit {
  /** What gives way: the statement of the call, or the body of an arrow function. */
  statement: ts.Node;
  text: string;
}

interface Call {
  node: ts.Expression;
  call: ts.CallExpression;
  receiver?: string;
}

type HolderKind = 'statement' | 'return' | 'arrow' | 'inside';

/**
 * A call, replaced by the statements of the function. They go before the statement of the call, which is right only when nothing of that
 * statement was to be worked out before the call.
 */
export function statementsFor(callee: Callee, use: Call, scope: ts.Node): StatementEdit {
  const { block, definition } = callee;
  const { call, node } = use;
  if (block === undefined) throw notOffered('it has no statements');
  const { kind, statement, isBare } = holderOf(node);
  refuseShadowed(callee, block, call, scope);
  const returns = returnsOf(block);
  const last = block.statements.at(-1);
  const early = returns.filter((one) => one !== last);
  const isVerbatim = early.length > 0;
  if (isVerbatim && kind !== 'return' && kind !== 'arrow' && !isEndOfFunction(statement, kind, returns))
    throw notOffered('the function returns before its end');
  const result = !isVerbatim && last !== undefined && compiler().isReturnStatement(last) ? last : undefined;
  if (!isVerbatim && result?.expression === undefined && kind === 'inside')
    throw notOffered(`the call on line ${lineOf(call)} uses a result that the function does not return`);

  const { passed, patterns } = passedArguments(callee, call);
  const source = call.getSourceFile();
  const declared = declaredIn(block);
  const isValue = (one: Passed): boolean => one.isStable && !callee.written.has(one.name);
  const values = new Map(passed.filter(isValue).map((one) => [one.name, one.text]));
  const introduced = passed.filter((one) => !isValue(one));
  const own = [...declared, ...introduced.map((one) => one.name), ...patterns.flatMap((one) => one.names)];
  const isBlock = kind === 'statement' ? own.length > 0 || isBare : isBare;
  const names = freshNames(own, callee, call, statement, isBlock || kind === 'arrow');
  // What the block itself declares under the same name is renamed; only scopes inside of it can still capture.
  refuseCapture(block, block, passed, call);
  if (patterns.some((one) => one.names.some((name) => names.has(name) || callee.written.has(name))))
    throw notOffered(`a name that the function takes a parameter apart into is in use around line ${lineOf(call)}`);

  const how: Substitution = {
    within: definition,
    values: new Map([...values, ...introduced.flatMap((one) => fresh(one.name, names))]),
    ...(use.receiver === undefined ? {} : { receiver: use.receiver }),
    renamed: { block, names: new Map([...names].filter(([name]) => declared.includes(name))) },
  };
  const lines = [
    ...patterns.map((one) => `const ${one.text} = ${one.value};`),
    ...introduced.map(
      (one) => `${callee.written.has(one.name) ? 'let' : 'const'} ${names.get(one.name) ?? one.name} = ${one.text};`,
    ),
    ...bodyLines(block, result, how),
  ];
  if (result?.expression !== undefined) {
    const text = dedented(substituted(result.expression, how), result, callee.home);
    const value = callee.isAsync ? awaited(text) : text;
    if (kind === 'inside') lines.push(withValue(statement, node, value));
    else if (kind !== 'statement') lines.push(`return ${value};`);
    else if (hasEffects(result.expression)) lines.push(`${value};`);
  } else if ((kind === 'return' || kind === 'arrow') && isVerbatim && !endsItself(last)) lines.push('return;');
  else if (kind === 'return' && !isVerbatim) lines.push('return;');
  if (lines.length === 0) throw notOffered('nothing of the function would be left');
  return { statement, text: laidOut(lines, isBlock || kind === 'arrow', statement, source) };
}

function fresh(name: string, names: ReadonlyMap<string, string>): [string, string][] {
  const other = names.get(name);
  return other === undefined ? [] : [[name, other]];
}

/** The statement that the call is part of, and how. */
function holderOf(node: ts.Expression): { kind: HolderKind; statement: ts.Node; isBare: boolean } {
  const tsc = compiler();
  let at: ts.Node = node;
  while (tsc.isParenthesizedExpression(at.parent)) at = at.parent;
  const { parent } = at;
  if (tsc.isArrowFunction(parent) && parent.body === at) return { kind: 'arrow', statement: at, isBare: false };
  const statement = tsc.findAncestor(node, (one) => tsc.isStatement(one) || tsc.isFunctionLike(one));
  const line = lineOf(node);
  const refused = notOffered(
    `the function has several statements, and the call on line ${line} is part of a larger expression`,
    'Extract the call into a variable first.',
  );
  if (statement === undefined || !tsc.isStatement(statement)) throw refused;
  const home = statement.parent;
  const isBare = !tsc.isBlock(home) && !tsc.isSourceFile(home) && !tsc.isModuleBlock(home);
  if (isBare && !tsc.isIfStatement(home) && !tsc.isIterationStatement(home, false)) throw refused;
  if (tsc.isExpressionStatement(parent)) return { kind: 'statement', statement, isBare };
  if (tsc.isReturnStatement(parent)) return { kind: 'return', statement, isBare };
  if (isBare || !isFirstInside(node, statement)) throw refused;
  return { kind: 'inside', statement, isBare };
}

/** Whether a call is the first thing of a statement that does anything, and is made whenever the statement is run. */
function isFirstInside(node: ts.Expression, statement: ts.Statement): boolean {
  const tsc = compiler();
  const source = node.getSourceFile();
  const isHolding =
    tsc.isExpressionStatement(statement) ||
    tsc.isVariableStatement(statement) ||
    tsc.isReturnStatement(statement) ||
    tsc.isThrowStatement(statement) ||
    ((tsc.isIfStatement(statement) ||
      tsc.isSwitchStatement(statement) ||
      tsc.isForOfStatement(statement) ||
      tsc.isForInStatement(statement)) &&
      statement.expression.pos <= node.pos &&
      node.end <= statement.expression.end);
  if (!isHolding) return false;
  for (let at: ts.Node = node; at !== statement; at = at.parent) {
    const { parent } = at;
    if (tsc.isFunctionLike(parent) || tsc.isClassLike(parent)) return false;
    if (tsc.isConditionalExpression(parent) && parent.condition !== at) return false;
    if (
      tsc.isBinaryExpression(parent) &&
      parent.right === at &&
      /^(?:&&|\|\||\?\?)=?$/.test(parent.operatorToken.getText(source))
    )
      return false;
    if ((parent.flags & tsc.NodeFlags.OptionalChain) !== 0 && 'expression' in parent && parent.expression !== at)
      return false;
    const isAssigned_ =
      tsc.isBinaryExpression(parent) &&
      parent.right === at &&
      parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken &&
      tsc.isIdentifier(parent.left);
    let isFirst = true;
    tsc.forEachChild(parent, (sibling) => {
      if (sibling.getStart(source) >= at.getStart(source) || sibling === at || isAssigned_) return;
      if (tsc.isVariableDeclaration(parent) && parent.name === sibling && tsc.isIdentifier(sibling)) return;
      const isSign = sibling.kind >= tsc.SyntaxKind.FirstPunctuation && sibling.kind <= tsc.SyntaxKind.LastPunctuation;
      if (tsc.isTypeNode(sibling) || tsc.isModifier(sibling) || isSign) return;
      if (tsc.isVariableDeclarationList(sibling) && tsc.isIterationStatement(parent, false)) return;
      if (tsc.isPropertyAssignment(parent) && parent.name === sibling && !tsc.isComputedPropertyName(sibling)) return;
      if (!isTimeless(sibling) && !isHarmless(sibling)) isFirst = false;
    });
    if (!isFirst) return false;
  }
  return true;
}

/** Made of literals and of names that are given a value only once. */
function isHarmless(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isFunctionLike(node)) return true;
  if (tsc.isPropertyAssignment(node)) return isHarmless(node.initializer) || isTimeless(node.initializer);
  if (tsc.isObjectLiteralExpression(node) || tsc.isArrayLiteralExpression(node) || tsc.isTemplateExpression(node))
    return tsc.forEachChild(node, (child) => !(isHarmless(child) || isTimeless(child)) || undefined) === undefined;
  if (tsc.isIdentifier(node)) return !isAssigned(node.text, node.getSourceFile());
  return tsc.isLiteralExpression(node) || tsc.isTemplateHead(node);
}

function returnsOf(block: ts.Block): ts.ReturnStatement[] {
  const tsc = compiler();
  const found: ts.ReturnStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) || tsc.isClassLike(node)) return;
    if (tsc.isReturnStatement(node)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(block, visit);
  return found;
}

/** A call at the very end of a function, of one that returns nothing: its returns end the caller just as well. */
function isEndOfFunction(statement: ts.Node, kind: HolderKind, returns: readonly ts.ReturnStatement[]): boolean {
  const tsc = compiler();
  const { parent } = statement;
  return (
    kind === 'statement' &&
    returns.every((one) => one.expression === undefined) &&
    tsc.isBlock(parent) &&
    parent.statements.at(-1) === statement &&
    tsc.isFunctionLike(parent.parent)
  );
}

function endsItself(last: ts.Statement | undefined): boolean {
  const tsc = compiler();
  return last !== undefined && (tsc.isReturnStatement(last) || tsc.isThrowStatement(last));
}

/** The names that the statements themselves bring into the scope they are put in. */
function declaredIn(block: ts.Block): string[] {
  const tsc = compiler();
  const names = new Set<string>();
  for (const statement of block.statements) {
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
      throw notOffered('its body declares types');
  }
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) || tsc.isClassLike(node)) return;
    if (tsc.isVariableDeclarationList(node) && (node.flags & tsc.NodeFlags.BlockScoped) === 0)
      throw notOffered('its body declares variables with var');
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(block, visit);
  return [...names];
}

/** Other names for those that are in use where the statements go. In a block of their own only the arguments can mean them. */
function freshNames(
  own: readonly string[],
  callee: Callee,
  call: ts.CallExpression,
  statement: ts.Node,
  isBlock: boolean,
): Map<string, string> {
  const tsc = compiler();
  const used = new Set<string>();
  const source = statement.getSourceFile();
  const visit = (node: ts.Node): void => {
    if (node === callee.declaration) return;
    const isMember =
      node.parent !== undefined &&
      (tsc.isPropertyAccessExpression(node.parent) || tsc.isPropertyAssignment(node.parent)) &&
      node.parent.name === node;
    if (tsc.isIdentifier(node) && !isMember) used.add(node.text);
    tsc.forEachChild(node, visit);
  };
  if (isBlock) for (const argument of call.arguments) visit(argument);
  else
    visit(tsc.findAncestor(statement.parent, (node) => tsc.isFunctionLike(node) || tsc.isSourceFile(node)) ?? source);
  const names = new Map<string, string>();
  const everywhere = `${source.text}\n${callee.home.text}`;
  for (const name of own) {
    if (!used.has(name)) continue;
    let number = 1;
    while (new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}${number}(?![\\w$])`).test(everywhere)) number++;
    names.set(name, `${name}${number}`);
  }
  return names;
}

/** The statements as they are written, comments and empty lines between them included, without the last return. */
function bodyLines(block: ts.Block, result: ts.ReturnStatement | undefined, how: Substitution): string[] {
  const tsc = compiler();
  const source = block.getSourceFile();
  const kept = block.statements.filter((one) => one !== result);
  const [first] = kept;
  const last = kept.at(-1);
  if (first === undefined || last === undefined) return [];
  const [comment] = tsc.getLeadingCommentRanges(source.text, first.getFullStart()) ?? [];
  const start = comment?.pos ?? first.getStart(source);
  const [behind] = tsc.getTrailingCommentRanges(source.text, last.getEnd()) ?? [];
  const text = substitutedRange(block, start, behind?.end ?? last.getEnd(), how);
  return [dedented(text, first, source)];
}

/** The statement of the call, with a value in place of the call. */
function withValue(statement: ts.Node, node: ts.Expression, value: string): string {
  const source = statement.getSourceFile();
  const [one] = placed(source, [{ node, text: value }]);
  const text =
    source.text.slice(statement.getStart(source), node.getStart(source)) +
    (one?.text ?? value) +
    source.text.slice(node.getEnd(), statement.getEnd());
  return dedented(text, statement, source);
}

/** Lines after the first, without the indentation the statement had. */
function dedented(text: string, statement: ts.Node, source: ts.SourceFile): string {
  const indent = indentAt(statement.getStart(source), source);
  return text
    .split('\n')
    .map((line, index) => (index > 0 && line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

function laidOut(lines: readonly string[], isBlock: boolean, statement: ts.Node, source: ts.SourceFile): string {
  const indent = indentAt(statement.getStart(source), source);
  const options = formatOptionsFor(source.text);
  const step = isBlock ? (options.convertTabsToSpaces ? ' '.repeat(options.indentSize) : '\t') : '';
  const inner = lines
    .flatMap((one) => one.split('\n'))
    .map((line) => (line === '' ? line : `${indent}${step}${line}`))
    .join('\n');
  return isBlock ? `{\n${inner}\n${indent}}` : inner.slice(indent.length);
}
