import type ts from 'typescript-classic';
import type { RenamePlace, TypeScriptBackend } from '../servers/backend.ts';
import { isJavaScript } from '../servers/classicRename.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { whyUnproven } from './proof.ts';
import type { RenameRound } from './state.ts';

/** Whether a rename is one of a member, which others may have to follow by their types. */
export async function isOfMember(round: RenameRound): Promise<boolean> {
  if ((await whyUnproven(round)) === undefined) return false;
  const known = answers.get(round.places) ?? declaresMember(round.backend, round.places);
  answers.set(round.places, known);
  return known;
}

/** By the places that they are about: several stages ask. */
const answers = new WeakMap<readonly RenamePlace[], Promise<boolean>>();

/** Whether one of the places declares a member of a class, a type or an object. */
export async function declaresMember(backend: TypeScriptBackend, places: readonly RenamePlace[]): Promise<boolean> {
  const tsc = compiler();
  const sources = new Map<string, ts.SourceFile>();
  for (const { path, range, prefix, suffix } of places) {
    if (prefix !== '' || suffix !== '') continue;
    const text = await backend.text(path);
    const source = sources.get(path) ?? parse(path, text.text);
    sources.set(path, source);
    const token = tokenAt(source, text.offsetAt(range.start));
    const { parent } = token;
    if (isMemberName(token) && !tsc.isBindingElement(parent) && !tsc.isShorthandPropertyAssignment(parent)) return true;
    if (isJavaScript(path) && isAssignedMember(token)) return true;
  }
  return false;
}

/** `app.listen = …`: where nothing else declares a member, an assignment does. */
function isAssignedMember(token: ts.Node): boolean {
  const tsc = compiler();
  // In a comment the file itself may be found.
  const parent: ts.Node | undefined = token.parent;
  return (
    parent !== undefined &&
    tsc.isPropertyAccessExpression(parent) &&
    tsc.isBinaryExpression(parent.parent) &&
    parent.parent.left === parent &&
    parent.parent.operatorToken.kind === tsc.SyntaxKind.EqualsToken
  );
}

/** A name that declares a member of an object, or takes one from it. */
export function isMemberName(token: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isStringLiteralLike(token) && token.parent !== undefined && tsc.isComputedPropertyName(token.parent))
    return true;
  // In a comment the file itself may be found.
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return false;
  return (
    ((tsc.isClassElement(parent) || tsc.isTypeElement(parent) || tsc.isObjectLiteralElementLike(parent)) &&
      parent.name === token) ||
    (tsc.isParameter(parent) && tsc.isParameterPropertyDeclaration(parent, parent.parent)) ||
    (tsc.isEnumMember(parent) && parent.name === token) ||
    (tsc.isBindingElement(parent) && (parent.propertyName ?? parent.name) === token)
  );
}

export function isMemberTest(token: ts.Node): boolean {
  const tsc = compiler();
  const parent: ts.Node | undefined = token.parent;
  return (
    parent !== undefined &&
    tsc.isStringLiteralLike(token) &&
    tsc.isBinaryExpression(parent) &&
    parent.left === token &&
    parent.operatorToken.kind === tsc.SyntaxKind.InKeyword
  );
}

/** What the class or type is called that a member stands in. */
export function ownerName(token: ts.Node): string | undefined {
  const tsc = compiler();
  const owner = tsc.findAncestor(
    token,
    (one) => tsc.isClassLike(one) || tsc.isInterfaceDeclaration(one) || tsc.isTypeAliasDeclaration(one),
  );
  return owner !== undefined && 'name' in owner ? owner.name?.text : undefined;
}
