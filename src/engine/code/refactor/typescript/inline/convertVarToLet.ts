import type ts from 'typescript-classic';
import { plainFunction } from './callee.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { bindingNames, isValueUse } from '../syntax/scopes.ts';

/**
 * The name of a function, in a file where the function declares with `let` what it declares with `var`, if that means the same: its
 * statements can stand in a block of another function then. Both words are of one length, so nothing else of the file is elsewhere.
 */
export function withLets(name: ts.Node): ts.Node {
  const tsc = compiler();
  const source = name.getSourceFile();
  const { parent } = name;
  const definition = tsc.isVariableDeclaration(parent) ? plainFunction(parent.initializer) : parent;
  if (definition === undefined || !tsc.isFunctionLike(definition)) return name;
  const lists = varsOf(definition);
  if (lists.length === 0 || !lists.every((list) => isLikeLet(list, definition))) return name;
  const text = lists.reduce((all, list) => {
    const at = list.getStart(source);
    return `${all.slice(0, at)}let${all.slice(at + 'var'.length)}`;
  }, source.text);
  return tokenAt(parse(source.fileName, text), name.getStart(source));
}

/** The `var` declarations of a function itself. */
function varsOf(definition: ts.Node): ts.VariableDeclarationList[] {
  const tsc = compiler();
  const found: ts.VariableDeclarationList[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isFunctionLike(node) || tsc.isClassLike(node)) return;
    if (tsc.isVariableDeclarationList(node) && (node.flags & tsc.NodeFlags.BlockScoped) === 0) found.push(node);
    tsc.forEachChild(node, visit);
  };
  tsc.forEachChild(definition, visit);
  return found;
}

/** Declared once, used only below and within the same block, and not kept from one round of a loop to another. */
function isLikeLet(list: ts.VariableDeclarationList, definition: ts.Node): boolean {
  const tsc = compiler();
  const scope = tsc.isVariableStatement(list.parent) ? list.parent.parent : list.parent;
  if (!tsc.isBlock(scope) && !tsc.isIterationStatement(scope, false)) return false;
  const isInLoop = isRepeated(list, definition);
  const isHeader = tsc.isForInStatement(list.parent) || tsc.isForOfStatement(list.parent);
  const isOnce = tsc.isForStatement(list.parent) && !isRepeated(list.parent, definition);
  if (isInLoop && !isHeader && !isOnce && list.declarations.some((one) => one.initializer === undefined)) return false;
  const names = new Set(list.declarations.flatMap((one) => bindingNames(one.name)));
  const declared = new Map<string, number>();
  let isLike = true;
  const visit = (node: ts.Node, isInner: boolean): void => {
    if (tsc.isIdentifier(node) && names.has(node.text)) {
      if (isDeclaredName(node)) declared.set(node.text, (declared.get(node.text) ?? 0) + 1);
      else if (isValueUse(node) || tsc.isShorthandPropertyAssignment(node.parent))
        isLike &&= scope.pos <= node.pos && node.end <= scope.end && isBelow(node, list) && !(isInner && isInLoop);
    }
    const goesIn = isInner || (node !== definition && tsc.isFunctionLike(node));
    tsc.forEachChild(node, (child) => visit(child, goesIn));
  };
  visit(definition, false);
  return isLike && [...declared.values()].every((count) => count === 1);
}

function isRepeated(node: ts.Node, definition: ts.Node): boolean {
  const tsc = compiler();
  for (let at = node.parent; at !== undefined && at !== definition; at = at.parent)
    if (tsc.isIterationStatement(at, false)) return true;
  return false;
}

/** Behind the declaration of its own name, not in the value it is given first. */
function isBelow(node: ts.Identifier, list: ts.VariableDeclarationList): boolean {
  const own = list.declarations.find((one) => bindingNames(one.name).includes(node.text));
  return own !== undefined && node.pos >= own.end;
}

function isDeclaredName(node: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = node;
  return (
    (tsc.isVariableDeclaration(parent) ||
      tsc.isBindingElement(parent) ||
      tsc.isParameter(parent) ||
      tsc.isFunctionDeclaration(parent) ||
      tsc.isFunctionExpression(parent) ||
      tsc.isClassLike(parent)) &&
    parent.name === node
  );
}
