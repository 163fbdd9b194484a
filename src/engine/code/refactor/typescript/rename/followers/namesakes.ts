import type ts from 'typescript-classic';
import { displayPath } from '../../../../../../base/paths.ts';
import type { Conflict } from '../../../model.ts';
import type { RenamePlace } from '../../servers/backend.ts';
import { compiler, parse } from '../../syntax/compiler.ts';
import { checkerMessages } from '../checkerMessages.ts';
import { isMemberName, ownerName } from '../memberNames.ts';
import { mentionsAt, positionsAfter, type Mention } from '../mentionNotes.ts';
import { placesOf, withoutDoubles } from '../places.ts';
import type { RenameRound, RenameWidener, Tried } from '../state.ts';
import { missedAsRequired } from './optionalMembers.ts';

/**
 * Members that must follow a renamed one, because their classes or interfaces are used in place of the one it belongs to: the checker
 * misses the new name in them.
 */
export const namesakes: RenameWidener = {
  name: 'members used in place of it',
  appliesTo: ({ left }) => left.length > 0,
  async follow(round) {
    const { backend, target, newName, places, conflicts, waiting, trial } = round;
    const told = [...(trial.conflicts ?? []), ...conflicts];
    const missed = await missedMembers(round, told.length > 0 ? told : await missedAsRequired(round));
    const more = [...places, ...missed.filter(isShorthand).map((one) => keepingItsName(one, target.name))];
    for (const { place } of missed.filter((one) => !isShorthand(one))) {
      const asked = { path: place.path, position: place.range.start, name: target.name };
      more.push(...(await placesOf(backend, asked, newName, waiting)));
    }
    const lines = missed.map(
      ({ place: { path, range } }) => `${displayPath(backend.project.root, path)}:${range.start.line}`,
    );
    const notes =
      missed.length === 0
        ? []
        : [`Renamed with it, since one is used in place of the other: ${[...new Set(lines)].join(', ')}`];
    return { places: withoutDoubles(more), notes };
  },
};

/** The names among those left that the checker misses the new name in, or finds the old one no more. */
async function missedMembers(
  { backend, target, newName, edits, left }: RenameRound & Tried,
  conflicts: readonly Conflict[],
): Promise<Mention[]> {
  const says = checkerMessages(target.name, newName);
  const types = new Set(conflicts.flatMap(({ message }) => says.lackingTypes(message)));
  const nameless = conflicts.filter(({ message }) => says.isLackedByObject(message));
  const unfound = conflicts.filter(({ message }) => says.isUnfound(message));
  if (types.size === 0 && nameless.length === 0 && unfound.length === 0) return [];
  const mentions = await mentionsAt(backend, target.name, left);
  const shapes = nameless.flatMap(({ message }) => says.lackingShapes(message)).map(shapeOf);
  const found: Mention[] = [];
  for (const one of mentions) {
    const { place, token } = one;
    const after = await positionsAfter(backend, edits, place.path);
    const at = after(token.getStart());
    const isUnfound = unfound.some(
      ({ file, line, column }) => file === place.path && line === at.line && column === at.column,
    );
    const isMissed =
      isMemberName(token) &&
      (types.has(ownerName(token) ?? '') || isInStatementOf(one, nameless) || isSoShaped(one, shapes));
    if (isUnfound || isMissed) found.push(one);
  }
  return found;
}

/** An object without a name of its own stands where the checker says. */
function isInStatementOf({ place, token }: Mention, conflicts: readonly Conflict[]): boolean {
  const statement = compiler().findAncestor(token, compiler().isStatement);
  const source = token.getSourceFile();
  const lineOf = (offset: number): number => source.getLineAndCharacterOfPosition(offset).line + 1;
  return conflicts.some(
    ({ file, line = 0 }) =>
      file === place.path &&
      statement !== undefined &&
      lineOf(statement.getStart(source)) <= line &&
      line <= lineOf(statement.getEnd()),
  );
}

/** A type is written out as it is; an object whose type nobody wrote has members of the same names. */
function isSoShaped({ token }: Mention, shapes: readonly Shape[]): boolean {
  const literal: ts.Node | undefined = token.parent?.parent;
  if (literal === undefined) return false;
  if (compiler().isTypeLiteralNode(literal))
    return shapes.some(({ text }) => text === withoutSpacing(literal.getText()));
  return compiler().isObjectLiteralExpression(literal) && shapes.some(({ names }) => names === namesOf(literal));
}

interface Shape {
  text: string;
  names: string;
}

/** A type as the checker prints it. */
function shapeOf(type: string): Shape {
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

/** `{ name }`, which takes a member into a variable of its name, or a variable into a member of its name. */
function isShorthand({ token }: Mention): boolean {
  const tsc = compiler();
  const { parent } = token;
  return (
    tsc.isShorthandPropertyAssignment(parent) ||
    (tsc.isBindingElement(parent) && tsc.isObjectBindingPattern(parent.parent) && parent.propertyName === undefined)
  );
}

function keepingItsName({ place }: Mention, oldName: string): RenamePlace {
  return { ...place, suffix: `: ${oldName}` };
}
