import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import { displayPath } from '../../../../../base/paths.ts';
import type { Position } from '../../../../../base/positions.ts';
import type { Conflict, RefactorWaiting } from '../../model.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { isJavaScript } from '../servers/classicRename.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import type { Mentions } from '../semantics/mentions.ts';
import { mentionsLeft, positionsAfter, type Mention } from './mentionNotes.ts';
import type { FileEdits } from '../servers/trial.ts';
import { because } from '../../refusals/refuse.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

/**
 * Uses of a renamed member on objects of which no type is known. When nothing else in the project is called like it, they can only
 * mean this member and follow it; else they stay, and are told.
 */
export async function untypedUses(
  backend: RenameBackend,
  name: string,
  changed: readonly RenamePlace[],
  old: Mentions,
  waiting: RefactorWaiting,
): Promise<{ extra: RenamePlace[]; notes: string[]; conflicts: Conflict[] }> {
  const tsc = compiler();
  const left = await mentionsLeft(backend, name, changed, old);
  const isAccess = ({ token }: Mention): boolean =>
    tsc.isPropertyAccessExpression(token.parent) && token.parent.name === token;
  const cast = left.filter(({ token }) => isCastAway(token));
  const untyped: RenamePlace[] = cast.map(({ place, token }) =>
    tsc.isShorthandPropertyAssignment(token.parent) ? { ...place, suffix: `: ${name}` } : place,
  );
  const promised: RenamePlace[] = [];
  const isDeclaredElsewhere = left.some((one) => !isAccess(one) && !cast.includes(one) && isMemberName(one.token));
  let isAmbiguous = isDeclaredElsewhere;
  const accesses = left.filter(isAccess);
  // Once others are called so too, nothing follows from the rest: of a name like `get` there may be thousands.
  for (let at = 0; at < accesses.length && !(isAmbiguous && at >= maxAskedOfOthers); at += askedTogether) {
    const asked = accesses.slice(at, at + askedTogether);
    const known = await Promise.all(
      asked.map(({ place: { path, range } }) => backend.definitions(path, range.start, waiting)),
    );
    isAmbiguous ||= known.some((definitions) => definitions.length > 0);
    for (const { place, token } of asked.filter((_, index) => known[index]?.length === 0)) {
      const owner = await promisedType(backend, place.path, token, waiting);
      if (owner === undefined) untyped.push(place);
      else if (changed.some(({ path, range }) => path === owner.path && owner.holds(range.start))) promised.push(place);
    }
  }
  // `'name' in object` asks for the member by its name.
  const tests = left.filter(({ token }) => isMemberTest(token)).map(({ place }) => place);
  const asked = [...promised, ...(isDeclaredElsewhere ? [] : tests)];
  if (untyped.length === 0) return { extra: asked, notes: [], conflicts: [] };
  const shown = untyped
    .slice(0, 8)
    .map((one) => `${displayPath(backend.project.root, one.path)}:${one.range.start.line}`);
  const what = `${counted(untyped.length, 'use')} of ".${name}" on objects of unknown type`;
  const where = `${shown.join(', ')}${untyped.length > shown.length ? ', …' : ''}`;
  const others = left.filter((one) => isAccess(one) || isMemberName(one.token)).length - untyped.length;
  if (!isAmbiguous || changed.length >= nearlyAll * others)
    return { extra: [...asked, ...untyped], notes: [`Renamed with it: ${what}: ${where}`], conflicts: [] };
  if (changed.length <= others)
    return {
      extra: asked,
      notes: [`Left as they are, since others are called so too: ${what}: ${where}`],
      conflicts: [],
    };
  const conflicts = untyped.map(({ path, range }): Conflict => ({
    kind: 'usage',
    message: because('unknownTypeMember', { name }),
    hint: 'A type there decides it; force: true leaves these places as they are.',
    file: path,
    line: range.start.line,
    column: range.start.column,
  }));
  return { extra: asked, notes: [], conflicts };
}

/** A member of an object written out whose type is taken away on the spot: `{ name: 1 } as any`. */
function isCastAway(token: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = token;
  const isKey =
    (tsc.isPropertyAssignment(parent) ||
      tsc.isShorthandPropertyAssignment(parent) ||
      tsc.isMethodDeclaration(parent)) &&
    parent.name === token &&
    tsc.isObjectLiteralExpression(parent.parent);
  if (!isKey) return false;
  let around: ts.Node = parent.parent;
  while (
    tsc.isObjectLiteralExpression(around) ||
    tsc.isPropertyAssignment(around) ||
    tsc.isArrayLiteralExpression(around) ||
    tsc.isParenthesizedExpression(around)
  )
    around = around.parent;
  return (
    (tsc.isAsExpression(around) || tsc.isTypeAssertionExpression(around)) &&
    [tsc.SyntaxKind.AnyKeyword, tsc.SyntaxKind.NeverKeyword, tsc.SyntaxKind.UnknownKeyword].includes(around.type.kind)
  );
}

interface Owner {
  path: string;
  holds: (position: Position) => boolean;
}

