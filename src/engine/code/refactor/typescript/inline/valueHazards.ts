import type ts from 'typescript-classic';
import { lineOf } from '../syntax/lines.ts';
import { plainFunction } from './callee.ts';
import { changedByCalls } from '../semantics/changedByCalls.ts';
import { compiler } from '../syntax/compiler.ts';
import { hasEffects, makesIdentity, writtenBetween } from '../semantics/effects.ts';
import { importOf, typeNames } from '../imports/importsElsewhere.ts';
import type { InlinedValue } from './value.ts';
import type { ValueDeclaration } from '../syntax/deletion.ts';
import { doesSomething } from '../semantics/pureCalls.ts';
import { freeNames, isShadowed, isValueUse, scopeOf } from '../syntax/scopes.ts';
import { isSharedObject } from '../semantics/sharedObjects.ts';
import { because, type Reason } from '../../refusals/refuse.ts';

/** Why the program might mean something else afterwards. */
export function hazards(
  value: InlinedValue,
  uses: readonly ts.Node[],
  declaration: ValueDeclaration,
  declarationStays: boolean,
): Reason[] {
  const tsc = compiler();
  const found: Reason[] = [];
  const { origin } = value;
  const source = declaration.getSourceFile();
  const scope = scopeOf(declaration);
  const here = uses.filter((use) => use.getSourceFile() === source);
  for (const name of tsc.isTypeNode(origin) ? typeNames(origin) : freeNames(origin)) {
    const shadowed = here.find((use) => isShadowed(name, use, scope));
    if (shadowed !== undefined)
      found.push(because('otherMeaningAtUse', { name, variable: declaration.name.getText(), line: lineOf(shadowed) }));
  }
  if (tsc.isTypeNode(origin) || tsc.isTypeAliasDeclaration(declaration)) return found;
  const effects = doesSomething(origin);
  const variable = tsc.findAncestor(declaration, tsc.isVariableDeclaration);
  if (effects && (uses.length > 1 || declarationStays)) found.push(because('evaluatedMoreOften'));
  else if (effects && (variable === undefined || !isNextStep(variable, uses[0])))
    found.push(because('evaluatedAtOtherTime'));
  const isWhole = tsc.isVariableDeclaration(declaration);
  if (!effects && isWhole && makesIdentity(origin)) {
    // Calling one function or another of the same text makes no difference; comparing or keeping them does.
    const isFunction = plainFunction(origin) !== undefined;
    const kept = isFunction ? uses.filter((use) => !isCalled(use)) : uses;
    if (kept.length > 1 || (kept.length === 1 && declarationStays)) found.push(because('objectPerUse'));
    else if (!isFunction && kept.some((use) => isSharedObject(origin, use, declaration)))
      found.push(because('objectPerRound'));
  }
  const why = writtenBetween(origin, here, value.members) ?? changedByCalls(origin, here, value.members);
  if (why !== undefined) found.push(why);
  if (here.length < uses.length && !isConstant(origin)) found.push(because('otherValueInOtherFiles'));
  if (usesThis(origin) && uses.some((use) => thisOwner(use) !== thisOwner(declaration)))
    found.push(because('otherThisAtUse'));
  return found;
}

function isCalled(use: ts.Node): boolean {
  const { parent } = use;
  return compiler().isCallExpression(parent) && parent.expression === use;
}

/** Nothing that happens later can change it: literals, and what is made of constants of the file and imports. */
function isConstant(root: ts.Expression): boolean {
  const tsc = compiler();
  const source = root.getSourceFile();
  if (tsc.isArrowFunction(root) || tsc.isFunctionExpression(root)) return true;
  const visit = (node: ts.Node): boolean => {
    if (tsc.isPropertyAccessExpression(node) || tsc.isElementAccessExpression(node)) return false;
    if (tsc.isIdentifier(node) && isValueUse(node)) {
      const isStable = source.statements.some(
        (one) =>
          tsc.isVariableStatement(one) &&
          (one.declarationList.flags & tsc.NodeFlags.Const) !== 0 &&
          one.declarationList.declarations.some((each) => each.name.getText(source) === node.text),
      );
      if (!isStable && importOf(source, node.text) === undefined && node.text !== 'undefined') return false;
    }
    return !(tsc.forEachChild(node, (child) => !visit(child) || undefined) ?? false);
  };
  return visit(root);
}

/** The use comes right after the declaration, with nothing evaluated in between: the order of things stays. */
function isNextStep(declaration: ts.VariableDeclaration, use: ts.Node | undefined): boolean {
  const tsc = compiler();
  if (use === undefined) return false;
  const statement = declaration.parent.parent;
  if (!tsc.isVariableStatement(statement)) return false;
  const { parent } = statement;
  const siblings =
    tsc.isBlock(parent) || tsc.isSourceFile(parent) || tsc.isModuleBlock(parent) ? [...parent.statements] : undefined;
  const next = siblings?.[siblings.indexOf(statement) + 1];
  if (!tsc.isVariableDeclarationList(declaration.parent)) return false;
  const list = declaration.parent.declarations;
  const later = list.slice(list.indexOf(declaration) + 1);
  const holder = later.length > 0 ? later[0] : next;
  if (holder === undefined || !(holder.pos <= use.pos && use.end <= holder.end)) return false;
  // Everything that stands before the use inside that statement is evaluated before it.
  const source = use.getSourceFile();
  let isFirst = true;
  for (let at: ts.Node = use; at !== holder; at = at.parent) {
    if (
      tsc.isFunctionLike(at) ||
      tsc.isIterationStatement(at, false) ||
      (tsc.isConditionalExpression(at.parent) && at.parent.condition !== at)
    )
      return false;
    if (tsc.isBinaryExpression(at.parent) && at.parent.right === at && isShortCircuit(at.parent.operatorToken.kind))
      return false;
    tsc.forEachChild(at.parent, (sibling) => {
      if (sibling.getStart(source) < at.getStart(source) && hasEffects(sibling)) isFirst = false;
    });
  }
  if (tsc.isIterationStatement(holder, false)) {
    return tsc.isForOfStatement(holder) || tsc.isForInStatement(holder)
      ? isFirst && holder.expression.pos <= use.pos && use.end <= holder.expression.end
      : false;
  }
  if (tsc.isIfStatement(holder)) return isFirst && holder.expression.pos <= use.pos && use.end <= holder.expression.end;
  if (tsc.isBlock(holder) || tsc.isTryStatement(holder) || tsc.isFunctionLike(holder) || tsc.isClassLike(holder))
    return false;
  return isFirst;
}

function isShortCircuit(kind: ts.SyntaxKind): boolean {
  const { SyntaxKind } = compiler();
  return (
    kind === SyntaxKind.AmpersandAmpersandToken ||
    kind === SyntaxKind.BarBarToken ||
    kind === SyntaxKind.QuestionQuestionToken
  );
}

function usesThis(root: ts.Node): boolean {
  const tsc = compiler();
  let found = false;
  const visit = (node: ts.Node): void => {
    if (node.kind === tsc.SyntaxKind.ThisKeyword || node.kind === tsc.SyntaxKind.SuperKeyword) found = true;
    if (!found && !tsc.isFunctionExpression(node) && !tsc.isFunctionDeclaration(node) && !tsc.isClassLike(node))
      tsc.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function thisOwner(node: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  for (let at = node.parent; at !== undefined; at = at.parent)
    if ((tsc.isFunctionLike(at) && !tsc.isArrowFunction(at)) || tsc.isClassLike(at)) return at;
  return undefined;
}
