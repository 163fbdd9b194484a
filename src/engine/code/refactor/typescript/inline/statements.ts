import type ts from 'typescript-classic';
import { isTypescriptFile } from '../../../../../base/languages/byPath.ts';
import { passedArguments, type CallSite, type Passed } from './callArguments.ts';
import { lineOf } from '../syntax/lines.ts';
import type { Callee } from './callee.ts';
import { holderOf, type Holder } from './enclosingStatement.ts';
import { alwaysEnds } from '../syntax/endings.ts';
import { compiler } from '../syntax/compiler.ts';
import { resultMark, straightBody, type StraightBody } from './earlyReturns.ts';
import { hasEffects } from '../semantics/effects.ts';
import { formatOptionsFor } from '../servers/formatOptions.ts';
import { asResult, awaited, isDoing, refuseCapture, refuseShadowed, surroundings } from './expression.ts';
import { asserted } from './forms.ts';
import { indentAt, reindented } from '../syntax/indentation.ts';
import { placed, type Replacement } from '../syntax/placement.ts';
import { bindingNames } from '../syntax/scopes.ts';
import { substituted, substitutedRange, valueNodes, type Substitution } from '../syntax/substitution.ts';
import { refuse } from '../../refusals/refuse.ts';

export interface StatementEdit {
  /** What gives way: the statement of the call, or the body of an arrow function. */
  statement: ts.Node;
  text: string;
}

/** The value stays where the call was, and something goes before its statement. */
export interface EarlyEdit extends Replacement {
  before: { statement: ts.Node; text: string };
}

/**
 * A call, replaced by the statements of the function. They go before the statement of the call, which is right only when nothing of that
 * statement was to be worked out before the call.
 */
export function statementsFor(callee: Callee, site: CallSite, scope: ts.Node): StatementEdit | EarlyEdit {
  const { definition } = callee;
  const { call } = site;
  if (site.isReceiverOnce === true) throw refuse('calledOnExpression', { line: lineOf(call) });
  const { passed, patterns } = passedArguments(callee, site);
  // Names that are given a value only once may be read before anything else that the statement does, and functions made.
  const isTimeless = (one: Passed): boolean => one.isStable || one.isFunction === true;
  const isEarly = callee.expression !== undefined && patterns.length === 0 && passed.every(isTimeless);
  const holder = holderOf(site, isEarly);
  const { kind, statement, isBare } = holder;
  const straight = isEarly ? undefined : withoutEarlyReturns(callee, site, holder);
  const block = isEarly ? undefined : (straight?.block ?? callee.block);
  const body = block ?? callee.expression;
  if (body === undefined) throw refuse('noStatements');
  const within = straight?.holder ?? (block === undefined ? callee.holder : definition);
  refuseShadowed(callee, body, site, scope);
  const last = block?.statements.at(-1);
  const isVerbatim = block !== undefined && returnsOf(block).some((one) => one !== last);
  const end = !isVerbatim && last !== undefined && compiler().isReturnStatement(last) ? last : undefined;
  const result = block === undefined ? callee.expression : end?.expression;
  if (!isVerbatim && result === undefined && kind === 'inside' && straight === undefined)
    throw refuse('resultNotReturned', { line: lineOf(call) });

  const source = call.getSourceFile();
  const declared = block === undefined ? [] : declaredIn(block);
  const isValue = (one: Passed): boolean =>
    one.isStable &&
    !callee.written.has(one.name) &&
    (site.form === 'hoisted' ? one.value === undefined : site.form !== 'named' || one.value !== undefined);
  const values = new Map(passed.filter(isValue).map((one) => [one.name, one.text]));
  const isRead = (name: string): boolean =>
    valueNodes(body, { within, values: new Map([[name, name]]) }).length > 0 || callee.written.has(name);
  const introduced = passed.filter((one) => !isValue(one) && (isRead(one.name) || isDoing(one)));
  const own = [...declared, ...introduced.map((one) => one.name), ...patterns.flatMap((one) => one.names)];
  const isBlock =
    holder.guard !== undefined ||
    isBare ||
    (kind === 'statement' && own.length > 0 && !areFree(own, callee, site, holder));
  const names = freshNames(own, callee, site, statement, isBlock || kind === 'arrow');
  // What the block itself declares under the same name is renamed; only scopes inside of it can still capture.
  refuseCapture(body, body, passed, call);
  if (patterns.some((one) => one.names.some((name) => names.has(name) || callee.written.has(name))))
    throw refuse('patternNameInUse', { line: lineOf(call) });

  const how: Substitution = {
    ...surroundings(callee, site),
    within,
    values: new Map([...values, ...introduced.flatMap((one) => fresh(one.name, names))]),
    renamed: { block: body, names: new Map([...names].filter(([name]) => declared.includes(name))) },
  };
  const lines = [
    ...(straight?.head === undefined ? [] : [straight.head(typed(callee.definition.type, how))]),
    ...patterns.map((one) => `const ${one.text} = ${one.value};`),
    ...introduced.map((one) => {
      const head = `${callee.written.has(one.name) ? 'let' : 'const'} ${names.get(one.name) ?? one.name}`;
      const type = site.form === 'plain' ? undefined : typeOf(callee, one.name, how);
      if (type === undefined) return `${head} = ${one.text};`;
      // A declared type is narrowed by the first value; one that is asserted is not.
      return site.form === 'hoisted' || site.form === 'named'
        ? `${head} = ${asserted(one.text, type)[1] ?? one.text};`
        : `${head}: ${type} = ${one.text};`;
    }),
    ...(block === undefined ? [] : bodyLines(block, end, how)),
  ];
  if (result !== undefined) {
    const text = dedented(substituted(result, how), end ?? definition, callee.home);
    const value = asResult(callee, site, text);
    if (kind === 'inside' && isEarly && lines.length > 0) {
      const indent = indentAt(statement.getStart(source), source);
      const before = lines.map((line) => `${line}\n${indent}`).join('');
      return { node: site.node, text: value, before: { statement, text: before } };
    }
    if (kind === 'inside') lines.push(withValue(statement, site, value));
    else if (kind !== 'statement') lines.push(`return ${value};`);
    else if (hasEffects(result)) lines.push(`${value};`);
  } else if ((kind === 'return' || kind === 'arrow') && isVerbatim && !alwaysEnds(last)) lines.push('return;');
  else if (kind === 'return' && !isVerbatim && !alwaysEnds(last)) lines.push('return;');
  if (lines.length === 0) throw refuse('nothingLeft');
  const written =
    straight?.result === undefined ? lines : lines.map((line) => line.replaceAll(resultMark, straight.result ?? ''));
  const text = laidOut(written, isBlock || kind === 'arrow', statement, source);
  if (holder.guard === undefined) return { statement, text };
  const { condition, otherwise } = holder.guard;
  const rest = otherwise === undefined ? '' : ` else ${laidOut([`${otherwise};`], true, statement, source)}`;
  return { statement, text: `if (${condition}) ${text}${rest}` };
}

