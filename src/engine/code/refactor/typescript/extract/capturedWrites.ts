import type ts from 'typescript-classic';
import { compiler, tokenAt } from '../syntax/compiler.ts';
import { isWritten } from '../semantics/effects.ts';
import { isShadowed, isValueUse, scopeDeclares } from '../syntax/scopes.ts';

/**
 * Variables that a selection sets while other functions can look at them: those that it calls, or that it makes itself. Passed to a
 * function of its own and handed back, they would be set too late, or not at all for a function that was made inside.
 */
export function watchedWrites(source: ts.SourceFile, start: number, end: number): string[] {
  const tsc = compiler();
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const around = tsc.findAncestor(tokenAt(source, start), (node) => tsc.isFunctionLike(node) && !isSelected(node));
  if (around === undefined) return [];
  const written = new Map<string, ts.Node>();
  let calls = false;
  const visit = (node: ts.Node): void => {
    if (isSelected(node)) {
      calls ||= mayRunOthers(node);
      const scope = tsc.isIdentifier(node) && isWritten(node) ? declaringScope(node) : undefined;
      if (scope !== undefined && !tsc.isSourceFile(scope) && !isSelected(scope))
        written.set(node.getText(source), scope);
    }
    tsc.forEachChild(node, visit);
  };
  visit(around);
  return [...written].flatMap(([name, scope]) => {
    const isOuter = scope !== around && scope.pos <= around.pos && around.end <= scope.end;
    const mentions = mentionsOf(name, scope);
    const watchers = functionsAround(mentions, scope).filter((one) => !(one.pos <= start && end <= one.end));
    const isWatched = isOuter || watchers.some((one) => !isSelected(one));
    // A function that the selection makes keeps the variable: that matters when somebody else has it afterwards.
    const isKept = mentions.some((one) => one.pos >= end) || isInLoop(around, scope, start);
    const isLost =
      mentions.some((one) => isSelected(one) && isWritten(one) && mayFailAfter(one, start, end)) &&
      isReadAfterFailure(mentions, tokenAt(source, start), around, end);
    return isLost || (calls && isWatched) || (watchers.some(isSelected) && (isWatched || isKept)) ? [name] : [];
  });
}

/** Whether something may be thrown in a selection after a variable was set. */
function mayFailAfter(written: ts.Node, start: number, end: number): boolean {
  const tsc = compiler();
  const source = written.getSourceFile();
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const set =
    tsc.findAncestor(written, (node) => tsc.isExpressionStatement(node.parent) || tsc.isStatement(node)) ?? written;
  const loop = tsc.findAncestor(written, (node) => tsc.isIterationStatement(node, false) && isSelected(node));
  const visit = (node: ts.Node): boolean => {
    const isLater = node.getStart(source) >= set.getEnd() || (loop !== undefined && loop.pos <= node.pos);
    const isCall = mayRunOthers(node) && !node.getText(source).startsWith('console.');
    if (isSelected(node) && isLater && (isCall || tsc.isThrowStatement(node))) return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(source);
}

/** Whether a variable is read behind a `try` of the function that the selection stands in. */
function isReadAfterFailure(mentions: readonly ts.Node[], at: ts.Node, around: ts.Node, end: number): boolean {
  const tsc = compiler();
  for (let node = at; node !== around && node.parent !== undefined; node = node.parent) {
    const { parent } = node;
    if (!tsc.isTryStatement(parent) || parent.tryBlock !== node || node.end < end) continue;
    if (mentions.some((one) => one.pos >= node.end)) return true;
  }
  return false;
}

function isInLoop(around: ts.Node, scope: ts.Node, offset: number): boolean {
  const tsc = compiler();
  for (let at = tokenAt(around.getSourceFile(), offset); at !== scope && at !== around; at = at.parent)
    if (tsc.isIterationStatement(at, false)) return true;
  return false;
}

/** Whether the selection means the arguments of the function around it. */
export function meansArguments(source: ts.SourceFile, start: number, end: number): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (node.getEnd() <= start || end <= node.getStart(source)) return false;
    const isInside = start <= node.getStart(source) && node.getEnd() <= end;
    if (isInside && tsc.isFunctionLike(node) && !tsc.isArrowFunction(node)) return false;
    if (isInside && tsc.isIdentifier(node) && node.text === 'arguments' && isValueUse(node)) return true;
    if (isInside && tsc.isMetaProperty(node) && node.keywordToken === tsc.SyntaxKind.NewKeyword) return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(source);
}

/** A `var` of a selection in a loop that keeps its value from one round to the next. */
export function keptByLoop(source: ts.SourceFile, start: number, end: number): string | undefined {
  const tsc = compiler();
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const around = tsc.findAncestor(tokenAt(source, start), (node) => tsc.isFunctionLike(node) && !isSelected(node));
  const scope = around ?? source;
  if (!isInLoop(scope, scope, start)) return undefined;
  const visit = (node: ts.Node): string | undefined => {
    if (node !== scope && tsc.isFunctionLike(node)) return undefined;
    const isVar = tsc.isVariableDeclaration(node) && (tsc.getCombinedNodeFlags(node) & tsc.NodeFlags.BlockScoped) === 0;
    if (isVar && isSelected(node) && tsc.isIdentifier(node.name)) {
      const { name, initializer } = node;
      const isHead = tsc.isForInStatement(node.parent.parent) || tsc.isForOfStatement(node.parent.parent);
      const isEarlier = isMentionedBetween(name.text, scope, start, node.pos);
      if (!isHead && (initializer === undefined || isEarlier)) return name.text;
    }
    return tsc.forEachChild(node, visit);
  };
  return visit(scope);
}

function isMentionedBetween(name: string, scope: ts.Node, start: number, end: number): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    const isBetween = start <= node.getStart() && node.end <= end;
    if (isBetween && tsc.isIdentifier(node) && node.text === name && isValueUse(node)) return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(scope);
}

/** Whether the selection runs a text as code, which may mean any variable around. */
export function runsText(source: ts.SourceFile, start: number, end: number): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    const isSelected = start <= node.getStart(source) && node.getEnd() <= end;
    if (isSelected && tsc.isCallExpression(node) && node.expression.getText(source) === 'eval') return true;
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(source);
}

function mayRunOthers(node: ts.Node): boolean {
  const tsc = compiler();
  return (
    tsc.isCallExpression(node) ||
    tsc.isNewExpression(node) ||
    tsc.isTaggedTemplateExpression(node) ||
    tsc.isAwaitExpression(node) ||
    tsc.isYieldExpression(node)
  );
}

function declaringScope(name: ts.Identifier): ts.Node | undefined {
  for (let at: ts.Node | undefined = name; at !== undefined; at = at.parent)
    if (scopeDeclares(at, name.text)) return at;
  return undefined;
}

/** Where a variable of a scope is meant. */
function mentionsOf(name: string, scope: ts.Node): ts.Identifier[] {
  const tsc = compiler();
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node) && node.text === name && isValueUse(node) && !isShadowed(name, node, scope))
      found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(scope);
  return found;
}

/** The functions within a scope in which something stands. */
function functionsAround(nodes: readonly ts.Node[], scope: ts.Node): ts.Node[] {
  const found = new Set<ts.Node>();
  for (const node of nodes)
    for (let at = node.parent; at !== undefined && at !== scope; at = at.parent)
      if (compiler().isFunctionLike(at)) found.add(at);
  return [...found];
}
