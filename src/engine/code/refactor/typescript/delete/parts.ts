import type ts from 'typescript-classic';
import { displayPath } from '../../../../../base/paths.ts';
import { proposal, type DeleteOptions, type Proposal, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import { stillUsed, type Usage } from '../../stillUsed.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { deletedParameter } from './parameter.ts';
import { type Cut, valueRemoval } from '../syntax/deletion.ts';
import { mayDoSomething } from './hazards.ts';
import { isWritten } from '../semantics/effects.ts';
import { Removal } from './removal.ts';
import { isShadowed, isValueUse, scopeOf } from '../syntax/scopes.ts';
import { editedTexts, editOperations, tryContents } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/**
 * Deletes what is only a part of a declaration: a parameter, a name that an object or array is taken apart into, the variable of a
 * `catch`. Undefined for everything else.
 */
export async function deletedPart(
  service: TypeScriptService,
  target: RefactorTarget,
  options: DeleteOptions,
  waiting: RefactorWaiting,
): Promise<Proposal | undefined> {
  const tsc = compiler();
  const text = await service.text(target.path);
  const source = parse(target.path, text.text);
  const token = tokenAt(source, text.offsetAt(target.position));
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return undefined;
  if (tsc.isParameter(parent) && parent.name === token)
    return deletedParameter(service, target, parent, options, waiting);
  const isCaught = tsc.isVariableDeclaration(parent) && tsc.isCatchClause(parent.parent);
  const isElement = tsc.isBindingElement(parent) && tsc.isIdentifier(parent.name) && parent.initializer !== token;
  if (tsc.isVariableDeclaration(parent) && isLoopVariable(parent)) throw refuse('loopNeedsVariable');
  if (!isElement && !isCaught) return undefined;
  const cut = isElement ? elementCut(parent, options) : caughtCut(parent);
  const uses = usesWithin(parent.name.getText(), isElement ? scopeOf(parent) : parent.parent, parent);
  if (uses.length > 0 && !options.force)
    throw stillUsed(
      target.name,
      uses.map((use) => usageAt(service.project.root, use)),
      undefined,
    );
  const removal = new Removal(service);
  removal.cut(source, cut);
  await removal.whatIsLeftOver(options.cascade, waiting);
  const texts = await editedTexts(service, removal.edits);
  const trial = await tryContents(service, texts, [], waiting);
  return proposal(`delete ${target.name}`, editOperations(service, removal.edits), trial);
}

function isLoopVariable(declaration: ts.VariableDeclaration): boolean {
  const tsc = compiler();
  const loop = declaration.parent.parent;
  return tsc.isForOfStatement(loop) || tsc.isForInStatement(loop);
}

/** `catch (error) {` needs no variable. */
function caughtCut(declaration: ts.Node): Cut {
  const tsc = compiler();
  const clause = tsc.findAncestor(declaration, tsc.isCatchClause);
  if (clause === undefined) throw refuse('notCaught');
  const start = clause.getStart() + 'catch'.length;
  return { start, end: clause.block.getStart(), text: ' ' };
}

function elementCut(element: ts.BindingElement, { force }: DeleteOptions): Cut {
  const tsc = compiler();
  const working = refuse('valueHasEffects');
  if (element.dotDotDotToken !== undefined) throw refuse('collectsRest');
  if (!force && mayDoSomething(element.initializer)) throw working;
  const variable = tsc.findAncestor(element, (node) => tsc.isVariableDeclaration(node) || tsc.isParameter(node));
  if (variable !== undefined && tsc.isVariableDeclaration(variable)) {
    const list = variable.parent;
    const isExported = (tsc.getCombinedModifierFlags(variable) & tsc.ModifierFlags.Export) !== 0;
    if (isExported) throw refuse('exportedPart');
    if (tsc.isVariableDeclarationList(list) && !tsc.isVariableStatement(list.parent))
      throw refuse('loopNeedsVariables');
  }
  const removed = valueRemoval(element);
  const own = element.getText();
  if (removed.text !== '' && removed.text === own) throw refuse('leavesOutOfRest');
  const isWhole = removed.isWhole && variable !== undefined && tsc.isVariableDeclaration(variable);
  if (isWhole && !force && mayDoSomething(variable.initializer)) throw working;
  return removed;
}

function usesWithin(name: string, scope: ts.Node, declaration: ts.Node): ts.Identifier[] {
  const tsc = compiler();
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    const isOwn = declaration.pos <= node.pos && node.end <= declaration.end;
    const isUse = tsc.isIdentifier(node) && node.text === name && !isOwn && isValueUse(node);
    if (isUse && !isShadowed(name, node, scope)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(scope);
  return found;
}

/** A use as it is shown to whoever wanted to delete. */
function usageAt(root: string, use: ts.Node): Usage {
  const source = use.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(use.getStart(source));
  const context = (source.text.split('\n')[line] ?? '').trim().slice(0, 160);
  const file = displayPath(root, source.fileName);
  return { file, line: line + 1, column: character + 1, kind: isWritten(use) ? 'write' : 'use', context };
}