/** The body without the returns before its end, where they would end the caller too. */
function withoutEarlyReturns(
  callee: Callee,
  site: CallSite,
  holder: Holder,
): (StraightBody & { result?: string; head?: (type: string | undefined) => string }) | undefined {
  const tsc = compiler();
  const { kind, statement } = holder;
  const returns = callee.block === undefined ? [] : returnsOf(callee.block);
  const isEarly = returns.some((one) => one !== callee.block?.statements.at(-1));
  if (!isEarly || kind === 'return' || kind === 'arrow' || isEndOfFunction(holder, returns)) return undefined;
  const refused = refuse('returnsEarly');
  const given = kind === 'statement' ? undefined : resultOf(site.node, statement);
  if (callee.block === undefined || (kind === 'inside' && given === undefined)) throw refused;
  const awaits = (value: string): string => (callee.isAsync ? awaited(value) : value);
  const straight = straightBody(callee.definition, callee.block, { gives: given !== undefined, awaits });
  // A name within the branches would be taken for the variable that is given the result.
  if (straight === undefined || (given !== undefined && mentionsName(straight.block, given.name))) throw refused;
  const head = (type: string | undefined): string => {
    const ownType =
      given?.type ?? (callee.isAsync || !isTypescriptFile(site.node.getSourceFile().fileName) ? undefined : type);
    return `let ${given?.name}${ownType === undefined ? '' : `: ${ownType}`};`;
  };
  return { ...straight, result: given?.name, head: given?.isDeclared === true ? head : undefined };

  function resultOf(
    node: ts.Expression,
    holding: ts.Node,
  ): { name: string; type?: string; isDeclared: boolean } | undefined {
    const { parent } = node;
    if (tsc.isVariableDeclaration(parent) && tsc.isVariableStatement(holding) && parent.initializer === node) {
      const isPlain = tsc.isIdentifier(parent.name) && holding.declarationList.declarations.length === 1;
      if (!isPlain || (holding.modifiers ?? []).length > 0) return undefined;
      return { name: parent.name.getText(), type: parent.type?.getText(), isDeclared: true };
    }
    const isGiven =
      tsc.isBinaryExpression(parent) &&
      parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken &&
      parent.right === node &&
      tsc.isIdentifier(parent.left) &&
      tsc.isExpressionStatement(parent.parent);
    return isGiven ? { name: parent.left.getText(), isDeclared: false } : undefined;
  }
}

function mentionsName(root: ts.Node, name: string): boolean {
  const tsc = compiler();
  if (tsc.isIdentifier(root) && root.text === name) return true;
  return tsc.forEachChild(root, (child) => mentionsName(child, name) || undefined) ?? false;
}

function typed(type: ts.TypeNode | undefined, how: Substitution): string | undefined {
  return type === undefined ? undefined : substituted(type, { ...how, renamed: undefined });
}

