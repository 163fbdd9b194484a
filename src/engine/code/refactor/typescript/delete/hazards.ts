import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { hasEffects } from '../semantics/effects.ts';
import { protocols } from '../semantics/protocolMembers.ts';
import type { ToolError } from '../../../../../base/errors.ts';
import { refuse } from '../../refusals/refuse.ts';
import { doesSomething } from '../semantics/pureCalls.ts';

/** Why declarations that nobody names do something all the same, and what to do about it. */
export function whyNotIdle(declarations: readonly ts.Node[]): ToolError | undefined {
  const tsc = compiler();
  for (const one of declarations) {
    const value = tsc.isVariableDeclaration(one) || tsc.isPropertyDeclaration(one) ? one.initializer : undefined;
    if (mayDoSomething(value)) return refuse('valueHasEffects');
    if (tsc.isClassDeclaration(one) && doesSomethingAsItLoads(one)) return refuse('classDoesSomething');
    if (tsc.isMethodDeclaration(one) && protocols.has(one.name.getText()))
      return refuse('languageAsksForMethod', { name: one.name.getText() });
    if (isReadByCompiler(one)) return refuse('compilerAsksForType', { name: typeName(one) });
    const next = tsc.isEnumMember(one) ? one.parent.members[one.parent.members.indexOf(one) + 1] : undefined;
    if (next !== undefined && next.initializer === undefined)
      return refuse('otherEnumValues', { name: next.name.getText() });
  }
  return undefined;
}

function typeName(declaration: ts.Node): string {
  const tsc = compiler();
  return tsc.isInterfaceDeclaration(declaration) || tsc.isTypeAliasDeclaration(declaration)
    ? declaration.name.text
    : '';
}

/** Types by which the compiler checks JSX, without anybody naming them. */
const jsxTypes = new Set([
  'Element',
  'ElementType',
  'ElementClass',
  'ElementAttributesProperty',
  'ElementChildrenAttribute',
  'IntrinsicElements',
  'IntrinsicAttributes',
  'IntrinsicClassAttributes',
  'LibraryManagedAttributes',
]);

function isReadByCompiler(declaration: ts.Node): boolean {
  const tsc = compiler();
  const around = tsc.findAncestor(declaration.parent, tsc.isModuleDeclaration);
  return around?.name.text === 'JSX' && jsxTypes.has(typeName(declaration));
}

function doesSomethingAsItLoads(declaration: ts.ClassDeclaration): boolean {
  const tsc = compiler();
  const bases = declaration.heritageClauses?.flatMap(({ types }) => types.map(({ expression }) => expression)) ?? [];
  return (
    bases.some(hasEffects) ||
    declaration.members.some(
      (member) =>
        (tsc.isClassStaticBlockDeclaration(member) && member.body.statements.length > 0) ||
        (tsc.isPropertyDeclaration(member) && isStatic(member) && mayDoSomething(member.initializer)),
    )
  );
}

function isStatic(member: ts.PropertyDeclaration): boolean {
  return member.modifiers?.some(({ kind }) => kind === compiler().SyntaxKind.StaticKeyword) ?? false;
}

/** Whether evaluating it does more than to make an object. */
export function mayDoSomething(value: ts.Expression | undefined): boolean {
  const tsc = compiler();
  if (value === undefined) return false;
  const isMade =
    tsc.isJsxElement(value) ||
    tsc.isJsxSelfClosingElement(value) ||
    (tsc.isNewExpression(value) && value.arguments?.some(hasEffects) !== true);
  return !isMade && doesSomething(value);
}
