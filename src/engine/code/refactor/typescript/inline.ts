import type ts from 'typescript-classic';
import { LineIndex } from '../../../../base/positions.ts';
import { proposal, type Conflict, type Proposal, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { hasEffects, isAssignmentOperator, makesIdentity, writtenBetween } from './effects.ts';
import { importOf, typeNames, usesOf } from './inlineElsewhere.ts';
import { byFile, declarationStays, followImports, inlineFunction, useAt } from './inlineFunction.ts';
import { valueOf, valueRemoval, type InlinedValue, type ValueDeclaration } from './inlineValue.ts';
import { atPlace, placed } from './placement.ts';
import { definitionOf, referencesOf } from './references.ts';
import { freeNames, isShadowed, isValueUse, scopeOf } from './scopes.ts';
import { notOffered } from './serverEdits.ts';
import { addEdit, editedTexts, editOperations, tryContents, withoutCopies, type FileEdits } from './trial.ts';
import type { TypeScriptService } from './tsService.ts';

/** Inlines a variable, a function, a method or the name of a type, at all places or only at the one pointed at. */
export async function inlineSymbol(
  service: TypeScriptService,
  target: RefactorTarget,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const tsc = compiler();
  const name = await declaredName(service, target, waiting);
  const declaration = name.parent;
  if (tsc.isFunctionDeclaration(declaration) || tsc.isMethodDeclaration(declaration))
    return inlineFunction(service, target, declaration, options, waiting);
  if (tsc.isImportSpecifier(declaration) || tsc.isImportClause(declaration))
    throw notOffered('an imported name of a library is not inlined');
  if (
    !tsc.isVariableDeclaration(declaration) &&
    !tsc.isTypeAliasDeclaration(declaration) &&
    !(tsc.isBindingElement(declaration) && declaration.name === name)
  )
    throw notOffered(`"${target.name}" is neither a variable nor a function`);
  if (tsc.isVariableDeclaration(declaration) && (await isOnlyCalled(service, target, declaration, waiting)))
    return inlineFunction(service, target, declaration, options, waiting);
  return inlineValue(service, target, declaration, options, waiting);
}

/** The name in the declaration of what was pointed at. */
async function declaredName(
  service: TypeScriptService,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<ts.Node> {
  const tsc = compiler();
  const here = await service.text(target.path);
  const token = tokenAt(parse(target.path, here.text), here.offsetAt(target.position));
  if (tsc.isBindingElement(token.parent)) {
    // A property that is taken under another name means that name.
    return token.parent.propertyName === token ? token.parent.name : token;
  }
  const definition = await definitionOf(service, target, waiting);
  if (definition === undefined) throw notOffered(`"${target.name}" has no single declaration in the project`);
  const text = await service.text(definition.path);
  return tokenAt(parse(definition.path, text.text), definition.offset);
}

/** A constant function that is called everywhere it is used. */
async function isOnlyCalled(
  service: TypeScriptService,
  target: RefactorTarget,
  declaration: ts.VariableDeclaration,
  waiting: RefactorWaiting,
): Promise<boolean> {
  const tsc = compiler();
  const { initializer } = declaration;
  if (initializer === undefined) return false;
  if (!tsc.isArrowFunction(initializer) && !tsc.isFunctionExpression(initializer)) return false;
  if (tsc.isBlock(initializer.body) && initializer.body.statements.length === 0) return false;
  const source = declaration.getSourceFile();
  const { nodes } = usesOf(service, await referencesOf(service, target, waiting), declaration.name, source);
  return nodes.every((node) => tsc.isCallExpression(node.parent) && node.parent.expression === node);
}

async function inlineValue(
  service: TypeScriptService,
  target: RefactorTarget,
  declaration: ValueDeclaration,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const tsc = compiler();
  const source = declaration.getSourceFile();
  const path = source.fileName;
  const value = valueOf(declaration);
  const uses = tsc.isBindingElement(declaration)
    ? { nodes: localUses(declaration), imports: [], isPassedOn: false }
    : usesOf(service, await referencesOf(service, target, waiting), declaration.name, source);
  const replaced = uses.nodes.map((node) => replacedNode(node, declaration, source));
  if (replaced.length === 0)
    throw notOffered(`"${target.name}" is not used anywhere`, 'ide_refactor_safe_delete removes it.');
  const written = replaced.find((use) => isWritten(use));
  if (written !== undefined) throw notOffered(`"${target.name}" is assigned again on line ${lineOf(written)}`);
  const asked = useAt(replaced, target);
  const isOne = !options.all && replaced.length > 1;
  if (isOne && asked === undefined)
    throw notOffered('to inline one use, point at that use', 'Give the line and text of the use, or all: true.');
  const chosen = isOne && asked !== undefined ? [asked] : replaced;
  const isExported = uses.isPassedOn || isDeclaredExported(declaration);
  if (isExported && !isOne && replaced.every((use) => use.getSourceFile() === source))
    throw notOffered(
      `"${target.name}" is exported, so others may use it, and no other file here does`,
      'Point at one use with all: false, or do not export it.',
    );
  const stays = isOne || isExported;
  const removal = stays ? undefined : valueRemoval(declaration);
  const conflicts = hazards(value, chosen, declaration, stays || removal?.isWhole === false).map(
    (message): Conflict => ({ kind: 'meaning', message, file: path, line: lineOf(declaration) }),
  );
  const edits: FileEdits = new Map();
  const edit = (file: ts.SourceFile, start: number, end: number, newText: string): void => {
    const lines = new LineIndex(file.text);
    addEdit(edits, file.fileName, { start: lines.positionAt(start), end: lines.positionAt(end) }, newText);
  };
  const text = value.text;
  for (const [file, nodes] of byFile(chosen))
    for (const one of placed(
      file,
      nodes.map((node) => ({ node, text })),
      file === source && removal !== undefined && removal.text === '' ? removal : undefined,
    ))
      edit(file, one.node.getStart(file), one.node.getEnd(), atPlace(one.node, one.text));
  followImports(uses.imports, replaced, chosen, value.origin, source, [], edit);
  if (removal !== undefined) edit(source, removal.start, removal.end, removal.text);
  const trial = withoutCopies(await tryContents(service, await editedTexts(service, edits), [], waiting));
  conflicts.push(...trial.conflicts);
  return proposal(
    `inline ${tsc.isTypeAliasDeclaration(declaration) ? 'type' : 'variable'} ${target.name} in ${chosen.length} place${chosen.length === 1 ? '' : 's'}`,
    editOperations(service, edits),
    { conflicts, tried: trial.tried, notes: isExported && !isOne ? [declarationStays(target.name)] : [] },
  );
}

/** What of a use gives way: the reference to a type is more than its name. */
function replacedNode(node: ts.Expression, declaration: ValueDeclaration, source: ts.SourceFile): ts.Node {
  const tsc = compiler();
  if (!tsc.isTypeAliasDeclaration(declaration)) {
    const isType = tsc.isTypeNode(node.parent) && !tsc.isExpressionWithTypeArguments(node.parent);
    if (isType || tsc.isJsxOpeningLikeElement(node.parent) || tsc.isJsxClosingElement(node.parent))
      throw notOffered(`it is used on line ${lineOf(node)} in a way that a value cannot stand for`);
    return node;
  }
  const { parent } = node;
  if (!tsc.isTypeReferenceNode(parent) || (source === node.getSourceFile() && isInside(node, declaration)))
    throw notOffered(`the type is used on line ${lineOf(node)} in a way that its definition cannot stand for`);
  return parent;
}

function isInside(node: ts.Node, other: ts.Node): boolean {
  return other.pos <= node.pos && node.end <= other.end;
}

/** The uses of a name that an object or array is taken apart into. The server takes those of the member for its own. */
function localUses(declaration: ts.BindingElement): ts.Expression[] {
  const tsc = compiler();
  const list = tsc.findAncestor(declaration, tsc.isVariableDeclarationList);
  if (list === undefined || (list.flags & tsc.NodeFlags.BlockScoped) === 0)
    throw notOffered('it is a parameter, or declared with var');
  const name = declaration.name.getText();
  const scope = scopeOf(list);
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    const isUse = tsc.isIdentifier(node) && node.text === name && node !== declaration.name;
    if (isUse && tsc.isExportSpecifier(node.parent)) throw notOffered('it is exported');
    if (isUse && isValueUse(node) && !isShadowed(name, node, scope)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(scope);
  return found;
}

function isWritten(use: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = use;
  return (
    (tsc.isBinaryExpression(parent) && parent.left === use && isAssignmentOperator(parent.operatorToken.kind)) ||
    tsc.isPostfixUnaryExpression(parent) ||
    (tsc.isPrefixUnaryExpression(parent) &&
      (parent.operator === tsc.SyntaxKind.PlusPlusToken || parent.operator === tsc.SyntaxKind.MinusMinusToken)) ||
    ((tsc.isForInStatement(parent) || tsc.isForOfStatement(parent)) && parent.initializer === use) ||
    isAssignmentPattern(use)
  );
}

/** `[a, b] = …`, `({ a } = …)`: what stands there is given a value. */
function isAssignmentPattern(use: ts.Node): boolean {
  const tsc = compiler();
  for (let at = use; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (tsc.isBinaryExpression(parent) && parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken)
      return parent.left === at && (tsc.isArrayLiteralExpression(at) || tsc.isObjectLiteralExpression(at));
    const isPart =
      tsc.isArrayLiteralExpression(parent) ||
      tsc.isObjectLiteralExpression(parent) ||
      tsc.isShorthandPropertyAssignment(parent) ||
      (tsc.isPropertyAssignment(parent) && parent.initializer === at) ||
      tsc.isSpreadElement(parent);
    if (!isPart) return false;
  }
  return false;
}

function isDeclaredExported(declaration: ValueDeclaration): boolean {
  const tsc = compiler();
  return (tsc.getCombinedModifierFlags(declaration) & tsc.ModifierFlags.Export) !== 0;
}

/** Why the program might mean something else afterwards. */
function hazards(
  value: InlinedValue,
  uses: readonly ts.Node[],
  declaration: ValueDeclaration,
  declarationStays: boolean,
): string[] {
  const tsc = compiler();
  const found: string[] = [];
  const { origin } = value;
  const source = declaration.getSourceFile();
  const scope = scopeOf(declaration);
  const here = uses.filter((use) => use.getSourceFile() === source);
  for (const name of tsc.isTypeNode(origin) ? typeNames(origin) : freeNames(origin)) {
    const shadowed = here.find((use) => isShadowed(name, use, scope));
    if (shadowed !== undefined)
      found.push(
        `"${name}" means something else where "${declaration.name.getText()}" is used (line ${lineOf(shadowed)})`,
      );
  }
  if (tsc.isTypeNode(origin) || tsc.isTypeAliasDeclaration(declaration)) return found;
  const effects = hasEffects(origin);
  const variable = tsc.findAncestor(declaration, tsc.isVariableDeclaration);
  if (effects && (uses.length > 1 || declarationStays))
    found.push('the value comes from a call or has side effects, and would be evaluated more than once');
  else if (effects && (variable === undefined || !isNextStep(variable, uses[0])))
    found.push('the value comes from a call or has side effects, and would be evaluated at another time');
  const isWhole = tsc.isVariableDeclaration(declaration);
  if (!effects && (uses.length > 1 || declarationStays) && isWhole && makesIdentity(origin)) {
    const isFunction = tsc.isArrowFunction(origin) || tsc.isFunctionExpression(origin);
    if (!isFunction) found.push('the value is an object of its own, and each use would get another one');
  }
  const why = writtenBetween(origin, here, value.members);
  if (why !== undefined) found.push(why);
  if (here.length < uses.length && !isConstant(origin))
    found.push('it is used in other files, and the value need not be the same when they use it');
  if (usesThis(origin) && uses.some((use) => thisOwner(use) !== thisOwner(declaration)))
    found.push('"this" means something else where it is used');
  return found;
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

function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
