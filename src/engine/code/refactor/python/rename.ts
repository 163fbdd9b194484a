import { readFile } from 'node:fs/promises';
import type { Conflict, LanguageRefactorer, Proposal, RefactorTarget, RefactorWaiting } from '../model.ts';
import type { CheckedProposals } from './checkedProposal.ts';
import { keyOf, knownPlaces, type NamePlaces } from './namePlaces.ts';
import type { RenameAnswer } from './ropeAnswers.ts';
import type { RopeProcess } from './ropeProcess.ts';
import type { Place } from './ropeRequests.ts';
import { mismatchedTypes, missesMember, missesName, missesRequiredKey } from './tyMessages.ts';

interface Parts {
  places: NamePlaces;
  rope: RopeProcess;
  proposals: CheckedProposals;
}

type Rename = LanguageRefactorer['rename'];

/**
 * A rename: places, followers, checks, trial. The first three are our Python's (`python/_sightline_refactor/rename`), which knows the
 * language but no types; the trial is ours, and so is asking the language server, which knows types. How the two speak:
 *
 * 1. The server tells the places that it knows to be meant: `sure`. Without a server there are none.
 * 2. `related` tells where the same thing is declared otherwise (what overrides it, overloads, stubs); the server tells the places of each,
 *    which are `sure` too.
 * 3. `rename` answers with the change and the places that it is not sure of: `unsure`. Of these the server tells those that mean something
 *    declared elsewhere: `denied`.
 * 4. `rename` again with `denied` and `asked`: nobody is left to ask. A place that is still not known is taken for it when nothing else in
 *    the project has the name (told in a note), and is a conflict otherwise.
 * 5. The trial. Where the type checker misses the old name, it was used: with these places among `sure` all is tried once more. Where it
 *    does not take one class for another any more, these are `alike`, their members are renamed together, and steps 2 to 5 begin again.
 * 6. `keys` are conflicts that no type checker sees; they count only when there is no other.
 */
export function renamer({ places, rope, proposals }: Parts): Rename {
  return async (target, newName, options, waiting) => {
    const own = await knownPlaces(places, target, waiting);
    const renamed = { from: target.name, to: newName.replace(/\.py$/, '') };
    const attempt = async (sure: readonly Place[], alike: readonly string[] = []): Promise<Proposal> => {
      const request = { ...placeOf(target), newName, docs: options.comments, sure, alike };
      let answer = await rope.request('rename', request, waiting);
      if (answer.unsure.length > 0) {
        const denied = own === undefined ? [] : await places.others(answer.unsure, sure, waiting);
        answer = await rope.request('rename', { ...request, denied, asked: true }, waiting);
      }
      return withUnclear(await proposals.of(answer, waiting, renamed), answer);
    };
    const related = (sure: readonly Place[], alike: readonly string[]): Promise<Place[]> =>
      withRelated({ places, rope }, target, { sure, alike }, waiting);
    const sure = own === undefined ? [] : await related(own, []);
    const proposed = await attempt(sure);
    const missed = await placesOfErrors(proposed.conflicts, renamed);
    if (missed.length > 0) return attempt([...sure, ...missed]);
    const alike = new Set<string>();
    let latest = proposed;
    const found = (): string[] => classesOfErrors(latest.conflicts, target.name).filter((name) => !alike.has(name));
    while (own !== undefined && found().length > 0) {
      for (const name of found()) alike.add(name);
      latest = await attempt(await related(sure, [...alike]), [...alike]);
    }
    return latest.conflicts.length === 0 ? latest : proposed;
  };
}

/** A target as our Python is told of it. */
export function placeOf({ path, position, name }: RefactorTarget): Place & { name: string } {
  return { path, line: position.line, column: position.column, name };
}

/** What overrides the target, is overridden by it or is an overload of it has uses of its own. */
async function withRelated(
  { places, rope }: Pick<Parts, 'places' | 'rope'>,
  target: RefactorTarget,
  known: { sure: readonly Place[]; alike: readonly string[] },
  waiting: RefactorWaiting,
): Promise<Place[]> {
  const found = new Map(known.sure.map((one) => [keyOf(one), one]));
  for (const one of await rope.request('related', { ...placeOf(target), ...known }, waiting)) {
    if (found.has(keyOf(one))) continue;
    const { path, line, column } = one;
    const others = await knownPlaces(places, { name: target.name, path, position: { line, column } }, waiting);
    for (const other of [one, ...(others ?? [])]) found.set(keyOf(other), other);
  }
  return [...found.values()];
}

function withUnclear(proposed: Proposal, { keys }: RenameAnswer): Proposal {
  return proposed.conflicts.length > 0 ? proposed : { ...proposed, conflicts: keys };
}

/** The places of a name that the checker does not find any more; none when something else is wrong too. */
async function placesOfErrors(
  conflicts: readonly Conflict[],
  { from: name, to }: { from: string; to: string },
): Promise<Place[]> {
  const found: Place[] = [];
  for (const { kind, message, file, line, column } of conflicts) {
    // The same place has another error, which says the key that is there.
    if (kind === 'error' && missesRequiredKey(message, to)) continue;
    if (kind !== 'error' || file === undefined || line === undefined || !missesName(message, name)) return [];
    const text = (await readFile(file, 'utf8')).split('\n')[line - 1] ?? '';
    const at = text.slice((column ?? 1) - 1).search(new RegExp(`(?<!\\w)${name}(?!\\w)`));
    if (at === -1) return [];
    found.push({ path: file, line, column: (column ?? 1) + at });
  }
  return found;
}

/** The names of the classes that the checker does not take for each other any more; none when something else is wrong than that and a member missed. */
function classesOfErrors(conflicts: readonly Conflict[], member: string): string[] {
  const found = new Set<string>();
  for (const { kind, message } of conflicts) {
    if (missesMember(message, member)) continue;
    const names = kind === 'error' ? mismatchedTypes(message) : undefined;
    if (names === undefined) return [];
    for (const name of names) found.add(name);
  }
  return [...found];
}
