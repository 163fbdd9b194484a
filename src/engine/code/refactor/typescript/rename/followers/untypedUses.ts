import type ts from 'typescript-classic';
import { displayPath } from '../../../../../../base/paths.ts';
import type { Position } from '../../../../../../base/positions.ts';
import { counted } from '../../../../../../base/text/counted.ts';
import type { Conflict, RefactorWaiting } from '../../../model.ts';
import { because } from '../../../refusals/refuse.ts';
import type { Following } from '../../../rename/pipeline.ts';
import type { RenameBackend, RenamePlace } from '../../servers/backend.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { isMemberName, isMemberTest, isOfMember } from '../memberNames.ts';
import { mentionsLeft, type Mention } from '../mentionNotes.ts';
import { changedPlaces, type RenameFollower, type RenameRound } from '../state.ts';

/**
 * Uses of a renamed member on objects of which no type is known. When nothing else in the project is called like it, they can only
 * mean this member and follow it; else they stay, and are told.
 */
export const untypedUses: RenameFollower = {
  name: 'uses on objects of unknown type',
  appliesTo: isOfMember,
  async follow(round) {
    const { backend, target, old } = round;
    const changed = changedPlaces(round);
    const left = await mentionsLeft(backend, target.name, changed, old);
    const cast = left.filter(({ token }) => isCastAway(token));
    const isDeclaredElsewhere = left.some((one) => !isAccess(one) && !cast.includes(one) && isMemberName(one.token));
    const accesses = await accessesWithoutType(round, left.filter(isAccess), changed, isDeclaredElsewhere);
    const untyped = [...cast.map((one) => castPlace(one, target.name)), ...accesses.untyped];
    // `'name' in object` asks for the member by its name.
    const tests = left.filter(({ token }) => isMemberTest(token)).map(({ place }) => place);
    const extra = [...accesses.promised, ...(isDeclaredElsewhere ? [] : tests)];
    if (untyped.length === 0) return { extra };
    const others = left.filter((one) => isAccess(one) || isMemberName(one.token)).length - untyped.length;
    const { isAmbiguous } = accesses;
    return decided(round, { untyped, extra, changed: changed.length, others, isAmbiguous });
  },
};

interface Untyped {
  untyped: RenamePlace[];
  /** What follows in any case. */
  extra: RenamePlace[];
  /** How many places change, and how many others are called so. */
  changed: number;
  others: number;
  isAmbiguous: boolean;
}

/** Whether uses of unknown type follow, stay, or are left to the caller. */
function decided(
  { backend, target: { name } }: RenameRound,
  { untyped, extra, changed, others, isAmbiguous }: Untyped,
): Partial<Following<RenamePlace>> {
  const shown = untyped
    .slice(0, 8)
    .map((one) => `${displayPath(backend.project.root, one.path)}:${one.range.start.line}`);
  const what = `${counted(untyped.length, 'use')} of ".${name}" on objects of unknown type`;
  const where = `${shown.join(', ')}${untyped.length > shown.length ? ', …' : ''}`;
  if (!isAmbiguous || changed >= nearlyAll * others)
    return { extra: [...extra, ...untyped], notes: [`Renamed with it: ${what}: ${where}`] };
  if (changed <= others)
    return { extra, notes: [`Left as they are, since others are called so too: ${what}: ${where}`] };
  const conflicts = untyped.map(({ path, range }): Conflict => ({
    kind: 'usage',
    message: because('unknownTypeMember', { name }),
    hint: 'A type there decides it; force: true leaves these places as they are.',
    file: path,
    line: range.start.line,
    column: range.start.column,
  }));
  return { extra, conflicts };
}

/** Accesses to members of that name that the server knows no declaration of; `promised` are those that a type predicate ties to it. */
async function accessesWithoutType(
  { backend, waiting }: RenameRound,
  accesses: readonly Mention[],
  changed: readonly RenamePlace[],
  isDeclaredElsewhere: boolean,
): Promise<{ untyped: RenamePlace[]; promised: RenamePlace[]; isAmbiguous: boolean }> {
  const untyped: RenamePlace[] = [];
  const promised: RenamePlace[] = [];
  let isAmbiguous = isDeclaredElsewhere;
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
  return { untyped, promised, isAmbiguous };
}

function isAccess({ token }: Mention): boolean {
  return compiler().isPropertyAccessExpression(token.parent) && token.parent.name === token;
}

function castPlace({ place, token }: Mention, name: string): RenamePlace {
  return compiler().isShorthandPropertyAssignment(token.parent) ? { ...place, suffix: `: ${name}` } : place;
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
