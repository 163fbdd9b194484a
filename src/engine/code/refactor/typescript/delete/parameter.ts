import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import { displayPath } from '../../../../../base/paths.ts';
import { proposal, type DeleteOptions, type Proposal, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import { stillUsed } from '../../stillUsed.ts';
import { lineOf } from '../syntax/lines.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { shownUsage, usesOf } from './usages.ts';
import { listItem, type Cut } from '../syntax/deletion.ts';
import { hasEffects } from '../semantics/effects.ts';
import { referencesOf } from '../servers/references.ts';
import { Removal } from './removal.ts';
import { editedTexts, editOperations, tryContents } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

type Call = ts.CallExpression | ts.NewExpression;

/** Deletes a parameter that its function does not use, with what the calls pass for it and what the documentation says of it. */
export async function deletedParameter(
  service: TypeScriptService,
  target: RefactorTarget,
  parameter: ts.ParameterDeclaration,
  options: DeleteOptions,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const tsc = compiler();
  const source = parameter.getSourceFile();
  const { name, parent: owner } = parameter;
  const own = await referencesOf(service, target, waiting);
  const { uses } = usesOf(
    service,
    own.filter((ref) => ref.path !== source.fileName || ref.offset !== name.getStart(source)),
  );
  if (uses.length > 0 && !options.force)
    throw stillUsed(
      target.name,
      uses.map((use) => shownUsage(service.project.root, use, [])),
      undefined,
    );
  refuseUnlessPlain(parameter);
  const index = owner.parameters.filter((one) => one.name.getText() !== 'this').indexOf(parameter);
  const named = nameOf(owner);
  const isLast = owner.parameters.at(-1) === parameter;
  if (named === undefined && !isLast) throw refuse('argumentsWouldMoveUp');
  const calls = named === undefined ? [] : await callsOf(service, owner, named, waiting);
  const removal = new Removal(service);
  removal.cut(source, itemCut(owner.parameters, parameter));
  for (const cut of documentationCuts(parameter)) removal.cut(source, cut);
  for (const call of calls) {
    const list = call.arguments;
    if (list?.slice(0, index + 1).some((one) => tsc.isSpreadElement(one)))
      throw refuse('spreadsArguments', { line: lineOf(call) });
    const argument = parameter.dotDotDotToken === undefined ? list?.[index] : undefined;
    if (list === undefined || argument === undefined) continue;
    if (hasEffects(argument) && !options.force) throw refuse('argumentHasEffects', { line: lineOf(call) });
    removal.cut(call.getSourceFile(), itemCut(list, argument));
  }
  await removal.whatIsLeftOver(options.cascade, waiting);
  const texts = await editedTexts(service, removal.edits);
  const trial = await tryContents(
    service,
    texts,
    [...new Set(calls.map((one) => one.getSourceFile().fileName))],
    waiting,
  );
  const also = calls.length === 0 ? '' : ` with its arguments in ${counted(calls.length, 'call')}`;
  return proposal(`delete parameter ${target.name}${also}`, editOperations(service, removal.edits), trial);
}

function refuseUnlessPlain(parameter: ts.ParameterDeclaration): void {
  const tsc = compiler();
  const { parent: owner } = parameter;
  if (!tsc.isIdentifier(parameter.name) || parameter.name.text === 'this') throw refuse('notPlainParameter');
  if (parameter.dotDotDotToken !== undefined) throw refuse('collectsArguments');
  if ((tsc.getDecorators(parameter) ?? []).length > 0) throw refuse('parameterDecorated');
  if (parameter.initializer !== undefined && hasEffects(parameter.initializer)) throw refuse('defaultHasEffects');
  if (!('body' in owner) || owner.body === undefined || tsc.isSetAccessor(owner)) throw refuse('othersMustMatch');
  if (/\barguments\b/.test(owner.body.getText())) throw refuse('readsArgumentsObject');
}

/** The name by which a function is called; undefined for one that is handed to somebody at once. */
function nameOf(owner: ts.SignatureDeclaration): ts.Node | undefined {
  const tsc = compiler();
  if (tsc.isConstructorDeclaration(owner)) {
    if (owner.parent.name === undefined) throw refuse('classWithoutName');
    if (owner.parent.members.filter(tsc.isConstructorDeclaration).length > 1)
      throw refuse('severalConstructorSignatures');
    return owner.parent.name;
  }
  if (tsc.isFunctionDeclaration(owner) || tsc.isMethodDeclaration(owner)) return owner.name;
  const holder = owner.parent;
  if (tsc.isVariableDeclaration(holder) && holder.initializer === owner && tsc.isIdentifier(holder.name))
    return holder.name;
  if (tsc.isPropertyDeclaration(holder) || tsc.isPropertyAssignment(holder)) return holder.name;
  return undefined;
}

/** Every call of a function. What else is done with it may call it too, and is refused. */
async function callsOf(
  service: TypeScriptService,
  owner: ts.SignatureDeclaration,
  named: ts.Node,
  waiting: RefactorWaiting,
): Promise<Call[]> {
  const tsc = compiler();
  const source = owner.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(named.getStart(source));
  const place = {
    path: source.fileName,
    name: named.getText(source),
    position: { line: line + 1, column: character + 1 },
  };
  const calls: Call[] = [];
  for (const { path, offset, line: at } of await referencesOf(service, place, waiting)) {
    if (path === source.fileName && offset === named.getStart(source)) continue;
    const file = path === source.fileName ? source : parse(path, service.textNow(path) ?? '');
    const token = tokenAt(file, offset);
    if (token.parent === undefined || token.getStart(file) !== offset) continue;
    const where = `${displayPath(service.project.root, path)}:${at}`;
    if (isPassedOn(token)) continue;
    const call = callAt(token);
    if (call !== undefined && tsc.isNewExpression(call) === tsc.isConstructorDeclaration(owner)) calls.push(call);
    else if (tsc.isConstructorDeclaration(owner) && isOfClass(token, where, calls)) continue;
    else throw refuse('functionDeclaredElsewhere', { where });
  }
  return calls;
}

/** Imports and exports bring a name to others and do nothing with it. */
function isPassedOn(token: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = token;
  return (
    tsc.isImportSpecifier(parent) ||
    tsc.isImportClause(parent) ||
    tsc.isExportSpecifier(parent) ||
    tsc.isExportAssignment(parent)
  );
}

function callAt(token: ts.Node): Call | undefined {
  const tsc = compiler();
  const { parent } = token;
  const called = tsc.isPropertyAccessExpression(parent) && parent.name === token ? parent : token;
  const user = called.parent;
  return (tsc.isCallExpression(user) || tsc.isNewExpression(user)) && user.expression === called ? user : undefined;
}

/** Where a class is named without being made: as a type, for a static member, or as a base whose heir calls `super`. */
function isOfClass(token: ts.Node, where: string, calls: Call[]): boolean {
  const tsc = compiler();
  const { parent } = token;
  if (tsc.isPartOfTypeNode(token) && !tsc.isExpressionWithTypeArguments(parent)) return true;
  if (tsc.isPropertyAccessExpression(parent) && parent.expression === token) return true;
  const clause = parent.parent;
  if (!tsc.isExpressionWithTypeArguments(parent) || !tsc.isHeritageClause(clause)) return false;
  const heir = clause.parent;
  if (!tsc.isClassLike(heir) || clause.token === tsc.SyntaxKind.ImplementsKeyword) return true;
  const constructor = heir.members.find(tsc.isConstructorDeclaration);
  if (constructor === undefined) throw refuse('subclassTakesSameArguments', { where });
  const visit = (node: ts.Node): void => {
    if (tsc.isCallExpression(node) && node.expression.kind === tsc.SyntaxKind.SuperKeyword) calls.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(constructor);
  return true;
}

/** An item of a list, with the comma that belongs to it. */
function itemCut(list: ts.NodeArray<ts.Node>, item: ts.Node): Cut {
  const source = item.getSourceFile();
  if (list.length > 1) return listItem(list, item, source);
  // An arrow function of one parameter may do without parentheses.
  const isBare = compiler().isArrowFunction(item.parent) && source.text[list.pos - 1] !== '(';
  return isBare
    ? { start: item.getStart(source), end: item.getEnd(), text: '()' }
    : { start: list.pos, end: list.end, text: '' };
}

/** What the documentation says of it, by whole lines. */
function documentationCuts(parameter: ts.ParameterDeclaration): Cut[] {
  const tsc = compiler();
  const { text } = parameter.getSourceFile();
  return tsc.getJSDocParameterTags(parameter).flatMap((tag) => {
    const said = text.slice(tag.pos, tag.end).replace(/[\s*]+$/, '');
    const start = text.lastIndexOf('\n', tag.pos) + 1;
    const end = text.indexOf('\n', tag.pos + said.length) + 1;
    const isOwnLine = /^[ \t]*\*[ \t]*$/.test(text.slice(start, tag.pos)) && end > 0;
    return isOwnLine && !text.slice(tag.pos, end).includes('*/') ? [{ start, end, text: '' }] : [];
  });
}