/** The declared type of a parameter. */
function typeOf(callee: Callee, name: string, how: Substitution): string | undefined {
  const parameter = callee.definition.parameters.find((one) => one.name.getText() === name);
  if (parameter?.type === undefined) return undefined;
  const tsc = compiler();
  const text = substituted(parameter.type, { ...how, within: callee.definition, renamed: undefined });
  if (parameter.questionToken === undefined) return text;
  const isLoose =
    tsc.isFunctionTypeNode(parameter.type) ||
    tsc.isConstructorTypeNode(parameter.type) ||
    tsc.isConditionalTypeNode(parameter.type);
  return `${isLoose ? `(${text})` : text} | undefined`;
}

function fresh(name: string, names: ReadonlyMap<string, string>): [string, string][] {
  const other = names.get(name);
  return other === undefined ? [] : [[name, other]];
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
function isEndOfFunction({ statement, kind, guard }: Holder, returns: readonly ts.ReturnStatement[]): boolean {
  const tsc = compiler();
  const { parent } = statement;
  return (
    kind === 'statement' &&
    guard === undefined &&
    returns.every((one) => one.expression === undefined) &&
    tsc.isBlock(parent) &&
    parent.statements.at(-1) === statement &&
    tsc.isFunctionLike(parent.parent)
  );
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
      throw refuse('bodyDeclaresTypes');
  }
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) || tsc.isClassLike(node)) return;
    if (tsc.isVariableDeclarationList(node) && (node.flags & tsc.NodeFlags.BlockScoped) === 0)
      throw refuse('bodyVarOutlives');
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(block, visit);
  return [...names];
}

/** Other names for those that are in use where the statements go. In a block of their own only the arguments can mean them. */
function freshNames(
  own: readonly string[],
  callee: Callee,
  { call, taken }: CallSite,
  statement: ts.Node,
  isBlock: boolean,
): Map<string, string> {
  const source = statement.getSourceFile();
  const around = functionAround(statement);
  const brought = taken.get(around) ?? new Set<string>();
  if (!isBlock) taken.set(around, brought);
  const used = isBlock ? namesIn(call.arguments, callee) : new Set([...namesIn([around], callee), ...brought]);
  const names = new Map<string, string>();
  const everywhere = `${source.text}\n${callee.home.text}`;
  for (const name of own) {
    let fresh = name;
    for (let number = 1; used.has(fresh) || (number > 1 && isMentioned(fresh, everywhere)); number++)
      fresh = `${name}${number}`;
    if (fresh !== name) names.set(name, fresh);
    used.add(fresh);
    brought.add(fresh);
  }
  return names;
}

/** Whether names can be declared beside the statement of the only call: nothing in the function around is called so. */
function areFree(own: readonly string[], callee: Callee, site: CallSite, { statement }: Holder): boolean {
  const tsc = compiler();
  if (!site.isOnly || tsc.isCaseOrDefaultClause(statement.parent)) return false;
  const used = namesIn([functionAround(statement)], callee);
  return own.every((name) => !used.has(name));
}

/** The function, or the file, whose names a statement can bring more of. */
export function functionAround(statement: ts.Node): ts.Node {
  const tsc = compiler();
  const found = tsc.findAncestor(statement.parent, (node) => tsc.isFunctionLike(node) || tsc.isSourceFile(node));
  return found ?? statement.getSourceFile();
}

/** The names in some code, without those of members, and without the function that gives way. */
function namesIn(code: readonly ts.Node[], callee: Callee): Set<string> {
  const tsc = compiler();
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (node === callee.declaration) return;
    const isMember =
      node.parent !== undefined &&
      (tsc.isPropertyAccessExpression(node.parent) || tsc.isPropertyAssignment(node.parent)) &&
      node.parent.name === node;
    if (tsc.isIdentifier(node) && !isMember) names.add(node.text);
    tsc.forEachChild(node, visit);
  };
  code.forEach(visit);
  return names;
}

function isMentioned(name: string, text: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
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
function withValue(statement: ts.Node, site: CallSite, value: string): string {
  const source = statement.getSourceFile();
  const { node } = site;
  const [one] = placed(source, [{ node, text: value }]);
  return dedented(site.textOf(statement, { node, text: one?.text ?? value }), statement, source);
}

/** Lines after the first, without the indentation the statement had. */
function dedented(text: string, statement: ts.Node, source: ts.SourceFile): string {
  return reindented(text, indentAt(statement.getStart(source), source), '');
}

function laidOut(lines: readonly string[], isBlock: boolean, statement: ts.Node, source: ts.SourceFile): string {
  const indent = indentAt(statement.getStart(source), source);
  const options = formatOptionsFor(source.text);
  const step = isBlock ? (options.convertTabsToSpaces ? ' '.repeat(options.indentSize) : '\t') : '';
  const inner = indent + step + reindented(lines.join('\n'), '', indent + step);
  return isBlock ? `{\n${inner}\n${indent}}` : inner.slice(indent.length);
}
