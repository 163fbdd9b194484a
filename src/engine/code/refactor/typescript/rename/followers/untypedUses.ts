import type ts from 'typescript-classic';
import { displayPath } from '../../../../../../base/paths.ts';
import type { Position } from '../../../../../../base/positions.ts';
import { counted } from '../../../../../../base/text/counted.ts';
import type { WordPlace } from '../../../../sourceFiles.ts';
import type { Conflict, RefactorWaiting } from '../../../model.ts';
import { because } from '../../../refusals/refuse.ts';
import type { Following } from '../../../rename/pipeline.ts';
import type { RenameBackend, RenamePlace } from '../../servers/backend.ts';
import { remaining } from '../../semantics/mentions.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { isMemberName, isMemberTest, isOfMember } from '../memberNames.ts';
import { looksLikeAccess, mentionsAt, type Mention } from '../mentionNotes.ts';
import { changedPlaces, type RenameFollower, type RenameRound } from '../state.ts';

/**
 * Uses of a renamed member on objects of which no type is known. When nothing else in the project is called like it, they can only
 * mean this member and follow it; else they stay, and are told.
 */
export const untypedUses: RenameFollower = {
  name: 'uses on objects of unknown type',
  appliesTo: isOfMember,
  async follow(round) {
    const { target, old } = round;
    const changed = changedPlaces(round);
    const words = remaining(changed, old);
    const accesses = words.filter(looksLikeAccess);
    const named = await namedElsewhere(
      round,
      words.filter((one) => !looksLikeAccess(one)),
      changed.length,
    );
    const found = await accessesWithoutType(round, accesses, changed, named);
    const untyped = [...named.cast.map((one) => castPlace(one, target.name)), ...found.untyped];
    // `'name' in object` asks for the member by its name.
    const extra = [...found.promised, ...(named.members > 0 ? [] : named.tests)];
    if (untyped.length === 0) return { extra };
    const others = accesses.length + named.members + named.cast.length - untyped.length;
    return decided(round, { ...found, untyped, extra, changed: changed.length, others });
  },
};

interface Named {
  /** How many others are declared by that name, or taken from objects by it. */
  members: number;
  cast: Mention[];
  tests: RenamePlace[];
  /** At least as many as change: uses of unknown type stay in any case, and only some of them are told. */
  isEnough: boolean;
}

/** Where else a name stands, other than as what an object is asked for. Files are parsed until what is found decides. */
async function namedElsewhere(
  { backend, target }: RenameRound,
  words: readonly WordPlace[],
  enough: number,
): Promise<Named> {
  const named: Named = { members: 0, cast: [], tests: [], isEnough: false };
  const files = new Map<string, WordPlace[]>();
  for (const word of words) files.set(word.path, [...(files.get(word.path) ?? []), word]);
  for (const there of files.values()) {
    const mentions = await mentionsAt(backend, target.name, there);
    const cast = mentions.filter(({ token }) => isCastAway(token));
    named.cast.push(...cast);
    named.members += mentions.filter((one) => !cast.includes(one) && isMemberName(one.token)).length;
    named.tests.push(...mentions.filter(({ token }) => isMemberTest(token)).map(({ place }) => place));
    if (named.members >= enough) return { ...named, isEnough: true };
  }
  return named;
}

interface Untyped {
  untyped: RenamePlace[];
  /** What follows in any case. */
  extra: RenamePlace[];
  /** How many places change, and how many others are called so. */
  changed: number;
  others: number;
  isAmbiguous: boolean;
  /** Not all of the uses were asked about. */
  isCut: boolean;
}

/** Whether uses of unknown type follow, stay, or are left to the caller. */
function decided(
  { backend, target: { name } }: RenameRound,
  { untyped, extra, changed, others, isAmbiguous, isCut }: Untyped,
): Partial<Following<RenamePlace>> {
  const shown = untyped
    .slice(0, 8)
    .map((one) => `${displayPath(backend.project.root, one.path)}:${one.range.start.line}`);
  const what = `${isCut ? 'at least ' : ''}${counted(untyped.length, 'use')} of ".${name}" on objects of unknown type`;
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
  { backend, target, waiting }: RenameRound,
  accesses: readonly WordPlace[],
  changed: readonly RenamePlace[],
  { members, isEnough }: Named,
): Promise<{ untyped: RenamePlace[]; promised: RenamePlace[]; isAmbiguous: boolean; isCut: boolean }> {
  const untyped: RenamePlace[] = [];
  const promised: RenamePlace[] = [];
  const predicated = await withPredicates(backend, accesses);
  const inOrder = [...accesses.filter((one) => predicated.has(one)), ...accesses.filter((one) => !predicated.has(one))];
  const least = Math.max(isEnough ? askedTogether : maxAskedOfOthers, predicated.size);
  let isAmbiguous = members > 0;
  for (let at = 0; at < inOrder.length; at += askedTogether) {
    // Once others are called so too, nothing follows from the rest: of a name like `get` there may be thousands.
    if (isAmbiguous && at >= least) return { untyped, promised, isAmbiguous, isCut: true };
    const asked = inOrder.slice(at, at + askedTogether);
    const known = await Promise.all(asked.map(({ path, range }) => backend.definitions(path, range.start, waiting)));
    isAmbiguous ||= known.some((definitions) => definitions.length > 0);
    const unknown = asked.filter((_, index) => known[index]?.length === 0);
    for (const { place, token } of (await mentionsAt(backend, target.name, unknown)).filter(isAccess)) {
      const owner = await promisedType(backend, place.path, token, waiting);
      if (owner === undefined) untyped.push(place);
      else if (changed.some(({ path, range }) => path === owner.path && owner.holds(range.start))) promised.push(place);
    }
  }
  return { untyped, promised, isAmbiguous, isCut: false };
}

/** Those in files with a function that says what type its argument has. */
async function withPredicates(backend: RenameBackend, accesses: readonly WordPlace[]): Promise<Set<WordPlace>> {
  const files = new Map<string, boolean>();
  for (const { path } of accesses)
    if (!files.has(path))
      files.set(path, /\)\s*:\s*(?:asserts\s+)?[\w$]+\s+is\s/.test((await backend.text(path)).text));
  return new Set(accesses.filter(({ path }) => files.get(path) === true));
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
function promisedName(token: ts.Node): ts.EntityName | undefined {
  const tsc = compiler();
  const receiver = tsc.isPropertyAccessExpression(token.parent) ? token.parent.expression : undefined;
  const promise = tsc.findAncestor(token, tsc.isFunctionLike)?.type;
  if (receiver === undefined || promise === undefined || !tsc.isTypePredicateNode(promise)) return undefined;
  const { type, parameterName } = promise;
  const isOfReceiver = parameterName.getText() === receiver.getText();
  return isOfReceiver && type !== undefined && tsc.isTypeReferenceNode(type) ? type.typeName : undefined;
}

async function promisedType(
  backend: RenameBackend,
  path: string,
  token: ts.Node,
  waiting: RefactorWaiting,
): Promise<Owner | undefined> {
  const tsc = compiler();
  const name = promisedName(token);
  if (name === undefined) return undefined;
  const here = await backend.text(path);
  const [found] = await backend.definitions(path, here.positionAt(name.getStart()), waiting);
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