/** In `(value: any): value is Shape` a member of `value` is one of `Shape`, or none. */
async function promisedType(
  backend: RenameBackend,
  path: string,
  token: ts.Node,
  waiting: RefactorWaiting,
): Promise<Owner | undefined> {
  const tsc = compiler();
  const receiver = tsc.isPropertyAccessExpression(token.parent) ? token.parent.expression : undefined;
  const holder = tsc.findAncestor(token, tsc.isFunctionLike);
  const promise = holder?.type;
  if (receiver === undefined || promise === undefined || !tsc.isTypePredicateNode(promise)) return undefined;
  const { type } = promise;
  if (type === undefined || !tsc.isTypeReferenceNode(type) || promise.parameterName.getText() !== receiver.getText())
    return undefined;
  const here = await backend.text(path);
  const [found] = await backend.definitions(path, here.positionAt(type.typeName.getStart()), waiting);
  if (found === undefined) return undefined;
  const text = await backend.text(found.path);
  const { parent } = tokenAt(parse(found.path, text.text), text.offsetAt(found.range.start));
  if (!tsc.isInterfaceDeclaration(parent) && !tsc.isClassLike(parent) && !tsc.isTypeAliasDeclaration(parent))
    return undefined;
  const [start, end] = [parent.getStart(), parent.getEnd()];
  const holds = (position: Position): boolean => text.offsetAt(position) >= start && text.offsetAt(position) < end;
  return { path: found.path, holds };
}

/** What is called so this many times as often as others are is meant where nothing is known. */
const nearlyAll = 20;
const askedTogether = 16;
const maxAskedOfOthers = 96;

/**
 * Members that must follow a renamed one, because their classes or interfaces are used in place of the one it belongs to: the checker
 * misses the new name in them.
 */
export async function namesakesMissed(
  backend: RenameBackend,
  { oldName, newName }: { oldName: string; newName: string },
  conflicts: readonly Conflict[],
  edits: FileEdits,
  left: readonly Mention[],
): Promise<Mention[]> {
  const [fresh, known] = [newName, oldName].map((name) => escapeRegExp(name));
  // What lacks the new name must get it, and so must what still asks for the old one.
  const lacking = new RegExp(
    `Property '${fresh}' is missing in type '(?:typeof )?([\\w$]+)|'${fresh}' does not exist (?:on|in) type '(?:typeof )?([\\w$]+)`,
    'g',
  );
  const asking = new RegExp(
    `Property '${known}' is missing in type '[^']*' but required in type '(?:typeof )?([\\w$]+)`,
    'g',
  );
  const types = new Set(
    conflicts.flatMap(({ message }) =>
      [...message.matchAll(lacking), ...message.matchAll(asking)].map((one) => one[1] ?? one[2]),
    ),
  );
  // An object without a name of its own is told by what it holds, and stands where the checker says.
  const nameless = conflicts.filter(({ message }) =>
    new RegExp(`Property '${fresh}' is missing in type '[^']*\\{ (?:[^']*; )?${known}\\??: `).test(message),
  );
  // What asks for the old name where it is not found any more had it from what got the new one.
  const unfound = conflicts.filter(({ message }) =>
    new RegExp(`'${known}' does not exist (?:on|in) type '`).test(message),
  );
  if (types.size === 0 && nameless.length === 0 && unfound.length === 0) return [];
  const shapes = nameless.flatMap(({ message }) =>
    [...message.matchAll(new RegExp(`Property '${fresh}' is missing in type '(\\{[^']*\\})'`, 'g'))].map((one) =>
      shapeOf(one[1] ?? ''),
    ),
  );
  // A type is written out as it is; an object whose type nobody wrote has members of the same names.
  const isSoShaped = ({ token }: Mention): boolean => {
    const literal: ts.Node | undefined = token.parent?.parent;
    if (literal === undefined) return false;
    if (compiler().isTypeLiteralNode(literal))
      return shapes.some(({ text }) => text === withoutSpacing(literal.getText()));
    return compiler().isObjectLiteralExpression(literal) && shapes.some(({ names }) => names === namesOf(literal));
  };
  const isThere = ({ place, token }: Mention): boolean => {
    const statement = compiler().findAncestor(token, compiler().isStatement);
    const source = token.getSourceFile();
    const lineOf = (offset: number): number => source.getLineAndCharacterOfPosition(offset).line + 1;
    return nameless.some(
      ({ file, line = 0 }) =>
        file === place.path &&
        statement !== undefined &&
        lineOf(statement.getStart(source)) <= line &&
        line <= lineOf(statement.getEnd()),
    );
  };
  const found: Mention[] = [];
  for (const one of left) {
    const { place, token } = one;
    const after = await positionsAfter(backend, edits, place.path);
    const at = after(token.getStart());
    const isUnfound = unfound.some(
      ({ file, line, column }) => file === place.path && line === at.line && column === at.column,
    );
    const isMissed = isMemberName(token) && (types.has(ownerName(token)) || isThere(one) || isSoShaped(one));
    if (isUnfound || isMissed) found.push(one);
  }
  return found;
}

/** A type as the checker prints it. */
function shapeOf(type: string): { text: string; names: string } {
  const [statement] = parse('shape.ts', `type Shape = ${type};`).statements;
  const tsc = compiler();
  const literal = statement !== undefined && tsc.isTypeAliasDeclaration(statement) ? statement.type : undefined;
  const names = literal !== undefined && tsc.isTypeLiteralNode(literal) ? namesOf(literal) : undefined;
  return { text: withoutSpacing(type), names: names ?? '' };
}

/** The names of all members; none when one has no name to be compared by. */
function namesOf(literal: ts.TypeLiteralNode | ts.ObjectLiteralExpression): string | undefined {
  const members: readonly { name?: ts.PropertyName | undefined }[] =
    'properties' in literal ? literal.properties : literal.members;
  const names = members.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]));
  return names.length < members.length ? undefined : names.sort((a, b) => (a < b ? -1 : 1)).join();
}

function withoutSpacing(type: string): string {
  return type.replace(/[\s;,]/g, '');
}

/** Whether one of the places declares a member of a class, a type or an object. */
export async function declaresMember(backend: RenameBackend, places: readonly RenamePlace[]): Promise<boolean> {
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
function isMemberName(token: ts.Node): boolean {
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

function isMemberTest(token: ts.Node): boolean {
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
