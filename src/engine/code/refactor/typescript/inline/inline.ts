import type ts from 'typescript-classic';
import type { Proposal, RefactorTarget, RefactorWaiting } from '../../model.ts';
import { isMemberFunction, plainFunction } from './callee.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { usesOf } from './otherFiles.ts';
import { inlineFunction } from './function.ts';
import { inlineVariable } from './variable.ts';
import { implementationOf, referencesOf } from '../servers/references.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { withLets } from './convertVarToLet.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Inlines a variable, a function, a method, a getter or the name of a type, at all places or only at the one pointed at. */
export async function inlineSymbol(
  service: TypeScriptService,
  target: RefactorTarget,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const tsc = compiler();
  const name = withLets(await declaredName(service, target, waiting));
  const declaration = name.parent;
  if (tsc.isFunctionDeclaration(declaration) || isMemberFunction(declaration))
    return inlineFunction(service, target, declaration, options, waiting);
  if (tsc.isImportSpecifier(declaration) || tsc.isImportClause(declaration)) throw refuse('libraryName');
  if (
    !tsc.isVariableDeclaration(declaration) &&
    !tsc.isTypeAliasDeclaration(declaration) &&
    !(tsc.isBindingElement(declaration) && declaration.name === name)
  )
    throw refuse('neitherVariableNorFunction', { name: target.name });
  if (tsc.isVariableDeclaration(declaration) && (await isOnlyCalled(service, target, declaration, waiting)))
    return inlineFunction(service, target, declaration, options, waiting);
  return inlineVariable(service, target, declaration, options, waiting);
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
  const definition = await implementationOf(service, target, waiting);
  if (definition === undefined) throw refuse('noSingleDeclaration', { name: target.name });
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
  const initializer = plainFunction(declaration.initializer);
  if (initializer === undefined) return false;
  if (tsc.isBlock(initializer.body) && initializer.body.statements.length === 0) return false;
  const source = declaration.getSourceFile();
  const { nodes } = usesOf(service, await referencesOf(service, target, waiting), declaration.name, source);
  return nodes.every((node) => tsc.isCallExpression(node.parent) && node.parent.expression === node);
}
