import type ts from 'typescript-classic';
import { compiler, tokenAt } from './compiler.ts';
import { isWritten } from './effects.ts';
import { isShadowed, isValueUse, scopeDeclares } from './scopes.ts';

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
    return (calls && isWatched) || (watchers.some(isSelected) && (isWatched || isKept)) ? [name] : [];
  });
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
