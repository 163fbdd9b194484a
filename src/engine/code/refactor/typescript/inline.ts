import type ts from 'typescript-classic';
import { displayPath } from '../../../../base/paths.ts';
import type { LineIndex } from '../../../../base/positions.ts';
import { proposal, type Conflict, type Proposal, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { hasEffects, isPrimary, makesIdentity, writtenBetween } from './effects.ts';
import { inlineFunction } from './inlineFunction.ts';
import { definitionOf, referencesOf } from './references.ts';
import { freeNames, isShadowed, scopeOf } from './scopes.ts';
import { actionsFor, editsFor, notOffered } from './serverEdits.ts';
import { addEdit, editedTexts, editOperations, tryContents, type FileEdits } from './trial.ts';
import type { TypeScriptService } from './tsService.ts';

/** Inlines a variable or a function, at all places or only at the one pointed at. */
export async function inlineSymbol(
  service: TypeScriptService,
  target: RefactorTarget,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const definition = await definitionOf(service, target, waiting);
  if (definition === undefined) throw notOffered(`"${target.name}" has no single declaration in the project`);
  const text = await service.text(definition.path);
  const source = parse(definition.path, text.text);
  const token = tokenAt(source, definition.offset);
  const tsc = compiler();
  const declaration = token.parent;
  if (tsc.isFunctionDeclaration(declaration)) return inlineFunction(service, target, declaration, options, waiting);
  if (tsc.isMethodDeclaration(declaration))
    throw notOffered('methods are not inlined; only functions and variables are');
  if (tsc.isImportSpecifier(declaration) || tsc.isImportClause(declaration))
    throw notOffered('an imported name is not inlined');
  if (!tsc.isVariableDeclaration(declaration))
    throw notOffered(`"${target.name}" is neither a variable nor a function`);
  const { initializer } = declaration;
  if (initializer !== undefined && (tsc.isArrowFunction(initializer) || tsc.isFunctionExpression(initializer))) {
    const references = await referencesOf(service, target, waiting);
    const isOnlyCalled = references.every((ref) => {
      if (ref.isDefinition) return true;
      const { parent } = tokenAt(parse(ref.path, service.textNow(ref.path) ?? ''), ref.offset);
      return (
        tsc.isCallExpression(parent) &&
        parent.expression.getEnd() >= ref.offset &&
        parent.expression.getStart() === ref.offset
      );
    });
    if (isOnlyCalled) return inlineFunction(service, target, declaration, options, waiting);
  }
  return inlineVariable(service, target, declaration, text, options, waiting);
}

async function inlineVariable(
  service: TypeScriptService,
  target: RefactorTarget,
  declaration: ts.VariableDeclaration,
  text: LineIndex,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const source = declaration.getSourceFile();
  const path = source.fileName;
  const { initializer } = declaration;
  if (initializer === undefined) throw notOffered(`"${target.name}" has no initial value`);
  const references = await referencesOf(service, target, waiting);
  const foreign = references.find((ref) => ref.path !== path);
  if (foreign !== undefined)
    throw notOffered(
      `"${target.name}" is also used in ${displayPath(service.project.root, foreign.path)}; only uses in one file are inlined`,
    );
  const isDeclaration = (offset: number): boolean => offset === declaration.name.getStart(source);
  // The server counts the shorthand of an object literal as a write: of the property.
  const isShorthand = (offset: number): boolean =>
    compiler().isShorthandPropertyAssignment(tokenAt(source, offset).parent);
  const written = references.find((ref) => ref.isWrite && !isDeclaration(ref.offset) && !isShorthand(ref.offset));
  if (written !== undefined) throw notOffered(`"${target.name}" is assigned again on line ${written.line}`);
  const uses = references.filter((ref) => !isDeclaration(ref.offset)).map((ref) => tokenAt(source, ref.offset));
  if (uses.length === 0)
    throw notOffered(`"${target.name}" is not used anywhere`, 'ide_refactor_safe_delete removes it.');
  const askedOffset = text.offsetAt(target.position);
  const asked =
    target.path === path
      ? uses.find((use) => use.getStart(source) <= askedOffset && askedOffset <= use.getEnd())
      : undefined;
  const isOne = !options.all && uses.length > 1;
  if (isOne && asked === undefined)
    throw notOffered('to inline one use, point at that use', 'Give the line and text of the use, or all: true.');
  const chosen = isOne && asked !== undefined ? [asked] : uses;
  const conflicts = hazards(initializer, chosen, declaration, isOne).map((message): Conflict => ({
    kind: 'meaning',
    message,
    file: path,
    line: text.positionAt(declaration.getStart(source)).line,
  }));
  const edits =
    isOne && asked !== undefined
      ? oneUse(path, text, asked, initializer)
      : await allUses(service, path, text, declaration, waiting);
  const trial = await tryContents(service, await editedTexts(service, edits), [], waiting);
  conflicts.push(...trial.conflicts);
  return proposal(
    `inline variable ${target.name} in ${chosen.length} place${chosen.length === 1 ? '' : 's'}`,
    editOperations(service, edits),
    { conflicts, tried: trial.tried },
  );
}

async function allUses(
  service: TypeScriptService,
  path: string,
  text: LineIndex,
  declaration: ts.VariableDeclaration,
  waiting: RefactorWaiting,
): Promise<FileEdits> {
  await service.formatFor(path);
  const source = declaration.getSourceFile();
  const range = {
    start: text.positionAt(declaration.name.getStart(source)),
    end: text.positionAt(declaration.name.getEnd()),
  };
  const actions = await actionsFor(service, path, range, 'refactor.inline.variable', waiting);
  const action = actions.find((one) => one.name === 'Inline variable');
  if (action === undefined || action.notApplicableReason !== undefined)
    throw notOffered(action?.notApplicableReason ?? 'the TypeScript server does not offer to inline this');
  return (await editsFor(service, path, range, action, waiting)).edits;
}

function oneUse(path: string, text: LineIndex, use: ts.Node, initializer: ts.Expression): FileEdits {
  const edits: FileEdits = new Map();
  const source = use.getSourceFile();
  const value = isPrimary(initializer) ? initializer.getText() : `(${initializer.getText()})`;
  const isShorthand = compiler().isShorthandPropertyAssignment(use.parent);
  const range = { start: text.positionAt(use.getStart(source)), end: text.positionAt(use.getEnd()) };
  addEdit(edits, path, range, isShorthand ? `${use.getText()}: ${initializer.getText()}` : value);
  return edits;
}

/** Why the program might mean something else afterwards. */
function hazards(
  initializer: ts.Expression,
  uses: readonly ts.Node[],
  declaration: ts.VariableDeclaration,
  declarationStays: boolean,
): string[] {
  const found: string[] = [];
  const scope = scopeOf(declaration);
  for (const name of freeNames(initializer)) {
    const shadowed = uses.find((use) => isShadowed(name, use, scope));
    if (shadowed !== undefined)
      found.push(
        `"${name}" means something else where "${declaration.name.getText()}" is used (line ${lineOf(shadowed)})`,
      );
  }
  const effects = hasEffects(initializer);
  if (effects && (uses.length > 1 || declarationStays))
    found.push('the value comes from a call or has side effects, and would be evaluated more than once');
  else if (effects && !isNextStep(declaration, uses[0]))
    found.push('the value comes from a call or has side effects, and would be evaluated at another time');
  if (!effects && (uses.length > 1 || declarationStays) && makesIdentity(initializer)) {
    const isFunction = compiler().isArrowFunction(initializer) || compiler().isFunctionExpression(initializer);
    if (!isFunction) found.push('the value is an object of its own, and each use would get another one');
  }
  const why = writtenBetween(initializer, uses);
  if (why !== undefined) found.push(why);
  if (usesThis(initializer) && uses.some((use) => thisOwner(use) !== thisOwner(declaration)))
    found.push('"this" means something else where it is used');
  return found;
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
